//! The filter as a stage or a shard of another filter.

use bouquet_bits::BitArray;
use bouquet_core::{KeyHasher, Spec, SpecError};

use crate::{BlockedBloom, Geometry, Layout};

bouquet_core::inner_traits! {
    [L: Layout, H: KeyHasher] BlockedBloom<L, H>, Geometry<L>;

    fn geometry_for(spec: &Spec) -> Result<Geometry<L>, SpecError> {
        Geometry::from_spec(&spec.for_bits::<H>()?)
    }

    fn expect_economy(geometry: Geometry<L>, spec: &Spec) -> Result<(), SpecError> {
        geometry.expect_economy(spec)
    }

    fn sparse_with_geometry(
        geometry: Geometry<L>,
        spec: Spec,
        hasher: H,
    ) -> Result<Self, SpecError> {
        Self::over(BitArray::sparse(geometry.size_bits()), geometry, spec, hasher)
    }
}
