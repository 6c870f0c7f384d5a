//! Batches of keys.

use bouquet_interop::RedisKey;
use redis::{ConnectionLike, RedisError, Value};

use super::{BfInserted, RemoteBf, replies};
use crate::key::{Takes, all_bytes_of};
use crate::{
    Inserted, Lost, Result,
    error::unexpected,
    marked::Marked,
    wire::{Attempts, Blocking, Wire, now},
};

/// Keys of one command, so that it keeps other clients waiting for a millisecond at most.
const KEYS: usize = 1_000;

impl RemoteBf {
    /// Inserts a key.
    ///
    /// # Errors
    ///
    /// As [`insert_batch`](Self::insert_batch); the inner one if the server did not insert
    /// this key.
    pub fn insert<K: RedisKey + ?Sized>(
        &mut self,
        connection: &mut impl ConnectionLike,
        key: &K,
    ) -> Result<BfInserted> {
        let mut all = now(self.insert_on(&mut Blocking(connection), &[RemoteBf::bytes_of(key)]))?;
        // As many as keys: one.
        Ok(all.remove(0))
    }

    /// Inserts keys: one `BF.INSERT ... NOCREATE` of up to 1,000 keys at a time, in one
    /// transaction with the check that the filter exists. Each key has an outcome
    /// of its own.
    ///
    /// # Errors
    ///
    /// [`Error`](crate::Error).
    pub fn insert_batch<K: RedisKey>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<BfInserted>> {
        now(self.insert_on(
            &mut Blocking(connection),
            &all_bytes_of::<RemoteBf, _>(keys),
        ))
    }

    /// Whether a key may be present; `false`: it is definitely absent.
    ///
    /// # Errors
    ///
    /// As [`contains_batch`](Self::contains_batch).
    pub fn contains<K: RedisKey + ?Sized>(
        &mut self,
        connection: &mut impl ConnectionLike,
        key: &K,
    ) -> Result<bool> {
        Ok(now(self.contains_on(&mut Blocking(connection), &[RemoteBf::bytes_of(key)]))?[0])
    }

    /// Queries keys: one `BF.MEXISTS` of up to 1,000 keys at a time.
    ///
    /// # Errors
    ///
    /// [`Error`](crate::Error); a failure is never an answer.
    pub fn contains_batch<K: RedisKey>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<bool>> {
        now(self.contains_on(
            &mut Blocking(connection),
            &all_bytes_of::<RemoteBf, _>(keys),
        ))
    }

    pub(super) async fn insert_on<K: AsRef<[u8]>>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<BfInserted>> {
        const COMMAND: &str = "BF.INSERT";
        let mut all = Vec::with_capacity(keys.len());
        let mut attempts = Attempts::new(self.retry);
        for keys in keys.chunks(KEYS) {
            attempts.lost_reply = false;
            let outcomes = loop {
                let mut both = self.transaction();
                let insert = both.cmd(COMMAND).arg(&self.name.string);
                insert.arg("NOCREATE").arg("ITEMS");
                for key in keys {
                    insert.arg(key.as_ref());
                }
                match self.insert_once(wire, &both).await? {
                    Some(Ok(reply)) => {
                        break replies::inserted(COMMAND, reply, keys.len(), attempts.lost_reply)?;
                    }
                    Some(Err(error)) => self.failed(wire, &mut attempts, COMMAND, error).await?,
                    // The new generation has the keys already, from this very transaction.
                    None => attempts.lost_reply = true,
                }
            };
            let mut pairs = outcomes.iter().zip(keys).rev();
            let newest = pairs.find(|(outcome, _)| **outcome == Ok(Inserted::New));
            if let Some((_, key)) = newest {
                self.last_new = Some(key.as_ref().to_vec());
            }
            all.extend(outcomes);
        }
        Ok(all)
    }

    /// The reply to the insert of a transaction, or the failure; `None` if the filter was
    /// rebuilt, and this is now of the new one.
    async fn insert_once(
        &mut self,
        wire: &mut impl Wire,
        both: &redis::Pipeline,
    ) -> Result<Option<std::result::Result<Value, RedisError>>> {
        let replies = match wire.many(both).await {
            Ok(replies) => replies,
            Err(error) => return Ok(Some(Err(error))),
        };
        let [marks, reply] = match <[Value; 2]>::try_from(replies) {
            Ok(both) => both,
            Err(other) => return Err(unexpected("EXEC", &Value::Array(other))),
        };
        let marks = match marks.extract_error() {
            Ok(marks) => marks,
            Err(error) => return Ok(Some(Err(error))),
        };
        if let Err(lost) = self.is_there(marks)? {
            // A key of another type is without marks as well, and only this shows why.
            let is_other =
                matches!(&reply, Value::ServerError(error) if error.code() == "WRONGTYPE");
            let lost = if is_other { Lost::OtherType } else { lost };
            self.follow(wire, lost).await?;
            return Ok(None);
        }
        Ok(Some(match reply {
            Value::ServerError(error) => Err(error.into()),
            reply => Ok(reply),
        }))
    }

    pub(super) async fn contains_on<K: AsRef<[u8]>>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<bool>> {
        const COMMAND: &str = "BF.MEXISTS";
        let mut all = Vec::with_capacity(keys.len());
        let mut attempts = Attempts::new(self.retry);
        for keys in keys.chunks(KEYS) {
            all.extend(loop {
                let (mut asked, marks) = self.asked();
                for key in keys {
                    asked.arg(key.as_ref());
                }
                let reply = match wire.one(&asked).await {
                    Ok(reply) => reply,
                    Err(error) => {
                        self.failed(wire, &mut attempts, COMMAND, error).await?;
                        continue;
                    }
                };
                let mut found = replies::bits(COMMAND, reply, marks + keys.len())?;
                let answers = found.split_off(marks);
                match Self::is_marked(&found) {
                    Ok(()) => break answers,
                    Err(lost) => self.follow(wire, lost).await?,
                }
            });
        }
        Ok(all)
    }
}
