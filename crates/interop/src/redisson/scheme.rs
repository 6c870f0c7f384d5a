//! The hash of a key and the slots that it probes.

use bouquet_core::SpecError;
use highway::{HighwayHash, HighwayHasher, Key};

use super::MAX_SIZE_BITS;
use crate::scheme::{Array, locate_by_array};

const KEY: Key = Key([
    0x9e37_79b9_7f4a_7c15,
    0xf39c_c060_5ced_c834,
    0x1082_276b_f3a2_7251,
    0xf86c_6a11_d0c1_8e95,
]);

/// The hash of a key: the two words of HighwayHash-128.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RedissonHash {
    /// The first word.
    pub low: u64,
    /// The second word.
    pub high: u64,
}

impl RedissonHash {
    /// The hash of `encoded`, the bytes that the codec writes for a key.
    pub fn of(encoded: &[u8]) -> Self {
        let [low, high] = HighwayHasher::new(KEY).hash128(encoded);
        Self { low, high }
    }
}

/// The slots of a key: x starts as the first word of the hash. For each of the k probes the
/// location is (x mod 2^63) mod m, and then the second word and the first word are added to x
/// alternately, wrapping.
///
/// ```
/// use bouquet_interop::redisson::{RedissonHash, Scheme};
///
/// let scheme = Scheme::new(1_000, 2)?;
/// let slots: Vec<u64> = scheme.locations(RedissonHash::of(b"")).collect();
/// assert_eq!(slots, [987, 297]);
/// # Ok::<(), bouquet_interop::SpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scheme {
    array: Array,
}

impl Scheme {
    /// The scheme with m = `size_bits` (1 to 2^32 - 2, the setting `size`) and k = `hashes` (at
    /// least 1, the setting `hashIterations`).
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroSizeBits`], [`SpecError::AboveLimit`],
    /// [`SpecError::HashesOutOfRange`].
    pub const fn new(size_bits: u64, hashes: u32) -> Result<Self, SpecError> {
        if size_bits > MAX_SIZE_BITS {
            return Err(SpecError::AboveLimit {
                size_bits: size_bits as f64,
                max: MAX_SIZE_BITS,
                of: "a filter of Redisson",
            });
        }
        match Array::new(size_bits, hashes, i32::MAX as u32) {
            Ok(array) => Ok(Self { array }),
            Err(error) => Err(error),
        }
    }

    /// The k locations of a hash, in probe order.
    #[inline]
    pub fn locations(self, hash: RedissonHash) -> impl Iterator<Item = u64> {
        let mut x = hash.low;
        (0..self.array.hashes).map(move |i| {
            let location = self.array.size_bits.rem(x & (u64::MAX >> 1));
            x = x.wrapping_add(if i % 2 == 0 { hash.high } else { hash.low });
            location
        })
    }
}

locate_by_array!(Scheme, RedissonHash);
