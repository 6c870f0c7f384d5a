//! The filter that is stored in a Redis string.

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
    /// The key was definitely not present before.
    New,
    /// The key may have been present before.
    MayHaveBeenPresent,
    /// A reply was lost and the command was sent again. Then all bits were set, perhaps by the
    /// first attempt of this call. The key is present now.
    Unsure,
}

/// A filter in a string of Redis or Valkey, which any number of processes can share.
///
/// It contains what the client knows about the filter, but no connection: every call takes a
/// connection, of any kind that the crate `redis` has. Calls take `&self`, so threads can share one
/// filter, and clones share their state.
///
/// Every command that queries keys also reads a mark that is unique to the filter. So a filter that
/// no longer exists leads to [`Error::FilterLost`] and never to `false`. If the filter was
/// [rebuilt](crate::Draft), this client switches to the new generation by itself.
#[derive(Clone, Debug)]
pub struct RemoteBitmap<S: Scheme> {
    pub(crate) name: Arc<Name>,
    pub(crate) retry: Retry,
    known: Shared<Known<S>>,
    /// Whether this is a draft, which other clients cannot have rebuilt.
    is_draft: bool,
}

/// What this client knows about one generation of the filter.
#[derive(Debug)]
pub(crate) struct Known<S> {
    pub(crate) settings: Settings<S>,
    /// The bit `last_set` of [`Marks`], or `NONE`.
    last_set: AtomicU64,
    /// Whether the server is known to support the commands that inserts need.
    pub(crate) may_insert: AtomicBool,
}

/// Stands for no bit: every string has fewer bits.
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

    /// Stores a location that was clear before an insert.
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

    /// Sets how long calls are retried after failures.
    #[must_use]
    pub fn with_retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// The name of the filter.
    pub fn name(&self) -> &[u8] {
        &self.name.string
    }

    /// The scheme that locates the keys. It can change when the filter is rebuilt.
    pub fn scheme(&self) -> S {
        self.known().settings.scheme.clone()
    }

    pub(crate) fn known(&self) -> Arc<Known<S>> {
        self.known.get()
    }

    /// Switches this client and all its clones to another generation.
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

        /// Inserts keys with one atomic `BITFIELD` per 2,048 locations. Nothing is written if the
        /// filter does not exist.
        ///
        /// After an error some of the keys may be inserted; inserting them again does no harm.
        ///
        /// # Errors
        ///
        /// [`Error`]; inserts need the commands `EVAL` and `RENAME` on the server.
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

        /// Queries keys with one `BITFIELD_RO` per 2,048 locations; for the native scheme with a
        /// pipeline that has one `GETRANGE` per key.
        ///
        /// # Errors
        ///
        /// [`Error`]; a failure is never returned as an answer.
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

    /// Inserts keys within the time that `attempts` leaves. `lost_reply`: an earlier attempt may
    /// have been executed.
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

    /// After a failed attempt: returns `Ok` if another attempt should be made.
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

    /// Queries keys within the time that `attempts` leaves.
    pub(crate) async fn contains_with<K: AsRef<[u8]>>(
        &self,
        wire: &mut impl Wire,
        mut keys: &[K],
        attempts: &mut Attempts,
    ) -> Result<Vec<bool>> {
        const COMMAND: &str = "BITFIELD_RO";
        let mut all = Vec::with_capacity(keys.len());
        // If a transaction fails, single commands are used: a cluster's client follows a key that
        // moves to another node only for single commands, and a server whose memory is full rejects
        // transactions.
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

    /// Called when the generation that was queried does not exist any more: switches to a later
    /// generation if there is one.
    pub(crate) async fn follow(&self, wire: &mut impl Wire, asked: u64, how: Lost) -> Result<()> {
        let known = self.known();
        if known.settings.generation != asked {
            // Another thread has already switched.
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
            // The filter has come back in the meantime, perhaps in an older state.
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
    /// The reply to a command that reads, if the filter exists.
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
