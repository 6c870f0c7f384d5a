//! The location scheme of Go's bits-and-blooms.

use bouquet_core::{Locate, SpecError};

use super::at_least_one;
use crate::reduce::Reciprocal;

/// The scheme of Go's `bits-and-blooms/bloom`, version 3: location i is h\[i mod 2\] + i h\[2 +
/// ((i + i mod 2) mod 4)/2\], with wrapping arithmetic, then mod m, where h are the four words
/// of [`murmur3::four_words`](crate::murmur3::four_words).
///
/// So the locations are a, b + d, a + 2d, b + 3c, a + 4c, b + 5d, a + 6d, b + 7c and so on. The
/// FPR exceeds that of independent probes by 0.004/m to 0.25/m.
///
/// Any m and k from 1 on are accepted, because such files may have them.
///
/// ```
/// use bouquet_hash::{murmur3::four_words, scheme::BitsAndBlooms};
///
/// let scheme = BitsAndBlooms::new(1_000, 4)?;
/// let slots: Vec<u64> = scheme.locations(four_words(b"")).collect();
/// assert_eq!(slots, [0, 493, 986, 970]);
/// # Ok::<(), bouquet_core::SpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitsAndBlooms {
    size_bits: Reciprocal,
    hashes: u32,
}

impl BitsAndBlooms {
    /// The scheme for m = `size_bits` and k = `hashes`, both at least 1.
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroSizeBits`], [`SpecError::HashesOutOfRange`].
    pub const fn new(size_bits: u64, hashes: u32) -> Result<Self, SpecError> {
        match at_least_one(size_bits, hashes, u32::MAX) {
            Ok(size_bits) => Ok(Self { size_bits, hashes }),
            Err(error) => Err(error),
        }
    }

    /// Location `i` before the reduction modulo m: what Go's `Locations` returns.
    #[inline]
    pub const fn word(hash: &[u64; 4], i: u32) -> u64 {
        let [a, b, c, d] = *hash;
        let (base, step) = match i % 4 {
            0 => (a, c),
            1 => (b, d),
            2 => (a, d),
            _ => (b, c),
        };
        base.wrapping_add((i as u64).wrapping_mul(step))
    }

    /// The k locations of a key with these four words, in probe order.
    #[inline]
    pub fn locations(self, hash: [u64; 4]) -> impl Iterator<Item = u64> {
        (0..self.hashes).map(move |i| self.size_bits.rem(Self::word(&hash, i)))
    }
}

impl Locate for BitsAndBlooms {
    type Hash = [u64; 4];

    fn slots(&self) -> u64 {
        self.size_bits.divisor()
    }

    fn probes(&self) -> u32 {
        self.hashes
    }

    fn locate(&self, hash: &[u64; 4], visit: &mut dyn FnMut(u64)) {
        self.locations(*hash).for_each(visit);
    }
}
