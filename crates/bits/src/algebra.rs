//! Bitwise operations on two arrays of the same length.

use crate::{BitArray, LengthMismatch};

impl BitArray {
    /// Sets the bits that are set in `other`. One pass over both.
    ///
    /// # Errors
    ///
    /// [`LengthMismatch`] if the lengths differ; nothing has changed then.
    ///
    /// ```
    /// use bouquet_bits::BitArray;
    ///
    /// let mut left = BitArray::from_words(vec![0b0011], 4)?;
    /// let right = BitArray::from_words(vec![0b0101], 4)?;
    /// left.union_with(&right)?;
    /// assert_eq!(left.words(), [0b0111]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn union_with(&mut self, other: &Self) -> Result<(), LengthMismatch> {
        self.combine(other, |left, right| left | right)
    }

    /// Clears the bits that are clear in `other`. One pass over both.
    ///
    /// # Errors
    ///
    /// [`LengthMismatch`] if the lengths differ; nothing has changed then.
    pub fn intersect_with(&mut self, other: &Self) -> Result<(), LengthMismatch> {
        self.combine(other, |left, right| left & right)
    }

    /// Clears the bits that are set in `other`. One pass over both.
    ///
    /// # Errors
    ///
    /// [`LengthMismatch`] if the lengths differ; nothing has changed then.
    pub fn difference_with(&mut self, other: &Self) -> Result<(), LengthMismatch> {
        self.combine(other, |left, right| left & !right)
    }

    /// Flips the bits that are set in `other`. One pass over both.
    ///
    /// # Errors
    ///
    /// [`LengthMismatch`] if the lengths differ; nothing has changed then.
    pub fn symmetric_difference_with(&mut self, other: &Self) -> Result<(), LengthMismatch> {
        self.combine(other, |left, right| left ^ right)
    }

    /// Combines the arrays word by word. `operation` must map two clear bits to a clear bit, so
    /// that the bits past the length stay clear.
    fn combine(
        &mut self,
        other: &Self,
        operation: impl Fn(u64, u64) -> u64,
    ) -> Result<(), LengthMismatch> {
        if self.len != other.len {
            return Err(LengthMismatch {
                left: self.len,
                right: other.len,
            });
        }
        for (left, &right) in self.memory.words_mut().iter_mut().zip(other.words()) {
            *left = operation(*left, right);
        }
        Ok(())
    }
}
