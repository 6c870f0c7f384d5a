//! Folds an array to half its length.

use crate::{BitArray, OutOfMemory};

impl BitArray {
    /// Returns an array of half the length, rounded up, in which bit i is set if bit 2i or bit
    /// 2i + 1 is set here. One pass; allocates the result.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails.
    ///
    /// ```
    /// use bouquet_bits::BitArray;
    ///
    /// let bits = BitArray::from_words(vec![0b11_01_00_10], 8)?;
    /// let half = bits.fold_pairs()?;
    /// assert_eq!((half.len(), half.words()), (4, &[0b1101][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fold_pairs(&self) -> Result<Self, OutOfMemory> {
        let mut half = Self::new(self.len().div_ceil(2))?;
        let words = half.memory.words_mut();
        for (word, pair) in words.iter_mut().zip(self.words().chunks(2)) {
            let high = pair.get(1).copied().unwrap_or(0);
            *word = pairs(pair[0]) | pairs(high) << 32;
        }
        Ok(half)
    }

    /// Returns an array whose block i is the union of blocks 2i and 2i + 1 of this one, for
    /// every i. A block has `words` words. Words at the end that do not fill a pair of blocks
    /// are left out. One pass; allocates the result.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails.
    ///
    /// ```
    /// use bouquet_bits::BitArray;
    ///
    /// let bits = BitArray::from_words(vec![1, 2, 4, 8, 16, 32, 64, 128], 512)?;
    /// let half = bits.fold_blocks(2)?;
    /// assert_eq!(half.words(), [1 | 4, 2 | 8, 16 | 64, 32 | 128]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fold_blocks(&self, words: usize) -> Result<Self, OutOfMemory> {
        let words = words.max(1);
        let count = self.words().len() / (2 * words) * words;
        let mut half = Self::new(64 * count as u64)?;
        let blocks = half.memory.words_mut().chunks_exact_mut(words);
        for (block, pair) in blocks.zip(self.words().chunks_exact(2 * words)) {
            let (even, odd) = pair.split_at(words);
            for (word, (even, odd)) in block.iter_mut().zip(even.iter().zip(odd)) {
                *word = even | odd;
            }
        }
        Ok(half)
    }
}

/// Returns 32 bits, in which bit i is set if bit 2i or bit 2i + 1 of `word` is set.
const fn pairs(word: u64) -> u64 {
    let mut x = (word | word >> 1) & 0x5555_5555_5555_5555;
    x = (x | x >> 1) & 0x3333_3333_3333_3333;
    x = (x | x >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
    x = (x | x >> 4) & 0x00ff_00ff_00ff_00ff;
    x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) & 0xffff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_fold_to_one_at_every_length() {
        for len in [
            0, 1, 2, 3, 63, 64, 65, 127, 128, 129, 191, 192, 1_000, 1_001,
        ] {
            for step in [1, 2, 3, 7, 64] {
                let mut bits = BitArray::new(len).unwrap();
                let mut want = BitArray::new(len.div_ceil(2)).unwrap();
                for i in (0..len).step_by(step) {
                    bits.set(i);
                    want.set(i / 2);
                }
                assert_eq!(bits.fold_pairs(), Ok(want), "{len} {step}");
            }
        }
    }

    #[test]
    fn blocks_fold_to_one_at_every_size() {
        for (words, blocks) in [(1, 2), (4, 2), (4, 6), (8, 2), (8, 8)] {
            let block = 64 * words as u64;
            let mut bits = BitArray::new(blocks * block).unwrap();
            let mut want = BitArray::new(blocks / 2 * block).unwrap();
            for i in (0..bits.len()).step_by(5) {
                bits.set(i);
                want.set(i / (2 * block) * block + i % block);
            }
            assert_eq!(bits.fold_blocks(words), Ok(want));
        }
    }
}
