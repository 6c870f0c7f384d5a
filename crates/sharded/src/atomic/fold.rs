//! The filter in half its bits.

use bouquet_bits::AtomicBitArray;
use bouquet_core::{Fold, FoldError, KeyHasher};
use bouquet_standard::Geometry;

use super::{AtomicBloom, out_of_memory};

/// Halved where m is even. Keys that others insert meanwhile may or may not be in
/// the half. Makes a temporary copy of the bits.
impl<H: KeyHasher> Fold for AtomicBloom<H> {
    fn halved(&self) -> Result<Self, FoldError> {
        let size_bits = FoldError::half_of("bits", self.size_bits())?;
        let bits = self.to_bits()?.fold_pairs().map_err(out_of_memory)?;
        Ok(Self {
            geometry: Geometry::new(size_bits, self.hashes())?,
            hasher: self.hasher.clone(),
            bits: AtomicBitArray::from_bits(&bits).map_err(out_of_memory)?,
            spec: FoldError::half_spec(&self.spec)?,
        })
    }
}
