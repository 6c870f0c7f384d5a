//! Operations on all bits of one key at once. The words of the array are looked up once for all
//! bits, and there is no branch on the value of a bit.

#[cfg(target_has_atomic = "64")]
use crate::{AtomicBitArray, atomic::Relaxed};
use crate::{
    BitArray, Words,
    array::{mask, out_of_range},
};

impl BitArray {
    /// Sets all these bits; returns true if at least one of them was clear before.
    ///
    /// # Panics
    ///
    /// If a bit is not below [`len`](Self::len); some of the others may be set then.
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
    // Always inlined: as a function call, the iterator's state would go through memory and all
    // registers would be saved. An insert of seven probes then takes a fifth longer, the batch
    // that counts new keys half as long again.
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
        // The range is checked once per call, not per bit. If the length is a whole number of
        // words, no index below the number of words can hit a bit past the length.
        if !self.len.is_multiple_of(64) {
            self.reject_stray();
        }
        changed != 0
    }

    /// Returns whether all these bits are set; true if `bits` is empty. Tests every bit without
    /// a branch on the result: while the memory is in cache, that is faster than stopping at
    /// the first clear bit.
    ///
    /// # Panics
    ///
    /// If a bit is past the last word. (Between the length and the end of the last word all
    /// bits are clear, so the answer is `false`.)
    #[inline(always)]
    #[track_caller]
    pub fn test_all(&self, bits: impl IntoIterator<Item = u64>) -> bool {
        self.words().test_all(bits)
    }

    /// Clears the bits past the length, and panics if one was set.
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
    /// Returns whether all these bits are set; true if `bits` is empty. Tests every bit without
    /// a branch on the result.
    ///
    /// # Panics
    ///
    /// If a bit is past the last word; see [`BitArray::test_all`].
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

/// The index of the word of bit `i`; on 32-bit targets `usize::MAX`, which is past every array,
/// if the index does not fit.
#[inline]
pub(crate) fn word_of(i: u64) -> usize {
    usize::try_from(i / 64).unwrap_or(usize::MAX)
}
