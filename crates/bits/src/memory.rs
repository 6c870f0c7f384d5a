//! The memory of an array's words. The type is private, so that memory-mapped files can replace
//! it without changing any caller.
//!
//! The memory comes from the program's own allocator and is zeroed. It begins at a cache line, but
//! for small arrays of whose words single ones are accessed. If the allocator aligned a large
//! allocation, it would write all of it (Rust's `System` zeroes such memory itself), so large
//! arrays are aligned by a few extra words in front. Arrays smaller than a line are not aligned: a
//! filter made of very many small arrays takes no more memory than their words.

#![allow(
    unsafe_code,
    reason = "a fallible allocation of zeroed memory has no safe constructor, and neither has an \
              aligned view of it"
)]

use alloc::{
    alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error},
    vec::Vec,
};
use core::{mem::ManuallyDrop, ptr::NonNull, slice};

use crate::OutOfMemory;

mod huge;

/// The largest size of an array in bytes: 32 TiB. A system that overcommits memory would grant
/// more, and kill the program when the memory is accessed.
pub(crate) const MAX_BYTES: u64 = 1 << 45;

/// The number of words in a cache line. An array of at least this many words begins at a line.
const LINE_WORDS: usize = 8;

/// An array of 64-bit words on the heap.
pub(crate) struct Memory {
    /// The first of `len` words, all initialised, within the allocation.
    start: NonNull<u64>,
    len: usize,
    /// The number of words of the allocation before `start`.
    before: u8,
    /// The alignment and size of the allocation in bytes; nothing is allocated if `size` is 0.
    /// Not stored as a `Layout`, which is a word larger: some filters have many small arrays.
    align: u8,
    size: usize,
}

/// The alignment of words: 8 on all targets, so that they can be accessed as atomics.
const WORD_ALIGN: u8 = 8;

const LINE_ALIGN: u8 = 64;

/// The largest array, in bytes, that the allocator aligns. Up to about this size allocators do
/// not use fresh pages from the system, so zeroed memory has to be written anyway; this is the
/// threshold of glibc.
const ALIGNED_BYTES: usize = 128 << 10;

// SAFETY: the words are this value's own, reached by no other pointer, and words
// may be sent to and read by any thread.
unsafe impl Send for Memory {}
// SAFETY: as for `Send`; through a shared reference the words are only read.
unsafe impl Sync for Memory {}

impl Memory {
    /// Allocates `count` words, all zero, that are about to be filled; large arrays use huge
    /// pages. The system provides pages that are already zero, each when it is first accessed,
    /// so this costs no pass over the memory.
    pub(crate) fn zeroed(count: u64) -> Result<Self, OutOfMemory> {
        let memory = Self::sparse(count)?;
        if let Some(base) = memory.base() {
            huge::ask_for(base, memory.size);
        }
        Ok(memory)
    }

    /// Like `zeroed`, for words of which only few may ever be accessed. It uses pages of the
    /// usual size: with huge pages, each accessed word could occupy 2 MiB.
    pub(crate) fn sparse(count: u64) -> Result<Self, OutOfMemory> {
        let bytes = count.saturating_mul(8);
        let error = OutOfMemory { bytes };
        if bytes > MAX_BYTES {
            return Err(error);
        }
        let len = usize::try_from(count).map_err(|_| error)?;
        let (align, slack) = match len {
            ..LINE_WORDS => (WORD_ALIGN, 0),
            _ if bytes <= ALIGNED_BYTES as u64 => (LINE_ALIGN, 0),
            _ => (WORD_ALIGN, LINE_WORDS - 1),
        };
        Self::allocate(len, align, slack)
    }

    /// Like `zeroed`, but a small array begins at any word: glibc takes 0.1 us more for one that
    /// begins at a cache line, from which only blocks gain.
    pub(crate) fn at_any_word(count: u64) -> Result<Self, OutOfMemory> {
        if count > ALIGNED_BYTES as u64 / 8 {
            return Self::zeroed(count);
        }
        Self::allocate(count as usize, WORD_ALIGN, 0)
    }

    /// Allocates `len` words, all zero, and as many more as `slack` to begin at a cache line.
    fn allocate(len: usize, align: u8, slack: usize) -> Result<Self, OutOfMemory> {
        if len == 0 {
            return Ok(Self::from_vec(Vec::new()));
        }
        let bytes = (len as u64).saturating_mul(8);
        let error = OutOfMemory { bytes };
        let size = (len + slack).checked_mul(8).ok_or(error)?;
        let layout = Layout::from_size_align(size, align.into()).map_err(|_| error)?;
        // SAFETY: the layout is of at least one word, so its size is not zero.
        let base = unsafe { alloc_zeroed(layout) }.cast::<u64>();
        let base = NonNull::new(base).ok_or(error)?;
        let before = base.as_ptr().align_offset(8 * LINE_WORDS).min(slack);
        // SAFETY: `before` is at most `slack` words, so that `len` words follow within the
        // allocation.
        let start = unsafe { base.add(before) };
        Ok(Self {
            start,
            len,
            before: before as u8,
            align,
            size,
        })
    }

    /// The start of the allocation, if there is one.
    fn base(&self) -> Option<NonNull<u64>> {
        // SAFETY: the allocation begins `before` words in front of `start`.
        (self.size > 0).then(|| unsafe { self.start.sub(self.before.into()) })
    }

    /// Takes over the vector's memory.
    pub(crate) fn from_vec(words: Vec<u64>) -> Self {
        let mut words = ManuallyDrop::new(words);
        Self {
            // A vector's pointer is never null, so the default is never used.
            start: NonNull::new(words.as_mut_ptr()).unwrap_or(NonNull::dangling()),
            len: words.len(),
            before: 0,
            align: align_of::<u64>() as u8,
            size: size_of::<u64>() * words.capacity(),
        }
    }

    pub(crate) fn try_clone(&self) -> Result<Self, OutOfMemory> {
        let mut copy = Self::zeroed(self.len as u64)?;
        copy.words_mut().copy_from_slice(self.words());
        Ok(copy)
    }

    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        // SAFETY: `start` is the first of `len` initialised words, which live as
        // long as `self` and change through `&mut self` alone.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        // SAFETY: as in `words`, and `&mut self` is the only way to them.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }

    /// Keeps the first `count` words; the allocation is not shrunk.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.len = self.len.min(count);
    }

    /// The size of the allocation in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.size
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(base) = self.base() {
            // SAFETY: the allocation came from the global allocator with this layout: in
            // `sparse`, where it was checked, or in the vector, whose layout is that of an
            // array of its capacity. Nothing else frees it.
            unsafe {
                let layout = Layout::from_size_align_unchecked(self.size, self.align.into());
                dealloc(base.as_ptr().cast(), layout);
            }
        }
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

impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

impl Eq for Memory {}

/// Words that threads read and change through shared references.
#[cfg(all(target_has_atomic = "64", not(loom)))]
pub(crate) struct SharedMemory(Memory);

#[cfg(all(target_has_atomic = "64", not(loom)))]
impl SharedMemory {
    pub(crate) fn zeroed(count: u64) -> Result<Self, OutOfMemory> {
        Memory::zeroed(count).map(Self)
    }

    #[inline]
    pub(crate) fn words(&self) -> &[core::sync::atomic::AtomicU64] {
        let start = self.0.start.as_ptr().cast();
        // SAFETY: an AtomicU64 has the size and the values of a u64, and the
        // memory of `zeroed` its alignment of 8. This view is the only one
        // of these words, so all accesses are atomic.
        unsafe { slice::from_raw_parts(start, self.0.len) }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeroed_words_are_zero_and_writable() {
        let most = (ALIGNED_BYTES / 8) as u64;
        // The interpreter Miri takes a minute for 100,000 words.
        let last = if cfg!(miri) { most + 2 } else { 100_000 };
        for count in [0, 1, 2, 7, 8, 9, 1000, most, most + 1, last] {
            let mut memory = Memory::zeroed(count).unwrap();
            assert_eq!(memory.words().len() as u64, count);
            assert!(memory.words().iter().all(|&word| word == 0));
            memory.words_mut().fill(u64::MAX);
            assert!(memory.clone() == memory);
            let slack = if count <= most { 0 } else { 56 };
            assert_eq!(memory.bytes() as u64, count * 8 + slack);
        }
    }

    #[test]
    fn a_line_of_words_begins_on_a_line() {
        // All are kept alive, so that they have different addresses.
        let large = (ALIGNED_BYTES as u64 / 8 - 3)..(ALIGNED_BYTES as u64 / 8 + 9);
        let counts = (8..200).chain(large);
        let kept: Vec<_> = counts.map(|n| Memory::zeroed(n).unwrap()).collect();
        for memory in &kept {
            for memory in [memory, &memory.clone()] {
                assert_eq!(memory.words().as_ptr().addr() % 64, 0);
            }
        }
    }

    #[test]
    fn a_vector_stays_where_it_is() {
        for mut words in [Vec::new(), Vec::with_capacity(100), alloc::vec![7; 1_000]] {
            words.push(1);
            let (want, at) = (words.clone(), words.as_ptr());
            let memory = Memory::from_vec(words);
            assert_eq!(memory.words(), want);
            assert_eq!(memory.words().as_ptr(), at);
        }
        assert_eq!(Memory::from_vec(Vec::new()).words(), [0u64; 0]);
    }

    #[test]
    fn memory_past_the_threshold_of_huge_pages_works_as_well() {
        let mut memory = Memory::zeroed((huge::FROM_BYTES as u64 + (3 << 20)) / 8).unwrap();
        assert!(memory.words().iter().all(|&word| word == 0));
        for word in memory.words_mut().iter_mut().step_by(100) {
            *word = 1;
        }
        assert!(memory.clone() == memory);
    }

    #[test]
    fn too_much_is_an_error_and_not_an_abort() {
        for count in [MAX_BYTES / 8 + 1, 1 << 60, 1 << 61, u64::MAX] {
            let bytes = count.saturating_mul(8);
            assert_eq!(Memory::zeroed(count).err(), Some(OutOfMemory { bytes }));
        }
        // Here the allocator decides: success and an error are both correct, an abort is not.
        if let Ok(memory) = Memory::zeroed(MAX_BYTES / 8) {
            assert_eq!(memory.words().len() as u64, MAX_BYTES / 8);
        }
    }
}
