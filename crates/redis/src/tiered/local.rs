//! The local copy of a string.

use std::{
    sync::atomic::{
        AtomicU8, AtomicU64,
        Ordering::{Acquire, Relaxed, Release},
    },
    time::{Duration, Instant},
};

use bouquet_core::SpecError;

use crate::{Scheme, batch::Shape, trailer::Settings};

/// Bytes of the string that are fetched at a time.
pub(super) const PIECE: u64 = 64 << 10;

/// The bits of one generation as far as they are known locally. Threads share them without a lock,
/// because bits are only ever set.
#[derive(Debug)]
pub(super) struct Local<S> {
    pub(super) settings: Settings<S>,
    shape: Shape,
    bytes: Vec<AtomicU8>,
    began: Instant,
    /// The time at which each piece was last requested, in nanoseconds since `began` plus one; 0
    /// for a piece that was never requested.
    fetched: Vec<AtomicU64>,
}

impl<S: Scheme> Local<S> {
    pub(super) fn new(settings: Settings<S>) -> Result<Self, SpecError> {
        let bytes = settings.scheme.string_bytes();
        let mut all = Vec::new();
        let size = usize::try_from(bytes).map_err(|_| SpecError::OutOfMemory { bytes })?;
        all.try_reserve_exact(size)
            .map_err(|_| SpecError::OutOfMemory { bytes })?;
        all.resize_with(size, AtomicU8::default);
        let pieces = bytes.div_ceil(PIECE) as usize;
        Ok(Self {
            shape: Shape::of(&settings.scheme),
            settings,
            bytes: all,
            began: Instant::now(),
            fetched: (0..pieces).map(|_| AtomicU64::default()).collect(),
        })
    }

    pub(super) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(super) fn pieces(&self) -> usize {
        self.fetched.len()
    }

    fn has(&self, location: u64) -> bool {
        let byte = self.bytes.get((location / 8) as usize);
        byte.is_some_and(|byte| byte.load(Relaxed) >> (7 - location % 8) & 1 == 1)
    }

    /// The answer for a key, if the copy can give it: `false` only if a clear bit was fetched
    /// within `max_age`.
    pub(super) fn answer(&self, key: &[u8], max_age: Option<Duration>) -> Option<bool> {
        // The time is read before the bits, so that the bits contain everything that was fetched by
        // then.
        let is_recent = |location: u64| {
            let fetched = self.fetched.get((location / 8 / PIECE) as usize);
            let then = fetched.map_or(0, |then| then.load(Acquire));
            let age = |then| {
                self.began
                    .elapsed()
                    .saturating_sub(Duration::from_nanos(then))
            };
            max_age.is_some_and(|max| then.checked_sub(1).is_some_and(|then| age(then) <= max))
        };
        let mut parts = self.shape.parts();
        let (mut left, mut is_there, mut holds) = (0, true, false);
        let (mut is_absent, mut all_absent) = (false, true);
        self.settings.scheme.visit(key, &mut |location| {
            if left == 0 {
                left = parts.next().unwrap_or(1);
                (is_there, is_absent) = (true, false);
            }
            let is_recent = is_recent(location);
            if !self.has(location) {
                is_there = false;
                is_absent |= is_recent;
            }
            left -= 1;
            if left == 0 {
                holds |= is_there;
                all_absent &= is_absent;
            }
        });
        match (holds, all_absent) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        }
    }

    /// Sets the bits of a key that the server contains. If the key was inserted, these are the bits
    /// of the last part. If it was only found in a chain of several parts, nothing is set, because
    /// it is unknown which part contains it.
    pub(super) fn learn(&self, key: &[u8], was_inserted: bool) {
        let only_read = self.shape.only_read();
        if only_read > 0 && !was_inserted {
            return;
        }
        let mut i = 0;
        self.settings.scheme.visit(key, &mut |location| {
            i += 1;
            if let Some(byte) = self
                .bytes
                .get((location / 8) as usize)
                .filter(|_| i > only_read)
            {
                byte.fetch_or(1 << (7 - location % 8), Relaxed);
            }
        });
    }

    /// Stores a piece that was requested at the time `requested`.
    pub(super) fn merge(&self, piece: usize, bytes: &[u8], requested: Instant) {
        let target = self.bytes.iter().skip(piece * PIECE as usize);
        for (known, byte) in target.zip(bytes) {
            if *byte != 0 {
                known.fetch_or(*byte, Relaxed);
            }
        }
        let since = requested.saturating_duration_since(self.began);
        self.fetched[piece].store(since.as_nanos() as u64 + 1, Release);
    }

    /// The age of the oldest piece; `None` until all pieces were fetched.
    pub(super) fn age(&self) -> Option<Duration> {
        let then = self.fetched.iter().map(|then| then.load(Relaxed)).min()?;
        let then = Duration::from_nanos(then.checked_sub(1)?);
        Some(self.began.elapsed().saturating_sub(then))
    }
}
