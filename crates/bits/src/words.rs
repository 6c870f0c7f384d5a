//! Writes arrays word by word, for example while their words are read from a file.

use crate::{BitArray, CounterArray};

impl BitArray {
    /// Writes word `i`, in the layout of [`words`](Self::words). Bits past the length are
    /// dropped.
    ///
    /// # Panics
    ///
    /// If there is no word `i`.
    ///
    /// ```
    /// use bouquet_bits::BitArray;
    ///
    /// let mut bits = BitArray::new(3)?;
    /// bits.set_word(0, 0b1101);
    /// assert_eq!(bits.words(), [0b101]);
    /// # Ok::<(), bouquet_bits::OutOfMemory>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn set_word(&mut self, i: usize, word: u64) {
        let within = within(self.len(), i);
        self.memory.words_mut()[i] = word & within;
    }
}

impl CounterArray {
    /// Writes word `i`, in the layout of [`words`](Self::words). Bits past the last counter are
    /// dropped.
    ///
    /// # Panics
    ///
    /// If there is no word `i`.
    ///
    /// ```
    /// use bouquet_bits::{CounterArray, CounterBits};
    ///
    /// let mut counters = CounterArray::new(3, CounterBits::Four)?;
    /// counters.set_word(0, 0x4321);
    /// assert_eq!([0, 1, 2].map(|i| counters.get(i)), [1, 2, 3]);
    /// assert_eq!(counters.words(), [0x321]);
    /// # Ok::<(), bouquet_bits::OutOfMemory>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn set_word(&mut self, i: usize, word: u64) {
        let within = within(self.len() * u64::from(self.width().bits()), i);
        self.memory.words_mut()[i] = word & within;
    }
}

#[cfg(target_has_atomic = "64")]
impl crate::AtomicBitArray {
    /// Writes word `i`, in the layout of [`words`](Self::words). Bits past the length are
    /// dropped.
    ///
    /// # Panics
    ///
    /// If there is no word `i`.
    ///
    /// ```
    /// use bouquet_bits::AtomicBitArray;
    ///
    /// let mut bits = AtomicBitArray::new(3)?;
    /// bits.set_word(0, 0b1101);
    /// assert_eq!(bits.words().collect::<Vec<_>>(), [0b101]);
    /// # Ok::<(), bouquet_bits::OutOfMemory>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn set_word(&mut self, i: usize, word: u64) {
        let within = within(self.len(), i);
        self.memory.words()[i].store(word & within, crate::atomic::Relaxed);
    }
}

/// A mask of the bits of word `i` that are below `len`.
#[inline]
const fn within(len: u64, i: usize) -> u64 {
    match len.saturating_sub(64 * i as u64) {
        used @ 0..64 => !(u64::MAX << used),
        _ => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AtomicBitArray, CounterBits};

    #[test]
    fn words_written_are_the_words_read() {
        for len in [1, 63, 64, 65, 127, 128, 129, 1_000] {
            let mut source = BitArray::new(len).unwrap();
            (0..len).step_by(3).for_each(|i| {
                source.set(i);
            });
            let (mut bits, mut atomic) = (
                BitArray::new(len).unwrap(),
                AtomicBitArray::new(len).unwrap(),
            );
            for (i, word) in source.words().iter().enumerate() {
                // Bits past the length must be dropped.
                let stray = !within(len, i);
                bits.set_word(i, word | stray);
                atomic.set_word(i, word | stray);
            }
            assert_eq!(bits, source);
            assert_eq!(atomic.to_bits(), Ok(source));
        }
    }

    #[test]
    fn counters_written_are_the_counters_read() {
        for width in [CounterBits::Four, CounterBits::Eight] {
            for len in [1, 7, 8, 9, 15, 16, 17, 100] {
                let mut source = CounterArray::new(len, width).unwrap();
                (0..len).for_each(|i| {
                    (0..i % 20).for_each(|_| {
                        source.increment(i);
                    });
                });
                let mut counters = CounterArray::new(len, width).unwrap();
                for (i, word) in source.words().iter().enumerate() {
                    let stray = !within(len * u64::from(width.bits()), i);
                    counters.set_word(i, word | stray);
                }
                assert_eq!(counters, source);
            }
        }
    }
}
