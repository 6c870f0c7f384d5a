//! Folds the filter to half its blocks.

use bouquet_core::{Fold, FoldError, KeyHasher};

use crate::{BlockedBloom, Geometry, Layout};

/// A filter can be halved if its number of blocks is even: neighbouring blocks are united. A
/// filter created for a capacity may have an odd number of blocks; if you want to fold it,
/// create it with a power of two.
///
/// ```
/// use bouquet_blocked::{BlockedBloom, Fold, Folded, Words64};
///
/// // Room for millions of keys, and ten thousand came.
/// let mut filter = BlockedBloom::from_parts(65_536, Words64, Folded::default())?;
/// filter.extend(0..10_000u64);
/// let small = filter.fold_to(0.0001)?;
/// assert_eq!(small.size_bits(), 65_536 / 128 * 512);
/// assert!((0..10_000u64).all(|key| small.contains(&key)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<L: Layout, H: KeyHasher> Fold for BlockedBloom<L, H> {
    fn halved(&self) -> Result<Self, FoldError> {
        let blocks = FoldError::half_of("blocks", self.geometry().blocks())?;
        let geometry = Geometry::new(blocks, self.geometry().layout())?;
        let bits = self.bits().fold_blocks((L::BLOCK_BITS / 64) as usize);
        let spec = FoldError::half_spec(&self.spec)?;
        Ok(Self::over(bits, geometry, spec, self.hasher.clone())?)
    }
}
