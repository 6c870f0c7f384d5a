//! Counters from the words that hold them.

use alloc::vec::Vec;

use super::{CounterArray, CounterBits};
use crate::{WordsError, memory::Memory, words::check_words};

impl CounterArray {
    /// An array of `len` counters from its words, as [`words`](Self::words) gives
    /// them. Takes the vector over without a copy; reads only its last word.
    ///
    /// # Errors
    ///
    /// [`WordsError`], which counts bits, if the words are more or fewer than the
    /// counters take, or if a bit past the last counter is set.
    ///
    /// ```
    /// use bouquet_bits::{CounterArray, CounterBits};
    ///
    /// let counters = CounterArray::from_words(vec![0x0320], 3, CounterBits::Four)?;
    /// assert_eq!([0, 1, 2].map(|i| counters.get(i)), [0, 2, 3]);
    /// assert!(CounterArray::from_words(vec![0x0320], 2, CounterBits::Four).is_err());
    /// # Ok::<(), bouquet_bits::WordsError>(())
    /// ```
    pub fn from_words(words: Vec<u64>, len: u64, width: CounterBits) -> Result<Self, WordsError> {
        check_words(&words, len.saturating_mul(width.bits().into()))?;
        let memory = Memory::from_vec(words);
        Ok(Self { memory, len, width })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn words_make_the_counters_they_came_from() {
        for width in [CounterBits::Four, CounterBits::Eight] {
            for len in [0, 1, 7, 8, 9, 15, 16, 17, 100] {
                let mut counters = CounterArray::new(len, width).unwrap();
                (0..len).for_each(|i| {
                    (0..i % 20).for_each(|_| {
                        counters.increment(i);
                    })
                });
                let words = counters.words().to_vec();
                let again = CounterArray::from_words(words.clone(), len, width);
                assert_eq!(again.as_ref(), Ok(&counters), "{len}");
                let mut more = words.clone();
                more.push(0);
                assert!(CounterArray::from_words(more, len, width).is_err());
                let mut stray = words;
                if let Some(last) = stray.last_mut().filter(|word| **word >> 63 == 0) {
                    *last |= 1 << 63;
                    let past = len * u64::from(width.bits()) % 64 != 0;
                    let taken = CounterArray::from_words(stray, len, width);
                    assert_eq!(taken.is_err(), past, "{len}");
                }
            }
        }
        let most = CounterArray::from_words(vec![], u64::MAX, CounterBits::Eight);
        assert!(most.is_err());
    }
}
