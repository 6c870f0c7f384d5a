//! Which slice is the newest, and when the next generation begins.

use crate::Geometry;

/// The age of a filter's contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Age {
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
    pub(crate) const fn new(span: u64) -> Self {
        Self {
            newest: 0,
            inserted: 0,
            span,
            now: 0,
        }
    }

    /// Begins a generation, and returns its slice, which must be cleared.
    pub(crate) fn begin(&mut self, geometry: &Geometry) -> u32 {
        self.newest = self.newest.checked_sub(1).unwrap_or(geometry.slices() - 1);
        self.inserted = 0;
        self.newest
    }

    /// Whether the newest generation has all its insertions.
    #[inline]
    pub(crate) fn is_complete(&self, geometry: &Geometry) -> bool {
        self.span == 0 && self.inserted >= geometry.generation_keys()
    }

    /// Sets the clock, and returns how many generations end until then; not more than there are
    /// slices. A clock that runs back stands still until it has caught up.
    pub(crate) fn advance(&mut self, geometry: &Geometry, now: u64) -> u32 {
        // l generations take exactly the span, so that a key of any of them is remembered as long.
        let generations = u128::from(geometry.generations());
        let generation = |time: u64| u128::from(time) * generations / u128::from(self.span.max(1));
        let passed = generation(now).saturating_sub(generation(self.now));
        self.now = self.now.max(now);
        passed.min(geometry.slices().into()) as u32
    }

    /// The slice that is the `age`-th newest.
    #[inline(always)]
    pub(crate) fn slice(&self, geometry: &Geometry, age: u32) -> u32 {
        let slice = self.newest + age;
        if slice >= geometry.slices() {
            slice - geometry.slices()
        } else {
            slice
        }
    }

    /// Whether a key is in k slices in a row, by a search that leaves out slices that no such row
    /// needs (algorithm 1 of the paper).
    #[inline]
    pub(crate) fn finds(&self, geometry: &Geometry, test: impl Fn(u32) -> bool) -> bool {
        let hashes = geometry.hashes();
        let (mut at, mut before, mut run) = (geometry.generations(), 0, 0);
        loop {
            if test(self.slice(geometry, at)) {
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
