//! Filters of the `BF.*` commands, as RedisBloom and compatible modules offer them.

mod ask;
mod chunks;
mod info;
mod replies;
mod scripts;

use std::{
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    time::Duration,
};

use bouquet_interop::redisbloom::Sizing;
use redis::{Cmd, Value, cmd, pipe};

pub use info::BfInfo;
pub use replies::{BfInserted, NotInserted};
use scripts::Reserve;

use crate::{
    Error, Lost, Result, Retry, Trust,
    bitmap::whole,
    calls::calls,
    error::{lost, shown, unexpected},
    marked::read_marked,
    name::Name,
    shared::Shared,
    trailer::random,
    wire::{Attempts, Wire},
};

/// A filter of the `BF.*` commands, which any number of processes can share.
///
/// Like [`RemoteBitmap`](crate::RemoteBitmap), it contains no connection, and it notices when the
/// filter is lost. `BF.EXISTS` also answers 0 if the Redis key is missing or has another type.
/// Therefore four keys of this crate's own are inserted at creation and queried with every batch.
///
/// Such a filter has no room for settings, so they are stored in the Redis key `{name}:bouquet`. If
/// that key is lost, clients that have already joined continue to work, and [`join`](Self::join)
/// returns [`Error::Bare`].
///
/// ```no_run
/// use bouquet_redis::{RemoteBf, redis::Client};
///
/// let mut connection = Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let filter = RemoteBf::open(&mut connection, "seen", 1_000_000, 0.01, Some(2))?;
/// for outcome in filter.insert_batch(&mut connection, &["rose", "tulip"])? {
///     outcome?;
/// }
/// assert!(filter.contains(&mut connection, "rose")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RemoteBf {
    name: Arc<Name>,
    retry: Retry,
    known: Shared<Known>,
}

/// What this client knows about the filter.
#[derive(Debug)]
struct Known {
    /// A random number that is different in each filter.
    generation: u64,
    /// A key that was new when this client inserted it. An older state of the filter does not
    /// contain it.
    last_new: Mutex<Option<Vec<u8>>>,
    /// Whether the server is known to support the commands that inserts need.
    may_insert: AtomicBool,
}

/// The prefix of the keys that this crate inserts to recognise a filter.
const RESERVED: &str = "\0bouquet:";

/// The number of keys that this crate inserts to recognise a filter. In another program's filter
/// each of them is a false positive with the usual FPR, and all four together with the fourth power
/// of the FPR.
const MARKS: usize = 4;

impl Known {
    fn of(generation: u64) -> Self {
        Self {
            generation,
            last_new: Mutex::default(),
            may_insert: AtomicBool::new(false),
        }
    }

    fn settings(&self) -> String {
        format!("bf {:016x}", self.generation)
    }

    fn of_settings(settings: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(settings).ok()?.strip_prefix("bf ")?;
        Some(Self::of(u64::from_str_radix(text, 16).ok()?))
    }

    fn note(&self, key: &[u8]) {
        let mut last = self.last_new.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some(key.to_vec());
    }

    fn last_new(&self) -> Option<Vec<u8>> {
        self.last_new
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

calls! {
    impl [] RemoteBf[] {
        /// Joins the filter of this name, or creates it if it does not exist. If it exists, its
        /// capacity, FPR and expansion are not compared with the arguments.
        ///
        /// # Errors
        ///
        /// As [`create`](Self::create) and [`join`](Self::join).
        fn open[](name: impl AsRef<[u8]>, capacity: u64, target_fpr: f64, expansion: Option<u32>) -> Self {
            |wire| crate::RemoteBf::open_on(wire, name.as_ref(), &Reserve::new(capacity, target_fpr, expansion)?).await
        }

        /// Creates a filter with `BF.RESERVE name target_fpr capacity EXPANSION expansion`, or with
        /// `NONSCALING` for `None`, with room for four keys of this crate's own. RedisBloom lowers
        /// a target FPR above 0.25 to 0.25.
        ///
        /// # Errors
        ///
        /// [`Error::Exists`] if the name is already in use; [`Error::Spec`]; [`Error::Full`];
        /// [`Error::Unsupported`] if the server lacks these commands.
        fn create[](name: impl AsRef<[u8]>, capacity: u64, target_fpr: f64, expansion: Option<u32>) -> Self {
            |wire| crate::RemoteBf::create_on(wire, name.as_ref(), &Reserve::new(capacity, target_fpr, expansion)?).await
        }

        /// Takes over a filter that another program made: inserts four keys of this crate's own and
        /// stores settings beside the filter. The other program can continue to use it as before.
        ///
        /// # Errors
        ///
        /// [`Error::NotFound`] if there is no such filter; [`Error`].
        fn adopt[](name: impl AsRef<[u8]>, trust: Trust) -> Self {
            |wire| crate::RemoteBf::adopt_on(wire, name, trust).await
        }

        /// Joins the existing filter of this name.
        ///
        /// # Errors
        ///
        /// [`Error::NotFound`]; [`Error::Bare`] for a filter that another program made;
        /// [`Error::OtherType`] for a bitmap.
        fn join[](name: impl AsRef<[u8]>) -> Self { |wire| crate::RemoteBf::join_on(wire, name).await }

        /// Call this after [`Error::FilterLost`]: creates the filter again, unless it exists or
        /// another client has created it again; then this client joins that one. Insert the keys
        /// again: until then they are reported absent. A filter that another program created in its
        /// place is kept.
        ///
        /// # Errors
        ///
        /// As [`open`](Self::open).
        fn replace[](&self, capacity: u64, target_fpr: f64, expansion: Option<u32>) -> () {
            |wire| self.replace_on(wire, &Reserve::new(capacity, target_fpr, expansion)?).await
        }

        /// Deletes the filter and its settings, if it is still the filter that this client joined.
        /// Returns whether it was.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn delete[](&self) -> bool { |wire| self.both(wire, "UNLINK", &[]).await }

        /// Makes the filter and its settings expire together.
        ///
        /// # Errors
        ///
        /// [`Error::FilterLost`] if the filter does not exist; [`Error`].
        fn expire[](&self, after: Duration) -> () {
            |wire| match self.both(wire, "PEXPIRE", &[crate::manage::millis(after)]).await? {
                true => Ok(()),
                false => Err(lost(&self.name, Lost::Gone)),
            }
        }
    }
}

impl RemoteBf {
    fn of(name: Arc<Name>, known: Known) -> Self {
        Self {
            name,
            retry: Retry::default(),
            known: Shared::new(known),
        }
    }

    async fn open_on(wire: &mut impl Wire, name: &[u8], reserve: &Reserve) -> Result<Self> {
        let mut attempts = Attempts::new(Retry::default());
        loop {
            match Self::join_on(wire, name).await {
                Err(Error::NotFound { .. }) => {}
                joined => return joined,
            }
            match Self::create_on(wire, name, reserve).await {
                // Another client has created the filter in the meantime.
                Err(Error::Exists { .. }) if attempts.goes_on(wire).await => {}
                created => return created,
            }
        }
    }

    async fn create_on(wire: &mut impl Wire, name: &[u8], reserve: &Reserve) -> Result<Self> {
        let name = Arc::new(Name::new(name, false)?);
        let new = Self::of(name, Known::of(random()));
        if new.make(wire, None, reserve).await? {
            return Ok(new);
        }
        let name = shown(&new.name.string);
        let what = "a filter or another key";
        Err(Error::Exists { name, what })
    }

    /// Creates the filter on the server; returns `false` if another filter exists there.
    async fn make(
        &self,
        wire: &mut impl Wire,
        lost: Option<&Known>,
        reserve: &Reserve,
    ) -> Result<bool> {
        const COMMAND: &str = "BF.RESERVE";
        let known = self.known();
        let create = scripts::create(&self.name, &known, lost, reserve);
        let mut attempts = Attempts::new(self.retry);
        let reply = attempts.one(wire, &self.name, COMMAND, &create).await?;
        if let Value::Array(_) = reply {
            return Err(crate::create::full(&self.name, reserve.bytes, &reply));
        }
        if whole(COMMAND, &reply)? == 0 {
            return Ok(true);
        }
        let there = read(wire, &self.name, self.retry).await;
        let is_ours = |there: Known| there.generation == known.generation;
        Ok(attempts.lost_reply && there.is_ok_and(is_ours))
    }

    async fn adopt_on(
        wire: &mut impl Wire,
        name: impl AsRef<[u8]>,
        Trust::HasAllItsKeys: Trust,
    ) -> Result<Self> {
        const COMMAND: &str = "BF.ADD";
        let name = Arc::new(Name::new(name.as_ref(), false)?);
        let new = Self::of(name, Known::of(random()));
        let adopt = scripts::adopt(&new.name, &new.known());
        let mut attempts = Attempts::new(new.retry);
        match whole(
            COMMAND,
            &attempts.one(wire, &new.name, COMMAND, &adopt).await?,
        )? {
            0 => Ok(new),
            1 => Self::join_on(wire, &new.name.string).await,
            _ => Err(not_found(&new.name)),
        }
    }

    async fn join_on(wire: &mut impl Wire, name: impl AsRef<[u8]>) -> Result<Self> {
        let name = Arc::new(Name::new(name.as_ref(), false)?);
        let known = read(wire, &name, Retry::default()).await?;
        Ok(Self::of(name, known))
    }

    async fn replace_on(&self, wire: &mut impl Wire, reserve: &Reserve) -> Result<()> {
        let new = Self::of(self.name.clone(), Known::of(random())).with_retry(self.retry);
        let mut attempts = Attempts::new(self.retry);
        loop {
            if new.make(wire, Some(&self.known()), reserve).await? {
                self.learn(Known::of(new.known().generation));
                return Ok(());
            }
            match read(wire, &self.name, self.retry).await {
                Ok(there) => {
                    self.learn(there);
                    return Ok(());
                }
                // The filter has disappeared again.
                Err(Error::NotFound { .. } | Error::Bare { .. })
                    if attempts.goes_on(wire).await => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The reply to a command that reads the filter. If the filter is lost, the error says how.
    async fn reply_to(
        &self,
        wire: &mut impl Wire,
        command: &'static str,
        cmd: &Cmd,
    ) -> Result<Value> {
        let marks = self.known().marks();
        let is_there = |reply| {
            Ok(is_marked(&replies::bits(
                "BF.MEXISTS",
                reply,
                marks.len(),
            )?)?)
        };
        let (about, question) = ((&*self.name, self.retry), asked(&self.name, &marks));
        match read_marked(wire, about, (command, cmd), question, is_there).await {
            Err(Error::FilterLost { how, .. }) => Err(self.find_out(wire, how).await),
            reply => reply,
        }
    }

    /// Executes a command on the filter and on its settings; returns `false` if the filter does not
    /// exist.
    async fn both(
        &self,
        wire: &mut impl Wire,
        command: &'static str,
        words: &[u64],
    ) -> Result<bool> {
        let mut attempts = Attempts::new(self.retry);
        let call = scripts::both(&self.name, &self.known(), command, words);
        Ok(whole(
            command,
            &attempts.one(wire, &self.name, command, &call).await?,
        )? == 1)
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

    fn known(&self) -> Arc<Known> {
        self.known.get()
    }

    /// Switches this client and all its clones to another filter.
    fn learn(&self, new: Known) {
        let generation = new.generation;
        self.known.set(new, |known| known.generation != generation);
    }

    /// Called when the joined filter does not exist: reads what exists instead and returns the
    /// matching error.
    async fn find_out(&self, wire: &mut impl Wire, how: Lost) -> Error {
        match read(wire, &self.name, self.retry).await {
            Ok(there) if there.generation == self.known().generation => lost(&self.name, how),
            Ok(_) => lost(&self.name, Lost::Replaced),
            Err(error) => error.as_lost().map_or(error, |how| lost(&self.name, how)),
        }
    }
}

/// Checks the answers for the keys that recognise the filter.
fn is_marked(marks: &[bool]) -> std::result::Result<(), Lost> {
    let (own, last) = marks.split_at(MARKS.min(marks.len()));
    if own.contains(&false) {
        return Err(Lost::Gone);
    }
    if last.contains(&false) {
        return Err(Lost::RolledBack);
    }
    Ok(())
}

/// Reads the settings stored beside the filter and checks that they belong to it.
async fn read(wire: &mut impl Wire, name: &Name, retry: Retry) -> Result<Known> {
    let mut both = pipe();
    both.cmd("TYPE").arg(&name.string);
    both.cmd("GET").arg(&name.meta);
    let mut attempts = Attempts::new(retry);
    let replies = attempts.many(wire, name, "GET", &both).await?;
    let [Value::SimpleString(there), settings] = &replies[..] else {
        return Err(unexpected("TYPE", &Value::Array(replies)));
    };
    let shown = || shown(&name.string);
    match &there[..] {
        "none" => return Err(not_found(name)),
        // The type names of RedisBloom and of valkey-bloom.
        "MBbloom--" | "bloomfltr" => {}
        _ => return Err(Error::OtherType { name: shown() }),
    }
    let known = match settings {
        Value::BulkString(settings) => Known::of_settings(settings),
        _ => None,
    };
    let Some(known) = known else {
        return Err(Error::Bare { name: shown() });
    };
    let asked = asked(name, &known.marks());
    let reply = attempts.one(wire, name, "BF.MEXISTS", &asked).await?;
    match is_marked(&replies::bits("BF.MEXISTS", reply, MARKS)?) {
        Ok(()) => Ok(known),
        Err(_) => Err(Error::Bare { name: shown() }),
    }
}

/// The command that queries the keys that recognise the filter.
fn asked(name: &Name, marks: &[Vec<u8>]) -> Cmd {
    let mut asked = cmd("BF.MEXISTS");
    asked.arg(&name.string).arg(marks);
    asked
}

fn not_found(name: &Name) -> Error {
    let name = shown(&name.string);
    Error::NotFound { name }
}

impl Reserve {
    fn new(capacity: u64, target_fpr: f64, expansion: Option<u32>) -> Result<Self> {
        bouquet_core::Spec::new(capacity, target_fpr)?;
        let link = Sizing::first_link(capacity, target_fpr, expansion.is_some());
        Ok(Self {
            capacity,
            target_fpr,
            expansion,
            bytes: link.map_or(0, |link| link.size_bits / 8),
        })
    }
}
