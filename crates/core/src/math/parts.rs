//! Conversions between size, capacity and number of hashes, for constructors.

use core::f64::consts::LN_2;

use crate::{MAX_SIZE_BITS, SpecError};

/// The number of keys for which m = `size_bits` and k = `hashes` are optimal, at least 1: ln(2)
/// m/k, at which about half the bits are set.
///
/// ```
/// assert_eq!(bouquet_core::math::best_capacity(1_021, 3), 235);
/// ```
pub fn best_capacity(size_bits: u64, hashes: u32) -> u64 {
    ((size_bits as f64 * LN_2 / f64::from(hashes)) as u64).max(1)
}

/// The number of units (words or blocks) of `step_bits` bits that are needed to give each of
/// `capacity` keys at least `bits_per_key` bits.
///
/// # Errors
///
/// [`SpecError::ZeroCapacity`], [`SpecError::BitsPerKeyOutOfRange`],
/// [`SpecError::TooLarge`].
///
/// ```
/// # use bouquet_core::math::steps_for;
/// assert_eq!(steps_for(100, 10.0, 64), Ok(16));
/// ```
pub fn steps_for(capacity: u64, bits_per_key: f64, step_bits: u64) -> Result<u64, SpecError> {
    if capacity == 0 {
        return Err(SpecError::ZeroCapacity);
    }
    if !(bits_per_key > 0.0 && bits_per_key.is_finite()) {
        return Err(SpecError::BitsPerKeyOutOfRange { bits_per_key });
    }
    let size_bits = capacity as f64 * bits_per_key;
    if size_bits > MAX_SIZE_BITS as f64 {
        return Err(SpecError::TooLarge { size_bits });
    }
    let step = step_bits.max(1) as f64;
    let whole = (size_bits / step) as u64;
    Ok(whole + u64::from(whole as f64 * step < size_bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_capacity_is_within_one_and_all() {
        assert_eq!(best_capacity(0, 1), 1);
        assert_eq!(best_capacity(1, 128), 1);
        assert_eq!(best_capacity(MAX_SIZE_BITS, 1), 195_103_586_505_167);
    }

    #[test]
    fn steps_round_up() {
        assert_eq!(steps_for(64, 10.0, 64), Ok(10));
        assert_eq!(steps_for(64, 10.001, 64), Ok(11));
        assert_eq!(steps_for(1, 0.1, 64), Ok(1));
        assert_eq!(steps_for(7, 1.0, 0), Ok(7));
        assert_eq!(steps_for(0, 1.0, 64), Err(SpecError::ZeroCapacity));
        for bits_per_key in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            assert!(matches!(
                steps_for(1, bits_per_key, 64),
                Err(SpecError::BitsPerKeyOutOfRange { .. })
            ));
        }
        assert!(matches!(
            steps_for(u64::MAX, 1.0, 64),
            Err(SpecError::TooLarge { .. })
        ));
    }
}
