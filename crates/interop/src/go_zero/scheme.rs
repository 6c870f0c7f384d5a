//! The hash of a key and the slots that it probes.

use bouquet_core::{SpecError, math::min_bits_exact};
use bouquet_hash::murmur3::Murmur3;

use super::sizing;
use crate::scheme::{Array, locate_by_array};

/// Probes per key (k), the same for every filter.
pub const HASHES: u32 = 14;

/// The hash of a key: the state of MurmurHash3 after the key, before the byte that distinguishes
/// the 14 probes. So the key is read only once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoZeroHash(Murmur3);

impl GoZeroHash {
    /// The hash of these bytes.
    #[inline]
    pub fn of(key: &[u8]) -> Self {
        Self(Murmur3::of(key, 0))
    }

    /// Hash `i`: the first word of the MurmurHash3 of the key followed by the byte `i`.
    #[inline]
    pub const fn word(&self, i: u8) -> u64 {
        let [word, _] = self.0.finish_with(i);
        word
    }
}

/// The slots of a key: location i is hash i mod m.
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
    /// m = `size_bits`, at least 1. (A Redis string has at most 2^32 bits.)
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroSizeBits`].
    pub const fn new(size_bits: u64) -> Result<Self, SpecError> {
        Self::with_hashes(size_bits, HASHES)
    }

    /// The same scheme with `hashes` probes (1 to 256) instead of 14. go-zero itself always uses
    /// 14.
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroSizeBits`], [`SpecError::HashesOutOfRange`].
    pub const fn with_hashes(size_bits: u64, hashes: u32) -> Result<Self, SpecError> {
        match Array::new(size_bits, hashes, 1 << 8) {
            Ok(array) => Ok(Self { array }),
            Err(error) => Err(error),
        }
    }

    /// The fewest bits for which the expected FPR at `capacity` with 14 probes meets the target.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: an argument is out of range, or no size is large enough.
    ///
    /// ```
    /// use bouquet_interop::{Locate, go_zero::Scheme};
    ///
    /// let scheme = Scheme::for_target(1_000, 0.01)?;
    /// assert_eq!((scheme.slots(), scheme.probes()), (11_011, 14));
    /// # Ok::<(), bouquet_interop::SpecError>(())
    /// ```
    pub fn for_target(capacity: u64, target_fpr: f64) -> Result<Self, SpecError> {
        Self::new(sizing::fewest_bits(capacity, target_fpr)?)
    }

    /// The fewest bits for the target together with the best number of probes for them. Both are
    /// smaller than in [`for_target`](Self::for_target), but go-zero cannot use such a filter.
    ///
    /// # Errors
    ///
    /// As [`for_target`](Self::for_target).
    pub fn with_best_hashes(capacity: u64, target_fpr: f64) -> Result<Self, SpecError> {
        let best = min_bits_exact(capacity, target_fpr)?;
        Self::with_hashes(best.size_bits, best.hashes)
    }

    /// The locations of a hash, in probe order.
    #[inline]
    pub fn locations(self, hash: GoZeroHash) -> impl Iterator<Item = u64> {
        // There are at most 256 probes, so `i` fits in a byte.
        (0..self.array.hashes).map(move |i| self.array.size_bits.rem(hash.word(i as u8)))
    }
}

locate_by_array!(Scheme, GoZeroHash);
