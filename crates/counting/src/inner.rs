//! The filter as a stage or a shard of another filter, with counters of 4 bits.

use bouquet_bits::{CounterArray, CounterBits};
use bouquet_core::{Incompatible, KeyHasher, Parameter, Spec, SpecError, math::FprCurve};

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

    fn check_compatible(&self, other: &Self) -> Result<(), Incompatible> {
        let (here, there) = (self.geometry(), other.geometry());
        let (left, right) = (here.counter_bits().bits(), there.counter_bits().bits());
        // Compared first, because half as many counters of twice the width have the same number
        // of bits.
        Incompatible::unless_equal(Parameter::Other("counter_bits"), left, right)?;
        Incompatible::unless_equal(Parameter::SizeBits, here.size_bits(), there.size_bits())?;
        Incompatible::unless_equal(Parameter::Hashes, here.hashes(), there.hashes())?;
        Incompatible::unless_same_hasher(self.hasher(), other.hasher())
    }

    fn sparse_with_geometry(geometry: Geometry, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        let counters = CounterArray::sparse(geometry.counters(), geometry.counter_bits());
        Self::over(counters, geometry, spec, hasher)
    }
}
