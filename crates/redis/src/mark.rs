//! The mark that shows that a string is the joined filter, and that it is complete.
//!
//! A missing string answers 0 to every bit, just like a filter without the key. Therefore the
//! settings behind the filter's own bits begin with a 64-bit word, the mark, which every query also
//! reads: one more `GET` per command. No key is located in it.

use bouquet_core::KeyHash;

use crate::Lost;

/// The first bits of every generation, which distinguish a mark from other data.
const TAG: u64 = 0b101_1010_0110_0011_0001_0111;

/// The number of random bits after the tag. Exactly half of them are set, so no generation contains
/// all set bits of another one.
const RANDOM: u32 = 40;

/// Makes a generation number from a random number.
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

/// The mark of a filter and its position in the string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    /// The generation, as `GET u63` returns it.
    pub(crate) generation: u64,
    /// The offset of the mark: the first byte behind the filter's bits.
    pub(crate) byte: u64,
}

impl Mark {
    /// The eight bytes of the mark in the string. `GET u63` reads all their bits except the last.
    pub(crate) fn bytes(self) -> [u8; 8] {
        (self.generation << 1).to_be_bytes()
    }

    /// Compares the word that was read at the mark's position with the expected generation.
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
