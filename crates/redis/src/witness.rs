//! The mark that shows that this is the joined filter, and that it is complete.
//!
//! A missing string answers 0 to every bit, as a filter without the key would. So 32 bits
//! are set at creation, which the settings name, and every query also reads
//! them. They are in one word of the string: one more `GET` per command.

use bouquet_core::KeyHash;

use crate::Lost;

/// Bits of a mark. Another filter, half full, has them all once in 2^32.
const MARKED: u32 = 32;

/// Where the bits are, and which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Witness {
    /// The first of 63 bits, which begin a whole word.
    pub(crate) offset: u64,
    /// As `GET u63` returns.
    pub(crate) pattern: u64,
}

impl Witness {
    pub(crate) fn of(generation: u64, size_bits: u64) -> Self {
        let (word, rest) = KeyHash::from_word(generation).split(size_bits / 64);
        let (mut pattern, mut state) = (0u64, rest);
        while pattern.count_ones() < MARKED {
            state = KeyHash::from_word(state.place.wrapping_add(state.probe));
            pattern |= 1 << state.split(63).0;
        }
        Self {
            offset: 64 * word,
            pattern,
        }
    }

    /// The server's bits that it sets.
    pub(crate) fn bits(self) -> impl Iterator<Item = u64> {
        (0..63)
            .filter(move |i| self.pattern >> (62 - i) & 1 == 1)
            .map(move |i| self.offset + i)
    }

    /// What the answer for its word means.
    pub(crate) fn check(self, found: u64) -> Result<(), Lost> {
        if found & self.pattern == self.pattern {
            return Ok(());
        }
        Err(if found == 0 {
            Lost::Gone
        } else {
            Lost::Replaced
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_has_32_bits_within_the_size_and_its_own() {
        let mut seen = std::collections::HashSet::new();
        for generation in 0..1_000 {
            let witness = Witness::of(generation, 1_000);
            assert_eq!(witness.bits().count(), 32);
            assert!(witness.bits().all(|bit| bit < 1_000));
            assert!(witness.pattern >> 63 == 0 && seen.insert(witness.pattern));
            assert_eq!(witness.check(witness.pattern), Ok(()));
            assert_eq!(witness.check(u64::MAX), Ok(()));
            assert_eq!(witness.check(0), Err(Lost::Gone));
            let lowest = witness.pattern & witness.pattern.wrapping_neg();
            assert_eq!(witness.check(!lowest), Err(Lost::Replaced));
        }
    }
}
