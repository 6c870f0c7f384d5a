//! The filter as a part of others.

use bouquet_bits::BitArray;
use bouquet_core::{KeyHasher, Spec, SpecError};

use crate::{Geometry, PartitionedBloom};

bouquet_core::inner_traits! {
    [H: KeyHasher] PartitionedBloom<H>, Geometry;

    fn geometry_for(spec: &Spec) -> Result<Geometry, SpecError> {
        Geometry::from_spec(&spec.for_bits::<H>()?)
    }

    fn sparse_with_geometry(geometry: Geometry, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::over(BitArray::sparse(geometry.size_bits()), geometry, spec, hasher)
    }
}
