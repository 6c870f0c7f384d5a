//! Creating, joining, replacing and deleting a filter.

use std::sync::Arc;

use redis::{Value, cmd, pipe};

use crate::{
    Error, Lost, Redisson, RemoteBitmap, Result, Retry, Scheme,
    bitmap::whole,
    calls::calls,
    error::{damaged, lost, shown, unexpected},
    name::Name,
    scripts::{self, New},
    trailer::{LONGEST, Settings, check_size},
    wire::{Attempts, Wire},
};

/// The caller's confirmation that another program's string contains all keys that were ever
/// inserted. The string itself cannot show this: if it was evicted, flushed or partly restored, and
/// the other program has started it again, it looks the same, and the lost keys are reported
/// absent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// The caller knows that the string contains all its keys.
    HasAllItsKeys,
}

calls! {
    impl [S: Scheme] RemoteBitmap[S] {
        /// Joins the filter of this name, or creates it if it does not exist.
        ///
        /// # Errors
        ///
        /// As [`create`](Self::create) and [`join_as`](Self::join_as), except [`Error::NotFound`].
        fn open[](name: impl AsRef<[u8]>, scheme: S) -> Self {
            |wire| crate::RemoteBitmap::open_on(wire, name, scheme).await
        }

        /// Creates an empty filter in one atomic step. All its bits are allocated on the server.
        ///
        /// # Errors
        ///
        /// [`Error::Exists`] if the name is already in use; [`Error::TooLarge`] if a string cannot
        /// have so many bits; [`Error::Full`] if the filter does not fit under the server's
        /// `maxmemory`.
        fn create[](name: impl AsRef<[u8]>, scheme: S) -> Self {
            |wire| crate::RemoteBitmap::create_on(wire, name, scheme).await
        }

        /// Joins the existing filter of this name.
        ///
        /// # Errors
        ///
        /// [`Error::NotFound`]; [`Error::Bare`] if another program made the string;
        /// [`Error::Incompatible`] if the filter has another scheme; [`Error::Damaged`].
        fn join[](name: impl AsRef<[u8]>) -> Self { |wire| crate::RemoteBitmap::join_on(wire, name).await }

        /// Like [`join`](Self::join), but requires exactly this scheme, size and seed.
        ///
        /// # Errors
        ///
        /// As [`join`](Self::join), and [`Error::Incompatible`] for any difference.
        fn join_as[](name: impl AsRef<[u8]>, scheme: &S) -> Self {
            |wire| crate::RemoteBitmap::join_as_on(wire, name, scheme).await
        }

        /// Takes over a string that another program made, whose size is that of `scheme`: writes
        /// the settings behind its bits. The other program can continue to use it as before.
        ///
        /// # Errors
        ///
        /// [`Error::NotFound`] if there is no such string: [`create`](Self::create) it.
        /// [`Error::Incompatible`] if the string is longer than the scheme's size.
        fn adopt[](name: impl AsRef<[u8]>, scheme: S, trust: Trust) -> Self {
            |wire| crate::RemoteBitmap::adopt_on(wire, name, scheme, trust).await
        }

        /// Call this after [`Error::FilterLost`]: creates the filter again, empty, unless it exists
        /// or another client has created it again; then this client joins that one. Insert the keys
        /// again: until then they are reported absent. If the new filter should appear only when it
        /// contains all keys, use [`rebuild`](Self::rebuild).
        ///
        /// All clones of this filter switch to the new one, including those in other threads. So
        /// the caller must insert the keys of all of them again.
        ///
        /// The new filter has the scheme of the lost one. A string that go-zero or Redisson has
        /// begun in its place is kept.
        ///
        /// # Errors
        ///
        /// As [`open`](Self::open); [`Error::Bare`] if there is a string that is not a filter.
        fn replace[](&self) -> () { |wire| self.replace_on(wire).await }

        /// Deletes the filter, if it is still the filter that this client joined. Returns whether
        /// it was.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn delete[](&self) -> bool { |wire| self.delete_on(wire).await }
    }
}

impl<S: Scheme> RemoteBitmap<S> {
    pub(crate) async fn open_on(
        wire: &mut impl Wire,
        name: impl AsRef<[u8]>,
        scheme: S,
    ) -> Result<Self> {
        let mut attempts = Attempts::new(Retry::default());
        loop {
            match Self::join_as_on(wire, name.as_ref(), &scheme).await {
                Err(Error::NotFound { .. }) => {}
                joined => return joined,
            }
            match Self::create_on(wire, name.as_ref(), scheme.clone()).await {
                // Another client has created the filter in the meantime.
                Err(Error::Exists { .. }) if attempts.goes_on(wire).await => {}
                created => return created,
            }
        }
    }

    pub(crate) async fn create_on(
        wire: &mut impl Wire,
        name: impl AsRef<[u8]>,
        scheme: S,
    ) -> Result<Self> {
        let name = Arc::new(Name::new(name.as_ref(), S::HAS_CONFIG)?);
        let settings = Settings::new(scheme);
        make(wire, &name, &settings, 0).await?;
        Ok(Self::of(name, settings, false))
    }

    pub(crate) async fn join_on(wire: &mut impl Wire, name: impl AsRef<[u8]>) -> Result<Self> {
        let name = Arc::new(Name::new(name.as_ref(), S::HAS_CONFIG)?);
        let settings = read(wire, &name, Retry::default()).await?;
        Ok(Self::of(name, settings, false))
    }

    async fn join_as_on(wire: &mut impl Wire, name: impl AsRef<[u8]>, scheme: &S) -> Result<Self> {
        Self::join_on(wire, name).await?.agreeing_on(scheme)
    }

    async fn adopt_on(
        wire: &mut impl Wire,
        name: impl AsRef<[u8]>,
        scheme: S,
        Trust::HasAllItsKeys: Trust,
    ) -> Result<Self> {
        const COMMAND: &str = "EVAL";
        let name = Arc::new(Name::new(name.as_ref(), S::HAS_CONFIG)?);
        check_size(scheme.size_bits())?;
        let settings = Settings::new(scheme);
        let trailer = settings.to_bytes();
        let adopt = scripts::adopt(&name, &New::of(&settings.scheme, &trailer, &[]));
        let mut attempts = Attempts::new(Retry::default());
        let reply = attempts.one(wire, &name, COMMAND, &adopt).await?;
        match whole(COMMAND, &reply)? {
            0 => Ok(Self::of(name, settings, false)),
            1 => Self::join_as_on(wire, &name.string, &settings.scheme).await,
            2 => Err(too_long(&name, settings.scheme.string_bytes())),
            _ => Err(not_found(&name)),
        }
    }

    pub(crate) async fn replace_on(&self, wire: &mut impl Wire) -> Result<()> {
        const COMMAND: &str = "EVAL";
        let known = self.known();
        let marks = known.marks();
        let scheme = known.settings.scheme.clone();
        let (settings, config) = (Settings::new(scheme), known.settings.scheme.config());
        let trailer = settings.to_bytes();
        let new = New::of(&settings.scheme, &trailer, &config);
        let bare = if S::IS_SHARED { new.bytes } else { 0 };
        let lost = (marks.mark, marks.last_set);
        let replace = scripts::replace(&self.name, &new, bare, lost);
        let mut attempts = Attempts::new(self.retry);
        loop {
            let reply = attempts.one(wire, &self.name, COMMAND, &replace).await?;
            if let Value::Array(_) = reply {
                return Err(full(&self.name, new.all_bytes(), &reply));
            }
            match whole(COMMAND, &reply)? {
                0 => {
                    self.learn(settings);
                    return Ok(());
                }
                1 => match self.read(wire).await {
                    Ok(there) => {
                        let joined = Self::of(self.name.clone(), there, false);
                        let joined = joined.agreeing_on(&settings.scheme)?;
                        self.learn(joined.known().settings.clone());
                        return Ok(());
                    }
                    // The filter has disappeared again.
                    Err(Error::NotFound { .. } | Error::Bare { .. })
                        if attempts.goes_on(wire).await => {}
                    Err(error) => return Err(error),
                },
                _ if S::IS_SHARED => return Err(too_long(&self.name, new.bytes)),
                _ => {
                    let name = shown(&self.name.string);
                    return Err(Error::Bare { name });
                }
            }
        }
    }

    pub(crate) async fn delete_on(&self, wire: &mut impl Wire) -> Result<bool> {
        let mut words = vec![b"UNLINK".to_vec(), self.name.string.clone()];
        words.extend(self.name.config.clone());
        match self.guarded(wire, "UNLINK", &words).await {
            // A key of another type is not this filter, so nothing was deleted.
            Err(Error::FilterLost { .. }) => Ok(false),
            done => Ok(done?.is_some()),
        }
    }

    /// The reply to a command that the server executes only if the filter exists.
    pub(crate) async fn guarded(
        &self,
        wire: &mut impl Wire,
        command: &'static str,
        words: &[Vec<u8>],
    ) -> Result<Option<Value>> {
        let mut attempts = Attempts::new(self.retry);
        let call = scripts::guarded(&self.name, self.known().settings.mark(), words);
        match attempts.one(wire, &self.name, command, &call).await {
            Ok(Value::Array(reply)) => Ok(reply.into_iter().next()),
            Ok(Value::Int(_)) => Ok(None),
            Ok(other) => Err(unexpected(command, &other)),
            // If there is a key with Redisson's settings, that key may be the one of the wrong
            // type.
            Err(Error::OtherType { .. }) if self.name.config.is_none() => {
                Err(lost(&self.name, Lost::OtherType))
            }
            Err(error) => Err(error),
        }
    }

    /// Reads the settings of the filter that exists now.
    pub(crate) async fn read(&self, wire: &mut impl Wire) -> Result<Settings<S>> {
        read(wire, &self.name, self.retry).await
    }
}

calls! {
    impl [] RemoteBitmap[Redisson] {
        /// Takes over a filter that Redisson made, with the settings that Redisson stored.
        ///
        /// # Errors
        ///
        /// As [`adopt`](Self::adopt); [`Error::NotFound`] if Redisson's settings do not exist.
        fn adopt_redisson[](name: impl AsRef<[u8]>, trust: Trust) -> Self {
            |wire| {
                let target = Name::new(name.as_ref(), true)?;
                let config = target.config.as_deref().unwrap_or_default();
                let asked = cmd("HGETALL").arg(config).to_owned();
                let mut attempts = Attempts::new(Retry::default());
                let reply = attempts.one(wire, &target, "HGETALL", &asked).await?;
                match Redisson::of_config(reply).map_err(|why| damaged(&target.string, why))? {
                    Some(scheme) => crate::RemoteBitmap::adopt_on(wire, name, scheme, trust).await,
                    None => Err(not_found(&target)),
                }
            }
        }
    }
}

impl<'a> New<'a> {
    fn of<S: Scheme>(scheme: &S, trailer: &'a [u8], config: &'a [(&'static str, String)]) -> Self {
        let bytes = scheme.string_bytes();
        Self {
            bytes,
            trailer,
            config,
        }
    }

    fn all_bytes(&self) -> u64 {
        self.bytes + self.trailer.len() as u64
    }
}

/// Creates a string with these settings. It expires after `lifetime_ms` milliseconds; 0 means
/// never.
pub(crate) async fn make<S: Scheme>(
    wire: &mut impl Wire,
    name: &Name,
    settings: &Settings<S>,
    lifetime_ms: u64,
) -> Result<()> {
    const COMMAND: &str = "EVAL";
    check_size(settings.scheme.size_bits())?;
    let (trailer, config) = (settings.to_bytes(), settings.scheme.config());
    let config = if name.config.is_some() {
        &config[..]
    } else {
        &[]
    };
    let new = New::of(&settings.scheme, &trailer, config);
    let mut attempts = Attempts::new(Retry::default());
    let reply = attempts
        .one(
            wire,
            name,
            COMMAND,
            &scripts::create(name, &new, lifetime_ms),
        )
        .await?;
    if let Value::Array(_) = reply {
        return Err(full(name, new.all_bytes(), &reply));
    }
    let what = match whole(COMMAND, &reply)? {
        0 => return Ok(()),
        1 => "a filter or another key",
        _ => "a filter of Redisson",
    };
    if attempts.lost_reply {
        let there = read::<S>(wire, name, Retry::default()).await;
        if there.is_ok_and(|there| there.generation == settings.generation) {
            return Ok(());
        }
    }
    let name = shown(&name.string);
    Err(Error::Exists { name, what })
}

/// Reads the settings at the end of the string.
async fn read<S: Scheme>(wire: &mut impl Wire, name: &Name, retry: Retry) -> Result<Settings<S>> {
    const COMMAND: &str = "GETRANGE";
    let mut both = pipe();
    both.cmd("STRLEN").arg(&name.string);
    both.cmd(COMMAND)
        .arg(&name.string)
        .arg(-(LONGEST as i64))
        .arg(-1);
    let mut attempts = Attempts::new(retry);
    let mut tries = 0;
    loop {
        let replies = attempts.many(wire, name, COMMAND, &both).await?;
        let [length, Value::BulkString(tail)] = &replies[..] else {
            return Err(unexpected(COMMAND, &Value::Array(replies)));
        };
        let length = whole("STRLEN", length)? as u64;
        if length == 0 && tail.is_empty() {
            return Err(not_found(name));
        }
        tries += 1;
        match Settings::of_tail(&name.string, tail, length) {
            // The length may be that of the old string and the settings those of a new one, so this
            // is tried again.
            Err(Error::Damaged { .. }) if tries < 3 => {}
            settings => return settings,
        }
    }
}

/// The error for a filter that does not fit, made from the memory figures in the script's reply.
pub(crate) fn full(name: &Name, bytes: u64, reply: &Value) -> Error {
    let Value::Array(figures) = reply else {
        return unexpected("EVAL", reply);
    };
    let [Value::Int(max), Value::Int(used)] = figures[..] else {
        return unexpected("EVAL", reply);
    };
    Error::Full {
        name: shown(&name.string),
        bytes,
        used: used as u64,
        max: max as u64,
    }
}

fn too_long(name: &Name, most: u64) -> Error {
    let most = format!("at most {most}");
    Error::differs(&name.string, ("size in bytes", most, "more".into()))
}

fn not_found(name: &Name) -> Error {
    let name = shown(&name.string);
    Error::NotFound { name }
}
