//! Split blocks over given 64-bit hashes, as Parquet and others have them.

use core::fmt;

use bouquet_bits::{BitArray, LengthMismatch};
use bouquet_core::{KeyHash, SpecError, batch::Hashes};

use crate::{
    Geometry, Layout, batch,
    block::{Array, Best, Block},
    layout::{Arithmetic, Salted},
};

/// Blocks of eight 32-bit words, in which a hash of 64 bits has one bit each: bit for bit the
/// filter of Parquet, by the code of [`Words32`](crate::Words32).
///
/// The block is the upper half of the hash scaled to the number of blocks; the bit in word i is
/// the lower half times the i-th salt, shifted right by 27. The crate `bouquet-interop` has the
/// filter of keys and its file around this: `ParquetBloom`.
///
/// ```
/// use bouquet_blocked::{BitArray, SplitBlocks};
///
/// let mut blocks = SplitBlocks::over(BitArray::new(4 * 256)?)?;
/// assert!(blocks.insert(0x0123_4567_89ab_cdef));
/// assert!(blocks.contains(0x0123_4567_89ab_cdef) && !blocks.contains(0));
/// assert_eq!(blocks.bits().count_ones(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[repr(C)]
pub struct SplitBlocks {
    bits: Array<Salted>,
    best: Best,
}

impl SplitBlocks {
    /// The whole blocks of 256 bits in `bits`; what is left over is dropped.
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroSizeBits`] if there is no whole block; [`SpecError::TooLarge`] above
    /// 2^48 bits.
    pub fn over(mut bits: BitArray) -> Result<Self, SpecError> {
        let geometry = Geometry::new(bits.len() / Salted::BLOCK_BITS, Salted)?;
        bits.truncate(geometry.size_bits());
        Ok(Self {
            bits: Array::new(bits, geometry),
            best: Best::here(),
        })
    }

    /// Inserts a hash; returns `true` if it was definitely not present before.
    #[inline]
    pub fn insert(&mut self, hash: u64) -> bool {
        let best = self.best;
        let (block, probe) = self.bits.block_mut(Given.one(&hash));
        Salted.take(best, block, probe)
    }

    /// Returns whether the hash may be present; `false` means that it is definitely absent.
    #[inline]
    pub fn contains(&self, hash: u64) -> bool {
        let (block, probe) = self.bits.block(Given.one(&hash));
        Salted.holds(self.best, block, probe)
    }

    /// Inserts hashes in order and returns how many were definitely new.
    pub fn insert_batch<H: Copy + Into<u64>>(&mut self, hashes: &[H]) -> usize {
        let mut new = 0;
        batch::take(&mut self.bits, hashes, Given, |_, is_new| {
            new += usize::from(is_new);
        });
        new
    }

    /// `found[i]` becomes the answer of [`contains`](Self::contains) for `hashes[i]`.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_batch<H: Copy + Into<u64>>(&self, hashes: &[H], found: &mut [bool]) {
        let words = self.bits.bits().words();
        let blocks = <Salted as Arithmetic>::Block::all(words);
        batch::query(self.bits.geometry(), words, blocks, hashes, Given, found);
    }

    /// The bits: word 2i of a block is the lower half of the i-th word of 64.
    pub fn bits(&self) -> &BitArray {
        self.bits.bits()
    }

    /// The number of bits that are set, counted in one pass.
    pub fn count_ones(&self) -> u64 {
        self.bits().count_ones()
    }

    /// The words of [`bits`](Self::bits).
    pub fn words(&self) -> &[u64] {
        self.bits().words()
    }

    /// The same filter with half as many blocks; `None` if their number is odd.
    ///
    /// # Errors
    ///
    /// [`SpecError::OutOfMemory`].
    pub fn halved(&self) -> Result<Option<Self>, SpecError> {
        if !self.bits.geometry().blocks().is_multiple_of(2) {
            return Ok(None);
        }
        let half = self.bits().fold_blocks((Salted::BLOCK_BITS / 64) as usize);
        let half = half.map_err(|error| SpecError::OutOfMemory { bytes: error.bytes })?;
        Self::over(half).map(Some)
    }

    /// Adds the hashes of `other`.
    ///
    /// # Errors
    ///
    /// [`LengthMismatch`] if the numbers of blocks differ.
    pub fn union_with(&mut self, other: &Self) -> Result<(), LengthMismatch> {
        self.bits.union_with(&other.bits)
    }
}

/// Equal if the bits are.
impl PartialEq for SplitBlocks {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl Eq for SplitBlocks {}

impl fmt::Debug for SplitBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SplitBlocks")
            .field("bits", self.bits())
            .finish()
    }
}

/// A hash of 64 bits as place, its upper half, and probe, its lower half.
#[derive(Clone, Copy)]
struct Given;

impl<H: Copy + Into<u64>> Hashes<H> for Given {
    const IN_BATCHES: bool = false;
    const ARE_QUICK: bool = true;

    #[inline(always)]
    fn one(self, hash: &H) -> KeyHash {
        let hash: u64 = (*hash).into();
        KeyHash::new(hash & !u64::from(u32::MAX), hash)
    }

    #[inline]
    fn many(self, keys: &[H], hashes: &mut [KeyHash]) {
        assert_eq!(keys.len(), hashes.len(), "one hash per key");
        for (key, hash) in keys.iter().zip(hashes) {
            *hash = self.one(key);
        }
    }
}
