//! The layout of eight 32-bit words with one slot in each.

use core::ops::RangeInclusive;

use super::{Arithmetic, Layout};
use crate::{block::Backend, loads::WordLoads, sizing::ClosedForm};

const WORDS: usize = 8;
/// A word has 2^5 slots.
const BITS: u32 = 5;

/// 256 bits as eight words of 32, with one slot of a key in each: the block of
/// Parquet's Bloom filter.
///
/// In word i, the slot is bit `(probe >> 5 i) mod 32`: the eight slots use 40 bits of the
/// probe, each bit once, so they are exactly independent if the probe is uniform. No slot
/// occurs twice. The block is half a cache line: cheaper to test than
/// [`Words64`](super::Words64), but it needs more bits per key.
///
/// # The block of other systems
///
/// Parquet, Impala, Arrow and others store this block. They compute the eight bit numbers by
/// multiplying 32 bits of the hash by eight odd constants. If those bit numbers are packed into
/// a `probe`, 5 bits each, the block is the same, bit for bit; so a
/// [`KeyHasher`](bouquet_core::KeyHasher) that packs them is all that is needed for their
/// filters. Our own hashers use the bits of the probe directly: with 32 bits of hash, two keys
/// have the same mask with probability 2^-32, which is visible below an FPR of about 1e-7.
///
/// Word 2i is the low half of the i-th 64-bit word of the storage: as
/// little-endian bytes, the order of Parquet's file.
///
/// Source: Apple, "Split block Bloom filters" (arXiv 2101.01719, 2021), after Putze, Sanders
/// and Singler, "Cache-, hash- and space-efficient Bloom filters" (WEA 2007).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words32;

impl Layout for Words32 {
    const NAME: &'static str = "Words32";
    const ID: u64 = 2;
    const BLOCK_BITS: u64 = 256;

    fn hashes(self) -> u32 {
        WORDS as u32
    }

    #[inline]
    fn slots(self, probe: u64) -> impl Iterator<Item = u64> + Clone {
        (0..WORDS as u32).map(move |word| 32 * u64::from(word) + bit(probe, word))
    }
}

impl Arithmetic for Words32 {
    type Block = [u64; WORDS / 2];
    type Loads = WordLoads;
    const HASHES: RangeInclusive<u32> = 8..=8;
    const RANGES: u32 = WORDS as u32;

    fn with_hashes(_: u32) -> Self {
        Self
    }

    #[inline(always)]
    fn holds<B: Backend>(self, backend: B, block: &[u64; WORDS / 2], probe: u64) -> bool {
        backend.holds_32(block, probe)
    }

    #[inline(always)]
    fn take<B: Backend>(self, backend: B, block: &mut [u64; WORDS / 2], probe: u64) -> bool {
        backend.take_32(block, probe)
    }

    fn loads(_: RangeInclusive<u32>) -> WordLoads {
        WordLoads::new(32)
    }

    fn closed_form(self) -> Option<ClosedForm> {
        Some(const { ClosedForm::of_words(32.0) })
    }

    fn sum_of_fprs(self, blocks: impl Iterator<Item = [u64; WORDS / 2]>) -> f64 {
        // At most 32^8 = 2^40 combinations per block; over 2^40 blocks the sum is at most 2^80.
        let ways: u128 = blocks.map(|block| u128::from(ways(&block))).sum();
        ways as f64 / (1u64 << (BITS * WORDS as u32)) as f64
    }
}

#[inline]
const fn bit(probe: u64, word: u32) -> u64 {
    (probe >> (BITS * word)) % (1 << BITS)
}

/// The number of slot combinations for which all slots of a key are set.
fn ways(block: &[u64; WORDS / 2]) -> u64 {
    let set = |pair: &u64| {
        let (low, high) = (*pair as u32, (*pair >> 32) as u32);
        u64::from(low.count_ones()) * u64::from(high.count_ones())
    };
    block.iter().map(set).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slots_never_change() {
        let slots = |probe| Words32.slots(probe).collect::<alloc::vec::Vec<_>>();
        assert_eq!(slots(0), [0, 32, 64, 96, 128, 160, 192, 224]);
        assert_eq!(slots(u64::MAX), [31, 63, 95, 127, 159, 191, 223, 255]);
        let counting = (0..8).fold(0, |probe, word| probe | (word + 1) << (5 * word));
        assert_eq!(slots(counting), [1, 34, 67, 100, 133, 166, 199, 232]);
    }

    #[test]
    fn the_fpr_of_bits() {
        assert_eq!(Words32.sum_of_fprs([[u64::MAX; 4]; 2].into_iter()), 2.0);
        assert_eq!(
            Words32.sum_of_fprs([[0xffff_0000_ffff; 4]].into_iter()),
            1.0 / 256.0
        );
        let mut words = [u64::MAX; 4];
        words[3] >>= 32;
        assert_eq!(Words32.sum_of_fprs([words].into_iter()), 0.0);
    }
}
