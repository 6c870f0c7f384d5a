//! The filter as a part of others.

use bouquet_bits::BitArray;
use bouquet_core::{Inner, KeyHasher, Spec, SpecError, math::FprCurve};

use crate::{Geometry, StandardBloom};

impl<H: KeyHasher> Inner for StandardBloom<H> {
    type Hasher = H;
    type Geometry = Geometry;

    fn geometry_for(spec: &Spec) -> Result<Geometry, SpecError> {
        Geometry::from_spec(&spec.for_bits::<H>()?)
    }

    fn size_bits_of(geometry: Geometry) -> u64 {
        geometry.size_bits()
    }

    fn expected_fpr_of(geometry: Geometry, keys: u64) -> f64 {
        geometry.expected_fpr(keys)
    }

    fn fprs_of(geometry: Geometry) -> impl FnMut(u64) -> f64 {
        let mut curve = FprCurve::new(geometry.size_bits(), geometry.hashes());
        move |keys| curve.at(keys)
    }

    fn with_geometry(geometry: Geometry, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::with_geometry(geometry, spec, hasher)
    }

    fn sparse_with_geometry(geometry: Geometry, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        let bits = BitArray::sparse(geometry.size_bits());
        let bits = bits.map_err(|error| SpecError::OutOfMemory { bytes: error.bytes })?;
        Ok(Self {
            geometry,
            hasher,
            bits,
            spec,
        })
    }

    fn geometry(&self) -> Geometry {
        self.geometry()
    }

    fn hasher(&self) -> &H {
        self.hasher()
    }

    fn clear(&mut self) {
        self.clear();
    }
}
