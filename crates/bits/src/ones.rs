//! The set bits: how many, which is the first, the last, the next.

use core::iter::FusedIterator;

use crate::BitArray;

impl BitArray {
    /// Bits set: one pass over the words.
    pub fn count_ones(&self) -> u64 {
        self.words()
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// The lowest bit set, if any.
    pub fn first_set(&self) -> Option<u64> {
        self.next_set(0)
    }

    /// The highest bit set, if any.
    pub fn last_set(&self) -> Option<u64> {
        let (index, word) = self
            .words()
            .iter()
            .enumerate()
            .rfind(|&(_, &word)| word != 0)?;
        Some(64 * index as u64 + u64::from(word.ilog2()))
    }

    /// The lowest set bit that is not below `from`, if any; none for a `from`
    /// past the end. Reads words from there to the bit found.
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

    /// The set bits, ascending: one pass over the words.
    pub fn iter_ones(&self) -> Ones<'_> {
        self.ones_from(0)
    }

    fn ones_from(&self, from: u64) -> Ones<'_> {
        // From the length on no bit is set, not even in the last word.
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

/// The set bits of an array, ascending; see [`BitArray::iter_ones`].
#[derive(Clone, Debug)]
pub struct Ones<'a> {
    /// The words after the current one.
    words: core::slice::Iter<'a, u64>,
    /// What is left of the current one.
    word: u64,
    /// The number of its lowest bit.
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
