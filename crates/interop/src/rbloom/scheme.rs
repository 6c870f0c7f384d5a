//! The slots that a hash probes, and the sizing.

use core::f64::consts::LN_2;

use bouquet_core::{Spec, SpecError, math::Parameters};
use libm::floor;

use crate::scheme::{Array, locate_by_array, textbook_bits};

const MULTIPLIER: u128 = 47_026_247_687_942_121_848_144_207_491_837_418_733;

/// The hash of a key: the number that the user's hash function returned.
///
/// ```
/// use bouquet_interop::rbloom::RbloomHash;
///
/// assert_eq!(RbloomHash::from(-1), RbloomHash(u128::MAX));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RbloomHash(
    /// The number modulo 2^128.
    pub u128,
);

impl From<i128> for RbloomHash {
    fn from(number: i128) -> Self {
        Self(number as u128)
    }
}

/// A linear congruential generator seeded with the hash x. For each of the k probes x becomes c x +
/// 1 mod 2^128, and the location is (bits 32 to 95 of x) mod m.
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
    pub fn locations(self, hash: RbloomHash) -> impl Iterator<Item = u64> {
        let mut x = hash.0;
        (0..self.array.hashes).map(move |_| {
            x = x.wrapping_mul(MULTIPLIER).wrapping_add(1);
            self.array.size_bits.rem((x >> 32) as u64)
        })
    }
}

locate_by_array!(Scheme, RbloomHash);

/// The m and k that `Bloom(capacity, target_fpr)` chooses: m = trunc(-n ln p / ln(2)^2), rounded up
/// to whole bytes, and k = trunc(ln(2) m / n), where m is not rounded at all.
///
/// # Errors
///
/// [`SpecError`]: `capacity` is 0, `target_fpr` is not strictly between 0 and 1, or m or k is 0.
///
/// ```
/// use bouquet_interop::rbloom::optimal;
///
/// let parameters = optimal(100, 0.01)?;
/// assert_eq!((parameters.size_bits, parameters.hashes), (960, 6));
/// # Ok::<(), bouquet_interop::SpecError>(())
/// ```
pub fn optimal(capacity: u64, target_fpr: f64) -> Result<Parameters, SpecError> {
    Spec::new(capacity, target_fpr)?;
    let bits = textbook_bits(capacity, target_fpr)?;
    let parameters = Parameters {
        size_bits: (bits as u64).next_multiple_of(8),
        hashes: floor(bits / capacity as f64 * LN_2) as u32,
    };
    Scheme::new(parameters.size_bits, parameters.hashes)?;
    Ok(parameters)
}
