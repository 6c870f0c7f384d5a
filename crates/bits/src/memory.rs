//! Where the words of an array live. Private, so that aligned, huge-page or
//! mapped memory can take its place without a change to any caller.

#![allow(
    unsafe_code,
    reason = "zeroed memory that may be refused has no safe constructor"
)]

use alloc::{
    alloc::{Layout, alloc_zeroed, handle_alloc_error},
    vec::Vec,
};

use crate::OutOfMemory;

/// The most bytes one array takes: 32 TiB. A system that overcommits would
/// grant more, and kill the process when it is touched.
pub(crate) const MAX_BYTES: u64 = 1 << 45;

/// Words of 64 bits on the heap.
#[derive(PartialEq, Eq)]
pub(crate) struct Memory {
    words: Vec<u64>,
}

impl Memory {
    /// `count` words, all zero. The system hands out pages that are zero
    /// already, each when it is first touched, so this costs no pass over them.
    pub(crate) fn zeroed(count: u64) -> Result<Self, OutOfMemory> {
        let bytes = count.saturating_mul(8);
        let error = OutOfMemory { bytes };
        if bytes > MAX_BYTES {
            return Err(error);
        }
        if count == 0 {
            return Ok(Self { words: Vec::new() });
        }
        let count = usize::try_from(count).map_err(|_| error)?;
        let layout = Layout::array::<u64>(count).map_err(|_| error)?;
        // SAFETY: the layout is of at least one word, so its size is not zero.
        let start = unsafe { alloc_zeroed(layout) }.cast::<u64>();
        if start.is_null() {
            return Err(error);
        }
        // SAFETY: `start` comes from the global allocator, which is Vec's, with
        // the very layout that Vec has for a capacity of `count` words; all
        // `count` words are initialised, for zero bytes are a valid u64; and
        // nothing else holds the pointer.
        let words = unsafe { Vec::from_raw_parts(start, count, count) };
        Ok(Self { words })
    }

    pub(crate) fn from_vec(words: Vec<u64>) -> Self {
        Self { words }
    }

    pub(crate) fn try_clone(&self) -> Result<Self, OutOfMemory> {
        let mut words = Vec::new();
        words
            .try_reserve_exact(self.words.len())
            .map_err(|_| OutOfMemory {
                bytes: size_of_val(self.words()) as u64,
            })?;
        words.extend_from_slice(&self.words);
        Ok(Self { words })
    }

    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// What the allocator was asked for.
    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        match self.try_clone() {
            Ok(copy) => copy,
            Err(_) => handle_alloc_error(Layout::for_value(self.words())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeroed_words_are_zero_and_writable() {
        for count in [0, 1, 2, 1000, 100_000] {
            let mut memory = Memory::zeroed(count).unwrap();
            assert_eq!(memory.words().len() as u64, count);
            assert!(memory.words().iter().all(|&word| word == 0));
            memory.words_mut().fill(u64::MAX);
            assert!(memory.clone() == memory);
            assert_eq!(memory.bytes() as u64, count * 8);
        }
    }

    #[test]
    fn too_much_is_an_error_and_no_abort() {
        for count in [MAX_BYTES / 8 + 1, 1 << 60, 1 << 61, u64::MAX] {
            let bytes = count.saturating_mul(8);
            assert_eq!(Memory::zeroed(count).err(), Some(OutOfMemory { bytes }));
        }
        // Here the allocator decides; either answer is right, an abort is not.
        if let Ok(memory) = Memory::zeroed(MAX_BYTES / 8) {
            assert_eq!(memory.bytes() as u64, MAX_BYTES);
        }
    }
}
