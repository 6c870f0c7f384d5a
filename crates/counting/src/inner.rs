//! The filter as a part of others, in counters of 4 bits.

use bouquet_bits::{CounterArray, CounterBits};
use bouquet_core::{KeyHasher, Spec, SpecError, math::FprCurve};

use crate::{CountingBloom, Geometry};

bouquet_core::inner_traits! {
    [H: KeyHasher] CountingBloom<H>, Geometry;

    fn geometry_for(spec: &Spec) -> Result<Geometry, SpecError> {
        Geometry::from_spec(&spec.for_bits::<H>()?, CounterBits::Four)
    }

    fn fprs_of(geometry: Geometry) -> impl FnMut(u64) -> f64 {
        let mut curve = FprCurve::new(geometry.counters(), geometry.hashes());
        move |keys| curve.at(keys)
    }

    fn sparse_with_geometry(geometry: Geometry, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        let counters = CounterArray::sparse(geometry.counters(), geometry.counter_bits());
        Self::over(counters, geometry, spec, hasher)
    }
}
