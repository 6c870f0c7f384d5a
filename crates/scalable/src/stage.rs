//! A stage: one filter of the series.

use bouquet_core::{Inner, KeyHash, Spec, SpecError};

use crate::{MAX_KEYS_PER_BIT, MAX_STAGE_FPR};

/// A stage of a [`ScalableBloom`](crate::ScalableBloom): a filter, the spec it is sized for,
/// and the number of keys inserted into it.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage<F> {
    filter: F,
    spec: Spec,
    keys: u64,
}

impl<F: Inner> Stage<F> {
    /// Creates a stage from its stored parts: its filter, the `spec` that the filter was sized
    /// for, and the number of keys inserted into it.
    pub fn from_parts(filter: F, spec: Spec, keys: u64) -> Self {
        Self { filter, spec, keys }
    }

    pub(crate) fn new(
        geometry: F::Geometry,
        spec: Spec,
        hasher: F::Hasher,
        is_sparse: bool,
    ) -> Result<Self, SpecError> {
        let filter = match is_sparse {
            true => F::sparse_with_geometry(geometry, spec, hasher)?,
            false => F::with_geometry(geometry, spec, hasher)?,
        };
        Ok(Self::from_parts(filter, spec, 0))
    }

    pub(crate) fn is_plausible(&self) -> bool {
        is_plausible(self.capacity(), self.filter.size_bits())
    }

    /// Whether as many keys were inserted into the stage as it is sized for.
    ///
    /// A stage that was created elsewhere with a target FPR above [`MAX_STAGE_FPR`] is also
    /// full if its FPR has reached its target, because it may never count that many keys; only
    /// for such a stage does this scan all bits.
    pub fn is_full(&self) -> bool {
        self.keys >= self.capacity()
            || (self.target_fpr() > MAX_STAGE_FPR
                && self.filter.estimated_fpr() >= self.target_fpr())
    }

    pub(crate) fn insert(&mut self, hash: KeyHash) {
        // This cannot fail, and the result is known: the key was definitely absent, so it is
        // new.
        let Ok(_) = self.filter.try_insert_hash(hash);
        self.keys += 1;
    }

    pub(crate) fn clear(&mut self) {
        self.filter.clear();
        self.keys = 0;
    }
}

impl<F> Stage<F> {
    /// The number of keys the stage is sized for.
    pub fn capacity(&self) -> u64 {
        self.spec.capacity()
    }

    /// The number of keys inserted into the stage: those that were definitely new to all stages
    /// when they were inserted.
    pub fn keys(&self) -> u64 {
        self.keys
    }

    /// The stage's own share of the target FPR: the highest FPR allowed at its capacity.
    pub fn target_fpr(&self) -> f64 {
        self.spec.target_fpr()
    }

    /// The stage's capacity and target FPR.
    pub fn spec(&self) -> Spec {
        self.spec
    }

    /// The filter that contains the stage's keys.
    pub fn filter(&self) -> &F {
        &self.filter
    }
}

/// Whether a filter of `size_bits` bits, counted as stored in whole cache lines, can be sized
/// for `capacity` keys. The next stage is sized by the capacity, which a file states separately
/// from the bits.
pub(crate) fn is_plausible(capacity: u64, size_bits: u64) -> bool {
    let stored = size_bits.div_ceil(512).saturating_mul(512);
    capacity <= stored.saturating_mul(MAX_KEYS_PER_BIT)
}
