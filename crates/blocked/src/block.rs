//! One block against one mask: all that an insertion or a question does to
//! memory. No branch a word, so that a vector unit can do the words together.

use core::fmt::Debug;

/// The words of a block, as an array: a mask of the slots of one key.
pub trait Block: AsRef<[u64]> + Copy + Eq + Debug {
    /// Sets the slots of this mask in block `index` of `words`; `true` if one
    /// of them was clear.
    fn set_in(self, words: &mut [u64], index: usize) -> bool;

    /// Whether all slots of this mask are set in block `index` of `words`.
    fn is_in(self, words: &[u64], index: usize) -> bool;
}

impl<const N: usize> Block for [u64; N] {
    #[inline]
    fn set_in(self, words: &mut [u64], index: usize) -> bool {
        let (blocks, _) = words.as_chunks_mut::<N>();
        let mut missing = 0;
        for (word, mask) in blocks[index].iter_mut().zip(self) {
            missing |= mask & !*word;
            *word |= mask;
        }
        missing != 0
    }

    #[inline]
    fn is_in(self, words: &[u64], index: usize) -> bool {
        let (blocks, _) = words.as_chunks::<N>();
        let mut missing = 0;
        for (word, mask) in blocks[index].iter().zip(self) {
            missing |= mask & !word;
        }
        missing == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_right_block_counts() {
        for at in 0..4 {
            let mut mask = [0; 4];
            mask[at] = 0b10;
            let mut words = [0; 12];
            assert!(!mask.is_in(&words, 1));
            assert!(mask.set_in(&mut words, 1));
            assert!(mask.is_in(&words, 1) && !mask.is_in(&words, 0) && !mask.is_in(&words, 2));
            let mut expected = [0; 12];
            expected[4 + at] = 0b10;
            assert_eq!(words, expected);
            assert!(!mask.set_in(&mut words, 1));
            assert_eq!(words, expected);
        }
    }

    #[test]
    fn one_missing_slot_is_missed() {
        let full = [0b11; 8];
        let mut words = [0b11; 8];
        assert!(full.is_in(&words, 0));
        words[5] = 0b01;
        assert!(!full.is_in(&words, 0));
        assert!(full.set_in(&mut words, 0));
        assert_eq!(words, full);
    }
}
