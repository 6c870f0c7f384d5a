//! What a stage is made of.

use core::convert::Infallible;

use bouquet_core::{
    Inspect, KeyHash, KeyHasher, Prehashed, Spec, SpecError, TryInsert, math::expected_fpr,
};
use bouquet_standard::{Geometry, StandardBloom};

/// A filter that can be a stage of a [`ScalableBloom`](crate::ScalableBloom).
///
/// # Implementing
///
/// - `with_hasher` makes an empty filter that keeps the target FPR at capacity
///   and whose [`capacity`](Inspect::capacity) is the one asked for.
/// - Filters with equal hashers hash a key alike: one [`KeyHash`] serves all
///   stages.
/// - `size_bits_for` and `expected_fpr_for` speak of the filter that
///   `with_hasher` would make, and take no memory for it.
pub trait Inner: TryInsert<Error = Infallible> + Prehashed<Hash = KeyHash> + Inspect {
    /// The hash function.
    type Hasher: KeyHasher;

    /// An empty filter for `spec`.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: it would be too large, the hasher is too narrow, or the
    /// memory cannot be had.
    fn with_hasher(spec: Spec, hasher: Self::Hasher) -> Result<Self, SpecError>
    where
        Self: Sized;

    /// The bits that a filter for `spec` has.
    ///
    /// # Errors
    ///
    /// [`SpecError`], but for memory.
    fn size_bits_for(spec: &Spec) -> Result<u64, SpecError>;

    /// The mean FPR of filters for `spec` with `keys` different keys.
    ///
    /// # Errors
    ///
    /// [`SpecError`], but for memory.
    fn expected_fpr_for(spec: &Spec, keys: u64) -> Result<f64, SpecError>;

    /// The hash function with its seed.
    fn hasher(&self) -> &Self::Hasher;

    /// Drops all keys and keeps the memory.
    fn clear(&mut self);
}

impl<H: KeyHasher> Inner for StandardBloom<H> {
    type Hasher = H;

    fn with_hasher(spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::with_hasher(spec, hasher)
    }

    fn size_bits_for(spec: &Spec) -> Result<u64, SpecError> {
        Geometry::from_spec(spec).map(|geometry| geometry.size_bits())
    }

    fn expected_fpr_for(spec: &Spec, keys: u64) -> Result<f64, SpecError> {
        let geometry = Geometry::from_spec(spec)?;
        Ok(expected_fpr(geometry.size_bits(), geometry.hashes(), keys))
    }

    fn hasher(&self) -> &H {
        self.hasher()
    }

    fn clear(&mut self) {
        self.clear();
    }
}
