//! A bit array that many threads can write at once.

use alloc::alloc::{Layout, handle_alloc_error};
use core::fmt;

#[allow(unexpected_cfgs, reason = "set for a run under the model checker loom")]
mod word {
    #[cfg(not(loom))]
    pub(super) use crate::memory::SharedMemory;
    #[cfg(not(loom))]
    pub(crate) use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
    #[cfg(loom)]
    pub(crate) use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// Replaces the real memory under the model checker loom, whose atomics are not plain
    /// words.
    #[cfg(loom)]
    pub(crate) struct SharedMemory(alloc::vec::Vec<AtomicU64>);

    #[cfg(loom)]
    impl SharedMemory {
        pub(super) fn zeroed(count: u64) -> Result<Self, crate::OutOfMemory> {
            Ok(Self((0..count).map(|_| AtomicU64::new(0)).collect()))
        }

        pub(crate) fn words(&self) -> &[AtomicU64] {
            &self.0
        }

        pub(super) fn bytes(&self) -> usize {
            size_of_val(&*self.0)
        }
    }
}
pub(crate) use word::Relaxed;
use word::{AtomicU64, SharedMemory};

use crate::{
    BitArray, LengthMismatch, OutOfMemory,
    prefetch::{pays, prefetch, prefetch_to_write},
};

/// A fixed number of bits, numbered from 0, all clear at first, that any number of threads can
/// set through a shared reference.
///
/// It has the layout of [`BitArray`]; [`to_bits`](Self::to_bits) copies it into one. Available
/// on targets with 64-bit atomics.
///
/// # What threads see
///
/// A bit that was set stays set until a caller with `&mut` access clears it. If a call of
/// [`set`](Self::set) has returned, or a [`test`](Self::test) has returned `true`, every thread
/// that learns of this (through a channel, a lock or a join) sees the bit set. Without such
/// communication there is no guaranteed order between different bits.
///
/// ```
/// use bouquet_bits::AtomicBitArray;
///
/// let bits = AtomicBitArray::new(1000)?;
/// std::thread::scope(|scope| {
///     for thread in 0..4 {
///         let bits = &bits;
///         scope.spawn(move || (0..250).for_each(|i| assert!(bits.set(4 * i + thread))));
///     }
/// });
/// assert_eq!(bits.count_ones(), 1000);
/// # Ok::<(), bouquet_bits::OutOfMemory>(())
/// ```
// All accesses are relaxed. If one thread saw or set a bit, that happens before whatever it
// communicates to another thread. Coherence also holds for relaxed accesses to one word: a
// later read of the word never returns an older value. And bits are only ever added.
pub struct AtomicBitArray {
    // The bits of the last word past `len` are always clear.
    pub(crate) memory: SharedMemory,
    len: u64,
}

impl AtomicBitArray {
    /// Creates an array of `len` bits, all clear. As with [`BitArray::new`], a memory page is
    /// occupied only once one of its bits is accessed.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails, or if `len` is above [`BitArray::MAX_LEN`].
    /// A system that overcommits may grant more than it has.
    pub fn new(len: u64) -> Result<Self, OutOfMemory> {
        let memory = SharedMemory::zeroed(len.div_ceil(64))?;
        Ok(Self { memory, len })
    }

    /// Creates a copy of `bits`.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails.
    pub fn from_bits(bits: &BitArray) -> Result<Self, OutOfMemory> {
        Self::from_words(bits.len(), bits.words().iter().copied())
    }

    /// Creates an array from the words of an iterator.
    fn from_words(len: u64, from: impl Iterator<Item = u64>) -> Result<Self, OutOfMemory> {
        let bits = Self::new(len)?;
        for (to, from) in bits.memory.words().iter().zip(from) {
            to.store(from, Relaxed);
        }
        Ok(bits)
    }

    /// Returns a copy, or an error like [`new`](Self::new). If other threads set bits during
    /// the call, the copy has all bits that were set before the call, and possibly some of the
    /// others.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails.
    pub fn try_clone(&self) -> Result<Self, OutOfMemory> {
        Self::from_words(self.len, self.words())
    }

    /// Returns a copy of the bits that is not shared between threads. If other threads set bits
    /// during the call, the same holds as for [`try_clone`](Self::try_clone).
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails.
    pub fn to_bits(&self) -> Result<BitArray, OutOfMemory> {
        let mut bits = BitArray::new(self.len)?;
        for (to, from) in bits.memory.words_mut().iter_mut().zip(self.words()) {
            *to = from;
        }
        Ok(bits)
    }

    /// The length: the number of bits, set or clear.
    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether the length is 0 bits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Sets bit `i` and returns whether this call has set it, that is whether it was clear. Of
    /// all calls that set the same bit, exactly one returns true.
    ///
    /// A bit that is already set is only read, so that threads can share its cache line.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`len`](Self::len).
    #[inline]
    #[track_caller]
    pub fn set(&self, i: u64) -> bool {
        !self.test(i) && add(self.memory.words(), self.len, i)
    }

    /// Returns whether bit `i` is set.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`len`](Self::len).
    #[inline]
    #[track_caller]
    pub fn test(&self, i: u64) -> bool {
        let (word, mask) = slot(self.memory.words(), self.len, i);
        word.load(Relaxed) & mask != 0
    }

    /// Prefetches the word of bit `i`, for an access some tens of operations later. Does
    /// nothing if `i` is past the end or if the processor has no prefetch instruction.
    #[inline]
    pub fn prefetch(&self, i: u64) {
        prefetch(self.memory.words(), (i / 64) as usize);
    }

    /// Prefetches the words of `bits` like [`prefetch`](Self::prefetch), for bits that will be
    /// set: takes ownership of their cache lines from the other processor cores in advance.
    #[inline(always)]
    pub fn prefetch_to_set(&self, bits: impl IntoIterator<Item = u64>) {
        let words = bits.into_iter().map(|i| (i / 64) as usize);
        prefetch_to_write(self.memory.words(), words);
    }

    /// Returns whether [`prefetch`](Self::prefetch) is worth its cost: whether the array is
    /// larger than 256 KiB, and so may not be in the processor's inner caches.
    #[inline]
    pub fn prefetch_pays(&self) -> bool {
        pays(size_of_val(self.memory.words()))
    }

    /// The number of set bits, counted in one pass over the words.
    pub fn count_ones(&self) -> u64 {
        self.words().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Clears all bits in one pass over the words. The memory is not freed.
    pub fn clear_all(&mut self) {
        for word in self.memory.words() {
            word.store(0, Relaxed);
        }
    }

    /// Sets the bits that are set in `other`. One pass over both.
    ///
    /// # Errors
    ///
    /// [`LengthMismatch`] if the lengths differ; nothing has changed then.
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
        for (left, right) in self.memory.words().iter().zip(other.words()) {
            left.store(operation(left.load(Relaxed), right), Relaxed);
        }
        Ok(())
    }

    /// The words, starting with bit 0; each has the value at the time the iterator reads it.
    pub fn words(&self) -> impl Iterator<Item = u64> {
        self.memory.words().iter().map(|word| word.load(Relaxed))
    }

    /// Bytes allocated for the bits, without the `AtomicBitArray` value itself.
    pub fn memory_bytes(&self) -> usize {
        self.memory.bytes()
    }

    #[inline]
    pub(crate) fn atomic_words(&self) -> &[AtomicU64] {
        self.memory.words()
    }
}

/// Sets bit `i` of an array of `len` bits; true if it was clear.
#[inline(always)]
#[track_caller]
pub(crate) fn add(words: &[AtomicU64], len: u64, i: u64) -> bool {
    let (word, mask) = slot(words, len, i);
    word.fetch_or(mask, Relaxed) & mask == 0
}

/// The word of bit `i` in an array of `len` bits, and the mask of the bit in it.
#[inline(always)]
#[track_caller]
fn slot(words: &[AtomicU64], len: u64, i: u64) -> (&AtomicU64, u64) {
    match words.get((i / 64) as usize) {
        Some(word) if i < len => (word, 1 << (i % 64)),
        _ => out_of_range(i, len),
    }
}

#[cold]
#[inline(never)]
#[track_caller]
#[expect(clippy::panic, reason = "an index past the end, as of a slice")]
fn out_of_range(i: u64, len: u64) -> ! {
    panic!("bit {i} is out of range: the array has {len} bits");
}

/// Like [`try_clone`](AtomicBitArray::try_clone), but ends the process if the allocation fails.
impl Clone for AtomicBitArray {
    fn clone(&self) -> Self {
        match self.try_clone() {
            Ok(copy) => copy,
            Err(_) => handle_alloc_error(Layout::for_value(self.memory.words())),
        }
    }
}

/// Compares length and bits; each word has its value at the time of the comparison.
impl PartialEq for AtomicBitArray {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.words().eq(other.words())
    }
}

impl Eq for AtomicBitArray {}

/// Prints the length and the number of set bits, which are counted in one pass, but not the
/// bits.
impl fmt::Debug for AtomicBitArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AtomicBitArray")
            .field("len", &self.len)
            .field("count_ones", &self.count_ones())
            .finish()
    }
}
