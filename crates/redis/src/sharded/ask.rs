//! Batches over shards.

use bouquet_core::Key;
use redis::{Cmd, ConnectionLike, Value, pipe};

use super::ShardedBitmap;
use crate::Native;
use crate::key::{Takes, all_bytes_of};
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
        Ok(now(self.insert_on(&mut Blocking(connection), &[Native::bytes_of(key)]))?[0])
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
        now(self.insert_on(&mut Blocking(connection), &all_bytes_of::<Native, _>(keys)))
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
        Ok(now(self.contains_on(&mut Blocking(connection), &[Native::bytes_of(key)]))?[0])
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
        now(self.contains_on(&mut Blocking(connection), &all_bytes_of::<Native, _>(keys)))
    }

    pub(super) async fn insert_on<K: AsRef<[u8]>>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<Inserted>> {
        let parts = self.parts(keys)?;
        let mut sent = Vec::with_capacity(parts.len());
        for parts in &parts {
            sent.push(send(wire, parts, |part| self.insertion(part)).await);
        }
        self.insert_rest(wire, keys, parts, sent).await
    }

    /// The command that inserts the keys of a part.
    pub(super) fn insertion(&self, part: &Part) -> Cmd {
        let name = self.shards[part.shard].name();
        batch::insert(name, part.marks, &part.locations)
    }

    /// Takes the replies to them, and inserts again what has none.
    pub(super) async fn insert_rest<K: AsRef<[u8]>>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
        parts: Vec<Vec<Part>>,
        sent: Vec<Sent>,
    ) -> Result<Vec<Inserted>> {
        let mut all = vec![Inserted::Unsure; keys.len()];
        let mut again = Vec::new();
        for (parts, replies) in parts.into_iter().zip(sent) {
            for (part, reply) in parts.into_iter().zip(replies) {
                let shard = &mut self.shards[part.shard];
                let (marks, hashes) = (part.marks, part.hashes);
                let took = match reply {
                    Ok(reply) => batch::inserted(reply, marks, &part.locations, hashes, false)?,
                    Err(lost_reply) => {
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

    pub(super) async fn contains_on<K: AsRef<[u8]>>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<bool>> {
        let parts = self.parts(keys)?;
        let mut sent = Vec::with_capacity(parts.len());
        for parts in &parts {
            sent.push(send(wire, parts, |part| self.question(part)).await);
        }
        self.contains_rest(wire, keys, parts, sent).await
    }

    /// The command that queries the keys of a part.
    pub(super) fn question(&self, part: &Part) -> Cmd {
        let name = self.shards[part.shard].name();
        batch::ask_bits(name, part.marks, &part.locations)
    }

    /// Takes the answers to them, and asks again for what has none.
    pub(super) async fn contains_rest<K: AsRef<[u8]>>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
        parts: Vec<Vec<Part>>,
        sent: Vec<Sent>,
    ) -> Result<Vec<bool>> {
        // Members until the contrary is shown.
        let mut all = vec![true; keys.len()];
        let mut again = Vec::new();
        for (parts, replies) in parts.into_iter().zip(sent) {
            for (part, reply) in parts.into_iter().zip(replies) {
                let (marks, hashes) = (part.marks, part.hashes);
                let found = match reply {
                    Ok(reply) => batch::found_by_bits(reply, marks, &part.locations, hashes)?,
                    Err(_) => {
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
    pub(super) fn parts<K: AsRef<[u8]>>(&self, keys: &[K]) -> Result<Vec<Vec<Part>>> {
        let mut places = vec![Vec::new(); self.shards.len()];
        for (place, key) in keys.iter().enumerate() {
            places[self.shard_of(key.as_ref())].push(place);
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

/// The most commands of one pipeline, so that its replies come well within the half second
/// that a multiplexed connection waits for them by default.
const PIPELINED: usize = 8;

/// The replies to commands, or whether one that has none may have been executed.
pub(super) type Sent = Vec<std::result::Result<Value, bool>>;

/// Sends a command for each part, a few at a time, until a connection fails.
pub(super) async fn send(
    wire: &mut impl Wire,
    parts: &[Part],
    command: impl Fn(&Part) -> Cmd,
) -> Sent {
    let mut all = Sent::with_capacity(parts.len());
    for parts in parts.chunks(PIPELINED) {
        let mut pipeline = pipe();
        for part in parts {
            pipeline.add_command(command(part));
        }
        let lost_reply = match wire.many(&pipeline).await {
            Ok(replies) if replies.len() == parts.len() => {
                let replies = replies.into_iter().map(Value::extract_error);
                all.extend(replies.map(|reply| reply.map_err(|_| false)));
                continue;
            }
            Ok(_) => true,
            Err(error) => may_be_done(&error),
        };
        all.resize(all.len() + parts.len(), Err(lost_reply));
        break;
    }
    // The rest was not sent.
    all.resize(parts.len(), Err(false));
    all
}
