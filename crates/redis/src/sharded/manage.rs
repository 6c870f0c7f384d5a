//! Operations on all shards of a filter.

use std::time::Duration;

use super::ShardedBitmap;
use crate::{Info, calls::calls};

calls! {
    impl [] ShardedBitmap[] {
        /// Counts the bits of all shards. The returned time to live is that of the shard that
        /// expires first.
        ///
        /// # Errors
        ///
        /// [`Error`](crate::Error).
        fn info[](&self) -> Info {
            |wire| {
                // There is at least one shard.
                let mut all = self.shards[0].info_on(wire).await?;
                for shard in &self.shards[1..] {
                    let one = shard.info_on(wire).await?;
                    all.size_bits += one.size_bits;
                    all.ones += one.ones;
                    all.estimated_fpr += one.estimated_fpr;
                    all.ttl = all.ttl.into_iter().chain(one.ttl).min();
                }
                // A key is equally likely to belong to each shard, so the FPR is the mean of the
                // shards.
                all.estimated_fpr /= self.shards.len() as f64;
                Ok(all)
            }
        }

        /// Makes all shards expire, one after the other. After an error some shards may have the
        /// new expiry: call it again.
        ///
        /// # Errors
        ///
        /// [`Error::FilterLost`](crate::Error::FilterLost) if a shard does not exist.
        fn expire[](&self, after: Duration) -> () {
            |wire| {
                for shard in &self.shards {
                    shard.expire_on(wire, after).await?;
                }
                Ok(())
            }
        }
    }
}
