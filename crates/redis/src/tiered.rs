//! A local copy of a filter, which is queried before the server.

mod file;
mod local;

use std::time::{Duration, Instant};

pub use file::FileTier;
use local::{Local, PIECE};
use redis::{ConnectionLike, Value};

use crate::key::{Takes, all_bytes_of};
use crate::{
    Error, Inserted, RemoteBitmap, Result, Scheme,
    error::unexpected,
    marked::Marked,
    wire::{Blocking, Wire, now},
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
/// ```no_run
/// use std::time::Duration;
///
/// use bouquet_redis::{Native, RemoteBitmap, TieredFilter, redis::Client};
///
/// let mut connection = Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let remote = RemoteBitmap::<Native>::join(&mut connection, "seen")?;
/// // No more than 1 MB per second for the copy.
/// let mut filter = TieredFilter::new(remote, 1_000_000)?;
/// filter.refresh(&mut connection)?;
/// let may_be_present = filter.contains(&mut connection, "rose")?;
/// let minute = Duration::from_secs(60);
/// let a_minute_ago = filter.contains_within(&mut connection, "rose", minute)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TieredFilter<S: Scheme> {
    remote: RemoteBitmap<S>,
    copy: Local,
    generation: u64,
    bytes_per_second: u64,
    /// Until when the byte budget is used up.
    spent_until: Option<Instant>,
    counts: Tiers,
}

/// Counts of answers by their source.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tiers {
    /// Keys that the copy answered.
    pub local: u64,
    /// Keys that the server answered.
    pub remote: u64,
}

impl Tiers {
    /// Answers of the copy over all answers.
    pub fn saved(&self) -> f64 {
        let all = self.local + self.remote;
        if all == 0 {
            0.0
        } else {
            self.local as f64 / all as f64
        }
    }
}

impl<S: Scheme> TieredFilter<S> {
    /// Puts an empty copy before a filter. [`refresh`](Self::refresh) fetches no more
    /// than this many bytes per second, and at least 64 KiB at a time.
    ///
    /// # Errors
    ///
    /// [`Error::Spec`] if a copy cannot be allocated.
    pub fn new(remote: RemoteBitmap<S>, bytes_per_second: u64) -> Result<Self> {
        Ok(Self {
            copy: Local::new(remote.scheme().string_bytes())?,
            generation: remote.generation(),
            remote,
            bytes_per_second: bytes_per_second.max(1),
            spent_until: None,
            counts: Tiers::default(),
        })
    }

    /// Whether a key may be present; `false`: it is definitely absent, by the server's answer.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub fn contains<K: ?Sized>(
        &mut self,
        connection: &mut impl ConnectionLike,
        key: &K,
    ) -> Result<bool>
    where
        S: Takes<K>,
    {
        Ok(now(self.contains_on(&mut Blocking(connection), &[S::bytes_of(key)], None))?[0])
    }

    /// Queries keys; those that the copy does not contain are queried from the server together.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub fn contains_batch<K>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<bool>>
    where
        S: Takes<K>,
    {
        now(self.contains_on(&mut Blocking(connection), &all_bytes_of::<S, _>(keys), None))
    }

    /// The same, and "definitely not present" may be as old as `max_age`: a key that was
    /// inserted elsewhere since may be reported absent.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub fn contains_within<K: ?Sized>(
        &mut self,
        connection: &mut impl ConnectionLike,
        key: &K,
        max_age: Duration,
    ) -> Result<bool>
    where
        S: Takes<K>,
    {
        let wire = &mut Blocking(connection);
        let key = S::bytes_of(key);
        Ok(now(self.contains_on(wire, &[key], Some(max_age)))?[0])
    }

    pub(crate) async fn contains_on<K: AsRef<[u8]>>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
        max_age: Option<Duration>,
    ) -> Result<Vec<bool>> {
        let mut all = vec![true; keys.len()];
        let mut asked = Vec::new();
        for (place, key) in keys.iter().enumerate() {
            match self.known(key, max_age) {
                Some(found) => all[place] = found,
                None => asked.push(place),
            }
        }
        self.counts.local += (keys.len() - asked.len()) as u64;
        self.counts.remote += asked.len() as u64;
        if asked.is_empty() {
            return Ok(all);
        }
        let remote: Vec<&K> = asked.iter().map(|place| &keys[*place]).collect();
        let found = self.remote.contains_on(wire, &remote).await;
        let found = self.checked(found)?;
        for ((place, key), found) in asked.into_iter().zip(remote).zip(found) {
            all[place] = found;
            if found {
                self.learn(key);
            }
        }
        Ok(all)
    }

    /// The copy's answer for a key, if that suffices.
    fn known<K: AsRef<[u8]> + ?Sized>(&self, key: &K, max_age: Option<Duration>) -> Option<bool> {
        let (mut is_there, mut is_absent) = (true, false);
        self.remote.scheme().visit(key.as_ref(), &mut |location| {
            if !self.copy.has(location) {
                is_there = false;
                is_absent |= max_age.is_some_and(|age| self.copy.is_within(location, age));
            }
        });
        if is_there {
            return Some(true);
        }
        is_absent.then_some(false)
    }

    fn learn<K: AsRef<[u8]> + ?Sized>(&mut self, key: &K) {
        let copy = &mut self.copy;
        (self.remote.scheme()).visit(key.as_ref(), &mut |location| copy.set(location));
    }

    /// Inserts a key: always into the filter on the server.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub fn insert<K: ?Sized>(
        &mut self,
        connection: &mut impl ConnectionLike,
        key: &K,
    ) -> Result<Inserted>
    where
        S: Takes<K>,
    {
        Ok(now(self.insert_on(&mut Blocking(connection), &[S::bytes_of(key)]))?[0])
    }

    /// Inserts keys: always into the filter on the server.
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

    pub(crate) async fn insert_on<K: AsRef<[u8]>>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<Inserted>> {
        let inserted = self.remote.insert_on(wire, keys).await;
        let inserted = self.checked(inserted)?;
        keys.iter().for_each(|key| self.learn(key));
        Ok(inserted)
    }

    /// Drops the copy if it is not of this filter.
    fn checked<T>(&mut self, result: Result<T>) -> Result<T> {
        if matches!(result, Err(Error::FilterLost { .. })) {
            self.copy.clear();
        }
        if self.remote.generation() != self.generation {
            self.generation = self.remote.generation();
            self.copy = Local::new(self.remote.scheme().string_bytes())?;
        }
        result
    }

    /// Fetches as much of the string as the byte rate allows since the last call, each
    /// piece after the one before it, repeatedly; returns the number of bytes.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub fn refresh(&mut self, connection: &mut impl ConnectionLike) -> Result<u64> {
        now(self.refresh_on(&mut Blocking(connection)))
    }

    pub(crate) async fn refresh_on(&mut self, wire: &mut impl Wire) -> Result<u64> {
        let began = Instant::now();
        let mut fetched = 0;
        let mut left = self.copy.fetched.len();
        while left > 0 && self.spent_until.is_none_or(|until| until <= began) {
            left -= 1;
            let bytes = self.fetch(wire).await?;
            fetched += bytes;
            // Unused budget since the last call is not saved beyond a second.
            let second = Duration::from_secs(1);
            let earliest = began.checked_sub(second).unwrap_or(began);
            let from = self.spent_until.unwrap_or(earliest).max(earliest);
            let time = bytes as f64 / self.bytes_per_second as f64;
            self.spent_until = from.checked_add(Duration::from_secs_f64(time));
        }
        Ok(fetched)
    }

    /// Fetches the next piece.
    async fn fetch(&mut self, wire: &mut impl Wire) -> Result<u64> {
        const COMMAND: &str = "GETRANGE";
        let piece = self.copy.next;
        let size = self.copy.bytes.len() as u64;
        let first = piece as u64 * PIECE;
        let last = (first + PIECE).min(size) - 1;
        let mut both = self.remote.transaction();
        both.cmd(COMMAND)
            .arg(self.remote.name())
            .arg(first)
            .arg(last);
        let asked = Instant::now();
        let replies = self.remote.transact(wire, COMMAND, &both).await;
        if let Err(Error::FilterLost { how, .. }) = &replies {
            let followed = self.remote.follow(wire, *how).await;
            self.checked(followed)?;
            // The first piece of the new one comes with the next call.
            return Ok(0);
        }
        let bytes = match replies?.pop() {
            Some(Value::BulkString(bytes)) if bytes.len() as u64 <= last - first + 1 => bytes,
            other => return Err(unexpected(COMMAND, &other.unwrap_or_default())),
        };
        let target = &mut self.copy.bytes[first as usize..];
        for (known, byte) in target.iter_mut().zip(&bytes) {
            *known |= byte;
        }
        self.copy.fetched[piece] = Some(asked);
        self.copy.next = (piece + 1) % self.copy.fetched.len();
        Ok(last - first + 1)
    }

    /// How old the oldest piece of the copy is; `None` until all were fetched.
    pub fn age(&self) -> Option<Duration> {
        let fetched: Option<Vec<Instant>> = self.copy.fetched.iter().copied().collect();
        Some(fetched?.into_iter().min()?.elapsed())
    }

    /// Counts of answers since it was made.
    pub fn tiers(&self) -> Tiers {
        self.counts
    }

    /// The filter on the server.
    pub fn remote(&self) -> &RemoteBitmap<S> {
        &self.remote
    }
}
