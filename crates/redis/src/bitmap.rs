//! The filter in a string.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

use redis::{Cmd, Value, pipe};

use crate::{
    Error, Lost, Result, Retry, Scheme,
    batch::{self, Marks, Shape, Took},
    calls::calls,
    error::{Tried, Trouble, lost, unexpected},
    key::{Takes, all_bytes_of},
    marked::read_marked,
    name::Name,
    scripts,
    shared::Shared,
    trailer::Settings,
    wire::{Attempts, Wire},
};

/// The result of an insert for one key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inserted {
    /// It was definitely not present before.
    New,
    /// It may have been present before.
    MayHaveBeenPresent,
    /// A reply was lost and the command sent again: all bits were set, perhaps by this
    /// very call. The key is present now.
    Unsure,
}

/// A filter in a string of Redis or Valkey, which any number of processes share.
///
/// It has the client's state of the filter and no connection: every call takes one,
/// of any kind that the crate `redis` has. Calls take `&self`: threads share one filter, and
/// clones share what they learn.
///
/// Every command that queries keys queries the filter's own mark as well, so that a
/// filter that no longer exists is [`Error::FilterLost`] and never `false`. A filter
/// that was [rebuilt](crate::Draft) is followed.
#[derive(Clone, Debug)]
pub struct RemoteBitmap<S: Scheme> {
    pub(crate) name: Arc<Name>,
    pub(crate) retry: Retry,
    known: Shared<Known<S>>,
    /// A rebuild in progress cannot itself have been rebuilt by others.
    is_draft: bool,
}

/// What is known of one generation.
#[derive(Debug)]
pub(crate) struct Known<S> {
    pub(crate) settings: Settings<S>,
    /// The bit of [`Marks`], or `NONE`.
    last_set: AtomicU64,
    /// Whether the server has what inserts need.
    pub(crate) may_insert: AtomicBool,
}

/// No bit: a string has fewer.
const NONE: u64 = u64::MAX;

impl<S: Scheme> Known<S> {
    fn of(settings: Settings<S>) -> Self {
        Self {
            settings,
            last_set: AtomicU64::new(NONE),
            may_insert: AtomicBool::new(false),
        }
    }

    pub(crate) fn marks(&self) -> Marks {
        let last = self.last_set.load(Relaxed);
        Marks {
            mark: self.settings.mark(),
            last_set: (last != NONE).then_some(last),
        }
    }

    /// Remembers a location that was clear before an insert.
    pub(crate) fn note(&self, last_set: Option<u64>) {
        if let Some(bit) = last_set {
            self.last_set.store(bit, Relaxed);
        }
    }
}

impl<S: Scheme> RemoteBitmap<S> {
    pub(crate) fn of(name: Arc<Name>, settings: Settings<S>, is_draft: bool) -> Self {
        Self {
            name,
            retry: Retry::default(),
            known: Shared::new(Known::of(settings)),
            is_draft,
        }
    }

    /// How long calls are retried after failures.
    #[must_use]
    pub fn with_retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// Its name.
    pub fn name(&self) -> &[u8] {
        &self.name.string
    }

    /// Where its keys are located: another one after it was rebuilt.
    pub fn scheme(&self) -> S {
        self.known().settings.scheme.clone()
    }

    pub(crate) fn known(&self) -> Arc<Known<S>> {
        self.known.get()
    }

    /// Goes on with another generation, for all clones.
    pub(crate) fn learn(&self, settings: Settings<S>) {
        let generation = settings.generation;
        let is_other = |known: &Known<S>| known.settings.generation != generation;
        self.known.set(Known::of(settings), is_other);
    }

    pub(crate) fn agreeing_on(self, scheme: &S) -> Result<Self> {
        match scheme.difference(&self.known().settings.scheme) {
            None => Ok(self),
            Some(how) => Err(Error::differs(&self.name.string, how)),
        }
    }
}

calls! {
    impl [S: Scheme] RemoteBitmap[S] {
        /// Inserts a key.
        ///
        /// # Errors
        ///
        /// As [`insert_batch`](Self::insert_batch).
        fn insert[K: ?Sized](&self, key: &K) -> Inserted where [S: Takes<K>] {
            |wire| Ok(self.insert_on(wire, &[S::bytes_of(key)]).await?[0])
        }

        /// Inserts keys: one `BITFIELD` of up to 2,048 locations at a time, each atomic, and
        /// nothing is written if the filter is not there.
        ///
        /// After an error some of the keys may be in; inserting them again does no harm.
        ///
        /// # Errors
        ///
        /// [`Error`]; a server without `EVAL` or `RENAME` takes no inserts.
        fn insert_batch[K](&self, keys: &[K]) -> Vec<Inserted> where [S: Takes<K>] {
            |wire| self.insert_on(wire, &all_bytes_of::<S, _>(keys)).await
        }

        /// Whether a key may be present; `false`: it is definitely absent.
        ///
        /// # Errors
        ///
        /// As [`contains_batch`](Self::contains_batch).
        fn contains[K: ?Sized](&self, key: &K) -> bool where [S: Takes<K>] {
            |wire| Ok(self.contains_on(wire, &[S::bytes_of(key)]).await?[0])
        }

        /// Queries keys: one `BITFIELD_RO` of up to 2,048 locations at a time, or for the
        /// native scheme a pipeline of a `GETRANGE` per key.
        ///
        /// # Errors
        ///
        /// [`Error`]; a failure is never an answer.
        fn contains_batch[K](&self, keys: &[K]) -> Vec<bool> where [S: Takes<K>] {
            |wire| self.contains_on(wire, &all_bytes_of::<S, _>(keys)).await
        }
    }
}

impl<S: Scheme> RemoteBitmap<S> {
    pub(crate) async fn insert_on<K: AsRef<[u8]>>(
        &self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<Inserted>> {
        let mut attempts = Attempts::new(self.retry);
        self.insert_with(wire, keys, &mut attempts, false).await
    }

    /// The same within the rest of a deadline. `lost_reply`: it may have been executed.
    pub(crate) async fn insert_with<K: AsRef<[u8]>>(
        &self,
        wire: &mut impl Wire,
        mut keys: &[K],
        attempts: &mut Attempts,
        lost_reply: bool,
    ) -> Result<Vec<Inserted>> {
        const COMMAND: &str = "BITFIELD";
        let mut all = Vec::with_capacity(keys.len());
        attempts.lost_reply = lost_reply;
        while !keys.is_empty() {
            let known = self.known();
            let step = Shape::of(&known.settings.scheme).keys_a_command();
            let (now, rest) = keys.split_at(step.min(keys.len()));
            match self
                .insert_once(wire, &known, now, attempts.lost_reply)
                .await
            {
                Ok(took) => {
                    known.note(took.last_set);
                    all.extend(took.inserted);
                    keys = rest;
                    attempts.lost_reply = lost_reply;
                }
                Err(trouble) => {
                    let asked = known.settings.generation;
                    self.after(wire, asked, attempts, COMMAND, trouble).await?;
                }
            }
        }
        Ok(all)
    }

    async fn insert_once<K: AsRef<[u8]>>(
        &self,
        wire: &mut impl Wire,
        known: &Known<S>,
        keys: &[K],
        lost_reply: bool,
    ) -> Tried<Took> {
        scripts::check_may_insert(wire, &self.name, &known.may_insert).await?;
        let (scheme, marks) = (&known.settings.scheme, known.marks());
        let (shape, locations) = (Shape::of(scheme), batch::locations(scheme, keys));
        let mut set = pipe();
        set.atomic();
        for command in batch::insert(&self.name, marks, &locations, &shape) {
            set.add_command(command);
        }
        let replies = wire.many(&set).await?;
        batch::inserted(replies, marks, &locations, &shape, lost_reply)
    }

    /// After an attempt that failed: returns if there is to be another one.
    async fn after(
        &self,
        wire: &mut impl Wire,
        asked: u64,
        attempts: &mut Attempts,
        command: &'static str,
        trouble: Trouble,
    ) -> Result<()> {
        match trouble {
            Trouble::Lost(how) => self.follow(wire, asked, how).await,
            Trouble::Failed(error) => attempts.failed(wire, command, error).await,
            Trouble::Fatal(error) => Err(error),
        }
    }

    pub(crate) async fn contains_on<K: AsRef<[u8]>>(
        &self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<bool>> {
        let mut attempts = Attempts::new(self.retry);
        self.contains_with(wire, keys, &mut attempts).await
    }

    /// The same within the rest of a deadline.
    pub(crate) async fn contains_with<K: AsRef<[u8]>>(
        &self,
        wire: &mut impl Wire,
        mut keys: &[K],
        attempts: &mut Attempts,
    ) -> Result<Vec<bool>> {
        const COMMAND: &str = "BITFIELD_RO";
        let mut all = Vec::with_capacity(keys.len());
        // A cluster's client follows a key that moves for one command, and not for a transaction;
        // a server whose memory is full takes none.
        let mut in_one = false;
        while !keys.is_empty() {
            let known = self.known();
            let shape = Shape::of(&known.settings.scheme);
            let (now, rest) = keys.split_at(shape.keys_a_command().min(keys.len()));
            let by_blocks = batch::is_by_blocks::<S>(now.len()) && !in_one;
            match self.ask_once(wire, &known, &shape, now, by_blocks).await {
                Ok(found) => {
                    all.extend(found);
                    keys = rest;
                }
                Err(Trouble::Failed(error)) if by_blocks && error.code().is_some() => {
                    in_one = true;
                }
                Err(trouble) => {
                    let asked = known.settings.generation;
                    self.after(wire, asked, attempts, COMMAND, trouble).await?;
                }
            }
        }
        Ok(all)
    }

    async fn ask_once<K: AsRef<[u8]>>(
        &self,
        wire: &mut impl Wire,
        known: &Known<S>,
        shape: &Shape,
        keys: &[K],
        by_blocks: bool,
    ) -> Tried<Vec<bool>> {
        let locations = batch::locations(&known.settings.scheme, keys);
        let (string, marks) = (self.name(), known.marks());
        if by_blocks {
            let asked = batch::ask_blocks(string, marks, &locations, shape);
            return batch::found_by_blocks(wire.many(&asked).await?, marks, &locations, shape);
        }
        let reply = wire
            .one(&batch::ask_bits(string, marks, &locations))
            .await?;
        batch::found_by_bits(reply, marks, &locations, shape)
    }

    /// The generation that was asked is gone: continues with a later one, if there is one.
    pub(crate) async fn follow(&self, wire: &mut impl Wire, asked: u64, how: Lost) -> Result<()> {
        let known = self.known();
        if known.settings.generation != asked {
            // Another thread has.
            return Ok(());
        }
        if self.is_draft || how == Lost::RolledBack {
            return Err(lost(&self.name, how));
        }
        let there = match self.read(wire).await {
            Ok(there) => there,
            Err(error) => return Err(error.as_lost().map_or(error, |how| lost(&self.name, how))),
        };
        if there.lineage != known.settings.lineage {
            return Err(lost(&self.name, Lost::Replaced));
        }
        if there.generation == asked {
            // It came back in between, perhaps as it was before.
            return Err(lost(&self.name, how));
        }
        if there.turn <= known.settings.turn {
            return Err(lost(&self.name, Lost::RolledBack));
        }
        self.learn(there);
        Ok(())
    }
}

impl<S: Scheme> RemoteBitmap<S> {
    /// The reply to a command that reads, if the filter is there.
    pub(crate) async fn read_marked(
        &self,
        wire: &mut impl Wire,
        command: &'static str,
        cmd: &Cmd,
    ) -> Result<Value> {
        let (marks, about) = (self.known().marks(), (&*self.name, self.retry));
        let is_there = |reply| marks.check_alone(reply);
        read_marked(
            wire,
            about,
            (command, cmd),
            marks.alone(self.name()),
            is_there,
        )
        .await
    }
}

pub(crate) fn whole(command: &'static str, reply: &Value) -> Result<i64> {
    match reply {
        Value::Int(number) => Ok(*number),
        other => Err(unexpected(command, other)),
    }
}
