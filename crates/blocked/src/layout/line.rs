//! The layout with any number of slots, anywhere in a block of 512 bits.

use core::ops::RangeInclusive;

use bouquet_core::{
    SpecError,
    math::{fpr_given_fill, power},
};

use super::{Arithmetic, Layout};
use crate::{
    block::Backend,
    loads::LineLoads,
    sizing::{ClosedForm, LINE, Row, of_line},
};

const WORDS: usize = 8;
/// A block has 2^9 slots.
const BITS: u32 = 9;
/// The number of slots that one 64-bit word determines.
const SLOTS_A_WORD: u32 = 64 / BITS;
/// The largest number of hashes. With half the slots set, 64 probes hit set slots by chance as
/// rarely as two keys have the same 64-bit hash.
const MAX_HASHES: u32 = 64;

/// 512 bits with the k slots of a key anywhere: this layout needs the fewest bits per key at
/// every FPR, but its test is slower.
///
/// The slots are drawn independently, and a slot may occur more than once: k distinct slots
/// would save less than 0.5 % of the bits up to 20 bits per key, and would need a search for
/// repeats. The first seven slots are the nine-bit parts of the probe, from the lowest; the
/// next seven are those of the probe mixed by SplitMix64's function, and so on. So up to k = 7
/// the slots are exactly independent if the probe is uniform.
///
/// All slots come from 64 bits, however many there are, so two keys in one block have the same
/// slots with probability 2^-64 at least, whatever the hasher. Below an FPR of about 10^-18,
/// only more bits lower the FPR, and only in proportion.
///
/// Source: Putze, Sanders and Singler, "Cache-, hash- and space-efficient Bloom filters" (WEA
/// 2007), the first of their blocked filters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    hashes: u32,
}

impl Line {
    /// The layout with this number of hashes (k, 1 to 64).
    ///
    /// # Errors
    ///
    /// [`SpecError::HashesOutOfRange`].
    pub const fn new(hashes: u32) -> Result<Self, SpecError> {
        if hashes == 0 || hashes > MAX_HASHES {
            return Err(SpecError::HashesOutOfRange {
                hashes,
                max: MAX_HASHES,
            });
        }
        Ok(Self { hashes })
    }

    /// Visits the slots like [`slots`](Layout::slots), but without checking for each whether
    /// the word is used up. Vector instructions would not help, because the slots can be
    /// anywhere.
    #[inline(always)]
    fn each_slot(self, probe: u64, mut visit: impl FnMut(u64)) {
        let (mut source, mut left) = (probe, self.hashes);
        loop {
            let mut word = source;
            for _ in 0..left.min(SLOTS_A_WORD) {
                visit(word % (1 << BITS));
                word >>= BITS;
            }
            if left <= SLOTS_A_WORD {
                return;
            }
            left -= SLOTS_A_WORD;
            source = mix(source);
        }
    }
}

impl Layout for Line {
    const NAME: &'static str = "Line";
    const ID: u64 = 3;
    const BLOCK_BITS: u64 = 64 * WORDS as u64;

    fn hashes(self) -> u32 {
        self.hashes
    }

    #[inline]
    fn slots(self, probe: u64) -> impl Iterator<Item = u64> + Clone {
        let mut word = probe;
        (0..self.hashes).map(move |i| {
            let part = i % SLOTS_A_WORD;
            if i > 0 && part == 0 {
                word = mix(word);
            }
            (word >> (BITS * part)) % (1 << BITS)
        })
    }
}

impl Arithmetic for Line {
    type Block = [u64; WORDS];
    type Loads = LineLoads;
    const HASHES: RangeInclusive<u32> = 1..=MAX_HASHES;
    const FEW: &'static [Row] = &LINE;
    // Its bits are tested one after the other.
    const IS_QUICK: bool = false;
    const RANGES: u32 = 1;

    fn with_hashes(hashes: u32) -> Self {
        Self {
            hashes: hashes.clamp(1, MAX_HASHES),
        }
    }

    #[inline(always)]
    fn holds<B: Backend>(self, _: B, block: &[u64; WORDS], probe: u64) -> bool {
        let mut all = 1;
        self.each_slot(probe, |slot| {
            all &= block[(slot / 64) as usize] >> (slot % 64);
        });
        all != 0
    }

    #[inline(always)]
    fn take<B: Backend>(self, _: B, block: &mut [u64; WORDS], probe: u64) -> bool {
        let mut all = 1;
        self.each_slot(probe, |slot| {
            let word = &mut block[(slot / 64) as usize];
            all &= *word >> (slot % 64);
            *word |= 1 << (slot % 64);
        });
        all == 0
    }

    fn loads(hashes: RangeInclusive<u32>) -> LineLoads {
        LineLoads::new(Self::BLOCK_BITS, hashes, SLOTS_A_WORD)
    }

    /// A key's k probes are independent, and so leave j given slots empty independently.
    fn closed_form(self) -> Option<ClosedForm> {
        let slots = Self::BLOCK_BITS as f64;
        let untouched = |j| power(1.0 - f64::from(j) / slots, self.hashes);
        ClosedForm::new(slots, self.hashes, untouched)
    }

    fn of_one_block(self) -> Option<&'static [f64]> {
        of_line(self.hashes)
    }

    fn sum_of_fprs(self, blocks: impl Iterator<Item = [u64; WORDS]>) -> f64 {
        // Counts the blocks for each number of set slots, so that one power is computed per
        // number and not per block.
        let mut count = [0u64; Self::BLOCK_BITS as usize + 1];
        for block in blocks {
            let set: u32 = block.iter().map(|word| word.count_ones()).sum();
            count[set as usize] += 1;
        }
        let fpr = |set| fpr_given_fill(set as f64 / Self::BLOCK_BITS as f64, self.hashes);
        let terms = count.iter().enumerate().filter(|(_, blocks)| **blocks > 0);
        terms.map(|(set, blocks)| *blocks as f64 * fpr(set)).sum()
    }
}

/// The next output of SplitMix64 after the state `word` (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", OOPSLA 2014).
#[inline]
const fn mix(word: u64) -> u64 {
    let mut x = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn slots(hashes: u32, probe: u64) -> Vec<u64> {
        Line::new(hashes).unwrap().slots(probe).collect()
    }

    #[test]
    fn the_slots_never_change() {
        let counting = (0..7).fold(0, |probe, i| probe | (i + 1) << (9 * i));
        assert_eq!(slots(7, counting), [1, 2, 3, 4, 5, 6, 7]);
        // The first output of SplitMix64 with seed 0, as published.
        let first = 0xe220_a839_7b1d_cdaf_u64;
        assert_eq!(mix(0), first);
        assert_eq!(slots(9, 0)[7..], [first % 512, (first >> 9) % 512]);
        assert_eq!(slots(64, 1)[..20], slots(20, 1));
    }

    #[test]
    fn hashes_out_of_range() {
        for hashes in [0, 65] {
            assert_eq!(
                Line::new(hashes),
                Err(SpecError::HashesOutOfRange { hashes, max: 64 })
            );
        }
    }

    #[test]
    fn the_fpr_of_bits() {
        let line = Line::new(3).unwrap();
        assert_eq!(line.sum_of_fprs([[u64::MAX; 8]; 2].into_iter()), 2.0);
        assert_eq!(line.sum_of_fprs([[u64::MAX >> 32; 8]].into_iter()), 0.125);
        assert_eq!(line.sum_of_fprs([[0; 8]].into_iter()), 0.0);
    }
}
