//! Filters of the `BF.*` commands: RedisBloom's and compatible ones.

mod ask;
#[cfg(feature = "async")]
mod asynchronous;
mod chunks;
mod info;
mod rebuild;
mod replies;

use redis::{Cmd, ConnectionLike, Value, cmd, pipe};

pub use info::{BfInfo, Dialect};
pub use rebuild::BfDraft;
pub use replies::{BfInserted, NotInserted};

use crate::{
    Error, Lost, Result, Retry,
    bitmap::whole,
    create::must_be_free,
    error::shown,
    marked::Marked,
    name::Name,
    ours::{Kind, delete},
    publish::{Publication, expire, put_settings},
    settings::{Fields, random},
    wire::{Attempts, Blocking, Wire, ask, now},
};

/// A filter of `BF.*` commands, which any number of processes share.
///
/// As [`RemoteBitmap`](crate::RemoteBitmap), it has no connection and notices its loss:
/// `BF.EXISTS` answers 0 for a key that is missing or of another type, so that a key of
/// its own that was inserted at creation is queried with every batch.
///
/// ```no_run
/// use bouquet_redis::{RemoteBf, redis::Client};
///
/// let mut connection = Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let mut filter = RemoteBf::create(&mut connection, "seen", 1_000_000, 0.01, Some(2))?;
/// for outcome in filter.insert_batch(&mut connection, &["rose", "tulip"])? {
///     outcome?;
/// }
/// assert!(filter.contains(&mut connection, "rose")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct RemoteBf {
    name: Name,
    lineage: u64,
    generation: u64,
    retry: Retry,
    /// A key that this client found new: it is not in whatever is older.
    last_new: Option<Vec<u8>>,
}

impl RemoteBf {
    /// The name of the scheme in the settings.
    pub(crate) const SCHEME: &str = "bf";

    fn of(name: Name, lineage: u64, generation: u64) -> Self {
        Self {
            name,
            lineage,
            generation,
            retry: Retry::default(),
            last_new: None,
        }
    }

    /// A new filter: `BF.RESERVE name target_fpr capacity EXPANSION expansion`, or
    /// `NONSCALING` for `None`. RedisBloom lowers more than 0.25 to 0.25.
    ///
    /// # Errors
    ///
    /// [`Error::Exists`] if there is anything of this name; [`Error::Spec`];
    /// [`Error::Unsupported`] if the server has no such commands.
    pub fn create(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
        capacity: u64,
        target_fpr: f64,
        expansion: Option<u32>,
    ) -> Result<Self> {
        let wire = &mut Blocking(connection);
        let name = name.as_ref();
        now(Self::create_on(wire, name, capacity, target_fpr, expansion))
    }

    async fn create_on(
        wire: &mut impl Wire,
        name: &[u8],
        capacity: u64,
        target_fpr: f64,
        expansion: Option<u32>,
    ) -> Result<Self> {
        let target = Name::new(name, false)?;
        bouquet_core::Spec::new(capacity, target_fpr)?;
        must_be_free(wire, &target).await?;
        let new = Self::of(target, random(), random());
        let draft = new.reserve(wire, capacity, target_fpr, expansion).await?;
        new.publish(wire, &draft).await
    }

    /// Creates an empty filter of its generation under a temporary name, which it returns.
    async fn reserve(
        &self,
        wire: &mut impl Wire,
        capacity: u64,
        target_fpr: f64,
        expansion: Option<u32>,
    ) -> Result<Name> {
        bouquet_core::Spec::new(capacity, target_fpr)?;
        let draft = self.name.draft(self.generation);
        // All of it may be repeated: the temporary name belongs to this call.
        let mut write = pipe();
        write.atomic();
        write.cmd("UNLINK").arg(&draft.string);
        let reserve = write.cmd("BF.RESERVE").arg(&draft.string);
        reserve.arg(target_fpr).arg(capacity);
        match expansion {
            Some(expansion) => reserve.arg("EXPANSION").arg(expansion),
            None => reserve.arg("NONSCALING"),
        };
        self.mark(&mut write, &draft);
        let mut attempts = Attempts::new(self.retry);
        attempts.many(wire, "BF.RESERVE", &write).await?;
        Ok(draft)
    }

    /// Inserts the witness under the temporary name, and makes that expire.
    fn mark(&self, write: &mut redis::Pipeline, draft: &Name) {
        write.cmd("BF.ADD").arg(&draft.string).arg(self.witness());
        expire(write, &draft.string);
        put_settings(write, draft, &self.fields());
    }

    async fn publish(self, wire: &mut impl Wire, draft: &Name) -> Result<Self> {
        let publication = Publication {
            draft,
            target: &self.name,
            generation: self.generation,
            config: None,
        };
        publication.first(wire, self.retry).await?;
        Ok(self)
    }

    /// Takes over a filter that another program made: inserts one key of this crate's own
    /// and writes settings beside it. The other program continues as before.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] if there is no such filter; [`Error`].
    pub fn adopt(connection: &mut impl ConnectionLike, name: impl AsRef<[u8]>) -> Result<Self> {
        now(Self::adopt_on(&mut Blocking(connection), name.as_ref()))
    }

    async fn adopt_on(wire: &mut impl Wire, name: &[u8]) -> Result<Self> {
        let target = Name::new(name, false)?;
        match Self::join_on(wire, name).await {
            Err(Error::Bare { .. }) => {}
            joined => return joined,
        }
        let new = Self::of(target, random(), random());
        let mut attempts = Attempts::new(new.retry);
        let mut insert = cmd("BF.INSERT");
        insert.arg(&new.name.string).arg("NOCREATE");
        insert.arg("ITEMS").arg(new.witness());
        loop {
            match wire.one(&insert).await {
                Ok(_) => break,
                Err(error) if replies::is_not_found(&error) => return Err(new.not_found()),
                Err(error) => new.failed(wire, &mut attempts, "BF.INSERT", error).await?,
            }
        }
        let draft = new.name.draft(new.generation);
        let mut write = pipe();
        put_settings(&mut write, &draft, &new.fields());
        write.cmd("PERSIST").arg(&draft.meta);
        let rename = write.cmd("RENAMENX");
        rename.arg(&draft.meta).arg(&new.name.meta);
        let written = attempts.many(wire, "RENAMENX", &write).await;
        // Of whichever client was first.
        match (written, Self::join_on(wire, name).await) {
            (_, Ok(joined)) => Ok(joined),
            (Err(error), Err(_)) | (Ok(_), Err(error)) => Err(error),
        }
    }

    /// The filter of this name on the server.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`]; [`Error::Bare`] for a filter that another program made: adopt
    /// it; [`Error::Incompatible`] for a bitmap.
    pub fn join(connection: &mut impl ConnectionLike, name: impl AsRef<[u8]>) -> Result<Self> {
        now(Self::join_on(&mut Blocking(connection), name.as_ref()))
    }

    pub(crate) async fn join_on(wire: &mut impl Wire, name: &[u8]) -> Result<Self> {
        let name = Name::new(name, false)?;
        let retry = Retry::default();
        let there = Self::settings(wire, &name, retry).await?;
        let Some((lineage, generation)) = there else {
            let exists = cmd("EXISTS").arg(&name.string).to_owned();
            let exists = ask(wire, retry, "EXISTS", &exists).await?;
            let name = shown(&name.string);
            return Err(match whole("EXISTS", &exists)? {
                0 => Error::NotFound { name },
                _ => Error::Bare { name },
            });
        };
        Ok(Self::of(name, lineage, generation))
    }

    async fn settings(
        wire: &mut impl Wire,
        name: &Name,
        retry: Retry,
    ) -> Result<Option<(u64, u64)>> {
        let asked = cmd("HGETALL").arg(&name.meta).to_owned();
        let reply = ask(wire, retry, "HGETALL", &asked).await?;
        let fields = Fields::of_reply(&name.string, reply)?;
        if fields.is_empty() {
            return Ok(None);
        }
        fields.expect_scheme(Self::SCHEME)?;
        Ok(Some((
            fields.number("lineage")?,
            fields.number("generation")?,
        )))
    }

    fn fields(&self) -> Fields {
        let mut fields = Fields::new(&self.name.string);
        fields.put("scheme", Self::SCHEME);
        fields.put_number("lineage", self.lineage);
        fields.put_number("generation", self.generation);
        fields
    }

    /// Deletes the filter and its settings; returns whether anything existed.
    ///
    /// # Errors
    ///
    /// [`Error::OtherType`] if one of its keys is of another type, and not a filter's.
    pub fn delete(connection: &mut impl ConnectionLike, name: impl AsRef<[u8]>) -> Result<bool> {
        let name = Name::new(name.as_ref(), false)?;
        now(delete(&mut Blocking(connection), &name, Kind::Module))
    }

    /// Makes the filter and its settings expire together.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub fn expire(
        &self,
        connection: &mut impl ConnectionLike,
        after: std::time::Duration,
    ) -> Result<()> {
        now(self.expire_on(&mut Blocking(connection), after))
    }

    /// The time left until the filter expires: that of the key that goes first.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub fn ttl(&self, connection: &mut impl ConnectionLike) -> Result<Option<std::time::Duration>> {
        now(self.ttl_on(&mut Blocking(connection)))
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

    /// The key that identifies the filter.
    fn witness(&self) -> Vec<u8> {
        format!("\0bouquet:{:016x}", self.generation).into_bytes()
    }

    /// The command that queries the marks, and their number.
    fn asked(&self) -> (Cmd, usize) {
        let mut asked = cmd("BF.MEXISTS");
        asked.arg(&self.name.string).arg(self.witness());
        let Some(key) = &self.last_new else {
            return (asked, 1);
        };
        asked.arg(key);
        (asked, 2)
    }

    /// What the answers for the marks mean.
    fn is_marked(marks: &[bool]) -> std::result::Result<(), Lost> {
        match marks {
            [true] | [true, true] => Ok(()),
            [true, ..] => Err(Lost::RolledBack),
            _ => Err(Lost::Gone),
        }
    }

    /// What was joined is not there: goes on with what it was rebuilt as, if it was, or
    /// returns what is there.
    async fn follow(&mut self, wire: &mut impl Wire, lost: Lost) -> Result<()> {
        let how = match Self::settings(wire, &self.name, self.retry).await {
            Ok(Some((lineage, generation))) if generation != self.generation => {
                if lineage == self.lineage {
                    self.generation = generation;
                    self.last_new = None;
                    return Ok(());
                }
                Lost::Replaced
            }
            Err(Error::Incompatible { .. }) => Lost::Replaced,
            // Then it is not known whether it was rebuilt.
            Err(error) => return Err(error),
            Ok(_) => lost,
        };
        Err(self.lost(how))
    }

    fn not_found(&self) -> Error {
        let name = shown(&self.name.string);
        Error::NotFound { name }
    }
}

impl Marked for RemoteBf {
    fn marked_name(&self) -> &Name {
        &self.name
    }

    fn marked_retry(&self) -> Retry {
        self.retry
    }

    fn question(&self) -> Cmd {
        self.asked().0
    }

    async fn rebuilt(&self, wire: &mut impl Wire, lost: Lost) -> Result<Self> {
        let mut new = self.clone();
        new.follow(wire, lost).await?;
        Ok(new)
    }

    fn is_there(&self, reply: Value) -> Result<std::result::Result<(), Lost>> {
        let marks = replies::bits("BF.MEXISTS", reply, self.asked().1)?;
        Ok(Self::is_marked(&marks))
    }
}
