//! Code that the schemes and the sizings of several systems share.

use core::f64::consts::LN_2;

use bouquet_core::{Spec, SpecError};
use bouquet_hash::reduce::Reciprocal;
use libm::floor;

use crate::log::log;

/// The m (`size_bits`) and k (`hashes`) of a bit array, both at least 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Array {
    pub(crate) size_bits: Reciprocal,
    pub(crate) hashes: u32,
}

impl Array {
    pub(crate) const fn new(size_bits: u64, hashes: u32, max: u32) -> Result<Self, SpecError> {
        if hashes == 0 || hashes > max {
            return Err(SpecError::HashesOutOfRange { hashes, max });
        }
        match Reciprocal::new(size_bits) {
            Some(size_bits) => Ok(Self { size_bits, hashes }),
            None => Err(SpecError::ZeroSizeBits),
        }
    }
}

/// Implements `Locate` for a scheme that has its m and k in `self.array` and a method `locations`.
macro_rules! locate_by_array {
    ($scheme:ty, $hash:ty) => {
        impl bouquet_core::Locate for $scheme {
            type Hash = $hash;

            fn slots(&self) -> u64 {
                self.array.size_bits.divisor()
            }

            fn probes(&self) -> u32 {
                self.array.hashes
            }

            fn locate(&self, hash: &$hash, visit: &mut dyn FnMut(u64)) {
                self.locations(*hash).for_each(visit);
            }
        }
    };
}
pub(crate) use locate_by_array;

/// -n ln p / ln(2)^2, evaluated from left to right as in most systems. p, the `target_fpr`, must be
/// strictly between 0 and 1.
pub(crate) fn textbook_bits(capacity: u64, target_fpr: f64) -> Result<f64, SpecError> {
    // A capacity of 0, which some systems allow, is validated as if it were 1.
    Spec::new(capacity.max(1), target_fpr)?;
    within_range(-(capacity as f64) * log(target_fpr) / (LN_2 * LN_2))
}

/// Rejects a number of bits of 2^63 or more.
pub(crate) fn within_range(size_bits: f64) -> Result<f64, SpecError> {
    if size_bits >= i64::MAX as f64 {
        return Err(SpecError::TooLarge { size_bits });
    }
    Ok(size_bits)
}

/// Java's `Math.round`: to the nearest integer, with halves rounded up.
pub(crate) fn round_half_up(x: f64) -> f64 {
    let below = floor(x);
    // This is exact; floor(x + 1/2) would round the sum first.
    if x - below >= 0.5 { below + 1.0 } else { below }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_up_and_nothing_else() {
        for (x, rounded) in [
            (0.5, 1.0),
            (0.499_999_999_999_999_94, 0.0),
            (1.5, 2.0),
            (2.5, 3.0),
            (2.4, 2.0),
            (-0.5, 0.0),
            (-0.6, -1.0),
        ] {
            assert_eq!(round_half_up(x), rounded, "{x}");
        }
    }

    #[test]
    fn sizes_out_of_range_are_rejected() {
        assert!(textbook_bits(1, 0.0).is_err());
        assert!(textbook_bits(1, 1.0).is_err());
        assert!(textbook_bits(u64::MAX, 0.001).is_err());
        assert_eq!(textbook_bits(0, 0.001), Ok(0.0));
    }
}
