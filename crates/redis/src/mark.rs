//! The mark that shows that this is the joined filter, and that it is complete.
//!
//! A missing string answers 0 to every bit, as a filter without the key would. So the settings behind
//! the filter's own bits begin with a word, which every query also reads: one more `GET` per
//! command. No key is located there.

use bouquet_core::KeyHash;

use crate::Lost;

/// What generations begin with, so that a mark is distinguished from other bits.
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

/// Which mark, and where it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    /// As `GET u63` returns it.
    pub(crate) generation: u64,
    /// The first byte behind the bits.
    pub(crate) byte: u64,
}

impl Mark {
    /// As they are in the string: `GET u63` reads all bits but the last.
    pub(crate) fn bytes(self) -> [u8; 8] {
        (self.generation << 1).to_be_bytes()
    }

    /// What the answer for its word means.
    pub(crate) fn check(self, found: u64) -> Result<(), Lost> {
        match found {
            found if found == self.generation => Ok(()),
            0 => Err(Lost::Gone),
            _ => Err(Lost::Replaced),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_generation_is_taken_for_another() {
        let mut seen = std::collections::HashSet::new();
        for random in 0..1_000 {
            let generation = generation(random);
            assert!(is_generation(generation) && generation >> 62 == 1);
            let mark = Mark {
                generation,
                byte: 125,
            };
            assert_eq!(u64::from_be_bytes(mark.bytes()) >> 1, generation);
            assert_eq!(mark.check(generation), Ok(()));
            assert_eq!(mark.check(0), Err(Lost::Gone));
            assert_eq!(mark.check(generation ^ 1), Err(Lost::Replaced));
            assert!(seen.insert(generation));
        }
        assert!(!is_generation(0) && !is_generation(u64::MAX));
    }
}
