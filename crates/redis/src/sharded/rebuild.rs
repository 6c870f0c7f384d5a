//! Rebuilding a filter that is spread over shards.

use bouquet_core::Key;

use super::{NativeShard, ShardedBitmap, first_shard};
use crate::{Draft, Inserted, Native, Result, Retry, calls::calls, key::all_bytes_of, wire::Wire};

/// A new generation of a filter over shards, which is being built.
///
/// No client reads it until [`publish`](Self::publish). That replaces one shard after the other,
/// each in one atomic step, so for every key readers query either the old filter or the new one. If
/// the process ends before that, the draft expires after an hour. If it ends while publishing, some
/// shards are new and the others old, and both answer: rebuild the filter once more. Keys that
/// other clients insert meanwhile are missing from the new filter.
#[derive(Debug)]
pub struct ShardedDraft {
    drafts: Vec<Draft<NativeShard>>,
    retry: Retry,
}

calls! {
    impl [] ShardedBitmap[] {
        /// Begins to rebuild this filter with the same number of shards.
        ///
        /// # Errors
        ///
        /// As [`create`](Self::create).
        fn rebuild[](&self, capacity: u64, target_fpr: f64) -> ShardedDraft {
            |wire| {
                let first = first_shard(capacity, target_fpr, self.shards.len() as u32)?;
                let mut drafts = Vec::with_capacity(self.shards.len());
                for (shard, i) in self.shards.iter().zip(0..) {
                    let scheme = NativeShard { shard: i, ..first.clone() };
                    drafts.push(shard.rebuild_on(wire, scheme).await?);
                }
                Ok(crate::ShardedDraft { drafts, retry: self.retry })
            }
        }
    }
}

calls! {
    impl [] ShardedDraft[] {
        /// Inserts keys into the new filter.
        ///
        /// # Errors
        ///
        /// As [`Draft::insert_batch`].
        fn insert_batch[K: Key](&self, keys: &[K]) -> Vec<Inserted> {
            |wire| self.insert_on(wire, &all_bytes_of::<Native, _>(keys)).await
        }

        /// Replaces the old shards with the new ones, which take over the expiry of the old ones.
        ///
        /// # Errors
        ///
        /// [`Error`](crate::Error): then some shards may be new, and the others are unchanged.
        fn publish[](self) -> ShardedBitmap { publish_on }
    }
}

impl ShardedDraft {
    async fn insert_on<K: AsRef<[u8]>>(
        &self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<Inserted>> {
        let mut places = vec![Vec::new(); self.drafts.len()];
        for (place, key) in keys.iter().enumerate() {
            // There is at least one shard.
            places[self.drafts[0].scheme().shard_of(key.as_ref()) as usize].push(place);
        }
        let mut all = vec![Inserted::Unsure; keys.len()];
        for (draft, places) in self.drafts.iter().zip(places) {
            let keys: Vec<&K> = places.iter().map(|place| &keys[*place]).collect();
            for (place, inserted) in places.into_iter().zip(draft.insert_on(wire, &keys).await?) {
                all[place] = inserted;
            }
        }
        Ok(all)
    }

    async fn publish_on(self, wire: &mut impl Wire) -> Result<ShardedBitmap> {
        let mut shards = Vec::with_capacity(self.drafts.len());
        for draft in self.drafts {
            shards.push(draft.publish_on(wire).await?);
        }
        let filter = ShardedBitmap::of(wire, shards).await?;
        Ok(filter.with_retry(self.retry))
    }
}
