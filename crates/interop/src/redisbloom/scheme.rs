//! The hash of a key and the slots that it probes in one link.

use bouquet_core::SpecError;

use super::murmur2::{hash_32, hash_64a};
use crate::scheme::{Array, locate_by_array};

const WIDE_SEED: u64 = 0xc6a4_a793_5bd1_e995;
const NARROW_SEED: u32 = 0x9747_b28c;

/// The hash of a key: two words. The first word is the seed of the second one's hash function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RedisBloomHash {
    /// The first probe, before the reduction modulo m.
    pub start: u64,
    /// The distance between successive probes.
    pub step: u64,
}

impl RedisBloomHash {
    /// The hash with 64-bit words, which all current filters use.
    #[inline]
    pub fn wide(key: &[u8]) -> Self {
        let start = hash_64a(key, WIDE_SEED);
        let step = hash_64a(key, start);
        Self { start, step }
    }

    /// The hash with 32-bit words, for filters from before the option `FORCE64`.
    pub fn narrow(key: &[u8]) -> Self {
        let start = hash_32(key, NARROW_SEED);
        let step = hash_32(key, start);
        Self {
            start: start.into(),
            step: step.into(),
        }
    }
}

/// Double hashing: location i is (start + i step mod 2^64) mod m.
///
/// m is the number of bits rounded up to a multiple of 64, or a power of two in older filters.
/// (With 32-bit words the peer may compute modulo 2^32, but only where m divides 2^32, so the
/// locations are the same.) As with all plain double hashing, the FPR is above that of independent
/// probes by about 1/m, which is noticeable in small filters.
///
/// ```
/// use bouquet_interop::redisbloom::{RedisBloomHash, Sizing};
///
/// let link = Sizing::first_link(1_000, 0.01, true)?;
/// let scheme = link.scheme()?;
/// let hash = RedisBloomHash::wide(b"rose");
/// assert!(scheme.locations(hash).all(|slot| slot < 11_072));
/// # Ok::<(), bouquet_interop::SpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scheme {
    array: Array,
}

impl Scheme {
    /// The scheme with m = `size_bits` and k = `hashes`, both at least 1.
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroSizeBits`], [`SpecError::HashesOutOfRange`].
    pub const fn new(size_bits: u64, hashes: u32) -> Result<Self, SpecError> {
        match Array::new(size_bits, hashes, u32::MAX) {
            Ok(array) => Ok(Self { array }),
            Err(error) => Err(error),
        }
    }

    /// The k locations of a hash, in probe order.
    #[inline]
    pub fn locations(self, hash: RedisBloomHash) -> impl Iterator<Item = u64> {
        let mut x = hash.start;
        (0..self.array.hashes).map(move |_| {
            let location = self.array.size_bits.rem(x);
            x = x.wrapping_add(hash.step);
            location
        })
    }
}

locate_by_array!(Scheme, RedisBloomHash);
