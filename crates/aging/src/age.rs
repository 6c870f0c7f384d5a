//! Which slice is the newest, and when the next generation begins.

use core::ops::Range;

use bouquet_core::{KeyHash, KeyHasher, Spec, SpecError};

use crate::Geometry;

/// The slices of a filter and the age of their contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Age {
    pub(crate) geometry: Geometry,
    /// The newest slice; the others follow in the order of their age, after the last the first.
    pub(crate) newest: u32,
    /// Insertions of the newest generation.
    pub(crate) inserted: u64,
    /// How long keys are remembered, in ticks of the caller's clock; 0 if insertions are counted.
    pub(crate) span: u64,
    /// The latest time that was given, in ticks.
    pub(crate) now: u64,
}

impl Age {
    /// Of an empty filter; without a span, insertions are counted.
    pub(crate) fn new<H: KeyHasher>(span: Option<u64>, spec: &Spec) -> Result<Self, SpecError> {
        if span == Some(0) {
            return Err(SpecError::ZeroSpan);
        }
        // What is too large for any hash is said to be that.
        let bits = spec
            .for_bits::<H>()
            .or_else(|error| Geometry::from_spec(spec).and(Err(error)))?;
        Ok(Self {
            geometry: Geometry::from_spec(&bits)?,
            newest: 0,
            inserted: 0,
            span: span.unwrap_or(0),
            now: 0,
        })
    }

    /// Begins a generation, and returns the words of its slice, which must be cleared.
    pub(crate) fn begin(&mut self) -> Range<usize> {
        self.newest = self.slice(self.geometry.slices() - 1);
        self.inserted = 0;
        self.words(0)
    }

    /// The words of the slice that is the `age`-th newest.
    pub(crate) fn words(&self, age: u32) -> Range<usize> {
        let words = (self.geometry.slice_bits() / 64) as usize;
        let first = self.slice(age) as usize * words;
        first..first + words
    }

    /// Sets the clock, and returns how many generations end until then; not more than there are
    /// slices, and none if insertions are counted. A clock that runs back stands still until it has
    /// caught up.
    pub(crate) fn advance(&mut self, now: u64) -> u32 {
        if self.span == 0 {
            return 0;
        }
        // l generations take exactly the span, so that a key of any of them is remembered as long.
        let generations = u128::from(self.geometry.generations());
        let generation = |time: u64| u128::from(time) * generations / u128::from(self.span);
        let passed = generation(now).saturating_sub(generation(self.now));
        self.now = self.now.max(now);
        passed.min(self.geometry.slices().into()) as u32
    }

    /// The slice that is the `age`-th newest.
    #[inline(always)]
    pub(crate) fn slice(&self, age: u32) -> u32 {
        let (slice, slices) = (self.newest + age, self.geometry.slices());
        if slice >= slices {
            slice - slices
        } else {
            slice
        }
    }

    /// The slots of a key that is inserted now.
    #[inline(always)]
    pub(crate) fn slots(&self, hash: KeyHash) -> impl Iterator<Item = u64> {
        (0..self.geometry.hashes()).map(move |age| self.geometry.slot(hash, self.slice(age)))
    }

    /// Whether a key is in k slices in a row, by a search that leaves out slices that no such row
    /// needs (algorithm 1 of the paper).
    #[inline]
    pub(crate) fn finds(&self, hash: KeyHash, test: impl Fn(u64) -> bool) -> bool {
        let hashes = self.geometry.hashes();
        let (mut at, mut before, mut run) = (self.geometry.generations(), 0, 0);
        loop {
            if test(self.geometry.slot(hash, self.slice(at))) {
                run += 1;
                at += 1;
                if before + run == hashes {
                    return true;
                }
            } else {
                // Every row that is left ends before this slice.
                let Some(next) = at.checked_sub(hashes) else {
                    return false;
                };
                (at, before, run) = (next, run, 0);
            }
        }
    }
}
