//! How a filter comes to be, is found, and goes.

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

/// Whether a string of another program has all the keys that were ever inserted: nothing in it
/// shows that. One that was evicted, flushed or restored in part, and that its program has begun again,
/// looks the same, and members that it lost are reported absent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// The caller knows it.
    HasAllItsKeys,
}

calls! {
    impl [S: Scheme] RemoteBitmap[S] {
        /// The filter of this name, which is created if there is none.
        ///
        /// # Errors
        ///
        /// As [`create`](Self::create), and those of [`join_as`](Self::join_as) but for
        /// [`Error::NotFound`].
        fn open[](name: impl AsRef<[u8]>, scheme: S) -> Self {
            |wire| crate::RemoteBitmap::open_on(wire, name, scheme).await
        }

        /// A new filter, empty and with all its bits on the server, made in one step.
        ///
        /// # Errors
        ///
        /// [`Error::Exists`] if there is anything of this name; [`Error::TooLarge`] for more
        /// bits than a string has; [`Error::Full`] if it does not fit under the server's `maxmemory`.
        fn create[](name: impl AsRef<[u8]>, scheme: S) -> Self {
            |wire| crate::RemoteBitmap::create_on(wire, name, scheme).await
        }

        /// The filter of this name on the server.
        ///
        /// # Errors
        ///
        /// [`Error::NotFound`]; [`Error::Bare`] for a string that another program made;
        /// [`Error::Incompatible`] if it has another scheme; [`Error::Damaged`].
        fn join[](name: impl AsRef<[u8]>) -> Self { |wire| crate::RemoteBitmap::join_on(wire, name).await }

        /// The same, if it is of exactly this scheme, size and seed.
        ///
        /// # Errors
        ///
        /// As [`join`](Self::join), and [`Error::Incompatible`] for any difference.
        fn join_as[](name: impl AsRef<[u8]>, scheme: &S) -> Self {
            |wire| crate::RemoteBitmap::join_as_on(wire, name, scheme).await
        }

        /// Takes over a string that another program made, of the size that it uses: writes the
        /// settings behind its bits. The other program continues as before.
        ///
        /// # Errors
        ///
        /// [`Error::NotFound`] if there is no such string: [`create`](Self::create) it.
        /// [`Error::Incompatible`] if the string is longer than this size.
        fn adopt[](name: impl AsRef<[u8]>, scheme: S, trust: Trust) -> Self {
            |wire| crate::RemoteBitmap::adopt_on(wire, name, scheme, trust).await
        }

        /// After [`Error::FilterLost`]: begins the filter again, empty, unless another client has
        /// done so or the filter is there; then this goes on with that one. Insert its keys again: until
        /// then they are reported absent. For a filter that appears with all its keys, use
        /// [`rebuild`](Self::rebuild).
        ///
        /// All clones of this filter go on with the new one, in other threads too: whoever calls this inserts
        /// the keys of all of them.
        ///
        /// The scheme is that of the lost one. What inserts of go-zero or Redisson began in its place is kept.
        ///
        /// # Errors
        ///
        /// As [`open`](Self::open); [`Error::Bare`] for a string that no filter is.
        fn replace[](&self) -> () { |wire| self.replace_on(wire).await }

        /// Deletes the filter, if what is there is the one that this client joined; returns whether it was.
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
                // Another client was first.
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
                    // Gone again.
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
            // A key of another type is not this filter.
            Err(Error::FilterLost { .. }) => Ok(false),
            done => Ok(done?.is_some()),
        }
    }

    /// The reply to a command that is executed if the filter is there.
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
            // Or it is Redisson's settings.
            Err(Error::OtherType { .. }) if self.name.config.is_none() => {
                Err(lost(&self.name, Lost::OtherType))
            }
            Err(error) => Err(error),
        }
    }

    /// What is there now.
    pub(crate) async fn read(&self, wire: &mut impl Wire) -> Result<Settings<S>> {
        read(wire, &self.name, self.retry).await
    }
}

calls! {
    impl [] RemoteBitmap[Redisson] {
        /// Takes over a filter that Redisson made, with its stored settings.
        ///
        /// # Errors
        ///
        /// As [`adopt`](Self::adopt); [`Error::NotFound`] if there are no such settings.
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

/// A new string with these settings, which lasts so long.
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

/// The settings at the end of a string.
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
            // One may be of the old string, the other of the new one.
            Err(Error::Damaged { .. }) if tries < 3 => {}
            settings => return settings,
        }
    }
}

/// Why a filter of so many bytes does not fit.
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
