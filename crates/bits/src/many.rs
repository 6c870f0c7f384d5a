//! The bits of one key at once. The words are looked up once for all of them,
//! and no bit decides whether the next is looked at.

#[cfg(target_has_atomic = "64")]
use crate::{AtomicBitArray, atomic::Relaxed, prefetch::prefetch};
use crate::{
    BitArray,
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
    #[inline]
    #[track_caller]
    pub fn set_all(&mut self, bits: impl IntoIterator<Item = u64>) -> bool {
        let words = self.memory.words_mut();
        let changed = bits.into_iter().fold(0, |changed, i| {
            let word = &mut words[word_of(i)];
            let was = *word;
            *word |= mask(i);
            changed | (was ^ *word)
        });
        // One check a call, not one a bit: an array of whole words has no bits
        // past its length that an index in range could hit.
        if !self.len.is_multiple_of(64) {
            self.refuse_stray();
        }
        changed != 0
    }

    /// Whether all these bits are set; true of none. Looks at every one, without
    /// a branch on what it finds: faster than stopping at the first clear bit as
    /// long as the memory is near.
    ///
    /// # Panics
    ///
    /// If one is past the last word. (Between the length and the end of that
    /// word all bits are clear, so the answer is `false`.)
    #[inline]
    #[track_caller]
    pub fn test_all(&self, bits: impl IntoIterator<Item = u64>) -> bool {
        let words = self.words();
        let all = bits
            .into_iter()
            .fold(1, |all, i| all & (words[word_of(i)] >> (i % 64)));
        all != 0
    }

    /// Clears the bits past the length, and panics if there were any.
    #[track_caller]
    pub(crate) fn refuse_stray(&mut self) {
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

/// Bits that are looked at before any is written: all of most filters' keys.
#[cfg(target_has_atomic = "64")]
const GROUP: usize = 16;

#[cfg(target_has_atomic = "64")]
impl AtomicBitArray {
    /// Sets these bits; true if this call has set one of them.
    ///
    /// Looks at several before it writes: bits that are set cost no write, so that
    /// threads can share their cache lines. Nothing is read while the processor
    /// writes for all threads to see, so lines that are far are better waited for
    /// all at once, and a branch on each bit would be guessed wrong too often. Lines
    /// that are far are asked for ahead, so that those of the next key come while this
    /// one is written: loads wait for the writes before them, hints do not.
    ///
    /// # Panics
    ///
    /// If one is not below [`len`](Self::len); some of the others may be set
    /// then.
    #[inline]
    #[track_caller]
    pub fn set_all(&self, bits: impl IntoIterator<Item = u64>) -> bool {
        let words = self.atomic_words();
        let mut bits = bits.into_iter();
        let mut new = false;
        let is_far = self.prefetch_pays();
        loop {
            let (mut group, mut taken) = ([0; GROUP], 0);
            for (to, i) in group.iter_mut().zip(bits.by_ref()) {
                *to = i;
                taken += 1;
                if is_far {
                    prefetch(words, word_of(i));
                }
            }
            let group = &group[..taken];
            let all = group.iter().fold(1, |all, i| {
                all & (words[word_of(*i)].load(Relaxed) >> (i % 64))
            });
            if all == 0 {
                for i in group {
                    new |= self.add(*i);
                }
            }
            if taken < GROUP {
                return new;
            }
        }
    }

    /// Whether all these bits are set; true of none. Looks at every one, without
    /// a branch on what it finds.
    ///
    /// # Panics
    ///
    /// If one is past the last word; see [`BitArray::test_all`].
    #[inline]
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
