//! The mark that shows that this is the joined filter, and that it is complete.
//!
//! A missing string answers 0 to every bit, as a filter without the key would. So a word is
//! written behind the filter's own bits at creation, which the settings name, and every query
//! also reads it: one more `GET` per command. No key is located there, so that whatever
//! is inserted into a string that came again never makes a mark.

use bouquet_core::KeyHash;
use redis::{Cmd, cmd};

use crate::Lost;

/// Bytes of a mark.
pub(crate) const BYTES: u64 = 8;

/// What generations begin with, so that a mark is distinguished from other bits. The first bit is set:
/// a second mark is more than 63 bits hold.
const TAG: u64 = 0b101_1010_0110_0011_0001_0111;

/// The bits after it, half of which are set, at random: no generation has all bits of another.
const RANDOM: u32 = 40;

/// A generation, of a random number.
pub(crate) fn generation(random: u64) -> u64 {
    let (mut chosen, mut state) = (0u64, KeyHash::from_word(random));
    while chosen.count_ones() < RANDOM / 2 {
        chosen |= 1 << state.split(RANDOM.into()).0;
        state = KeyHash::from_word(state.place.wrapping_add(state.probe));
    }
    TAG << RANDOM | chosen
}

pub(crate) fn is_generation(number: u64) -> bool {
    let chosen = number & ((1 << RANDOM) - 1);
    number >> RANDOM == TAG && chosen.count_ones() == RANDOM / 2
}

/// Where the word is, and which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Witness {
    /// The first of 63 bits, behind those that keys are located in.
    pub(crate) offset: u64,
    /// As `GET u63` returns.
    pub(crate) word: u64,
}

impl Witness {
    pub(crate) fn of(generation: u64, string_bytes: u64) -> Self {
        Self {
            offset: 8 * string_bytes,
            word: generation,
        }
    }

    /// Writes it.
    pub(crate) fn mark(self, string: &[u8]) -> Cmd {
        let mut mark = cmd("BITFIELD");
        mark.arg(string).arg("SET").arg("u63");
        mark.arg(self.offset).arg(self.word);
        mark
    }

    /// Writes it unless there is one, and returns which is there.
    pub(crate) fn mark_first(self, string: &[u8]) -> Cmd {
        let mut mark = cmd("BITFIELD");
        mark.arg(string).arg("OVERFLOW").arg("FAIL");
        mark.arg("INCRBY")
            .arg("u63")
            .arg(self.offset)
            .arg(self.word);
        mark.arg("GET").arg("u63").arg(self.offset);
        mark
    }

    /// What the answer for its word means. More bits than the word's are no loss: a client
    /// that has not noticed yet that the filter was rebuilt, smaller, may have set them.
    pub(crate) fn check(self, found: u64) -> Result<(), Lost> {
        if found & self.word == self.word {
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
    fn a_mark_is_behind_the_bits_and_no_other_is_taken_for_it() {
        let mut seen = std::collections::HashSet::new();
        for random in 0..1_000 {
            let generation = generation(random);
            assert!(is_generation(generation) && generation >> 62 == 1);
            assert_eq!(generation.count_ones(), 32);
            let witness = Witness::of(generation, 125);
            assert_eq!(witness.offset, 1_000);
            assert_eq!(witness.check(generation), Ok(()));
            assert_eq!(witness.check(u64::MAX >> 1), Ok(()));
            assert_eq!(witness.check(0), Err(Lost::Gone));
            for other in &seen {
                assert_eq!(witness.check(*other), Err(Lost::Replaced));
            }
            let lowest = generation & generation.wrapping_neg();
            assert_eq!(witness.check(generation ^ lowest), Err(Lost::Replaced));
            assert!(seen.insert(generation));
        }
        assert!(!is_generation(0) && !is_generation(u64::MAX));
    }
}
