//! Methods about the set bits: their number, and the first, last and next set bit.

use core::iter::FusedIterator;

use crate::BitArray;

impl BitArray {
    /// The number of set bits, counted in one pass over the words.
    pub fn count_ones(&self) -> u64 {
        self.words()
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// The lowest set bit, or `None` if no bit is set.
    pub fn first_set(&self) -> Option<u64> {
        self.next_set(0)
    }

    /// The highest set bit, or `None` if no bit is set.
    pub fn last_set(&self) -> Option<u64> {
        let (index, word) = self
            .words()
            .iter()
            .enumerate()
            .rfind(|&(_, &word)| word != 0)?;
        Some(64 * index as u64 + u64::from(word.ilog2()))
    }

    /// The lowest set bit that is not below `from`, or `None` if there is none or `from` is
    /// past the end. Reads the words from `from` to the bit found.
    ///
    /// ```
    /// use bouquet_bits::BitArray;
    ///
    /// let mut bits = BitArray::new(1000)?;
    /// bits.set(70);
    /// assert_eq!(bits.next_set(70), Some(70));
    /// assert_eq!(bits.next_set(71), None);
    /// # Ok::<(), bouquet_bits::OutOfMemory>(())
    /// ```
    pub fn next_set(&self, from: u64) -> Option<u64> {
        self.ones_from(from).next()
    }

    /// An iterator over the set bits in ascending order: one pass over the words.
    pub fn iter_ones(&self) -> Ones<'_> {
        self.ones_from(0)
    }

    fn ones_from(&self, from: u64) -> Ones<'_> {
        // There are no set bits at or past the length, not even in the last word.
        let from = from.min(self.len);
        let mut words = self.words()[(from / 64) as usize..].iter();
        let first = words.next().unwrap_or(&0);
        Ones {
            words,
            word: first & (u64::MAX << (from % 64)),
            base: from - from % 64,
        }
    }
}

/// An iterator over the set bits of an array in ascending order; see [`BitArray::iter_ones`].
#[derive(Clone, Debug)]
pub struct Ones<'a> {
    /// The words after the current one.
    words: core::slice::Iter<'a, u64>,
    /// The bits of the current word that were not returned yet.
    word: u64,
    /// The number of the lowest bit of the current word.
    base: u64,
}

impl Iterator for Ones<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        while self.word == 0 {
            self.word = *self.words.next()?;
            self.base += 64;
        }
        let bit = self.base + u64::from(self.word.trailing_zeros());
        self.word &= self.word - 1;
        Some(bit)
    }
}

impl FusedIterator for Ones<'_> {}
