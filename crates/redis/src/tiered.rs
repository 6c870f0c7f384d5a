//! A local copy of a filter that is queried before the server.

mod local;

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use arc_swap::ArcSwap;
use local::{Local, PIECE};
use redis::{Value, cmd};

use crate::{
    Error, Inserted, RemoteBitmap, Result, Scheme,
    calls::calls,
    error::unexpected,
    key::{Takes, all_bytes_of},
    wire::Wire,
};

/// A filter on a server with a local copy in front of it.
///
/// Bits are never cleared, so a key that the copy may contain is one that the server's filter may
/// contain: this is answered locally. "Definitely not present" is answered by the server, or by the
/// copy if its data are as recent as the caller requires
/// ([`contains_within`](Self::contains_within)). An insert always goes to the server, whatever the
/// copy answers.
///
/// The copy is updated by answers, by inserts and by [`refresh`](Self::refresh), which the caller
/// calls from time to time. If the filter was rebuilt, the next command that reaches the server
/// notices this and the copy is dropped; until then keys of the old filter may be reported present.
///
/// Threads can share one `TieredFilter` or use clones of it, which share one copy. Answers from the
/// copy need no lock.
///
/// ```no_run
/// use std::time::Duration;
///
/// use bouquet_redis::{Native, RemoteBitmap, TieredFilter, redis::Client};
///
/// let mut connection = Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let remote = RemoteBitmap::<Native>::join(&mut connection, "seen")?;
/// // No more than 1 MB per second for the copy.
/// let filter = TieredFilter::new(remote, 1_000_000)?;
/// filter.refresh(&mut connection)?;
/// let may_be_present = filter.contains(&mut connection, "rose")?;
/// let minute = Duration::from_secs(60);
/// let a_minute_ago = filter.contains_within(&mut connection, "rose", minute)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TieredFilter<S: Scheme> {
    remote: RemoteBitmap<S>,
    copy: Arc<ArcSwap<Local<S>>>,
    bytes_per_second: u64,
    fetching: Arc<Mutex<Fetching>>,
    server_checks: Arc<AtomicU64>,
}

/// What [`TieredFilter::refresh`] fetches next.
#[derive(Default, Debug)]
struct Fetching {
    piece: usize,
    /// The time until which the byte budget is used up.
    spent_until: Option<Instant>,
}

impl<S: Scheme> TieredFilter<S> {
    /// Adds an empty local copy to a filter. [`refresh`](Self::refresh) fetches at most
    /// `bytes_per_second`, and at least 64 KiB at a time.
    ///
    /// # Errors
    ///
    /// [`Error::Spec`] if a copy cannot be allocated.
    pub fn new(remote: RemoteBitmap<S>, bytes_per_second: u64) -> Result<Self> {
        let copy = Local::new(remote.known().settings.clone())?;
        Ok(Self {
            copy: Arc::new(ArcSwap::from_pointee(copy)),
            remote,
            bytes_per_second: bytes_per_second.max(1),
            fetching: Arc::default(),
            server_checks: Arc::default(),
        })
    }

    /// The age of the oldest piece of the copy; `None` until all pieces were fetched.
    pub fn age(&self) -> Option<Duration> {
        self.copy.load().age()
    }

    /// The number of keys that this filter and its clones have queried from the server; all other
    /// queries were answered by the copy.
    pub fn server_checks(&self) -> u64 {
        self.server_checks.load(Relaxed)
    }

    /// The filter on the server.
    pub fn remote(&self) -> &RemoteBitmap<S> {
        &self.remote
    }
}

calls! {
    impl [S: Scheme] TieredFilter[S] {
        /// Whether a key may be present. `false` is always the server's answer: the key is
        /// definitely absent.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn contains[K: ?Sized](&self, key: &K) -> bool where [S: Takes<K>] {
            |wire| Ok(self.contains_on(wire, &[S::bytes_of(key)], None).await?[0])
        }

        /// Queries keys. The keys that the copy does not contain are queried from the server in one
        /// batch.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn contains_batch[K](&self, keys: &[K]) -> Vec<bool> where [S: Takes<K>] {
            |wire| self.contains_on(wire, &all_bytes_of::<S, _>(keys), None).await
        }

        /// Like [`contains`](Self::contains), but "definitely not present" may be as old as
        /// `max_age`: a key that another client has inserted since may be reported absent.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn contains_within[K: ?Sized](&self, key: &K, max_age: Duration) -> bool where [S: Takes<K>] {
            |wire| Ok(self.contains_on(wire, &[S::bytes_of(key)], Some(max_age)).await?[0])
        }

        /// Inserts a key, always into the filter on the server.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn insert[K: ?Sized](&self, key: &K) -> Inserted where [S: Takes<K>] {
            |wire| Ok(self.insert_on(wire, &[S::bytes_of(key)]).await?[0])
        }

        /// Inserts keys, always into the filter on the server.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn insert_batch[K](&self, keys: &[K]) -> Vec<Inserted> where [S: Takes<K>] {
            |wire| self.insert_on(wire, &all_bytes_of::<S, _>(keys)).await
        }

        /// Fetches the pieces of the string in turn, as many as the byte rate allows since the last
        /// call. Returns the number of bytes fetched.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn refresh[](&self) -> u64 { |wire| self.refresh_on(wire).await }
    }
}

impl<S: Scheme> TieredFilter<S> {
    async fn contains_on(
        &self,
        wire: &mut impl Wire,
        keys: &[Vec<u8>],
        max_age: Option<Duration>,
    ) -> Result<Vec<bool>> {
        let mut all = vec![true; keys.len()];
        let mut asked = Vec::new();
        let copy = self.copy.load();
        for (place, key) in keys.iter().enumerate() {
            match copy.answer(key, max_age) {
                Some(found) => all[place] = found,
                None => asked.push(place),
            }
        }
        drop(copy);
        if asked.is_empty() {
            return Ok(all);
        }
        self.server_checks.fetch_add(asked.len() as u64, Relaxed);
        let remote: Vec<_> = asked.iter().map(|place| &keys[*place]).collect();
        let found = self.remote.contains_on(wire, &remote).await;
        let copy = self.after(&found)?;
        for ((place, key), found) in asked.into_iter().zip(remote).zip(found?) {
            all[place] = found;
            if found {
                copy.learn(key, false);
            }
        }
        Ok(all)
    }

    async fn insert_on(&self, wire: &mut impl Wire, keys: &[Vec<u8>]) -> Result<Vec<Inserted>> {
        let inserted = self.remote.insert_on(wire, keys).await;
        let copy = self.after(&inserted)?;
        let inserted = inserted?;
        keys.iter().for_each(|key| copy.learn(key, true));
        Ok(inserted)
    }

    /// The copy to use after a call to the server: a new one if the filter is lost or was replaced.
    fn after<T>(&self, result: &Result<T>) -> Result<Arc<Local<S>>> {
        let settings = self.remote.known().settings.clone();
        let copy = self.copy.load_full();
        let is_lost = matches!(result, Err(Error::FilterLost { .. }));
        if !is_lost && copy.settings.generation == settings.generation {
            return Ok(copy);
        }
        let new = Arc::new(Local::new(settings)?);
        self.copy.store(new.clone());
        Ok(new)
    }

    async fn refresh_on(&self, wire: &mut impl Wire) -> Result<u64> {
        let began = Instant::now();
        let mut fetched = 0;
        let mut left = self.copy.load().pieces();
        loop {
            let piece = {
                let mut fetching = self.fetching();
                if left == 0 || fetching.spent_until.is_some_and(|until| until > began) {
                    return Ok(fetched);
                }
                let piece = fetching.piece;
                fetching.piece += 1;
                piece
            };
            left -= 1;
            let bytes = self.fetch(wire, piece).await?;
            fetched += bytes;
            // The budget that was not used since the last call is kept for at most one second.
            let second = Duration::from_secs(1);
            let earliest = began.checked_sub(second).unwrap_or(began);
            let mut fetching = self.fetching();
            let from = fetching.spent_until.unwrap_or(earliest).max(earliest);
            let time = bytes as f64 / self.bytes_per_second as f64;
            fetching.spent_until = from.checked_add(Duration::from_secs_f64(time));
        }
    }

    fn fetching(&self) -> std::sync::MutexGuard<'_, Fetching> {
        self.fetching.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fetches one piece.
    async fn fetch(&self, wire: &mut impl Wire, piece: usize) -> Result<u64> {
        const COMMAND: &str = "GETRANGE";
        // Another clone may have switched to a new generation, which has another copy.
        let copy = self.after(&Ok(()))?;
        let piece = piece % copy.pieces();
        let first = piece as u64 * PIECE;
        let last = (first + PIECE).min(copy.len()) - 1;
        let range = cmd(COMMAND)
            .arg(self.remote.name())
            .arg(first)
            .arg(last)
            .to_owned();
        let asked = Instant::now();
        let reply = self.remote.read_marked(wire, COMMAND, &range).await;
        if let Err(Error::FilterLost { how, .. }) = &reply {
            let asked = copy.settings.generation;
            let followed = self.remote.follow(wire, asked, *how).await;
            self.after(&followed)?;
            // The new generation's first piece is fetched by a later call.
            return followed.map(|()| 0);
        }
        match reply? {
            Value::BulkString(bytes) if bytes.len() as u64 == last - first + 1 => {
                // After a change of the generation these bytes would be bits of other keys.
                if self.remote.known().settings.generation == copy.settings.generation {
                    copy.merge(piece, &bytes, asked);
                }
            }
            other => return Err(unexpected(COMMAND, &other)),
        }
        Ok(last - first + 1)
    }
}
