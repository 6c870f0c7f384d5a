//! Folds the filter to half its bits.

use bouquet_core::{Fold, FoldError, KeyHasher};

use crate::{Geometry, PartitionedBloom};

/// A filter can be halved if the number of bits in a partition (s) is even: each partition is
/// halved separately.
///
/// ```
/// use bouquet_partitioned::{Fold, PartitionedBloom};
///
/// // Room for a million keys, and ten thousand came.
/// let mut filter = PartitionedBloom::new(1_000_000, 0.01)?;
/// filter.extend(0..10_000u64);
/// let small = filter.fold_to(0.01)?;
/// assert_eq!(small.size_bits(), 9_593_024 / 64);
/// assert!((0..10_000u64).all(|key| small.contains(&key)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<H: KeyHasher> Fold for PartitionedBloom<H> {
    fn halved(&self) -> Result<Self, FoldError> {
        let own = self.geometry.partition_bits();
        let partition_bits = FoldError::half_of("bits of a partition", own)?;
        let size_bits = partition_bits * u64::from(self.hashes());
        let geometry = Geometry::new(size_bits, self.hashes())?;
        let bits = self.bits.fold_pairs();
        let spec = FoldError::half_spec(&self.spec)?;
        Ok(Self::over(bits, geometry, spec, self.hasher.clone())?)
    }
}
