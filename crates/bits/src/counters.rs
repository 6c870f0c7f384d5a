//! Arrays of small counters, packed into words.

use core::fmt;

use crate::{
    Counters, OutOfMemory,
    memory::Memory,
    prefetch::{pays, prefetch},
};

mod algebra;

pub use algebra::CountersMismatch;

/// The width of the counters of a [`CounterArray`].
// The discriminant is log2 of the width, so that the position of a counter is computed with a
// shift, without a branch on the width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CounterBits {
    /// 4 bits: counts to 14 and saturates at 15.
    Four = 2,
    /// 8 bits: counts to 254 and saturates at 255.
    Eight = 3,
}

impl CounterBits {
    /// The number of bits of a counter.
    #[inline]
    pub const fn bits(self) -> u32 {
        1 << self as u32
    }

    /// The value at which a counter is saturated.
    #[inline]
    pub const fn max(self) -> u8 {
        (u8::MAX as u32 >> (8 - self.bits())) as u8
    }

    /// The position of counter `i`: its word, and the number of its lowest bit in that word.
    #[inline]
    pub(crate) const fn place(self, i: u64) -> (usize, u32) {
        let bit = i << self as u32;
        ((bit / 64) as usize, (bit % 64) as u32)
    }

    /// A mask of the lowest bit of every counter in a word.
    const fn lowest_bits(self) -> u64 {
        u64::MAX / self.max() as u64
    }
}

/// A fixed number of small counters, numbered from 0, all zero at first.
///
/// A counter that reaches its maximum is *saturated* and stays there: the true count is no
/// longer known, so neither increments nor decrements change it.
///
/// If counters have b bits, counter `i` consists of bits `b*i` to `b*i + b - 1`, numbered as in
/// [`BitArray`](crate::BitArray).
///
/// ```
/// use bouquet_bits::{CounterArray, CounterBits};
///
/// let mut counters = CounterArray::new(1000, CounterBits::Four)?;
/// assert_eq!(counters.increment(42), 1);
/// assert_eq!(counters.increment(42), 2);
/// assert_eq!(counters.decrement(42), 1);
/// assert_eq!((counters.get(42), counters.get(43)), (1, 0));
///
/// for _ in 0..20 {
///     counters.increment(7);
/// }
/// assert_eq!(counters.decrement(7), 15); // stuck
/// assert_eq!(counters.count_saturated(), 1);
/// # Ok::<(), bouquet_bits::OutOfMemory>(())
/// ```
// Invariant: the bits past the last counter are always clear.
#[derive(Clone, PartialEq, Eq)]
pub struct CounterArray {
    pub(crate) memory: Memory,
    len: u64,
    width: CounterBits,
}

impl CounterArray {
    /// Creates `len` counters, all zero. The memory is their bits rounded up to words of 64
    /// bits; on most systems a memory page is occupied only once it is accessed.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails or more than 32 TiB are needed; the program is
    /// never aborted.
    pub fn new(len: u64, width: CounterBits) -> Result<Self, OutOfMemory> {
        let in_a_word = u64::from(u64::BITS / width.bits());
        let memory = Memory::zeroed(len.div_ceil(in_a_word))?;
        Ok(Self { memory, len, width })
    }

    /// Like [`new`](Self::new), for an array of which only few counters may ever be accessed;
    /// see [`BitArray::sparse`](crate::BitArray::sparse).
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new).
    pub fn sparse(len: u64, width: CounterBits) -> Result<Self, OutOfMemory> {
        let in_a_word = u64::from(u64::BITS / width.bits());
        let memory = Memory::sparse(len.div_ceil(in_a_word))?;
        Ok(Self { memory, len, width })
    }

    /// Returns a copy like [`Clone`], but fails with an error.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails. `clone` ends the process in that case, as all
    /// of `alloc` does.
    pub fn try_clone(&self) -> Result<Self, OutOfMemory> {
        let memory = self.memory.try_clone()?;
        Ok(Self { memory, ..*self })
    }

    /// The number of counters.
    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether there are no counters. (To check whether all counters are zero, use
    /// [`count_nonzero`](Self::count_nonzero).)
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The width of the counters.
    #[inline]
    pub fn width(&self) -> CounterBits {
        self.width
    }

    /// The value of counter `i`.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`len`](Self::len).
    #[inline]
    #[track_caller]
    pub fn get(&self, i: u64) -> u8 {
        let (index, shift) = self.place(i);
        match self.words().get(index) {
            Some(word) if i < self.len => (word >> shift) as u8 & self.width.max(),
            _ => out_of_range(i, self.len),
        }
    }

    /// Adds one to counter `i`, unless it is saturated, and returns the new value.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`len`](Self::len).
    #[inline]
    #[track_caller]
    pub fn increment(&mut self, i: u64) -> u8 {
        let max = self.width.max();
        let (word, shift) = self.slot_mut(i);
        let before = (*word >> shift) as u8 & max;
        let step = u8::from(before < max);
        *word += u64::from(step) << shift;
        before + step
    }

    /// Subtracts one from counter `i`, unless it is zero or saturated, and returns the new
    /// value.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`len`](Self::len).
    #[inline]
    #[track_caller]
    pub fn decrement(&mut self, i: u64) -> u8 {
        let max = self.width.max();
        let (word, shift) = self.slot_mut(i);
        let before = (*word >> shift) as u8 & max;
        let step = u8::from(before != 0) & u8::from(before != max);
        *word -= u64::from(step) << shift;
        before - step
    }

    /// Prefetches the word of counter `i`, for an access some tens of operations later. Does
    /// nothing if `i` is past the end or if the processor has no prefetch instruction.
    #[inline]
    pub fn prefetch(&self, i: u64) {
        prefetch(self.words(), self.place(i).0);
    }

    /// Returns whether [`prefetch`](Self::prefetch) is worth its cost: whether the array is
    /// larger than 256 KiB, and so may not be in the processor's inner caches.
    #[inline]
    pub fn prefetch_pays(&self) -> bool {
        pays(size_of_val(self.words()))
    }

    #[inline]
    fn place(&self, i: u64) -> (usize, u32) {
        self.width.place(i)
    }

    /// Returns the word of counter `i` and the counter's lowest bit in it. Both checks share
    /// one cold exit; the second check also catches an index that is truncated by the shift or,
    /// on 32-bit targets, by `as usize`.
    #[inline]
    #[track_caller]
    fn slot_mut(&mut self, i: u64) -> (&mut u64, u32) {
        let (index, shift) = self.place(i);
        match self.memory.words_mut().get_mut(index) {
            Some(word) if i < self.len => (word, shift),
            _ => out_of_range(i, self.len),
        }
    }

    /// Sets all counters to zero in one pass over the words. The memory is not freed.
    pub fn clear_all(&mut self) {
        self.memory.words_mut().fill(0);
    }

    /// The words, starting with counter 0. The bits past the last counter are clear.
    #[inline]
    pub fn words(&self) -> &[u64] {
        self.memory.words()
    }

    /// A read-only view of the counters.
    #[inline]
    pub fn reading(&self) -> Counters<'_, [u64]> {
        Counters::new(self.words(), self.width)
    }

    /// Bytes allocated for the counters, without the `CounterArray` value itself.
    pub fn memory_bytes(&self) -> usize {
        self.memory.bytes()
    }
}

#[cold]
#[inline(never)]
#[track_caller]
#[expect(clippy::panic, reason = "an index past the end, as of a slice")]
fn out_of_range(i: u64, len: u64) -> ! {
    panic!("counter {i} is out of range: the array has {len}");
}

/// Prints the length, the width, and how many counters are non-zero and how many saturated,
/// which are counted in two passes, but not the counters.
impl fmt::Debug for CounterArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CounterArray")
            .field("len", &self.len)
            .field("width", &self.width)
            .field("count_nonzero", &self.count_nonzero())
            .field("count_saturated", &self.count_saturated())
            .finish()
    }
}
