//! A local copy of a filter, which is queried before the server.

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

/// A filter on a server behind a copy of it.
///
/// Bits are only ever set, so that a hit in the copy is a hit on the server: "may
/// contain" is answered locally. "Definitely not present" comes from the server, or is valid for
/// as long as the caller allows ([`contains_within`](Self::contains_within)). An insert
/// always goes to the server, whatever the copy answers.
///
/// The copy learns from answers and inserts, and from [`refresh`](Self::refresh), which
/// the caller calls occasionally. Filters that were rebuilt are noticed by the next command
/// that reaches the server, and the copy is dropped; until then a key of the old one may
/// be reported present.
///
/// Threads share one, or clones of one, which have one copy: what it answers it answers without a lock.
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

/// What is fetched next.
#[derive(Default, Debug)]
struct Fetching {
    piece: usize,
    /// Until when the byte budget is used up.
    spent_until: Option<Instant>,
}

impl<S: Scheme> TieredFilter<S> {
    /// Puts an empty copy before a filter. [`refresh`](Self::refresh) fetches no more
    /// than this many bytes per second, and at least 64 KiB at a time.
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

    /// How old the oldest piece of the copy is; `None` until all were fetched.
    pub fn age(&self) -> Option<Duration> {
        self.copy.load().age()
    }

    /// Keys that the server was asked about since this was made, by all clones; the copy answered the others.
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
        /// Whether a key may be present; `false`: it is definitely absent, by the server's answer.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn contains[K: ?Sized](&self, key: &K) -> bool where [S: Takes<K>] {
            |wire| Ok(self.contains_on(wire, &[S::bytes_of(key)], None).await?[0])
        }

        /// Queries keys; those that the copy does not contain are queried from the server together.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn contains_batch[K](&self, keys: &[K]) -> Vec<bool> where [S: Takes<K>] {
            |wire| self.contains_on(wire, &all_bytes_of::<S, _>(keys), None).await
        }

        /// As [`contains`](Self::contains), and "definitely not present" may be as old as `max_age`: a key that was
        /// inserted elsewhere since may be reported absent.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn contains_within[K: ?Sized](&self, key: &K, max_age: Duration) -> bool where [S: Takes<K>] {
            |wire| Ok(self.contains_on(wire, &[S::bytes_of(key)], Some(max_age)).await?[0])
        }

        /// Inserts a key: always into the filter on the server.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn insert[K: ?Sized](&self, key: &K) -> Inserted where [S: Takes<K>] {
            |wire| Ok(self.insert_on(wire, &[S::bytes_of(key)]).await?[0])
        }

        /// Inserts keys: always into the filter on the server.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn insert_batch[K](&self, keys: &[K]) -> Vec<Inserted> where [S: Takes<K>] {
            |wire| self.insert_on(wire, &all_bytes_of::<S, _>(keys)).await
        }

        /// Fetches as much of the string as the byte rate allows since the last call, each
        /// piece after the one before it, repeatedly; returns the number of bytes.
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

    /// The copy, after a call to the server: a new one if that filter is lost or another.
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
            // Unused budget since the last call is not saved beyond a second.
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
        // What another clone of the filter has followed is another one's.
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
            // The first piece of the new one comes with a later call.
            return followed.map(|()| 0);
        }
        match reply? {
            Value::BulkString(bytes) if bytes.len() as u64 == last - first + 1 => {
                // Of another generation these would be other keys' bits.
                if self.remote.known().settings.generation == copy.settings.generation {
                    copy.merge(piece, &bytes, asked);
                }
            }
            other => return Err(unexpected(COMMAND, &other)),
        }
        Ok(last - first + 1)
    }
}
