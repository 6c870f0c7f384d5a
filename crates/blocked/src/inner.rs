//! The filter as a part of others.

use bouquet_bits::BitArray;
use bouquet_core::{Inner, KeyHasher, Spec, SpecError};

use crate::{BlockedBloom, Geometry, Layout, block::Best};

impl<L: Layout, H: KeyHasher> Inner for BlockedBloom<L, H> {
    type Hasher = H;
    type Geometry = Geometry<L>;

    fn geometry_for(spec: &Spec) -> Result<Geometry<L>, SpecError> {
        Geometry::from_spec(&spec.for_bits::<H>()?)
    }

    fn expect_economy(geometry: Geometry<L>, spec: &Spec) -> Result<(), SpecError> {
        geometry.expect_economy(spec)
    }

    fn size_bits_of(geometry: Geometry<L>) -> u64 {
        geometry.size_bits()
    }

    fn expected_fpr_of(geometry: Geometry<L>, keys: u64) -> f64 {
        geometry.expected_fpr(keys)
    }

    fn with_geometry(geometry: Geometry<L>, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::with_geometry(geometry, spec, hasher)
    }

    fn sparse_with_geometry(
        geometry: Geometry<L>,
        spec: Spec,
        hasher: H,
    ) -> Result<Self, SpecError> {
        let bits = BitArray::sparse(geometry.size_bits());
        let bits = bits.map_err(|error| SpecError::OutOfMemory { bytes: error.bytes })?;
        Ok(Self {
            geometry,
            hasher,
            bits,
            spec,
            best: Best::here(),
        })
    }

    fn geometry(&self) -> Geometry<L> {
        self.geometry()
    }

    fn hasher(&self) -> &H {
        self.hasher()
    }

    fn clear(&mut self) {
        self.clear();
    }
}
