//! The filter as a stage or a shard of another filter.

use bouquet_bits::BitArray;
use bouquet_core::{KeyHasher, Spec, SpecError, math::FprCurve};

use crate::{Geometry, StandardBloom};

bouquet_core::inner_traits! {
    [H: KeyHasher] StandardBloom<H>, Geometry;

    fn geometry_for(spec: &Spec) -> Result<Geometry, SpecError> {
        Geometry::from_spec(&spec.for_bits::<H>()?)
    }

    fn fprs_of(geometry: Geometry) -> impl FnMut(u64) -> f64 {
        let mut curve = FprCurve::new(geometry.size_bits(), geometry.hashes());
        move |keys| curve.at(keys)
    }

    fn sparse_with_geometry(geometry: Geometry, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::over(BitArray::sparse(geometry.size_bits()), geometry, spec, hasher)
    }
}
