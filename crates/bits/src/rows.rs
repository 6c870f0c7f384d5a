//! Operations on rows: a row is one bit of each of many keys. When keys are queried row by row,
//! no key waits for another, and the result of each key is kept in a word of its own, without a
//! branch. This is faster than key by key while the memory is in cache.

#[cfg(target_has_atomic = "64")]
use crate::{AtomicBitArray, atomic::Relaxed};
use crate::{BitArray, CounterArray, Words, array::mask, many::word_of};

impl BitArray {
    /// Clears the lowest bit of `hits[j]` if bit `row[j]` is clear. The other bits of `hits[j]`
    /// are unspecified.
    ///
    /// To query many keys, fill `hits` with ones and call this with one row per probe: the
    /// lowest bit of `hits[j]` then states whether all bits of key j are set.
    ///
    /// # Panics
    ///
    /// If a bit is past the last word. (Between the length and the end of that
    /// word all bits are clear.)
    ///
    /// ```
    /// use bouquet_bits::BitArray;
    ///
    /// let mut bits = BitArray::new(1_000)?;
    /// bits.set_row(&[7, 42, 99]);
    /// let mut hits = [1; 3];
    /// bits.test_row(&[7, 7, 7], &mut hits);
    /// bits.test_row(&[42, 43, 99], &mut hits);
    /// assert_eq!(hits.map(|hit| hit & 1), [1, 0, 1]);
    /// # Ok::<(), bouquet_bits::OutOfMemory>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn test_row<const N: usize>(&self, row: &[u32; N], hits: &mut [u64; N]) {
        self.words().test_row(row, hits);
    }

    /// Sets the bits of the row.
    ///
    /// # Panics
    ///
    /// If a bit is not below [`len`](Self::len); some of the others may be set then.
    #[inline]
    #[track_caller]
    pub fn set_row<const N: usize>(&mut self, row: &[u32; N]) {
        let words = self.memory.words_mut();
        for i in row {
            words[word_of((*i).into())] |= mask((*i).into());
        }
        if !self.len.is_multiple_of(64) {
            self.reject_stray();
        }
    }
}

#[cfg(target_has_atomic = "64")]
impl AtomicBitArray {
    /// Does the same as [`BitArray::test_row`].
    ///
    /// # Panics
    ///
    /// If a bit is past the last word.
    #[inline]
    #[track_caller]
    pub fn test_row<const N: usize>(&self, row: &[u32; N], hits: &mut [u64; N]) {
        let words = self.atomic_words();
        for (i, hit) in row.iter().zip(hits) {
            *hit &= words[word_of((*i).into())].load(Relaxed) >> (i % 64);
        }
    }
}

impl CounterArray {
    /// Clears the lowest bit of `hits[j]` if counter `row[j]` is zero; see
    /// [`BitArray::test_row`].
    ///
    /// # Panics
    ///
    /// If a counter is past the last word. (Between the length and the end of
    /// that word all counters are zero.)
    #[inline]
    #[track_caller]
    pub fn test_row<const N: usize>(&self, row: &[u32; N], hits: &mut [u64; N]) {
        self.reading().test_row(row, hits);
    }
}
