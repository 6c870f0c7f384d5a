//! Sizing of one link, rounded in the same way as the peer.

use bouquet_core::{Spec, SpecError};
use libm::{ceil, fabs, floor, log2};

use super::Scheme;
use crate::{log::log, scheme::within_range};

const LN_2_SQUARED: f64 = 0.480_453_013_918_201;
#[expect(
    clippy::approx_constant,
    reason = "the peer's digits: a k next to an integer depends on them"
)]
const LN_2: f64 = 0.693_147_180_559_945;

/// How the number of bits of a link is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Rounding {
    /// Up to a multiple of 64 (option 1, `NOROUND`): all current filters.
    Words,
    /// Up to a power of two, and the capacity is increased to match: old filters.
    PowerOfTwo,
}

/// The parameters of a link.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Sizing {
    /// The number of keys at which the link counts as full.
    pub capacity: u64,
    /// The target FPR of this link (the peer's `error`).
    pub target_fpr: f64,
    /// Bits per key: |ln(p)| / ln(2)^2.
    pub bits_per_key: f64,
    /// Bits of storage, a multiple of 64.
    pub size_bits: u64,
    /// Probes per key (k): ceil(ln(2) bits per key).
    pub hashes: u32,
    /// log2 of the number of bits if it is a power of two by design, otherwise 0 (the peer's `n2`).
    pub size_log2: u8,
}

impl Sizing {
    /// The parameters as a link's header has them: each is the field of the same name.
    pub const fn from_parts(
        (capacity, target_fpr): (u64, f64),
        bits_per_key: f64,
        (size_bits, hashes): (u64, u32),
        size_log2: u8,
    ) -> Self {
        Self {
            capacity,
            target_fpr,
            bits_per_key,
            size_bits,
            hashes,
            size_log2,
        }
    }

    /// The parameters of a link for `capacity` keys at `target_fpr`.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: `capacity` is 0, `target_fpr` is not strictly between 0 and 1, or the number
    /// of bits is above 2^62.
    pub fn new(capacity: u64, target_fpr: f64, rounding: Rounding) -> Result<Self, SpecError> {
        Spec::new(capacity, target_fpr)?;
        let bits_per_key = bits_per_key(target_fpr);
        let bits = within_range(2.0 * capacity as f64 * bits_per_key)? / 2.0;
        let sized = |capacity, size_bits, size_log2| Self {
            capacity,
            target_fpr,
            bits_per_key,
            size_bits,
            hashes: hashes(bits_per_key),
            size_log2,
        };
        match rounding {
            Rounding::Words => {
                let size_bits = (bits as u64).max(1).next_multiple_of(64);
                Ok(sized(capacity, size_bits, 0))
            }
            Rounding::PowerOfTwo => {
                let size_log2 = (floor(log2(bits)) + 1.0) as u8;
                let size_bits = (1 << size_log2).max(64);
                let spare = (1u64 << size_log2) as f64 - bits;
                Ok(sized(
                    capacity + (spare as u64 as f64 / bits_per_key) as u64,
                    size_bits,
                    size_log2,
                ))
            }
        }
    }

    /// The scheme that locates keys in this link. Its m is `size_bits`, or the power of two, which
    /// may be smaller.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: a parameter is 0 or out of range.
    pub const fn scheme(&self) -> Result<Scheme, SpecError> {
        let slots = match self.size_log2 {
            0 => self.size_bits,
            1..64 => 1 << self.size_log2,
            _ => {
                return Err(SpecError::TooLarge {
                    size_bits: f64::INFINITY,
                });
            }
        };
        Scheme::new(slots, self.hashes)
    }

    /// The first link that `BF.RESERVE key target_fpr capacity` makes. If the filter can grow
    /// (`scales`), this link gets half the target FPR.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    ///
    /// ```
    /// use bouquet_interop::redisbloom::Sizing;
    ///
    /// let link = Sizing::first_link(1_000, 0.01, true)?;
    /// assert_eq!((link.size_bits, link.hashes), (11_072, 8));
    /// # Ok::<(), bouquet_interop::SpecError>(())
    /// ```
    pub fn first_link(capacity: u64, target_fpr: f64, scales: bool) -> Result<Self, SpecError> {
        Spec::new(capacity, target_fpr)?;
        let tightening = if scales { 0.5 } else { 1.0 };
        Self::new(capacity, target_fpr * tightening, Rounding::Words)
    }

    /// The parameters of the next link in a filter that grows by `expansion` (at least 1):
    /// `expansion` times the capacity and half the target FPR.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: `expansion` is 0, or a parameter of the next link is out of range.
    pub fn next_link(&self, expansion: u32) -> Result<Self, SpecError> {
        let capacity = self.capacity.saturating_mul(expansion.into());
        Self::new(capacity, self.target_fpr * 0.5, Rounding::Words)
    }
}

pub(super) fn bits_per_key(target_fpr: f64) -> f64 {
    fabs(log(target_fpr) / LN_2_SQUARED)
}

pub(super) fn hashes(bits_per_key: f64) -> u32 {
    ceil(LN_2 * bits_per_key) as u32
}
