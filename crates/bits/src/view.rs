//! A view of the bits as a slice of the crate `bitvec`.

use bitvec::{order::Lsb0, slice::BitSlice};

use crate::BitArray;

impl BitArray {
    /// Returns a view of the bits as a slice of the crate `bitvec`, without a copy, to use that
    /// crate's iterators, ranges and searches. Needs the feature `bitvec` and a 64-bit target.
    ///
    /// ```
    /// use bouquet_bits::BitArray;
    ///
    /// let mut bits = BitArray::new(1000)?;
    /// bits.set(70);
    /// let view = bits.as_bitslice();
    /// assert_eq!(view.len(), 1000);
    /// assert!(view[64..128].any() && view[71..].not_any());
    /// # Ok::<(), bouquet_bits::OutOfMemory>(())
    /// ```
    pub fn as_bitslice(&self) -> &BitSlice<u64, Lsb0> {
        &BitSlice::from_slice(self.words())[..self.len as usize]
    }
}
