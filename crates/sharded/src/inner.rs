//! What a shard is made of.

use std::{convert::Infallible, fmt::Debug};

use bouquet_core::{
    Inspect, KeyHash, KeyHasher, Locate, Prehashed, Spec, SpecError, TryInsert, math::expected_fpr,
};
use bouquet_standard::{Geometry, StandardBloom};

/// A filter that can be a shard of a [`ShardedBloom`](crate::ShardedBloom).
///
/// # Implementing
///
/// - `with_hasher` makes an empty filter of `geometry_for` the same `spec`.
/// - Filters with equal hashers hash a key alike, and take what is left of a
///   hash whose shard is [split](KeyHash::split) off: the place picks nothing
///   that the shard has picked.
/// - **A panic within an insert loses no key that was held before.** A filter
///   that only ever sets bits is so by nature.
pub trait Inner: TryInsert<Error = Infallible> + Prehashed<Hash = KeyHash> + Inspect {
    /// The hash function.
    type Hasher: KeyHasher;

    /// Sizes and slot arithmetic.
    type Geometry: Locate<Hash = KeyHash> + Copy + PartialEq + Debug;

    /// The geometry of a filter for `spec`. Takes no memory for it.
    ///
    /// # Errors
    ///
    /// [`SpecError::TooLarge`].
    fn geometry_for(spec: &Spec) -> Result<Self::Geometry, SpecError>;

    /// The mean FPR of filters of a geometry with `keys` different keys.
    fn expected_fpr_of(geometry: Self::Geometry, keys: u64) -> f64;

    /// An empty filter for `spec`.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: it would be too large, the hasher is too narrow, or the
    /// memory cannot be had.
    fn with_hasher(spec: Spec, hasher: Self::Hasher) -> Result<Self, SpecError>
    where
        Self: Sized;

    /// Its sizes and slot arithmetic.
    fn geometry(&self) -> Self::Geometry;

    /// Drops all keys and keeps the memory.
    fn clear(&mut self);
}

impl<H: KeyHasher> Inner for StandardBloom<H> {
    type Hasher = H;
    type Geometry = Geometry;

    fn geometry_for(spec: &Spec) -> Result<Geometry, SpecError> {
        Geometry::from_spec(spec)
    }

    fn expected_fpr_of(geometry: Geometry, keys: u64) -> f64 {
        expected_fpr(geometry.size_bits(), geometry.hashes(), keys)
    }

    fn with_hasher(spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::with_hasher(spec, hasher)
    }

    fn geometry(&self) -> Geometry {
        self.geometry()
    }

    fn clear(&mut self) {
        self.clear();
    }
}
