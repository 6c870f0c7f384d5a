//! Computes the number of bits for a target FPR, which go-zero leaves to its users.

use bouquet_core::{MAX_SIZE_BITS, Spec, SpecError, math::expected_fpr};

use super::HASHES;

/// The fewest bits for which the expected FPR of 14 probes meets the target.
pub(super) fn fewest_bits(capacity: u64, target_fpr: f64) -> Result<u64, SpecError> {
    Spec::new(capacity, target_fpr)?;
    let keeps = |size_bits| expected_fpr(size_bits, HASHES, capacity) <= target_fpr;
    let mut enough = 64u64;
    while !keeps(enough) {
        if enough >= MAX_SIZE_BITS {
            return Err(SpecError::TooLarge {
                size_bits: 2.0 * enough as f64,
            });
        }
        enough *= 2;
    }
    let mut too_few = if enough == 64 { 0 } else { enough / 2 };
    while enough - too_few > 1 {
        let middle = too_few + (enough - too_few) / 2;
        if keeps(middle) {
            enough = middle;
        } else {
            too_few = middle;
        }
    }
    Ok(enough)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_bits_meet_the_target_and_one_fewer_does_not() {
        for (capacity, target) in [(1, 0.5), (100, 0.01), (1_000_000, 1e-3), (20_000, 1e-6)] {
            let bits = fewest_bits(capacity, target).unwrap();
            assert!(expected_fpr(bits, HASHES, capacity) <= target, "{bits}");
            assert!(expected_fpr(bits - 1, HASHES, capacity) > target, "{bits}");
            // Compares with the textbook formula, for capacities at which it is accurate.
            if capacity >= 1_000 {
                let k = f64::from(HASHES);
                let textbook = -k * capacity as f64 / libm::log(1.0 - libm::pow(target, 1.0 / k));
                assert!(
                    (bits as f64 / textbook - 1.0).abs() < 1e-3,
                    "{bits} {textbook}"
                );
            }
        }
        assert!(fewest_bits(0, 0.1).is_err());
        assert!(fewest_bits(1, 1.0).is_err());
        assert!(fewest_bits(1 << 60, 0.01).is_err());
    }
}
