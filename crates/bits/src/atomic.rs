//! Bits that many threads set at once.

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

    /// In place of the real memory: the model checker's atomics are not plain words.
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

/// A fixed number of bits, numbered from 0, all clear at first, that are set
/// through a shared reference from any number of threads.
///
/// Laid out as [`BitArray`], into which [`to_bits`](Self::to_bits) copies it.
/// On targets with 64-bit atomics.
///
/// # What threads see
///
/// A bit once set stays set until someone with a `&mut` clears it. Any thread that
/// learns of a call of [`set`](Self::set) that has returned, or of a
/// [`test`](Self::test) that returned `true` (through a channel, a lock, a join),
/// finds the bit set. No order is promised between different bits without such
/// communication.
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
// All accesses are relaxed. That a bit was seen or set by one thread happens
// before whatever it communicates to another; then coherence, which holds for relaxed
// accesses to one word too, lets no later read of the word go back to an older
// value, and bits are only ever added.
pub struct AtomicBitArray {
    // The bits of the last word past `len` are clear at all times.
    pub(crate) memory: SharedMemory,
    len: u64,
}

impl AtomicBitArray {
    /// `len` bits, all clear. The memory is as for [`BitArray::new`], and is
    /// touched as little.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails, or past [`BitArray::MAX_LEN`].
    /// A system that overcommits may grant more than it has.
    pub fn new(len: u64) -> Result<Self, OutOfMemory> {
        let memory = SharedMemory::zeroed(len.div_ceil(64))?;
        Ok(Self { memory, len })
    }

    /// A copy of an array.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails.
    pub fn from_bits(bits: &BitArray) -> Result<Self, OutOfMemory> {
        Self::from_words(bits.len(), bits.words().iter().copied())
    }

    /// An array of the words of an iterator.
    fn from_words(len: u64, from: impl Iterator<Item = u64>) -> Result<Self, OutOfMemory> {
        let bits = Self::new(len)?;
        for (to, from) in bits.memory.words().iter().zip(from) {
            to.store(from, Relaxed);
        }
        Ok(bits)
    }

    /// A copy, fallible as [`new`](Self::new). Taken while others set bits it
    /// has all those set before the call, and any of the others.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails.
    pub fn try_clone(&self) -> Result<Self, OutOfMemory> {
        Self::from_words(self.len, self.words())
    }

    /// A copy of the bits that is not shared; what [`try_clone`](Self::try_clone)
    /// promises about other threads holds here too.
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

    /// Bits, set or clear.
    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether the length is 0 bits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Sets bit `i`; true if it was clear and this call has set it. Of all
    /// calls that set the same bit exactly one returns true.
    ///
    /// A bit already set is only read, so that threads can share its cache
    /// line.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`len`](Self::len).
    #[inline]
    #[track_caller]
    pub fn set(&self, i: u64) -> bool {
        !self.test(i) && add(self.memory.words(), self.len, i)
    }

    /// Whether bit `i` is set.
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

    /// Prefetches the word of bit `i`, for a use some tens of
    /// operations from now. Does nothing past the end, or where the processor
    /// has no such hint.
    #[inline]
    pub fn prefetch(&self, i: u64) {
        prefetch(self.memory.words(), (i / 64) as usize);
    }

    /// As [`prefetch`](Self::prefetch) of each, for bits that will be set: takes ownership of their
    /// cache lines ahead, from the other threads.
    #[inline(always)]
    pub fn prefetch_to_set(&self, bits: impl IntoIterator<Item = u64>) {
        let words = bits.into_iter().map(|i| (i / 64) as usize);
        prefetch_to_write(self.memory.words(), words);
    }

    /// Whether [`prefetch`](Self::prefetch) is worth it: the array is larger than
    /// 256 KiB, and so may not be in the processor's nearer caches.
    #[inline]
    pub fn prefetch_pays(&self) -> bool {
        pays(size_of_val(self.memory.words()))
    }

    /// Bits set: one pass over the words.
    pub fn count_ones(&self) -> u64 {
        self.words().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Clears all bits: one pass over the words. The memory stays.
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

    /// The words, bit 0 first, each as it is when the iterator comes to it.
    pub fn words(&self) -> impl Iterator<Item = u64> {
        self.memory.words().iter().map(|word| word.load(Relaxed))
    }

    /// Bytes allocated for the bits; without the value itself.
    pub fn memory_bytes(&self) -> usize {
        self.memory.bytes()
    }

    #[inline]
    pub(crate) fn atomic_words(&self) -> &[AtomicU64] {
        self.memory.words()
    }
}

/// Sets bit `i` of `len`; true if it was clear.
#[inline(always)]
#[track_caller]
pub(crate) fn add(words: &[AtomicU64], len: u64, i: u64) -> bool {
    let (word, mask) = slot(words, len, i);
    word.fetch_or(mask, Relaxed) & mask == 0
}

/// The word of bit `i` of `len`, and the mask of the bit in it.
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

/// As [`try_clone`](AtomicBitArray::try_clone), but ends the process if the
/// allocation fails.
impl Clone for AtomicBitArray {
    fn clone(&self) -> Self {
        match self.try_clone() {
            Ok(copy) => copy,
            Err(_) => handle_alloc_error(Layout::for_value(self.memory.words())),
        }
    }
}

/// Equal length and bits, as they are when they are compared.
impl PartialEq for AtomicBitArray {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.words().eq(other.words())
    }
}

impl Eq for AtomicBitArray {}

/// The length and how many bits are set, not the bits, which it counts in one pass.
impl fmt::Debug for AtomicBitArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AtomicBitArray")
            .field("len", &self.len)
            .field("count_ones", &self.count_ones())
            .finish()
    }
}
