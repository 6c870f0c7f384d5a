//! The array: construction, single bits, comparison.

use alloc::vec::Vec;
use core::fmt;

use crate::{
    OutOfMemory, WordsError,
    memory::{MAX_BYTES, Memory},
    prefetch::{pays, prefetch},
};

/// A fixed number of bits, numbered from 0, all clear at first.
///
/// Bit `i` is bit `i % 64`, counted from the least significant, of word
/// `i / 64`. Lengths and indices are `u64` on every target. As a set it holds
/// the integers whose bits are set.
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
// The bits of the last word past `len` are clear at all times: counting,
// comparing and combining whole words rest on it.
#[derive(Clone, PartialEq, Eq)]
pub struct BitArray {
    pub(crate) memory: Memory,
    pub(crate) len: u64,
}

impl BitArray {
    /// The most bits an array can have: 2^48, that is 32 TiB.
    pub const MAX_LEN: u64 = MAX_BYTES * 8;

    /// `len` bits, all clear. The memory is `len` rounded up to words of 64
    /// bits; on most systems a page of it is taken only once a bit in it is
    /// touched.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails, or past [`MAX_LEN`]; never an
    /// abort. A system that overcommits may grant more than it has.
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
        let memory = Memory::zeroed(len.div_ceil(64))?;
        Ok(Self { memory, len })
    }

    /// The same where few of the bits may ever be touched, however many there are. Large arrays of
    /// [`new`](Self::new) are in huge pages where the system has any, each taken with the first
    /// bit in it that is touched; this one is in pages of the usual size.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn sparse(len: u64) -> Result<Self, OutOfMemory> {
        let memory = Memory::sparse(len.div_ceil(64))?;
        Ok(Self { memory, len })
    }

    /// An array of `len` bits from its words, as [`words`](Self::words) gives
    /// them. Takes the vector over without a copy; reads only its last word.
    ///
    /// # Errors
    ///
    /// [`WordsError`] if the words are more or fewer than `len` takes, or if a
    /// bit past `len` is set.
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

    /// Keeps the first `len` bits; does nothing if there are no more. The memory
    /// stays, for callers that learn the length late and have no room for a second array.
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
        // Not more words than there were, so their number fits a `usize`.
        self.memory.truncate(len.div_ceil(64) as usize);
        if let Some(last) = self.memory.words_mut().last_mut()
            && !len.is_multiple_of(64)
        {
            *last &= !(u64::MAX << (len % 64));
        }
    }

    /// No bits, and no memory.
    pub(crate) fn empty() -> Self {
        let memory = Memory::from_vec(Vec::new());
        Self { memory, len: 0 }
    }

    /// The same bits and room for as many as fill the last word.
    pub(crate) fn into_whole_words(self) -> Self {
        let len = self.len.next_multiple_of(64);
        Self { len, ..self }
    }

    /// A copy of `len` bits, not fewer than here; the new ones are clear.
    pub(crate) fn grown(&self, len: u64) -> Result<Self, OutOfMemory> {
        let mut grown = Self::new(len)?;
        let old = self.words();
        grown.memory.words_mut()[..old.len()].copy_from_slice(old);
        Ok(grown)
    }

    /// A copy, as [`Clone`] gives it, but fallible.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the allocation fails. `clone` ends the process then,
    /// like all of `alloc` (through [`handle_alloc_error`]).
    ///
    /// [`handle_alloc_error`]: alloc::alloc::handle_alloc_error
    pub fn try_clone(&self) -> Result<Self, OutOfMemory> {
        let memory = self.memory.try_clone()?;
        Ok(Self {
            memory,
            len: self.len,
        })
    }

    /// Bits, set or clear.
    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether the length is 0 bits. (For no bit set, see
    /// [`first_set`](Self::first_set).)
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Sets bit `i`; true if it was clear before.
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

    /// Clears bit `i`; true if it was set before.
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

    /// Flips bit `i`; true if it is set now.
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

    /// Whether bit `i` is set.
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

    /// Prefetches the word of bit `i`, for a use some tens of
    /// operations from now. Does nothing past the end, or where the processor
    /// has no such hint.
    #[inline]
    pub fn prefetch(&self, i: u64) {
        prefetch(self.words(), (i / 64) as usize);
    }

    /// Whether [`prefetch`](Self::prefetch) is worth it: the array is larger than
    /// 256 KiB, and so may not be in the processor's nearer caches.
    #[inline]
    pub fn prefetch_pays(&self) -> bool {
        pays(size_of_val(self.words()))
    }

    /// The word of bit `i`, and the mask of the bit in it. Both checks share
    /// one cold exit; the second also catches an index cut off by `as usize`
    /// on 32-bit targets.
    #[inline]
    #[track_caller]
    fn slot_mut(&mut self, i: u64) -> (&mut u64, u64) {
        match self.memory.words_mut().get_mut((i / 64) as usize) {
            Some(word) if i < self.len => (word, mask(i)),
            _ => out_of_range(i, self.len),
        }
    }

    /// Clears all bits: one pass over the words. The memory stays.
    pub fn clear_all(&mut self) {
        self.memory.words_mut().fill(0);
    }

    /// The words, bit 0 first. The bits of the last one past the length are
    /// clear.
    #[inline]
    pub fn words(&self) -> &[u64] {
        self.memory.words()
    }

    /// The words that are all within the length, for writing several bits of
    /// them at once: `len / 64` words, bit 0 first. A last word that the length
    /// fills in part is left out, so that no bit past the length can be set.
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
        &mut self.memory.words_mut()[..whole]
    }

    /// Bytes allocated for the bits; without the value itself.
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

/// The length and how many bits are set, not the bits, which it counts in one pass.
impl fmt::Debug for BitArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BitArray")
            .field("len", &self.len)
            .field("count_ones", &self.count_ones())
            .finish()
    }
}
