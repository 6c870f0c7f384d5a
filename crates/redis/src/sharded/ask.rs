//! Inserts and queries batches of keys over all shards.

use std::sync::{Arc, atomic::Ordering::Relaxed};

use bouquet_core::Key;
use redis::{Cmd, Value, cmd, pipe};

use super::{NativeShard, ShardedBitmap};
use crate::{
    Inserted, Native, Result,
    batch::{self, Marks, Shape, array},
    bitmap::Known,
    calls::calls,
    error::{Tried, Trouble, may_be_done},
    key::{Takes, all_bytes_of},
    wire::{Attempts, Wire},
};

/// Some keys of one shard that are sent in one command.
struct Part {
    shard: usize,
    /// The indices of the keys in the batch.
    places: Vec<usize>,
    locations: Vec<u64>,
    /// What was known about the shard when the command was made; the first reply of a shard may
    /// change this.
    known: Arc<Known<NativeShard>>,
    marks: Marks,
    shape: Shape,
}

calls! {
    impl [] ShardedBitmap[] {
        /// Inserts a key.
        ///
        /// # Errors
        ///
        /// [`Error`](crate::Error).
        fn insert[K: Key + ?Sized](&self, key: &K) -> Inserted {
            |wire| Ok(self.insert_on(wire, &[Native::bytes_of(key)]).await?[0])
        }

        /// Inserts keys. After an error some of the keys may be inserted; inserting them again does
        /// no harm.
        ///
        /// # Errors
        ///
        /// [`Error`](crate::Error).
        fn insert_batch[K: Key](&self, keys: &[K]) -> Vec<Inserted> {
            |wire| self.insert_on(wire, &all_bytes_of::<Native, _>(keys)).await
        }

        /// Whether a key may be present; `false`: it is definitely absent.
        ///
        /// # Errors
        ///
        /// [`Error`](crate::Error).
        fn contains[K: Key + ?Sized](&self, key: &K) -> bool {
            |wire| Ok(self.contains_on(wire, &[Native::bytes_of(key)]).await?[0])
        }

        /// Queries keys.
        ///
        /// # Errors
        ///
        /// [`Error`](crate::Error); a failure is never returned as an answer.
        fn contains_batch[K: Key](&self, keys: &[K]) -> Vec<bool> {
            |wire| self.contains_on(wire, &all_bytes_of::<Native, _>(keys)).await
        }
    }
}

impl ShardedBitmap {
    async fn insert_on(&self, wire: &mut impl Wire, keys: &[Vec<u8>]) -> Result<Vec<Inserted>> {
        let mut all = vec![Inserted::Unsure; keys.len()];
        let commands = |part: &Part| {
            let name = &self.shards[part.shard].name;
            let [guard, set, unguard] =
                batch::insert(name, part.marks, &part.locations, &part.shape);
            vec![cmd("MULTI"), guard, set, unguard, cmd("EXEC")]
        };
        let take = |part: &Part, mut replies: Vec<Value>| {
            let done = array("EXEC", replies.pop().unwrap_or_default().extract_error()?)?;
            let took = batch::inserted(done, part.marks, &part.locations, &part.shape, false)?;
            part.known.note(took.last_set);
            Ok(took.inserted)
        };
        let mut attempts = Attempts::new(self.retry);
        for (part, lost_reply) in self
            .once(wire, keys, &mut all, true, commands, take)
            .await?
        {
            let keys: Vec<_> = part.places.iter().map(|place| &keys[*place]).collect();
            let shard = &self.shards[part.shard];
            let took = shard
                .insert_with(wire, &keys, &mut attempts, lost_reply)
                .await?;
            part.put(&mut all, took);
        }
        Ok(all)
    }

    async fn contains_on(&self, wire: &mut impl Wire, keys: &[Vec<u8>]) -> Result<Vec<bool>> {
        // Each answer starts as `true`, so that a key is never reported absent by mistake.
        let mut all = vec![true; keys.len()];
        let commands = |part: &Part| {
            let name = self.shards[part.shard].name();
            vec![batch::ask_bits(name, part.marks, &part.locations)]
        };
        let take = |part: &Part, mut replies: Vec<Value>| {
            let reply = replies.pop().unwrap_or_default().extract_error()?;
            batch::found_by_bits(reply, part.marks, &part.locations, &part.shape)
        };
        let mut attempts = Attempts::new(self.retry);
        for (part, _) in self
            .once(wire, keys, &mut all, false, commands, take)
            .await?
        {
            let keys: Vec<_> = part.places.iter().map(|place| &keys[*place]).collect();
            let shard = &self.shards[part.shard];
            part.put(
                &mut all,
                shard.contains_with(wire, &keys, &mut attempts).await?,
            );
        }
        Ok(all)
    }

    /// Sends the commands for all keys, in pipelines of some parts, and stores the results at the
    /// indices of the keys. Returns the parts that have no result and must be sent again shard by
    /// shard, each with whether the server may already have executed it.
    async fn once<T>(
        &self,
        wire: &mut impl Wire,
        keys: &[Vec<u8>],
        all: &mut [T],
        is_insert: bool,
        commands: impl Fn(&Part) -> Vec<Cmd>,
        take: impl Fn(&Part, Vec<Value>) -> Tried<Vec<T>>,
    ) -> Result<Vec<(Part, bool)>> {
        let mut again = Vec::new();
        for mut parts in self.parts(keys) {
            // The first insert of such a shard checks what the server supports, so it is sent
            // separately.
            if is_insert {
                for part in parts.extract_if(.., |part| !part.known.may_insert.load(Relaxed)) {
                    again.push((part, false));
                }
            }
            while !parts.is_empty() {
                let rest = parts.split_off(PIPELINED.min(parts.len()));
                let mut pipeline = pipe();
                for command in parts.iter().flat_map(&commands) {
                    pipeline.add_command(command);
                }
                let of_part = pipeline.len() / parts.len();
                let (replies, lost_reply) = match wire.many(&pipeline).await {
                    Ok(replies) => (replies, false),
                    Err(error) => (Vec::new(), may_be_done(&error)),
                };
                let mut replies = replies.chunks(of_part);
                for part in std::mem::replace(&mut parts, rest) {
                    match replies.next().map(|replies| take(&part, replies.to_vec())) {
                        Some(Ok(results)) => part.put(all, results),
                        Some(Err(Trouble::Fatal(error))) => return Err(error),
                        // The shard's own call handles the error.
                        Some(Err(_)) => again.push((part, false)),
                        None => again.push((part, lost_reply)),
                    }
                }
            }
        }
        if !again.is_empty() {
            self.find_nodes(wire).await;
        }
        Ok(again)
    }

    /// The parts of a batch, grouped by node.
    fn parts(&self, keys: &[Vec<u8>]) -> Vec<Vec<Part>> {
        let mut places = vec![Vec::new(); self.shards.len()];
        let first = self.shards[0].scheme();
        for (place, key) in keys.iter().enumerate() {
            places[first.shard_of(key) as usize].push(place);
        }
        let mut all = Vec::new();
        for group in self.groups.get().iter() {
            let mut parts = Vec::new();
            for shard in group {
                let known = self.shards[*shard].known();
                let scheme = &known.settings.scheme;
                for places in places[*shard].chunks(Shape::of(scheme).keys_a_command()) {
                    let keys: Vec<_> = places.iter().map(|place| &keys[*place]).collect();
                    parts.push(Part {
                        shard: *shard,
                        places: places.to_vec(),
                        locations: batch::locations(scheme, &keys),
                        marks: known.marks(),
                        shape: Shape::of(scheme),
                        known: known.clone(),
                    });
                }
            }
            if !parts.is_empty() {
                all.push(parts);
            }
        }
        all
    }
}

impl Part {
    fn put<T>(&self, all: &mut [T], results: Vec<T>) {
        for (place, result) in self.places.iter().zip(results) {
            all[*place] = result;
        }
    }
}

/// The maximum number of parts in one pipeline, so that its replies arrive well within the half
/// second that a multiplexed connection waits by default.
const PIPELINED: usize = 8;
