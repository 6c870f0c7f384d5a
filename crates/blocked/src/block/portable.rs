//! The backend in plain Rust, for any processor: the reference for the other backends.

use super::Backend;

/// Processes one word after the other, without branches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Backend for Portable {
    #[inline(always)]
    fn holds_64(self, block: &[u64; 8], probe: u64) -> bool {
        let mut all = 1;
        for (word, i) in block.iter().zip(0..) {
            all &= word >> slot_64(probe, i);
        }
        all != 0
    }

    #[inline(always)]
    fn take_64(self, block: &mut [u64; 8], probe: u64) -> bool {
        let mut all = 1;
        for (word, i) in block.iter_mut().zip(0..) {
            let slot = slot_64(probe, i);
            all &= *word >> slot;
            *word |= 1 << slot;
        }
        all == 0
    }

    #[inline(always)]
    fn holds_32(self, block: &[u64; 4], probe: u64) -> bool {
        let mut all = 1;
        for (word, i) in block.iter().zip(0..) {
            let (low, high) = slots_32(probe, i);
            all &= (word >> low) & (word >> high);
        }
        all != 0
    }

    #[inline(always)]
    fn take_32(self, block: &mut [u64; 4], probe: u64) -> bool {
        let mut all = 1;
        for (word, i) in block.iter_mut().zip(0..) {
            let (low, high) = slots_32(probe, i);
            all &= (*word >> low) & (*word >> high);
            *word |= 1 << low | 1 << high;
        }
        all == 0
    }
}

/// The slot in word i of the eight words.
#[inline(always)]
const fn slot_64(probe: u64, i: u32) -> u64 {
    (probe >> (6 * i)) % 64
}

/// The slots in words 2i and 2i + 1 of the eight words, as bit numbers in the `u64` that
/// contains both.
#[inline(always)]
const fn slots_32(probe: u64, i: u32) -> (u64, u64) {
    let pair = probe >> (10 * i);
    (pair % 32, 32 + (pair >> 5) % 32)
}
