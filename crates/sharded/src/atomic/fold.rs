//! Folds the filter to half of its bits.

use bouquet_bits::AtomicBitArray;
use bouquet_core::{Fold, FoldError, KeyHasher};
use bouquet_standard::Geometry;

use super::AtomicBloom;

/// Halves the filter if m is even. Keys that other threads insert meanwhile may or may not be in
/// the result. Makes a temporary copy of the bits.
impl<H: KeyHasher> Fold for AtomicBloom<H> {
    fn halved(&self) -> Result<Self, FoldError> {
        let size_bits = FoldError::half_of("bits", self.size_bits())?;
        let geometry = Geometry::new(size_bits, self.hashes())?;
        let half = self.to_bits()?.fold_pairs();
        let bits = half.and_then(|bits| AtomicBitArray::from_bits(&bits));
        let spec = FoldError::half_spec(&self.spec)?;
        Ok(Self::over(bits, geometry, spec, self.hasher.clone())?)
    }
}
