//! The layout of eight 64-bit words with one slot in each.

use core::ops::RangeInclusive;

use super::{Arithmetic, Layout};
use crate::{block::Backend, loads::WordLoads, sizing::ClosedForm};

const WORDS: usize = 8;
/// A word has 2^6 slots.
const BITS: u32 = 6;

/// 512 bits as eight words of 64, with one slot of a key in each: the default.
///
/// In word i, the slot is bit `(probe >> 6 i) mod 64`: the eight slots use 48 bits of the
/// probe, each bit once, so they are exactly independent if the probe is uniform. No slot
/// occurs twice.
///
/// Source: Apple, "Split block Bloom filters" (arXiv 2101.01719, 2021), but with words of twice
/// the width, which need fewer bits at a given FPR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words64;

impl Layout for Words64 {
    const NAME: &'static str = "Words64";
    const ID: u64 = 1;
    const BLOCK_BITS: u64 = 512;

    fn hashes(self) -> u32 {
        WORDS as u32
    }

    #[inline]
    fn slots(self, probe: u64) -> impl Iterator<Item = u64> + Clone {
        (0..WORDS as u32).map(move |word| 64 * u64::from(word) + bit(probe, word))
    }
}

impl Arithmetic for Words64 {
    type Block = [u64; WORDS];
    type Loads = WordLoads;
    const HASHES: RangeInclusive<u32> = 8..=8;
    const RANGES: u32 = WORDS as u32;

    fn with_hashes(_: u32) -> Self {
        Self
    }

    #[inline(always)]
    fn holds<B: Backend>(self, backend: B, block: &[u64; WORDS], probe: u64) -> bool {
        backend.holds_64(block, probe)
    }

    #[inline(always)]
    fn take<B: Backend>(self, backend: B, block: &mut [u64; WORDS], probe: u64) -> bool {
        backend.take_64(block, probe)
    }

    fn loads(_: RangeInclusive<u32>) -> WordLoads {
        WordLoads::new(64)
    }

    fn closed_form(self) -> Option<ClosedForm> {
        Some(const { ClosedForm::of_words(64.0) })
    }

    fn sum_of_fprs(self, blocks: impl Iterator<Item = [u64; WORDS]>) -> f64 {
        // At most 64^8 = 2^48 combinations per block; over 2^39 blocks the sum is at most 2^87.
        let ways: u128 = blocks.map(|block| u128::from(ways(&block))).sum();
        ways as f64 / (1u64 << (BITS * WORDS as u32)) as f64
    }
}

#[inline]
const fn bit(probe: u64, word: u32) -> u64 {
    (probe >> (BITS * word)) % (1 << BITS)
}

/// The number of slot combinations for which all slots of a key are set.
fn ways(block: &[u64; WORDS]) -> u64 {
    let set = |word: &u64| u64::from(word.count_ones());
    block.iter().map(set).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slots_never_change() {
        let slots = |probe| Words64.slots(probe).collect::<alloc::vec::Vec<_>>();
        assert_eq!(slots(0), [0, 64, 128, 192, 256, 320, 384, 448]);
        assert_eq!(slots(u64::MAX), [63, 127, 191, 255, 319, 383, 447, 511]);
        // 0o is base 8: two digits per word, the last word first.
        assert_eq!(
            slots(0o10_07_06_05_04_03_02_01),
            [1, 66, 131, 196, 261, 326, 391, 456]
        );
    }

    #[test]
    fn the_fpr_of_bits() {
        assert_eq!(Words64.sum_of_fprs([[u64::MAX; 8]; 2].into_iter()), 2.0);
        assert_eq!(
            Words64.sum_of_fprs([[u64::MAX >> 32; 8]].into_iter()),
            1.0 / 256.0
        );
        let mut words = [u64::MAX; 8];
        words[3] = 0;
        assert_eq!(Words64.sum_of_fprs([words].into_iter()), 0.0);
    }
}
