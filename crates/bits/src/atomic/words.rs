//! Atomic bits from the words that hold them.

use alloc::vec::Vec;

use super::{AtomicBitArray, word::AtomicU64};
use crate::{WordsError, words::check_words};

impl AtomicBitArray {
    /// An array of `len` bits from its words, as [`words`](Self::words) gives
    /// them. Takes the vector over: on most targets without a copy.
    ///
    /// # Errors
    ///
    /// As [`BitArray::from_words`](crate::BitArray::from_words).
    ///
    /// ```
    /// use bouquet_bits::AtomicBitArray;
    ///
    /// let bits = AtomicBitArray::from_vec(vec![0b101], 3)?;
    /// assert!(bits.test(0) && !bits.test(1) && bits.test(2));
    /// assert!(AtomicBitArray::from_vec(vec![0b101], 2).is_err());
    /// # Ok::<(), bouquet_bits::WordsError>(())
    /// ```
    pub fn from_vec(words: Vec<u64>, len: u64) -> Result<Self, WordsError> {
        check_words(&words, len)?;
        let words = words.into_iter().map(AtomicU64::new).collect();
        Ok(Self { words, len })
    }
}
