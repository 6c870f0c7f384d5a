//! The bit array: construction, single bits, comparison.

#![allow(
    unsafe_code,
    reason = "a check per key would take a tenth of the time of a query"
)]

use alloc::vec::Vec;
use core::fmt;

use crate::{
    OutOfMemory, WordsError,
    memory::{MAX_BYTES, Memory},
    prefetch::{pays, prefetch},
};

/// A fixed number of bits, numbered from 0, all clear at first.
///
/// Bit `i` is bit `i % 64` of word `i / 64`, counted from the least significant bit. Lengths
/// and indices are `u64` on every target. The array can be used as a set of integers: the
/// indices of the set bits.
///
/// ```
/// use bouquet_bits::BitArray;
///
/// let mut bits = BitArray::new(1000)?;
/// assert!(bits.set(42));
/// assert!(!bits.set(42)); // was set already
/// assert!(bits.test(42) && !bits.test(43));
/// assert_eq!(bits.count_ones(), 1);
/// # Ok::<(), bouquet_bits::OutOfMemory>(())
/// ```
// Invariants: there are len / 64 words, rounded up, on which the unsafe code relies; and the
// bits of the last word past `len` are always clear, on which counting, comparing and combining
// whole words rely.
#[derive(Clone, PartialEq, Eq)]
pub struct BitArray {
    pub(crate) memory: Memory,
    pub(crate) len: u64,
}

impl BitArray {
    /// The largest length of an array, in bits: 2^48, that is 32 TiB.
    pub const MAX_LEN: u64 = MAX_BYTES * 8;

    /// Creates an array of `len` bits, all clear. The memory is `len` rounded up to words of 64
    /// bits; on most systems a memory page is occupied only once one of its bits is accessed.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails, or if `len` is above [`MAX_LEN`]; the program
    /// is never aborted. A system that overcommits memory may grant more than it has.
    ///
    /// [`MAX_LEN`]: Self::MAX_LEN
    ///
    /// ```
    /// use bouquet_bits::{BitArray, OutOfMemory};
    ///
    /// let error = BitArray::new(1_000_000_000_000_000).unwrap_err();
    /// assert_eq!(error, OutOfMemory { bytes: 125_000_000_000_000 });
    /// ```
    pub fn new(len: u64) -> Result<Self, OutOfMemory> {
        let memory = Memory::at_any_word(len.div_ceil(64))?;
        Ok(Self { memory, len })
    }

    /// Like [`new`](Self::new), for blocks: an array of at least 64 bytes begins at a cache line.
    /// An allocator can take longer for that.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new).
    pub fn in_lines(len: u64) -> Result<Self, OutOfMemory> {
        let memory = Memory::zeroed(len.div_ceil(64))?;
        Ok(Self { memory, len })
    }

    /// Like [`new`](Self::new), for an array of which only few bits may ever be accessed. Large
    /// arrays made by [`new`](Self::new) use huge pages if the system supports them, and a
    /// whole huge page is occupied as soon as one of its bits is accessed; this array uses
    /// pages of the usual size.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new).
    pub fn sparse(len: u64) -> Result<Self, OutOfMemory> {
        let memory = Memory::sparse(len.div_ceil(64))?;
        Ok(Self { memory, len })
    }

    /// Creates an array of `len` bits from its words, in the layout of [`words`](Self::words).
    /// Takes over the vector without a copy, and reads only its last word.
    ///
    /// # Errors
    ///
    /// [`WordsError`] if the number of words does not match `len`, or if a bit past `len` is
    /// set.
    ///
    /// ```
    /// use bouquet_bits::{BitArray, WordsError};
    ///
    /// let bits = BitArray::from_words(vec![0b101], 3)?;
    /// assert_eq!(bits.iter_ones().collect::<Vec<_>>(), [0, 2]);
    ///
    /// let stray = BitArray::from_words(vec![0b101], 2);
    /// assert_eq!(stray, Err(WordsError::StrayBit { len: 2, bit: 2 }));
    /// # Ok::<(), WordsError>(())
    /// ```
    pub fn from_words(words: Vec<u64>, len: u64) -> Result<Self, WordsError> {
        let expected = len.div_ceil(64);
        let found = words.len() as u64;
        if found != expected {
            return Err(WordsError::Count {
                len,
                expected,
                found,
            });
        }
        if let Some(&last) = words.last() {
            let used = len - 64 * (expected - 1);
            let stray = last & !(u64::MAX >> (64 - used));
            if stray != 0 {
                let bit = 64 * (expected - 1) + u64::from(stray.trailing_zeros());
                return Err(WordsError::StrayBit { len, bit });
            }
        }
        let memory = Memory::from_vec(words);
        Ok(Self { memory, len })
    }

    /// Keeps the first `len` bits; does nothing if the array is not longer than that. The
    /// memory is not freed: this is for callers that learn the length late and have no room for
    /// a second array.
    ///
    /// ```
    /// use bouquet_bits::BitArray;
    ///
    /// let mut bits = BitArray::new(200)?;
    /// assert!(bits.set(7) && bits.set(130));
    /// bits.truncate(100);
    /// assert_eq!((bits.len(), bits.count_ones()), (100, 1));
    /// # Ok::<(), bouquet_bits::OutOfMemory>(())
    /// ```
    pub fn truncate(&mut self, len: u64) {
        if len >= self.len {
            return;
        }
        self.len = len;
        // There are at most as many words as before, so their number fits a `usize`.
        self.memory.truncate(len.div_ceil(64) as usize);
        if let Some(last) = self.memory.words_mut().last_mut()
            && !len.is_multiple_of(64)
        {
            *last &= !(u64::MAX << (len % 64));
        }
    }

    /// An array without bits, which allocates no memory.
    pub(crate) fn empty() -> Self {
        let memory = Memory::from_vec(Vec::new());
        Self { memory, len: 0 }
    }

    /// The same bits, with the length rounded up to whole words.
    pub(crate) fn into_whole_words(self) -> Self {
        let len = self.len.next_multiple_of(64);
        Self { len, ..self }
    }

    /// Returns a copy with `len` bits, which must be at least the current length; the added
    /// bits are clear.
    pub(crate) fn grown(&self, len: u64) -> Result<Self, OutOfMemory> {
        let mut grown = Self::new(len)?;
        let old = self.words();
        grown.memory.words_mut()[..old.len()].copy_from_slice(old);
        Ok(grown)
    }

    /// Returns a copy like [`Clone`], but fails with an error.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails. `clone` ends the process in that case, as all
    /// of `alloc` does (through [`handle_alloc_error`]).
    ///
    /// [`handle_alloc_error`]: alloc::alloc::handle_alloc_error
    pub fn try_clone(&self) -> Result<Self, OutOfMemory> {
        let memory = self.memory.try_clone()?;
        Ok(Self {
            memory,
            len: self.len,
        })
    }

    /// The length: the number of bits, set or clear.
    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether the length is 0 bits. (To check that no bit is set, use
    /// [`first_set`](Self::first_set).)
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Sets bit `i` and returns whether it was clear before.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`len`](Self::len).
    #[inline]
    #[track_caller]
    pub fn set(&mut self, i: u64) -> bool {
        let (word, mask) = self.slot_mut(i);
        let was_clear = *word & mask == 0;
        *word |= mask;
        was_clear
    }

    /// Clears bit `i` and returns whether it was set before.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`len`](Self::len).
    #[inline]
    #[track_caller]
    pub fn clear(&mut self, i: u64) -> bool {
        let (word, mask) = self.slot_mut(i);
        let was_set = *word & mask != 0;
        *word &= !mask;
        was_set
    }

    /// Flips bit `i` and returns whether it is set now.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`len`](Self::len).
    #[inline]
    #[track_caller]
    pub fn flip(&mut self, i: u64) -> bool {
        let (word, mask) = self.slot_mut(i);
        *word ^= mask;
        *word & mask != 0
    }

    /// Returns whether bit `i` is set.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`len`](Self::len).
    #[inline]
    #[track_caller]
    pub fn test(&self, i: u64) -> bool {
        match self.words().get((i / 64) as usize) {
            Some(word) if i < self.len => word & mask(i) != 0,
            _ => out_of_range(i, self.len),
        }
    }

    /// Prefetches the word of bit `i`, for an access some tens of operations later. Does
    /// nothing if `i` is past the end or if the processor has no prefetch instruction.
    #[inline]
    pub fn prefetch(&self, i: u64) {
        prefetch(self.words(), (i / 64) as usize);
    }

    /// Returns whether [`prefetch`](Self::prefetch) is worth its cost: whether the array is
    /// larger than 256 KiB, and so may not be in the processor's inner caches.
    #[inline]
    pub fn prefetch_pays(&self) -> bool {
        pays(size_of_val(self.words()))
    }

    /// Returns the word of bit `i`, and the mask of the bit in it. Both checks share one cold
    /// exit; the second check also catches an index that `as usize` truncates on 32-bit
    /// targets.
    #[inline]
    #[track_caller]
    fn slot_mut(&mut self, i: u64) -> (&mut u64, u64) {
        match self.memory.words_mut().get_mut((i / 64) as usize) {
            Some(word) if i < self.len => (word, mask(i)),
            _ => out_of_range(i, self.len),
        }
    }

    /// Clears all bits in one pass over the words. The memory is not freed.
    pub fn clear_all(&mut self) {
        self.memory.words_mut().fill(0);
    }

    /// The words, starting with bit 0. In the last word, the bits past the length are clear.
    #[inline]
    pub fn words(&self) -> &[u64] {
        self.memory.words()
    }

    /// The words that lie completely within the length, for writing several of their bits at
    /// once: `len / 64` words, starting with bit 0. A last word that the length fills only in
    /// part is left out, so that no bit past the length can be set.
    ///
    /// ```
    /// use bouquet_bits::BitArray;
    ///
    /// let mut bits = BitArray::new(130)?;
    /// assert_eq!(bits.whole_words_mut().len(), 2);
    /// bits.whole_words_mut()[1] |= 0b101;
    /// assert!(bits.test(64) && bits.test(66));
    /// # Ok::<(), bouquet_bits::OutOfMemory>(())
    /// ```
    #[inline]
    pub fn whole_words_mut(&mut self) -> &mut [u64] {
        let whole = (self.len / 64) as usize;
        // SAFETY: the array has len / 64 words, rounded up, by the invariant.
        unsafe { self.memory.words_mut().get_unchecked_mut(..whole) }
    }

    /// Bytes allocated for the bits, without the `BitArray` value itself.
    pub fn memory_bytes(&self) -> usize {
        self.memory.bytes()
    }
}

#[inline]
pub(crate) fn mask(i: u64) -> u64 {
    1 << (i % 64)
}

#[cold]
#[inline(never)]
#[track_caller]
#[expect(clippy::panic, reason = "an index past the end, as of a slice")]
pub(crate) fn out_of_range(i: u64, len: u64) -> ! {
    panic!("bit {i} is out of range: the array has {len} bits");
}

/// Prints the length and the number of set bits, which are counted in one pass, but not the
/// bits.
impl fmt::Debug for BitArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BitArray")
            .field("len", &self.len)
            .field("count_ones", &self.count_ones())
            .finish()
    }
}
