//! The bits of one key at once. The words are looked up once for all of them,
//! and no bit decides whether the next is tested.

#[cfg(target_has_atomic = "64")]
use crate::{
    AtomicBitArray,
    atomic::{Relaxed, add},
};
use crate::{
    BitArray, Words,
    array::{mask, out_of_range},
};

impl BitArray {
    /// Sets these bits; true if one of them was clear before.
    ///
    /// # Panics
    ///
    /// If one is not below [`len`](Self::len); some of the others may be set
    /// then.
    ///
    /// ```
    /// use bouquet_bits::BitArray;
    ///
    /// let mut bits = BitArray::new(1000)?;
    /// assert!(bits.set_all([7, 42, 7]));
    /// assert!(!bits.set_all([42, 7]));
    /// assert!(bits.test_all([7, 42]) && !bits.test_all([7, 43]));
    /// # Ok::<(), bouquet_bits::OutOfMemory>(())
    /// ```
    // Called, what computes the bits goes through memory and all registers are saved: an insert
    // of seven probes then takes a fifth longer, the batch that counts half as long again.
    #[inline(always)]
    #[track_caller]
    pub fn set_all(&mut self, bits: impl IntoIterator<Item = u64>) -> bool {
        let words = self.memory.words_mut();
        let changed = bits.into_iter().fold(0, |changed, i| {
            let word = &mut words[word_of(i)];
            let was = *word;
            *word |= mask(i);
            changed | (was ^ *word)
        });
        // One check per call, not per bit: an array of whole words has no bits
        // past its length that an index in range could hit.
        if !self.len.is_multiple_of(64) {
            self.reject_stray();
        }
        changed != 0
    }

    /// Whether all these bits are set; true of no bits. Tests every one, without
    /// a branch on the result: faster than stopping at the first clear bit as
    /// long as the memory is in cache.
    ///
    /// # Panics
    ///
    /// If one is past the last word. (Between the length and the end of that
    /// word all bits are clear, so the answer is `false`.)
    #[inline(always)]
    #[track_caller]
    pub fn test_all(&self, bits: impl IntoIterator<Item = u64>) -> bool {
        self.words().test_all(bits)
    }

    /// Clears the bits past the length, and panics if there were any.
    #[track_caller]
    pub(crate) fn reject_stray(&mut self) {
        let len = self.len;
        if let Some(last) = self.memory.words_mut().last_mut() {
            let stray = *last & (u64::MAX << (len % 64));
            *last ^= stray;
            if stray != 0 {
                out_of_range(len / 64 * 64 + u64::from(stray.trailing_zeros()), len);
            }
        }
    }
}

#[cfg(target_has_atomic = "64")]
impl AtomicBitArray {
    /// Sets these bits; true if this call has set one of them.
    ///
    /// One atomic write for each, whether or not it is set: a test first would wait for
    /// the writes of the key before. So where most keys are present already, and threads are
    /// many, call [`test_all`](Self::test_all) before. Lines that may be out of cache are all
    /// prefetched before the first write, which waits for its own.
    ///
    /// # Panics
    ///
    /// If one is not below [`len`](Self::len); some of the others may be set
    /// then.
    #[inline(always)]
    #[track_caller]
    pub fn set_all(&self, bits: impl IntoIterator<Item = u64, IntoIter: Clone>) -> bool {
        let bits = bits.into_iter();
        if self.prefetch_pays() {
            self.prefetch_to_set(bits.clone());
        }
        // Read once: what is read from `self` after an atomic write waits for it.
        let (words, len) = (self.atomic_words(), self.len());
        let mut new = false;
        // Not a fold, which takes two bits a round: compilers then make a loop of
        // compare-and-swap of every other write, where one locked instruction does.
        for i in bits {
            new |= add(words, len, i);
        }
        new
    }

    /// Whether all these bits are set; true of no bits. Tests every one, without
    /// a branch on the result.
    ///
    /// # Panics
    ///
    /// If one is past the last word; see [`BitArray::test_all`].
    #[inline(always)]
    #[track_caller]
    pub fn test_all(&self, bits: impl IntoIterator<Item = u64>) -> bool {
        let words = self.atomic_words();
        let all = bits.into_iter().fold(1, |all, i| {
            all & (words[word_of(i)].load(Relaxed) >> (i % 64))
        });
        all != 0
    }
}

/// The word of a bit; on 32-bit targets one past all others for a bit whose
/// word has no number there.
#[inline]
pub(crate) fn word_of(i: u64) -> usize {
    usize::try_from(i / 64).unwrap_or(usize::MAX)
}
