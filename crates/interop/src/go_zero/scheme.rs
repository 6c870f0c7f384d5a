//! From a key to its bits.

use bouquet_core::SpecError;
use bouquet_hash::murmur3::Murmur3;

use crate::scheme::{Array, locate_by_array};

/// Probes a key (k), the same for every filter.
pub const HASHES: u32 = 14;

/// The hash of a key, or rather its state before the byte that tells the 14
/// apart: the key is read once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoZeroHash(Murmur3);

impl GoZeroHash {
    /// The hash of these bytes.
    #[inline]
    pub fn of(key: &[u8]) -> Self {
        Self(Murmur3::of(key, 0))
    }

    /// Hash `i`: the first word of MurmurHash3 of the key followed by the byte
    /// `i`.
    #[inline]
    pub const fn word(&self, i: u8) -> u64 {
        let [word, _] = self.0.finish_with(i);
        word
    }
}

/// Location i is hash i mod m.
///
/// ```
/// use bouquet_interop::go_zero::{GoZeroHash, Scheme};
///
/// let scheme = Scheme::new(1_000)?;
/// let slots: Vec<u64> = scheme.locations(GoZeroHash::of(b"any value")).collect();
/// assert_eq!(slots, [209, 603, 392, 64, 583, 324, 17, 486, 216, 666, 780, 764, 776, 788]);
/// # Ok::<(), bouquet_interop::SpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scheme {
    array: Array,
}

impl Scheme {
    /// m = `size_bits`, at least 1. (A Redis string ends at 2^32 bits.)
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroSizeBits`].
    pub const fn new(size_bits: u64) -> Result<Self, SpecError> {
        match Array::new(size_bits, HASHES, HASHES) {
            Ok(array) => Ok(Self { array }),
            Err(error) => Err(error),
        }
    }

    /// The 14 locations of a hash, in probe order.
    #[inline]
    pub fn locations(self, hash: GoZeroHash) -> impl Iterator<Item = u64> {
        (0..HASHES as u8).map(move |i| self.array.size_bits.rem(hash.word(i)))
    }
}

locate_by_array!(Scheme, GoZeroHash);
