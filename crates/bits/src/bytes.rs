//! An array of bytes, for slots that are read byte by byte.

#![allow(
    unsafe_code,
    reason = "words in memory have no safe view as bytes in core"
)]

use core::{fmt, slice};

use crate::{
    OutOfMemory,
    memory::Memory,
    prefetch::{pays, prefetch},
};

/// A fixed number of bytes, all zero at first, in the memory of a [`BitArray`](crate::BitArray):
/// it begins at a cache line, and large arrays use huge pages.
///
/// ```
/// use bouquet_bits::ByteArray;
///
/// let mut array = ByteArray::new(100)?;
/// array.bytes_mut()[7] = 42;
/// assert_eq!(array.bytes().iter().sum::<u8>(), 42);
/// # Ok::<(), bouquet_bits::OutOfMemory>(())
/// ```
// Invariant: there are at least `len` bytes of words. Those past `len` are always zero, on which
// comparing whole words relies.
#[derive(Clone, PartialEq, Eq)]
pub struct ByteArray {
    memory: Memory,
    len: usize,
}

impl ByteArray {
    /// Creates an array of `len` bytes, all zero.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails; the program is never aborted.
    pub fn new(len: usize) -> Result<Self, OutOfMemory> {
        let memory = Memory::zeroed(len.div_ceil(8) as u64)?;
        Ok(Self { memory, len })
    }

    /// All bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        let start = self.memory.words().as_ptr().cast();
        // SAFETY: there are at least `len` bytes of initialised words, any byte of which is a u8,
        // and they change through `&mut self` alone.
        unsafe { slice::from_raw_parts(start, self.len) }
    }

    /// All bytes, to be changed.
    #[inline]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let start = self.memory.words_mut().as_mut_ptr().cast();
        // SAFETY: as in `bytes`, and any u8 is a byte of a word.
        unsafe { slice::from_raw_parts_mut(start, self.len) }
    }

    /// Prefetches the cache line of byte `i`, and returns at once. An index past the end is
    /// allowed.
    #[inline]
    pub fn prefetch(&self, i: usize) {
        prefetch(self.bytes(), i);
    }

    /// Whether the array is so large that [`prefetch`](Self::prefetch) saves more than it costs.
    #[inline]
    pub fn prefetch_pays(&self) -> bool {
        pays(self.len)
    }

    /// The number of bytes allocated.
    pub fn memory_bytes(&self) -> usize {
        self.memory.bytes()
    }
}

/// Prints the length, but not the bytes.
impl fmt::Debug for ByteArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut array = f.debug_struct("ByteArray");
        array.field("len", &self.len).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_zero_and_writable() {
        for len in [0, 1, 7, 8, 9, 64, 200_001] {
            let mut array = ByteArray::new(len).unwrap();
            assert!(array.bytes().iter().all(|byte| *byte == 0));
            assert_eq!(array.bytes().len(), len);
            array.bytes_mut().fill(7);
            assert!(array.clone() == array);
            array.prefetch(len);
            assert_eq!(array.bytes(), alloc::vec![7; len]);
        }
        assert!(ByteArray::new(usize::MAX).is_err());
    }
}
