//! The trait that a filter must implement to be a part of a composed filter.

use core::{convert::Infallible, fmt::Debug};

use crate::{
    Incompatible, Inspect, KeyHash, KeyHasher, Locate, Parameter, Prehashed, Spec, SpecError,
    TryInsert,
};

/// A filter that other filters can be composed of: a stage of a scalable filter, or a shard
/// behind a lock.
///
/// # Requirements
///
/// It accepts every key, prehashed as a [`KeyHash`]: a filter that can reject keys, such as a
/// scalable filter, cannot be an inner filter.
///
/// # Usage
///
/// Code that creates many filters can compute in advance what each will be: its
/// [geometry](Self::geometry_for), its [size in bits](Self::size_bits_of) and its
/// [FPR](Self::expected_fpr_of), without allocating memory. All inner filters get a copy of one
/// hasher, so a key is hashed once for all of them.
///
/// # Implementing
///
/// - `geometry_for` returns a geometry that meets the target FPR of `spec` at its
///   [capacity](Inspect::capacity), with the hash-collision floor included.
/// - `with_geometry` computes no sizes: for a thousand filters of one geometry, the size is
///   searched once.
/// - The geometry alone determines the size: filters of equal geometries have the same number
///   of bits and the same theoretical FPR.
/// - Filters with equal hashers compute the same hash of a key, and accept the remaining part
///   of a hash that was [split](KeyHash::split) before: they do not reuse the part of `place`
///   that picked the shard.
/// - **A panic during an insert turns no earlier member into a false negative.** A filter that
///   only sets bits satisfies this automatically. A panic during a removal affects only the key
///   being removed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a stage or a shard of another filter",
    note = "`StandardBloom`, `BlockedBloom`, `PartitionedBloom` and `CountingBloom` can: one that can be full cannot, nor one that is made of others"
)]
pub trait Inner: TryInsert<Error = Infallible> + Prehashed<Hash = KeyHash> + Inspect {
    /// The hash function.
    type Hasher: KeyHasher;

    /// The sizes and slot arithmetic of the filter.
    type Geometry: Locate<Hash = KeyHash> + Copy + PartialEq + Debug;

    /// The geometry of the filter that [`with_hasher`](Self::with_hasher) creates for `spec`.
    /// Allocates no memory.
    ///
    /// # Errors
    ///
    /// Those of `with_hasher`, except [`SpecError::OutOfMemory`].
    fn geometry_for(spec: &Spec) -> Result<Self::Geometry, SpecError>;

    /// Rejects a geometry that needs far more bits for `spec` than another kind of filter
    /// would. A composed filter calls this before it creates any inner filter, so that it
    /// rejects what the inner filter's own constructor rejects.
    ///
    /// # Errors
    ///
    /// [`SpecError::Wasteful`].
    fn expect_economy(geometry: Self::Geometry, spec: &Spec) -> Result<(), SpecError> {
        let _ = (geometry, spec);
        Ok(())
    }

    /// Bits of storage (m) of a filter of this geometry; a slot that is a counter has several
    /// bits.
    fn size_bits_of(geometry: Self::Geometry) -> u64;

    /// The mean FPR of filters of this geometry with `keys` different keys, as far as it is due
    /// to the bits. The hash-collision floor, which depends on the keys of all inner filters
    /// together, is not included: [`with_hash_floor`](crate::math::with_hash_floor) adds it.
    fn expected_fpr_of(geometry: Self::Geometry, keys: u64) -> f64;

    /// Returns a function that computes [`expected_fpr_of`](Self::expected_fpr_of) for many
    /// numbers of keys; it can compute once what does not depend on `keys`.
    fn fprs_of(geometry: Self::Geometry) -> impl FnMut(u64) -> f64 {
        move |keys| Self::expected_fpr_of(geometry, keys)
    }

    /// Creates an empty filter of this geometry. The filter reports the capacity and the target
    /// FPR of `spec`, even if the geometry does not match them.
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

    /// Like [`with_geometry`](Self::with_geometry), for a filter that may be far larger than
    /// its keys ever need, such as one whose size was read from a file. Its memory is requested
    /// in pages of the usual size, not in huge pages as for a filter that is about to be
    /// filled.
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

    /// Creates an empty filter of this geometry for `capacity` keys. Its target FPR is the FPR
    /// expected at capacity, the hash-collision floor included.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if the capacity is out of range or the memory cannot be allocated.
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

    /// Creates an empty filter for `spec`, with the [geometry](Self::geometry_for) that it
    /// needs.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if the filter would be too large or [wasteful](Self::expect_economy), if
    /// the hasher has too few bits, or if the memory cannot be allocated.
    fn with_hasher(spec: Spec, hasher: Self::Hasher) -> Result<Self, SpecError>
    where
        Self: Sized,
    {
        let geometry = Self::geometry_for(&spec)?;
        Self::expect_economy(geometry, &spec)?;
        Self::with_geometry(geometry, spec, hasher)
    }

    /// The sizes and slot arithmetic of this filter.
    fn geometry(&self) -> Self::Geometry;

    /// The hasher, with its seed.
    fn hasher(&self) -> &Self::Hasher;

    /// Rejects a filter whose slots cannot be combined with those of this one. If the geometry
    /// consists of more than a size and a number of hashes, the implementation must compare the
    /// rest too.
    ///
    /// # Errors
    ///
    /// [`Incompatible`] names the first parameter that differs: the size, the number of hashes,
    /// or the hasher with its seed.
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

    /// Removes all keys but keeps the allocated memory.
    fn clear(&mut self);
}
