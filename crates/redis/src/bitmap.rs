//! The filter in a string.

use redis::{Cmd, ConnectionLike, ErrorKind, RedisError, Value, cmd};

use crate::key::{Takes, all_bytes_of};
use crate::{
    Error, Lost, Result, Retry, Scheme,
    batch::{self, Marks, Question},
    error::{shown, unexpected},
    first_few::Habit,
    marked::Marked,
    name::Name,
    settings::{Fields, Settings},
    wire::{Attempts, Blocking, Wire, ask, now},
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
/// of any kind that the crate `redis` has. A clone is another client of the same filter.
///
/// Every command that queries keys queries the filter's own mark as well, so that a
/// filter that no longer exists is [`Error::FilterLost`] and never `false`. A filter
/// that was [rebuilt](crate::Draft) is followed.
#[derive(Clone, PartialEq, Debug)]
pub struct RemoteBitmap<S: Scheme> {
    pub(crate) name: Name,
    pub(crate) settings: Settings<S>,
    pub(crate) retry: Retry,
    last_set: Option<u64>,
    habit: Habit,
    /// A rebuild in progress cannot itself have been rebuilt by others.
    is_draft: bool,
}

impl<S: Scheme> RemoteBitmap<S> {
    pub(crate) fn of(name: Name, settings: Settings<S>, is_draft: bool) -> Self {
        Self {
            name,
            settings,
            retry: Retry::default(),
            last_set: None,
            habit: Habit::default(),
            is_draft,
        }
    }

    /// The filter of this name on the server.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`]; [`Error::Bare`] for a string that another program made;
    /// [`Error::Incompatible`] if it has another scheme.
    pub fn join(connection: &mut impl ConnectionLike, name: impl AsRef<[u8]>) -> Result<Self> {
        now(Self::join_on(&mut Blocking(connection), name.as_ref()))
    }

    /// The same, if it is of exactly this scheme, size and seed.
    ///
    /// # Errors
    ///
    /// As [`join`](Self::join), and [`Error::Incompatible`] for any difference.
    pub fn join_as(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
        scheme: &S,
    ) -> Result<Self> {
        Self::join(connection, name)?.agreeing_on(scheme)
    }

    pub(crate) fn agreeing_on(self, scheme: &S) -> Result<Self> {
        match scheme.difference(&self.settings.scheme) {
            None => Ok(self),
            Some((parameter, here, there)) => Err(Error::Incompatible {
                name: shown(&self.name.string),
                parameter,
                here,
                there,
            }),
        }
    }

    pub(crate) async fn join_on(wire: &mut impl Wire, name: &[u8]) -> Result<Self> {
        let name = Name::new(name, S::HAS_CONFIG)?;
        let retry = Retry::default();
        let fields = Self::fields(wire, &name, retry).await?;
        if fields.is_empty() {
            let exists = ask(wire, retry, "EXISTS", cmd("EXISTS").arg(&name.string)).await?;
            let name = shown(&name.string);
            return Err(match exists {
                Value::Int(0) => Error::NotFound { name },
                _ => Error::Bare { name },
            });
        }
        let settings = Settings::of_fields(&fields)?;
        let found = Self::of(name, settings, false);
        found.check_config(wire).await?;
        Ok(found)
    }

    pub(crate) async fn fields(wire: &mut impl Wire, name: &Name, retry: Retry) -> Result<Fields> {
        let reply = ask(wire, retry, "HGETALL", cmd("HGETALL").arg(&name.meta)).await?;
        Fields::of_reply(&name.string, reply)
    }

    /// Redisson's settings must be those that were found when the filter was joined.
    async fn check_config(&self, wire: &mut impl Wire) -> Result<()> {
        let Some(config) = &self.name.config else {
            return Ok(());
        };
        let reply = ask(wire, self.retry, "HGETALL", cmd("HGETALL").arg(config)).await?;
        let there = S::take(&Fields::of_reply(&self.name.string, reply)?)?;
        match self.settings.scheme.difference(&there) {
            None => Ok(()),
            Some((parameter, here, there)) => Err(Error::Incompatible {
                name: shown(&self.name.string),
                parameter,
                here,
                there,
            }),
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

    /// Where its keys are located.
    pub fn scheme(&self) -> &S {
        &self.settings.scheme
    }

    /// Another number after each rebuild.
    pub(crate) fn generation(&self) -> u64 {
        self.settings.generation
    }

    pub(crate) fn marks(&self) -> Marks {
        Marks {
            witness: self.settings.witness(),
            last_set: self.last_set,
        }
    }

    /// Inserts a key.
    ///
    /// # Errors
    ///
    /// As [`insert_batch`](Self::insert_batch).
    pub fn insert<K: ?Sized>(
        &mut self,
        connection: &mut impl ConnectionLike,
        key: &K,
    ) -> Result<Inserted>
    where
        S: Takes<K>,
    {
        let inserted = now(self.insert_on(&mut Blocking(connection), &[S::bytes_of(key)]))?;
        Ok(inserted[0])
    }

    /// Inserts keys: one `BITFIELD` of up to 2,048 locations at a time, each atomic.
    ///
    /// After an error some of the keys may be in; inserting them again does no harm.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub fn insert_batch<K>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<Inserted>>
    where
        S: Takes<K>,
    {
        now(self.insert_on(&mut Blocking(connection), &all_bytes_of::<S, _>(keys)))
    }

    /// Whether a key may be present; `false`: it is definitely absent.
    ///
    /// # Errors
    ///
    /// As [`contains_batch`](Self::contains_batch).
    pub fn contains<K: ?Sized>(
        &mut self,
        connection: &mut impl ConnectionLike,
        key: &K,
    ) -> Result<bool>
    where
        S: Takes<K>,
    {
        Ok(now(self.contains_on(&mut Blocking(connection), &[S::bytes_of(key)]))?[0])
    }

    /// Queries keys: one `BITFIELD_RO` of up to 2,048 locations at a time, or for the
    /// native scheme one transaction of a `GETRANGE` per key.
    ///
    /// # Errors
    ///
    /// [`Error`]; a failure is never an answer.
    pub fn contains_batch<K>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<bool>>
    where
        S: Takes<K>,
    {
        now(self.contains_on(&mut Blocking(connection), &all_bytes_of::<S, _>(keys)))
    }

    pub(crate) async fn insert_on<K: AsRef<[u8]>>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<Inserted>> {
        let mut attempts = Attempts::new(self.retry);
        self.insert_with(wire, keys, &mut attempts, false).await
    }

    /// The same within the rest of a deadline. `lost_reply`: it may have been executed.
    pub(crate) async fn insert_with<K: AsRef<[u8]>>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
        attempts: &mut Attempts,
        lost_reply: bool,
    ) -> Result<Vec<Inserted>> {
        const COMMAND: &str = "BITFIELD";
        let mut all = Vec::with_capacity(keys.len());
        let step = batch::keys_a_command(&self.settings.scheme);
        for keys in keys.chunks(step) {
            attempts.lost_reply = lost_reply;
            loop {
                let locations = batch::locations(&self.settings.scheme, keys)?;
                let marks = self.marks();
                let set = batch::insert(&self.name.string, marks, &locations);
                let reply = match wire.one(&set).await {
                    Ok(reply) => reply,
                    Err(error) => {
                        self.failed(wire, attempts, COMMAND, error).await?;
                        continue;
                    }
                };
                let hashes = self.settings.scheme.hashes() as usize;
                let lost_reply = attempts.lost_reply;
                match batch::inserted(reply, marks, &locations, hashes, lost_reply)? {
                    Ok(took) => {
                        self.note(took.last_set);
                        all.extend(took.inserted);
                        break;
                    }
                    Err(lost) => {
                        self.follow(wire, lost).await?;
                        // Of the same size the new one has the keys' bits from this command.
                        attempts.lost_reply = true;
                    }
                }
            }
        }
        Ok(all)
    }

    pub(crate) async fn contains_on<K: AsRef<[u8]>>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<bool>> {
        let mut attempts = Attempts::new(self.retry);
        self.contains_with(wire, keys, &mut attempts).await
    }

    /// The same within the rest of a deadline.
    pub(crate) async fn contains_with<K: AsRef<[u8]>>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
        attempts: &mut Attempts,
    ) -> Result<Vec<bool>> {
        let mut all = Vec::with_capacity(keys.len());
        let step = batch::keys_a_command(&self.settings.scheme);
        for keys in keys.chunks(step) {
            // A cluster's client follows a key that moves for one command, and not for a
            // transaction.
            let mut in_one = false;
            let found = loop {
                match self.ask_once(wire, keys, in_one).await? {
                    Ok(Ok(found)) => break found,
                    Ok(Err(lost)) => self.follow(wire, lost).await?,
                    Err((command, error)) => {
                        in_one |= matches!(error.kind(), ErrorKind::Server(_));
                        let may_go_on = in_one && command == TRANSACTION;
                        if !may_go_on {
                            self.failed(wire, attempts, command, error).await?;
                        }
                    }
                }
            };
            self.habit.note(&found);
            all.extend(found);
        }
        Ok(all)
    }

    /// Remembers a location that was clear before an insert.
    pub(crate) fn note(&mut self, last_set: Option<u64>) {
        self.last_set = last_set.or(self.last_set);
    }

    async fn ask_once<K: AsRef<[u8]>>(
        &self,
        wire: &mut impl Wire,
        keys: &[K],
        in_one: bool,
    ) -> Result<Asked> {
        let locations = batch::locations(&self.settings.scheme, keys)?;
        let (marks, hashes) = (self.marks(), self.settings.scheme.hashes() as usize);
        if !S::IS_BLOCKED && self.habit.is_in_parts(&locations, hashes) {
            return self.ask_in_parts(wire, &locations, hashes).await;
        }
        let string = &self.name.string;
        Ok(
            match batch::question(string, marks, &locations, hashes, S::IS_BLOCKED, in_one) {
                Question::Bits => return self.ask_bits(wire, marks, &locations, hashes).await,
                Question::Blocks(asked) => match wire.many(&asked).await.and_then(first_error) {
                    Ok(replies) => Ok(batch::found_by_blocks(replies, marks, &locations, hashes)?),
                    Err(error) => Err((TRANSACTION, error)),
                },
            },
        )
    }

    /// The joined filter is gone: continues with its rebuilt generation, if there is one.
    pub(crate) async fn follow(&mut self, wire: &mut impl Wire, lost: Lost) -> Result<()> {
        if self.is_draft || lost == Lost::RolledBack {
            return Err(self.lost(lost));
        }
        let fields = Self::fields(wire, &self.name, self.retry).await?;
        if fields.is_empty() {
            return Err(self.lost(lost));
        }
        let there = match Settings::<S>::of_fields(&fields) {
            Ok(there) => there,
            Err(Error::Incompatible { .. }) => return Err(self.lost(Lost::Replaced)),
            Err(error) => return Err(error),
        };
        let was_rebuilt =
            there.lineage == self.settings.lineage && there.generation != self.settings.generation;
        if !was_rebuilt {
            return Err(self.lost(lost));
        }
        self.settings = there;
        self.last_set = None;
        Ok(())
    }
}

impl<S: Scheme> Marked for RemoteBitmap<S> {
    fn marked_name(&self) -> &Name {
        &self.name
    }

    fn marked_retry(&self) -> Retry {
        self.retry
    }

    fn question(&self) -> Cmd {
        self.marks().alone(&self.name.string)
    }

    async fn rebuilt(&self, wire: &mut impl Wire, lost: Lost) -> Result<Self> {
        let mut new = self.clone();
        new.follow(wire, lost).await?;
        Ok(new)
    }

    fn is_there(&self, reply: Value) -> Result<std::result::Result<(), Lost>> {
        self.marks().check_alone(reply)
    }
}

/// The command of [`Question::Blocks`] in errors.
const TRANSACTION: &str = "GETRANGE";

/// The result of one attempt: the answers, or that the filter is lost, or a failure and of
/// which command.
pub(crate) type Asked =
    std::result::Result<std::result::Result<Vec<bool>, Lost>, (&'static str, RedisError)>;

fn first_error(replies: Vec<Value>) -> redis::RedisResult<Vec<Value>> {
    replies.into_iter().map(Value::extract_error).collect()
}

pub(crate) fn whole(command: &'static str, reply: &Value) -> Result<i64> {
    match reply {
        Value::Int(number) => Ok(*number),
        other => Err(unexpected(command, other)),
    }
}
