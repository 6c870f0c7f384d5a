//! Read access to words, either an array's own or those in the bytes of a file, and to the bits
//! and counters in them.

use crate::{
    CounterBits,
    many::word_of,
    prefetch::{pays, prefetch},
};

/// Read-only 64-bit words: either `[u64]`, or `[[u8; 8]]`, the words as they are in a file,
/// little-endian and at any address.
///
/// In both, an access is one load, of a word or of a byte. So a filter over borrowed bytes runs
/// the same code as one that owns its words, about as fast.
///
/// ```
/// use bouquet_bits::{BitArray, Words};
///
/// let mut bits = BitArray::new(1000)?;
/// bits.set_all([7, 942]);
/// let bytes: Vec<u8> = bits.words().iter().flat_map(|word| word.to_le_bytes()).collect();
/// let (words, _) = bytes.as_chunks();
/// assert!(words.test_all([7, 942]) && !words.test_all([7, 943]));
/// # Ok::<(), bouquet_bits::OutOfMemory>(())
/// ```
pub trait Words {
    /// The value of word `i`.
    ///
    /// # Panics
    ///
    /// If `i` is past the end.
    fn word(&self, i: usize) -> u64;

    /// Prefetches word `i`, as [`BitArray::prefetch`](crate::BitArray::prefetch)
    /// does.
    fn prefetch_word(&self, i: usize);

    /// Returns whether [`prefetch_word`](Self::prefetch_word) is worth its cost: whether the
    /// words are larger than 256 KiB, and so may not be in the processor's inner caches.
    fn prefetch_pays(&self) -> bool;

    /// Returns whether blocks of eight words do not begin at cache lines of the processor, so
    /// that each block lies in two cache lines.
    fn splits_lines(&self) -> bool;

    /// Prefetches the word that contains `bit`.
    #[inline]
    fn prefetch_bit(&self, bit: u64) {
        self.prefetch_word(word_of(bit));
    }

    /// Returns word `i` shifted right so that bit `bit` is the lowest. Implementations may
    /// return only the bits up to the end of that bit's byte.
    ///
    /// # Panics
    ///
    /// If the word is past the end.
    #[inline(always)]
    #[track_caller]
    fn bits_from(&self, i: usize, bit: u32) -> u64 {
        self.word(i) >> bit
    }

    /// Returns whether all these bits are set; see
    /// [`BitArray::test_all`](crate::BitArray::test_all).
    ///
    /// # Panics
    ///
    /// If a bit is past the last word.
    // Always inlined: as a function call, the iterator's state would go through memory, which
    // takes two fifths longer while the words are in cache.
    #[inline(always)]
    #[track_caller]
    fn test_all(&self, bits: impl IntoIterator<Item = u64>) -> bool {
        let all = bits.into_iter().fold(1, |all, i| {
            all & self.bits_from(word_of(i), (i % 64) as u32)
        });
        all != 0
    }

    /// Clears the lowest bit of `hits[j]` if bit `row[j]` is clear; see
    /// [`BitArray::test_row`](crate::BitArray::test_row).
    ///
    /// # Panics
    ///
    /// If a bit is past the last word.
    #[inline]
    #[track_caller]
    fn test_row<const N: usize>(&self, row: &[u32; N], hits: &mut [u64; N]) {
        for (i, hit) in row.iter().zip(hits) {
            *hit &= self.bits_from(word_of((*i).into()), i % 64);
        }
    }
}

impl Words for [u64] {
    #[inline(always)]
    #[track_caller]
    fn word(&self, i: usize) -> u64 {
        self[i]
    }

    #[inline(always)]
    fn prefetch_word(&self, i: usize) {
        prefetch(self, i);
    }

    #[inline]
    fn prefetch_pays(&self) -> bool {
        pays(size_of_val(self))
    }

    /// Arrays of at least one cache line begin at a cache line.
    #[inline(always)]
    fn splits_lines(&self) -> bool {
        false
    }
}

impl Words for [[u8; 8]] {
    #[inline(always)]
    #[track_caller]
    fn word(&self, i: usize) -> u64 {
        u64::from_le_bytes(self[i])
    }

    #[inline(always)]
    fn prefetch_word(&self, i: usize) {
        prefetch(self, i);
    }

    /// Prefetches the line of the byte that contains the bit: a word may lie in two lines.
    #[inline(always)]
    fn prefetch_bit(&self, bit: u64) {
        prefetch(
            self.as_flattened(),
            usize::try_from(bit / 8).unwrap_or(usize::MAX),
        );
    }

    /// Reads only the bit's own byte, which is in the line that was prefetched.
    #[inline(always)]
    #[track_caller]
    fn bits_from(&self, i: usize, bit: u32) -> u64 {
        u64::from(self[i][bit as usize / 8 % 8]) >> (bit % 8)
    }

    /// Reads whole words: rows are used while memory is in cache, where reading across two
    /// lines costs less than extracting the byte of each bit.
    #[inline]
    #[track_caller]
    fn test_row<const N: usize>(&self, row: &[u32; N], hits: &mut [u64; N]) {
        for (i, hit) in row.iter().zip(hits) {
            *hit &= self.word(word_of((*i).into())) >> (i % 64);
        }
    }

    #[inline]
    fn prefetch_pays(&self) -> bool {
        pays(size_of_val(self))
    }

    #[inline(always)]
    fn splits_lines(&self) -> bool {
        !self.as_ptr().addr().is_multiple_of(64)
    }
}

/// Read access to counters, in words that have the layout of a
/// [`CounterArray`](crate::CounterArray).
#[derive(Debug)]
pub struct Counters<'a, W: ?Sized> {
    words: &'a W,
    width: CounterBits,
}

impl<W: ?Sized> Clone for Counters<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: ?Sized> Copy for Counters<'_, W> {}

impl<'a, W: Words + ?Sized> Counters<'a, W> {
    /// Reads `words` as counters of this width.
    #[inline]
    pub const fn new(words: &'a W, width: CounterBits) -> Self {
        Self { words, width }
    }

    /// The value of counter `i`.
    ///
    /// # Panics
    ///
    /// If `i` is past the last word.
    #[inline]
    #[track_caller]
    pub fn get(&self, i: u64) -> u8 {
        let (word, shift) = self.width.place(i);
        self.words.bits_from(word, shift) as u8 & self.width.max()
    }

    /// Prefetches counter `i`.
    #[inline]
    pub fn prefetch(&self, i: u64) {
        self.words.prefetch_bit(i << self.width as u32);
    }

    /// Returns whether [`prefetch`](Self::prefetch) is worth its cost; see
    /// [`Words::prefetch_pays`].
    #[inline]
    pub fn prefetch_pays(&self) -> bool {
        self.words.prefetch_pays()
    }

    /// Clears the lowest bit of `hits[j]` if counter `row[j]` is zero; see
    /// [`BitArray::test_row`](crate::BitArray::test_row).
    ///
    /// # Panics
    ///
    /// If a counter is past the last word.
    #[inline]
    #[track_caller]
    pub fn test_row<const N: usize>(&self, row: &[u32; N], hits: &mut [u64; N]) {
        let max = u64::from(self.width.max());
        for (i, hit) in row.iter().zip(hits) {
            let (word, shift) = self.width.place((*i).into());
            *hit &= u64::from(self.words.bits_from(word, shift) & max != 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::{BitArray, CounterArray};

    /// The words as stored in a file, at an odd address.
    fn stored(words: &[u64]) -> Vec<u8> {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        core::iter::once(0xff).chain(bytes).collect()
    }

    #[test]
    fn bits_of_a_file_are_those_of_the_array() {
        let mut bits = BitArray::new(1_000).unwrap();
        bits.set_all((0..1_000).filter(|i| i % 3 == 0 || i % 7 == 1));
        let bytes = stored(bits.words());
        let (words, _) = bytes[1..].as_chunks();
        for i in 0..1_000 {
            assert_eq!(words.test_all([i, 0]), bits.test(i), "{i}");
        }
        let row: [u32; 1_000] = core::array::from_fn(|i| i as u32);
        let (mut own, mut read) = ([1; 1_000], [1; 1_000]);
        bits.test_row(&row, &mut own);
        words.test_row(&row, &mut read);
        assert_eq!(own, read);
    }

    #[test]
    fn counters_of_a_file_are_those_of_the_array() {
        for width in [CounterBits::Four, CounterBits::Eight] {
            let mut counters = CounterArray::new(100, width).unwrap();
            (0..100).for_each(|i| (0..i % 20).for_each(|_| _ = counters.increment(i)));
            let bytes = stored(counters.words());
            let (words, _) = bytes[1..].as_chunks();
            let read = Counters::new(words, width);
            assert!((0..100).all(|i| read.get(i) == counters.get(i)));
            let row: [u32; 100] = core::array::from_fn(|i| i as u32);
            let mut hits = [1; 100];
            read.test_row(&row, &mut hits);
            assert!((0..100).all(|i| hits[i] & 1 == u64::from(counters.get(i as u64) > 0)));
        }
    }
}
