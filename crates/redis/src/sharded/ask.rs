//! Batches over shards.

use bouquet_core::Key;
use redis::{ConnectionLike, Pipeline, Value, pipe};

use super::ShardedBitmap;
use crate::{
    Inserted, Result, Scheme,
    batch::{self, Marks},
    error::may_be_done,
    wire::{Attempts, Blocking, Wire, now},
};

/// Some keys of one shard, which one command queries.
pub(super) struct Part {
    shard: usize,
    /// Where they are in the batch.
    places: Vec<usize>,
    locations: Vec<u64>,
    /// As they are when the command is made: the first reply of a shard changes them.
    marks: Marks,
    hashes: usize,
}

impl ShardedBitmap {
    /// Inserts a key.
    ///
    /// # Errors
    ///
    /// [`Error`](crate::Error).
    pub fn insert<K: Key + ?Sized>(
        &mut self,
        connection: &mut impl ConnectionLike,
        key: &K,
    ) -> Result<Inserted> {
        Ok(self.insert_batch(connection, &[key])?[0])
    }

    /// Inserts keys. After an error some of them may be in; inserting them again does no
    /// harm.
    ///
    /// # Errors
    ///
    /// [`Error`](crate::Error).
    pub fn insert_batch<K: Key>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<Inserted>> {
        now(self.insert_on(&mut Blocking(connection), keys))
    }

    /// Whether a key may be present; `false`: it is definitely absent.
    ///
    /// # Errors
    ///
    /// [`Error`](crate::Error).
    pub fn contains<K: Key + ?Sized>(
        &mut self,
        connection: &mut impl ConnectionLike,
        key: &K,
    ) -> Result<bool> {
        Ok(self.contains_batch(connection, &[key])?[0])
    }

    /// Queries keys.
    ///
    /// # Errors
    ///
    /// [`Error`](crate::Error); a failure is never an answer.
    pub fn contains_batch<K: Key>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<bool>> {
        now(self.contains_on(&mut Blocking(connection), keys))
    }

    pub(super) async fn insert_on<K: Key>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<Inserted>> {
        let parts = self.parts(keys)?;
        let mut sent = Vec::with_capacity(parts.len());
        for parts in &parts {
            sent.push(send(wire, &self.inserts(parts), parts.len()).await);
        }
        self.insert_rest(wire, keys, parts, sent).await
    }

    /// The commands that insert the keys of parts.
    pub(super) fn inserts(&self, parts: &[Part]) -> Pipeline {
        let mut all = pipe();
        for part in parts {
            let name = self.shards[part.shard].name();
            all.add_command(batch::insert(name, part.marks, &part.locations));
        }
        all
    }

    /// Takes the replies to them, and inserts again what has none.
    pub(super) async fn insert_rest<K: Key>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
        parts: Vec<Vec<Part>>,
        sent: Vec<Sent>,
    ) -> Result<Vec<Inserted>> {
        let mut all = vec![Inserted::Unsure; keys.len()];
        let mut again = Vec::new();
        for (parts, (replies, lost_reply)) in parts.into_iter().zip(sent) {
            for (part, reply) in parts.into_iter().zip(replies) {
                let shard = &mut self.shards[part.shard];
                let (marks, hashes) = (part.marks, part.hashes);
                let took = match reply {
                    Some(reply) => batch::inserted(reply, marks, &part.locations, hashes, false)?,
                    None => {
                        again.push((part, lost_reply));
                        continue;
                    }
                };
                match took {
                    Ok(took) => {
                        shard.note(took.last_set);
                        for (place, inserted) in part.places.iter().zip(took.inserted) {
                            all[*place] = inserted;
                        }
                    }
                    // It reports how, or continues with its rebuilt generation.
                    Err(_) => again.push((part, false)),
                }
            }
        }
        let mut attempts = Attempts::new(self.retry);
        let has_changed = !again.is_empty();
        for (part, lost_reply) in again {
            let shard = &mut self.shards[part.shard];
            let keys: Vec<&K> = part.places.iter().map(|place| &keys[*place]).collect();
            let took = shard.insert_with(wire, &keys, &mut attempts, lost_reply);
            for (place, inserted) in part.places.iter().zip(took.await?) {
                all[*place] = inserted;
            }
        }
        if has_changed {
            self.find_nodes(wire).await;
        }
        Ok(all)
    }

    pub(super) async fn contains_on<K: Key>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<bool>> {
        let parts = self.parts(keys)?;
        let mut sent = Vec::with_capacity(parts.len());
        for parts in &parts {
            sent.push(send(wire, &self.questions(parts), parts.len()).await);
        }
        self.contains_rest(wire, keys, parts, sent).await
    }

    /// The commands that ask for the keys of parts.
    pub(super) fn questions(&self, parts: &[Part]) -> Pipeline {
        let mut all = pipe();
        for part in parts {
            let name = self.shards[part.shard].name();
            all.add_command(batch::ask_bits(name, part.marks, &part.locations));
        }
        all
    }

    /// Takes the answers to them, and asks again for what has none.
    pub(super) async fn contains_rest<K: Key>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
        parts: Vec<Vec<Part>>,
        sent: Vec<Sent>,
    ) -> Result<Vec<bool>> {
        // Members until the contrary is shown.
        let mut all = vec![true; keys.len()];
        let mut again = Vec::new();
        for (parts, (replies, _)) in parts.into_iter().zip(sent) {
            for (part, reply) in parts.into_iter().zip(replies) {
                let (marks, hashes) = (part.marks, part.hashes);
                let found = match reply {
                    Some(reply) => batch::found_by_bits(reply, marks, &part.locations, hashes)?,
                    None => {
                        again.push(part);
                        continue;
                    }
                };
                match found {
                    Ok(found) => {
                        for (place, found) in part.places.iter().zip(found) {
                            all[*place] = found;
                        }
                    }
                    Err(_) => again.push(part),
                }
            }
        }
        let mut attempts = Attempts::new(self.retry);
        let has_changed = !again.is_empty();
        for part in again {
            let shard = &mut self.shards[part.shard];
            let keys: Vec<&K> = part.places.iter().map(|place| &keys[*place]).collect();
            let found = shard.contains_with(wire, &keys, &mut attempts).await?;
            for (place, found) in part.places.iter().zip(found) {
                all[*place] = found;
            }
        }
        if has_changed {
            self.find_nodes(wire).await;
        }
        Ok(all)
    }

    /// The queries to each node.
    pub(super) fn parts<K: Key>(&self, keys: &[K]) -> Result<Vec<Vec<Part>>> {
        let mut places = vec![Vec::new(); self.shards.len()];
        for (place, key) in keys.iter().enumerate() {
            places[self.shard_of(key)].push(place);
        }
        let mut all = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let mut parts = Vec::new();
            for shard in group {
                let scheme = self.shards[*shard].scheme();
                for places in places[*shard].chunks(batch::keys_a_command(scheme)) {
                    let keys: Vec<&K> = places.iter().map(|place| &keys[*place]).collect();
                    parts.push(Part {
                        shard: *shard,
                        places: places.to_vec(),
                        locations: batch::locations(scheme, &keys)?,
                        marks: self.shards[*shard].marks(),
                        hashes: scheme.hashes() as usize,
                    });
                }
            }
            if !parts.is_empty() {
                all.push(parts);
            }
        }
        Ok(all)
    }
}

/// The replies to commands, without those that failed; whether replies were lost.
pub(super) type Sent = (Vec<Option<Value>>, bool);

pub(super) async fn send(wire: &mut impl Wire, pipeline: &Pipeline, count: usize) -> Sent {
    match wire.many(pipeline).await {
        Ok(replies) if replies.len() == count => {
            let good = replies.into_iter().map(|reply| reply.extract_error().ok());
            (good.collect(), false)
        }
        Ok(_) => (vec![None; count], true),
        Err(error) => (vec![None; count], may_be_done(&error)),
    }
}
