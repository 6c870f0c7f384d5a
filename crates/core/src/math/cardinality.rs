//! Estimates the number of keys of a classic filter from its bits.

use libm::{log1p, pow};

/// The most likely number of different keys if a share `fill` of m bits is set, with k probes
/// per key: ln(1 - fill) / (k ln(1 - 1/m)), infinite for a full filter (Swamidass and Baldi, J.
/// Chem. Inf. Model. 47, 2007, with the exact 1 - 1/m instead of its limit).
///
/// Repeated keys count once. The relative error is about sqrt(e^x - x - 1)/(x sqrt(m)) with x =
/// kn/m: 0.1 % at a million bits, half of them set.
pub fn estimated_keys(size_bits: u64, hashes: u32, fill: f64) -> f64 {
    if fill <= 0.0 {
        return 0.0;
    }
    if fill >= 1.0 {
        return f64::INFINITY;
    }
    log1p(-fill) / (f64::from(hashes) * log1p(-1.0 / size_bits as f64))
}

/// The number of different keys at which fill^k reaches `target_fpr`. The result is at most the
/// estimate for a filter with one clear bit, because a full filter gives no estimate.
pub fn keys_until_fpr(size_bits: u64, hashes: u32, target_fpr: f64) -> f64 {
    let fill = pow(target_fpr, 1.0 / f64::from(hashes));
    estimated_keys(size_bits, hashes, fill.min(1.0 - 1.0 / size_bits as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{expected_fill, fpr_given_fill};

    #[test]
    fn undoes_the_expected_fill() {
        for (m, k, n) in [
            (64, 3, 7u32),
            (9_585, 7, 1_000),
            (1 << 40, 10, 4_000_000_000),
        ] {
            let fill = expected_fill(m, f64::from(k) * f64::from(n));
            assert!((estimated_keys(m, k, fill) / f64::from(n) - 1.0).abs() < 1e-9);
            let fpr = fpr_given_fill(fill, k);
            assert!((keys_until_fpr(m, k, fpr) / f64::from(n) - 1.0).abs() < 1e-9);
        }
        assert_eq!(estimated_keys(64, 3, 0.0), 0.0);
        assert_eq!(estimated_keys(64, 3, 1.0), f64::INFINITY);
    }
}
