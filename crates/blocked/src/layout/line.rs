//! Any number of slots anywhere in 512 bits.

use core::ops::RangeInclusive;

use bouquet_core::{SpecError, math::fpr_given_fill};

use super::{Arithmetic, Layout};
use crate::{block::Backend, loads::LineLoads};

const WORDS: usize = 8;
/// 2^9 slots in a block.
const BITS: u32 = 9;
/// Slots that one word of 64 bits gives.
const SLOTS_A_WORD: u32 = 64 / BITS;
/// With half the slots set, 64 probes are as unlikely to hit by accident as a hash of 64
/// bits is to be shared.
const MAX_HASHES: u32 = 64;

/// 512 bits with k slots of a key anywhere in them: the fewest bits per key at
/// every FPR, and a slower test.
///
/// The slots are drawn independently, and a slot may come twice: k distinct
/// ones would save less than 0.5 % of the bits up to 20 bits per key, and cost a
/// search for repeats.
/// They are the nine-bit parts of the probe, the lowest first, seven of them;
/// then those of the probe mixed by SplitMix64's function, and so on. So up to
/// k = 7 they are exactly independent for a uniform probe.
///
/// However many there are, they come from 64 bits, so that two keys of one block
/// share all of them with probability 2^-64, whatever the hasher: below about
/// 10^-18 only more bits lower the FPR, in proportion.
///
/// From: Putze, Sanders and Singler, "Cache-, hash- and space-efficient Bloom
/// filters" (WEA 2007), the first of their blocked filters.
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

    /// [`slots`](Layout::slots) without a check for every one whether the word
    /// is used up. No vector unit helps: they lie anywhere.
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
    // One bit after the other.
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

    fn sum_of_fprs(self, blocks: impl Iterator<Item = [u64; WORDS]>) -> f64 {
        // How many blocks have so many set slots: a power for each number, not
        // for each block.
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

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014): the next state, finished.
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
        // The first output of SplitMix64 seeded with 0, as published.
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
