//! The hash of a key.

use bouquet_hash::murmur3::{Murmur3, x64_128};

/// The hash of a key: the two halves of the MurmurHash3 x64 128, seed 0, of the bytes that a funnel
/// produces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GuavaHash {
    /// The first half, h1.
    pub low: u64,
    /// The second half, h2. [`Mitz32`](super::Mitz32) does not use it.
    pub high: u64,
}

impl GuavaHash {
    /// The hash by `byteArrayFunnel`, or by `stringFunnel(UTF_8)` if `key` is the bytes of a text.
    #[inline]
    pub fn of_bytes(key: &[u8]) -> Self {
        Self::from_words(x64_128(key, 0))
    }

    /// The hash by `unencodedCharsFunnel`, from the UTF-16 code units of the text.
    ///
    /// ```
    /// use bouquet_interop::guava::GuavaHash;
    ///
    /// let text = GuavaHash::of_chars("rose".encode_utf16());
    /// assert_eq!(text, GuavaHash::of_bytes(b"r\0o\0s\0e\0"));
    /// ```
    pub fn of_chars(units: impl IntoIterator<Item = u16>) -> Self {
        let mut state = Murmur3::new(0);
        for unit in units {
            state.write(&unit.to_le_bytes());
        }
        Self::from_words(state.finish())
    }

    /// The hash by `longFunnel`.
    #[inline]
    pub fn of_long(key: i64) -> Self {
        Self::of_bytes(&key.to_le_bytes())
    }

    /// The hash by `integerFunnel`.
    #[inline]
    pub fn of_integer(key: i32) -> Self {
        Self::of_bytes(&key.to_le_bytes())
    }

    const fn from_words([low, high]: [u64; 2]) -> Self {
        Self { low, high }
    }
}
