//! The filter as a stage or a shard of another filter.

use bouquet_bits::BitArray;
use bouquet_core::{Incompatible, KeyHasher, Parameter, Spec, SpecError};

use crate::{Geometry, PartitionedBloom};

bouquet_core::inner_traits! {
    [H: KeyHasher] PartitionedBloom<H>, Geometry;

    fn geometry_for(spec: &Spec) -> Result<Geometry, SpecError> {
        Geometry::from_spec(&spec.for_bits::<H>()?)
    }

    fn check_compatible(&self, other: &Self) -> Result<(), Incompatible> {
        let (here, there) = (self.geometry(), other.geometry());
        // Compared first: m is a multiple of k, so another k mostly means another m, which
        // would be named instead.
        Incompatible::unless_equal(Parameter::Hashes, here.hashes(), there.hashes())?;
        Incompatible::unless_equal(Parameter::SizeBits, here.size_bits(), there.size_bits())?;
        Incompatible::unless_same_hasher(self.hasher(), other.hasher())
    }

    fn sparse_with_geometry(geometry: Geometry, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::over(BitArray::sparse(geometry.size_bits()), geometry, spec, hasher)
    }
}
