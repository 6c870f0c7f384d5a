//! Operations on all counters of one array, and on two arrays counter by counter.

use core::{error::Error, fmt};

use crate::{BitArray, CounterArray, CounterBits, OutOfMemory};

impl CounterBits {
    /// Counts the non-zero counters of this width in `words`, which have the layout of a
    /// [`CounterArray`].
    pub fn count_nonzero(self, words: impl IntoIterator<Item = u64>) -> u64 {
        let words = words.into_iter();
        words
            .map(|word| u64::from(self.nonzero(word).count_ones()))
            .sum()
    }

    /// A mask with the lowest bit of every counter that is not zero.
    fn nonzero(self, word: u64) -> u64 {
        let folded = (0..self as u32).fold(word, |word, i| word | word >> (1 << i));
        folded & self.lowest_bits()
    }

    /// A mask with the lowest bit of every counter that is saturated.
    fn saturated(self, word: u64) -> u64 {
        let folded = (0..self as u32).fold(word, |word, i| word & word >> (1 << i));
        folded & self.lowest_bits()
    }
}

impl CounterArray {
    /// The number of counters above zero, counted in one pass over the words.
    pub fn count_nonzero(&self) -> u64 {
        self.width.count_nonzero(self.words().iter().copied())
    }

    /// The number of saturated counters, counted in one pass over the words.
    pub fn count_saturated(&self) -> u64 {
        let words = self.words().iter();
        words
            .map(|word| u64::from(self.width.saturated(*word).count_ones()))
            .sum()
    }

    /// Returns an array with one bit per counter, set if the counter is not zero. One pass over
    /// the words.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails.
    ///
    /// ```
    /// use bouquet_bits::{CounterArray, CounterBits};
    ///
    /// let mut counters = CounterArray::new(1000, CounterBits::Eight)?;
    /// counters.increment(42);
    /// assert_eq!(counters.to_bits()?.iter_ones().collect::<Vec<_>>(), [42]);
    /// # Ok::<(), bouquet_bits::OutOfMemory>(())
    /// ```
    pub fn to_bits(&self) -> Result<BitArray, OutOfMemory> {
        let mut bits = BitArray::new(self.len)?;
        let in_a_word = u64::from(u64::BITS / self.width.bits());
        for (first, word) in (0..).step_by(in_a_word as usize).zip(self.words()) {
            let mut marks = self.width.nonzero(*word);
            while marks != 0 {
                bits.set(first + u64::from(marks.trailing_zeros() / self.width.bits()));
                marks &= marks - 1;
            }
        }
        Ok(bits)
    }

    /// Adds every counter of `other` to the counter of the same index. If the sum exceeds the
    /// maximum, or one of the counters is saturated, the result is saturated. One pass over
    /// both.
    ///
    /// # Errors
    ///
    /// [`CountersMismatch`] if the lengths or widths differ; nothing has changed then.
    pub fn add_with(&mut self, other: &Self) -> Result<(), CountersMismatch> {
        let max = u64::from(self.width.max());
        self.combine(other, |left, right| (left + right).min(max))
    }

    /// Replaces each counter by the smaller of the two counters of the same index. One pass
    /// over both.
    ///
    /// # Errors
    ///
    /// [`CountersMismatch`] if the lengths or widths differ; nothing has changed then.
    pub fn min_with(&mut self, other: &Self) -> Result<(), CountersMismatch> {
        self.combine(other, u64::min)
    }

    /// Combines the arrays counter by counter. `operation` must map two zeros to zero, so that
    /// the bits past the last counter stay clear, and must not exceed the maximum.
    fn combine(
        &mut self,
        other: &Self,
        operation: impl Fn(u64, u64) -> u64,
    ) -> Result<(), CountersMismatch> {
        if self.len != other.len {
            return Err(CountersMismatch::Length {
                left: self.len,
                right: other.len,
            });
        }
        if self.width != other.width {
            return Err(CountersMismatch::Width {
                left: self.width,
                right: other.width,
            });
        }
        let max = u64::from(self.width.max());
        let step = self.width.bits() as usize;
        for (left, &right) in self.memory.words_mut().iter_mut().zip(other.words()) {
            *left = (0..u64::BITS).step_by(step).fold(0, |word, shift| {
                let counter = operation((*left >> shift) & max, (right >> shift) & max);
                word | counter << shift
            });
        }
        Ok(())
    }
}

/// The error when arrays of different length or width are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountersMismatch {
    /// The lengths differ.
    Length {
        /// The number of counters in the array that was to be changed.
        left: u64,
        /// The number of counters in the other array.
        right: u64,
    },
    /// The widths differ. They cannot be converted: a 4-bit counter saturated at 15 does not
    /// say what value an 8-bit counter would have.
    Width {
        /// The width in the array that was to be changed.
        left: CounterBits,
        /// The width in the other array.
        right: CounterBits,
    },
}

impl fmt::Display for CountersMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { left, right } => write!(
                f,
                "the arrays differ in length: {left} counters here, {right} there; make both of \
                 the same length"
            ),
            Self::Width { left, right } => write!(
                f,
                "the counters differ in width: {} bits here, {} there; make both of the same width",
                left.bits(),
                right.bits()
            ),
        }
    }
}

impl Error for CountersMismatch {}
