//! What a filter of filters requires of those it is made of.

use core::{convert::Infallible, fmt::Debug};

use crate::{
    Incompatible, Inspect, KeyHash, KeyHasher, Locate, Parameter, Prehashed, Spec, SpecError,
    TryInsert,
};

/// A filter that others can be made of: a stage of a series, a shard behind a
/// lock.
///
/// # Requirements
///
/// It takes every key, prehashed as a [`KeyHash`]: a filter that
/// can reject keys, such as a series of stages, cannot be an inner filter.
///
/// # Usage
///
/// Whoever makes many filters can find out first what each will be: its
/// [geometry](Self::geometry_for), its [bits](Self::size_bits_of) and its
/// [FPR](Self::expected_fpr_of) take no memory. All get a copy of one hasher,
/// and one hash serves them all.
///
/// # Implementing
///
/// - `geometry_for` gives a geometry that keeps the target FPR of `spec` at its
///   [capacity](Inspect::capacity), with the hash-collision floor included.
/// - `with_geometry` sizes nothing: a thousand filters of one geometry cost one
///   search for it.
/// - The geometry is all there is to its size: filters of equal geometries have
///   the same bits and the same theory.
/// - Filters with equal hashers hash a key alike, and take what is left of a
///   hash that was [split](KeyHash::split) before: the place picks nothing that
///   was picked with it.
/// - **A panic within an insert makes no earlier member a false negative.** A filter
///   that only sets bits satisfies this by nature. A panic within a removal affects only
///   the key being removed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a stage or a shard of another filter",
    note = "`StandardBloom`, `BlockedBloom`, `PartitionedBloom` and `CountingBloom` can: one that can be full cannot, nor one that is made of others"
)]
pub trait Inner: TryInsert<Error = Infallible> + Prehashed<Hash = KeyHash> + Inspect {
    /// The hash function.
    type Hasher: KeyHasher;

    /// Sizes and slot arithmetic.
    type Geometry: Locate<Hash = KeyHash> + Copy + PartialEq + Debug;

    /// The geometry of the filter that [`with_hasher`](Self::with_hasher) makes
    /// for `spec`. Takes no memory for it.
    ///
    /// # Errors
    ///
    /// Those of `with_hasher`, but for memory.
    fn geometry_for(spec: &Spec) -> Result<Self::Geometry, SpecError>;

    /// Rejects a geometry that takes far more bits for `spec` than another kind of filter
    /// would: what the constructor of the filter itself rejects, a filter made of others
    /// rejects too, before it has made any.
    ///
    /// # Errors
    ///
    /// [`SpecError::Wasteful`].
    fn expect_economy(geometry: Self::Geometry, spec: &Spec) -> Result<(), SpecError> {
        let _ = (geometry, spec);
        Ok(())
    }

    /// Bits of storage (m) of a filter of this geometry: several for each slot
    /// where slots are counters.
    fn size_bits_of(geometry: Self::Geometry) -> u64;

    /// The mean FPR of filters of this geometry with `keys` different keys, from
    /// their bits alone. The hash-collision floor, which depends on the keys of all
    /// filters together, is not included:
    /// [`with_hash_floor`](crate::math::with_hash_floor) adds it.
    fn expected_fpr_of(geometry: Self::Geometry, keys: u64) -> f64;

    /// The same for many numbers of keys: what they have in common may be computed once.
    fn fprs_of(geometry: Self::Geometry) -> impl FnMut(u64) -> f64 {
        move |keys| Self::expected_fpr_of(geometry, keys)
    }

    /// An empty filter of this geometry, with the capacity and the target FPR of
    /// `spec`, whatever the geometry does.
    ///
    /// # Errors
    ///
    /// [`SpecError::OutOfMemory`].
    fn with_geometry(
        geometry: Self::Geometry,
        spec: Spec,
        hasher: Self::Hasher,
    ) -> Result<Self, SpecError>
    where
        Self: Sized;

    /// The same of a filter that may be far larger than its keys ever need, as one is that a file
    /// claims: its memory in pages of the usual size, where a filter that is about to be filled
    /// would ask for huge ones.
    ///
    /// # Errors
    ///
    /// [`SpecError::OutOfMemory`].
    fn sparse_with_geometry(
        geometry: Self::Geometry,
        spec: Spec,
        hasher: Self::Hasher,
    ) -> Result<Self, SpecError>
    where
        Self: Sized,
    {
        Self::with_geometry(geometry, spec, hasher)
    }

    /// An empty filter of this geometry for `capacity` keys, whose target is the FPR that is
    /// expected with them, the hash-collision floor included.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: the capacity is out of range, or the memory cannot be allocated.
    fn reaching(
        geometry: Self::Geometry,
        capacity: u64,
        hasher: Self::Hasher,
    ) -> Result<Self, SpecError>
    where
        Self: Sized,
    {
        let fpr = Self::expected_fpr_of(geometry, capacity);
        let spec = Spec::reached_by_bits::<Self::Hasher>(capacity, fpr)?;
        Self::with_geometry(geometry, spec, hasher)
    }

    /// An empty filter for `spec`, of the [geometry](Self::geometry_for) that it
    /// needs.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: it would be too large or [wasteful](Self::expect_economy), the hasher
    /// is too narrow, or the memory cannot be allocated.
    fn with_hasher(spec: Spec, hasher: Self::Hasher) -> Result<Self, SpecError>
    where
        Self: Sized,
    {
        let geometry = Self::geometry_for(&spec)?;
        Self::expect_economy(geometry, &spec)?;
        Self::with_geometry(geometry, spec, hasher)
    }

    /// Its sizes and slot arithmetic.
    fn geometry(&self) -> Self::Geometry;

    /// The hash function with its seed.
    fn hasher(&self) -> &Self::Hasher;

    /// Rejects a filter whose slots cannot be combined with those of this one. A filter whose
    /// geometry has more than a size and a number of hashes compares that too.
    ///
    /// # Errors
    ///
    /// [`Incompatible`] names the first that differs of the size, the number of hashes, and the
    /// hasher with its seed.
    fn check_compatible(&self, other: &Self) -> Result<(), Incompatible>
    where
        Self: Sized,
    {
        let (here, there) = (self.geometry(), other.geometry());
        let (left, right) = (Self::size_bits_of(here), Self::size_bits_of(there));
        Incompatible::unless_equal(Parameter::SizeBits, left, right)?;
        Incompatible::unless_equal(Parameter::Hashes, here.probes(), there.probes())?;
        Incompatible::unless_same_hasher(self.hasher(), other.hasher())
    }

    /// Drops all keys and keeps the memory.
    fn clear(&mut self);
}
