//! Folds the filter to half its bits.

use bouquet_core::{Fold, FoldError, KeyHasher};

use crate::{Geometry, StandardBloom};

/// A filter can be halved if m is even; a filter made by [`new`](StandardBloom::new) at least
/// six times.
///
/// ```
/// use bouquet_standard::{Fold, StandardBloom};
///
/// // Room for a million keys, and ten thousand came.
/// let mut filter = StandardBloom::new(1_000_000, 0.01)?;
/// filter.extend(0..10_000u64);
/// let small = filter.fold_to(0.01)?;
/// assert_eq!(small.size_bits(), 9_592_960 / 64);
/// assert!((0..10_000u64).all(|key| small.contains(&key)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<H: KeyHasher> Fold for StandardBloom<H> {
    fn halved(&self) -> Result<Self, FoldError> {
        let size_bits = FoldError::half_of("bits", self.size_bits())?;
        let geometry = Geometry::new(size_bits, self.hashes())?;
        let bits = self.bits.fold_pairs();
        let spec = FoldError::half_spec(&self.spec)?;
        Ok(Self::over(bits, geometry, spec, self.hasher.clone())?)
    }
}
