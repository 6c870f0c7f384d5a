//! Small counters, packed into words.

use core::fmt;

use crate::{
    Counters, OutOfMemory,
    memory::Memory,
    prefetch::{pays, prefetch},
};

mod algebra;

pub use algebra::CountersMismatch;

/// How wide the counters of a [`CounterArray`] are.
// The discriminant is the logarithm of the width: a counter's place is then a
// shift by it, and the width costs no branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CounterBits {
    /// 4 bits: counts to 14, stuck at 15.
    Four = 2,
    /// 8 bits: counts to 254, stuck at 255.
    Eight = 3,
}

impl CounterBits {
    /// Bits of a counter.
    #[inline]
    pub const fn bits(self) -> u32 {
        1 << self as u32
    }

    /// The value at which a counter is stuck.
    #[inline]
    pub const fn max(self) -> u8 {
        (u8::MAX as u32 >> (8 - self.bits())) as u8
    }

    /// Where counter `i` is: its word and the place of its lowest bit there.
    #[inline]
    pub(crate) const fn place(self, i: u64) -> (usize, u32) {
        let bit = i << self as u32;
        ((bit / 64) as usize, (bit % 64) as u32)
    }

    /// The lowest bit of every counter in a word.
    const fn lowest_bits(self) -> u64 {
        u64::MAX / self.max() as u64
    }
}

/// A fixed number of small counters, numbered from 0, all zero at first.
///
/// A counter that reaches its maximum is *saturated* and stays there: it has
/// lost count, so neither increments nor decrements change it.
///
/// Counter `i` of width b is bits `b*i` to `b*i + b - 1`, with bits numbered as
/// in [`BitArray`](crate::BitArray).
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
// The bits past the last counter are clear at all times.
#[derive(Clone, PartialEq, Eq)]
pub struct CounterArray {
    pub(crate) memory: Memory,
    len: u64,
    width: CounterBits,
}

impl CounterArray {
    /// `len` counters, all zero. The memory is their bits rounded up to words of
    /// 64; on most systems a page of it is taken only once it is touched.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails, or past 32 TiB; never an abort.
    pub fn new(len: u64, width: CounterBits) -> Result<Self, OutOfMemory> {
        let in_a_word = u64::from(u64::BITS / width.bits());
        let memory = Memory::zeroed(len.div_ceil(in_a_word))?;
        Ok(Self { memory, len, width })
    }

    /// The same where few of the counters may ever be touched; see
    /// [`BitArray::sparse`](crate::BitArray::sparse).
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn sparse(len: u64, width: CounterBits) -> Result<Self, OutOfMemory> {
        let in_a_word = u64::from(u64::BITS / width.bits());
        let memory = Memory::sparse(len.div_ceil(in_a_word))?;
        Ok(Self { memory, len, width })
    }

    /// A copy, as [`Clone`] gives it, but fallible.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails. `clone` ends the process then,
    /// like all of `alloc`.
    pub fn try_clone(&self) -> Result<Self, OutOfMemory> {
        let memory = self.memory.try_clone()?;
        Ok(Self { memory, ..*self })
    }

    /// The number of counters.
    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no counters. (For none above zero, see
    /// [`count_nonzero`](Self::count_nonzero).)
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How wide the counters are.
    #[inline]
    pub fn width(&self) -> CounterBits {
        self.width
    }

    /// Counter `i`.
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

    /// Adds one to counter `i`, unless it is saturated, and returns what it is
    /// now.
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

    /// Takes one from counter `i`, unless it is zero or saturated, and returns
    /// what it is now.
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

    /// Prefetches the word of counter `i`, for a use some tens of
    /// operations from now. Does nothing past the end, or where the processor
    /// has no such hint.
    #[inline]
    pub fn prefetch(&self, i: u64) {
        prefetch(self.words(), self.place(i).0);
    }

    /// Whether [`prefetch`](Self::prefetch) is worth it: the array is larger than
    /// 256 KiB, and so may not be in the processor's nearer caches.
    #[inline]
    pub fn prefetch_pays(&self) -> bool {
        pays(size_of_val(self.words()))
    }

    #[inline]
    fn place(&self, i: u64) -> (usize, u32) {
        self.width.place(i)
    }

    /// Both checks share one cold exit; the second also catches an index cut off
    /// by the shift or, on 32-bit targets, by `as usize`.
    #[inline]
    #[track_caller]
    fn slot_mut(&mut self, i: u64) -> (&mut u64, u32) {
        let (index, shift) = self.place(i);
        match self.memory.words_mut().get_mut(index) {
            Some(word) if i < self.len => (word, shift),
            _ => out_of_range(i, self.len),
        }
    }

    /// Sets all counters to zero: one pass over the words. The memory stays.
    pub fn clear_all(&mut self) {
        self.memory.words_mut().fill(0);
    }

    /// The words, counter 0 first. The bits past the last counter are clear.
    #[inline]
    pub fn words(&self) -> &[u64] {
        self.memory.words()
    }

    /// The counters, to be read only.
    #[inline]
    pub fn reading(&self) -> Counters<'_, [u64]> {
        Counters::new(self.words(), self.width)
    }

    /// Bytes allocated for the counters; without the value itself.
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

/// Length, width, and how many counters are not zero and how many are saturated, not the
/// counters, which it counts in two passes.
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
