//! Inserts and queries batches of keys.

use bouquet_interop::RedisKey;
use redis::{Value, cmd, pipe};

use super::{BfInserted, Known, RemoteBf, RemoteBf as Ours, asked, is_marked, replies, scripts};
use crate::{
    Inserted, Lost, Result,
    batch::guarded,
    calls::calls,
    error::{Tried, Trouble},
    key::{Takes, all_bytes_of},
    scripts::check_may_insert,
    wire::{Attempts, Wire},
};

/// The number of keys in one command, so that it blocks other clients for at most a millisecond.
const KEYS: usize = 1_000;

calls! {
    impl [] RemoteBf[] {
        /// Inserts a key.
        ///
        /// # Errors
        ///
        /// As [`insert_batch`](Self::insert_batch); the inner result is an error if the server did
        /// not insert this key.
        fn insert[K: RedisKey + ?Sized](&self, key: &K) -> BfInserted {
            |wire| Ok(self.insert_on(wire, &[Ours::bytes_of(key)]).await?.remove(0))
        }

        /// Inserts keys with one `BF.INSERT ... NOCREATE` per 1,000 keys. Nothing is written if the
        /// filter does not exist. Each key has a result of its own.
        ///
        /// # Errors
        ///
        /// [`Error`](crate::Error).
        fn insert_batch[K: RedisKey](&self, keys: &[K]) -> Vec<BfInserted> {
            |wire| self.insert_on(wire, &all_bytes_of::<Ours, _>(keys)).await
        }

        /// Whether a key may be present; `false`: it is definitely absent.
        ///
        /// # Errors
        ///
        /// As [`contains_batch`](Self::contains_batch).
        fn contains[K: RedisKey + ?Sized](&self, key: &K) -> bool {
            |wire| Ok(self.contains_on(wire, &[Ours::bytes_of(key)]).await?[0])
        }

        /// Queries keys with one `BF.MEXISTS` per 1,000 keys.
        ///
        /// # Errors
        ///
        /// [`Error`](crate::Error); a failure is never returned as an answer.
        fn contains_batch[K: RedisKey](&self, keys: &[K]) -> Vec<bool> {
            |wire| self.contains_on(wire, &all_bytes_of::<Ours, _>(keys)).await
        }
    }
}

impl RemoteBf {
    pub(super) async fn insert_on(
        &self,
        wire: &mut impl Wire,
        keys: &[Vec<u8>],
    ) -> Result<Vec<BfInserted>> {
        const COMMAND: &str = "BF.INSERT";
        let mut all = Vec::with_capacity(keys.len());
        let mut attempts = Attempts::new(self.retry);
        for keys in keys.chunks(KEYS) {
            attempts.lost_reply = false;
            let known = self.known();
            let reply = loop {
                match self.insert_once(wire, &known, keys).await {
                    Ok(reply) => break reply,
                    Err(trouble) => self.after(wire, &mut attempts, COMMAND, trouble).await?,
                }
            };
            let outcomes = replies::inserted(COMMAND, reply, keys.len(), attempts.lost_reply)?;
            let mut pairs = outcomes.iter().zip(keys).rev();
            let newest = pairs.find(|(outcome, _)| **outcome == Ok(Inserted::New));
            if let Some((_, key)) = newest {
                known.note(key);
            }
            all.extend(outcomes);
        }
        Ok(all)
    }

    /// After a failed attempt: returns `Ok` if another attempt should be made.
    async fn after(
        &self,
        wire: &mut impl Wire,
        attempts: &mut Attempts,
        command: &'static str,
        trouble: Trouble,
    ) -> Result<()> {
        match trouble {
            Trouble::Lost(how) => Err(self.find_out(wire, how).await),
            Trouble::Failed(error) => attempts.failed(wire, command, error).await,
            Trouble::Fatal(error) => Err(error),
        }
    }

    /// Inserts keys once, if the filter exists, and returns the server's reply.
    async fn insert_once(
        &self,
        wire: &mut impl Wire,
        known: &Known,
        keys: &[Vec<u8>],
    ) -> Tried<Value> {
        check_may_insert(wire, &self.name, &known.may_insert).await?;
        let mut insert = cmd("BF.INSERT");
        insert.arg(&self.name.string).arg("NOCREATE");
        insert.arg("ITEMS").arg(keys);
        let marks = known.marks();
        let mut all = pipe();
        all.atomic();
        for command in scripts::guarded(&self.name, &marks, insert) {
            all.add_command(command);
        }
        let replies = match wire.many(&all).await {
            // A cluster's client reports only the insert that failed because of the guard, and no
            // other reply.
            Err(error) if replies::is_not_found(&error) => return Err(Lost::Gone.into()),
            replies => replies?,
        };
        let (guard, reply) = guarded(replies)?;
        is_marked(&replies::bits("BF.MEXISTS", guard, marks.len())?)?;
        match reply {
            Value::ServerError(error) => Err(redis::RedisError::from(error).into()),
            // This reply contains any errors of single keys.
            reply => Ok(reply),
        }
    }

    async fn contains_on(&self, wire: &mut impl Wire, keys: &[Vec<u8>]) -> Result<Vec<bool>> {
        const COMMAND: &str = "BF.MEXISTS";
        let mut all = Vec::with_capacity(keys.len());
        let mut attempts = Attempts::new(self.retry);
        for keys in keys.chunks(KEYS) {
            let marks = self.known().marks();
            let mut asked = asked(&self.name, &marks);
            asked.arg(keys);
            let reply = loop {
                match wire.one(&asked).await {
                    Ok(reply) => break reply,
                    Err(error) => {
                        self.after(wire, &mut attempts, COMMAND, error.into())
                            .await?
                    }
                }
            };
            let mut found = replies::bits(COMMAND, reply, marks.len() + keys.len())?;
            let answers = found.split_off(marks.len());
            match is_marked(&found) {
                Ok(()) => all.extend(answers),
                Err(how) => return Err(self.find_out(wire, how).await),
            }
        }
        Ok(all)
    }
}
