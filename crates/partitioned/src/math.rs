//! The closed-form formulas of the partitioned filter: k partitions of s bits, m = ks.
//!
//! A partition gets one throw per key, and partitions do not overlap, so every exact formula is
//! one line, while the classic filter needs a recurrence.

use core::f64::consts::LN_2;

use bouquet_core::{
    SpecError,
    math::{self, MAX_HASHES, Parameters, expected_fill, fpr_given_fill, min_bits_in_steps},
};

/// The exact FPR of k = `hashes` partitions of s = `partition_bits` bits with
/// `keys` different keys: (1 - (1 - 1/s)^n)^k, the mean over all filters.
///
/// The fills of the partitions are independent, so the mean of their product is the product of
/// their means. (Source of the filter and the formula: Mullin, "A second look at Bloom
/// filters", CACM 26(8), 1983.)
///
/// ```
/// # use bouquet_partitioned::math::expected_fpr;
/// // Two partitions of 4 bits, one key: a non-member must hit both its bits.
/// assert!((expected_fpr(4, 2, 1) - 1.0 / 16.0).abs() < 1e-15);
/// ```
pub fn expected_fpr(partition_bits: u64, hashes: u32, keys: u64) -> f64 {
    fpr_given_fill(expected_fill(partition_bits, keys as f64), hashes)
}

/// The number of hashes that gives the lowest FPR with `keys` keys in `size_bits` bits, with
/// partitions of floor(`size_bits`/k) bits; ties go to the smaller k.
///
/// Costs a dozen evaluations of the closed form, more in filters with few bits per key.
pub fn best_hashes(size_bits: u64, keys: u64) -> u32 {
    best(size_bits, keys).0
}

/// The best k and its FPR.
///
/// Because partition sizes are rounded down, the FPR is not smooth in k, but it is never below
/// the FPR with unrounded partitions of size/k bits, which has a single minimum. So the search
/// starts at a k near that minimum. In each direction it ends where even partitions rounded up,
/// which have a lower FPR, would be worse than the best k so far.
fn best(size_bits: u64, keys: u64) -> (u32, f64) {
    let size_bits = size_bits.max(1);
    let most = size_bits.min(MAX_HASHES.into()) as u32;
    let ideal = size_bits as f64 / keys.max(1) as f64 * LN_2;
    let start = (ideal as u32).clamp(1, most);
    let fpr_of = |hashes| expected_fpr(size_bits / u64::from(hashes), hashes, keys);
    let bound_of = |hashes| expected_fpr(size_bits / u64::from(hashes) + 1, hashes, keys);
    let mut best = (start, fpr_of(start));
    for hashes in (1..start).rev() {
        if bound_of(hashes) > best.1 {
            break;
        }
        let fpr = fpr_of(hashes);
        if fpr <= best.1 {
            best = (hashes, fpr);
        }
    }
    for hashes in start + 1..=most {
        if bound_of(hashes) > best.1 {
            break;
        }
        let fpr = fpr_of(hashes);
        if fpr < best.1 {
            best = (hashes, fpr);
        }
    }
    best
}

/// The smallest size, in whole 64-bit words, in which some k keeps the FPR at `keys` keys at or
/// below `fpr`, with the best k for that size. The returned size is in bits.
///
/// The partitions have s = floor(bits/k) bits each, so fewer than k of the bits are unused.
///
/// # Errors
///
/// Those of [`Spec::new`](bouquet_core::Spec::new), and [`SpecError::TooLarge`].
///
/// # Cost
///
/// The cost of [`min_bits_in_steps`] plus about three times the cost of [`best_hashes`].
pub fn min_bits_in_words(keys: u64, fpr: f64) -> Result<Parameters, SpecError> {
    // The classic filter needs nearly the same size, so single steps from there suffice. With
    // more words no partition gets smaller, for any k, so if some number of words meets the
    // FPR, every larger number does too.
    let mut words = min_bits_in_steps(keys, fpr, 64)?.size_bits / 64;
    while words > 1 && best(64 * (words - 1), keys).1 <= fpr {
        words -= 1;
    }
    let mut found = best(64 * words, keys);
    while found.1 > fpr {
        words += 1;
        found = best(64 * words, keys);
    }
    Ok(Parameters {
        size_bits: 64 * words,
        hashes: found.0,
    })
}

/// The most likely number of different keys if a share `fill` of the bits of all partitions
/// together is set: ln(1 - fill) / ln(1 - 1/s), infinite for a full filter.
///
/// Each partition gives an estimate of the number of keys by its empty bits. Pooling the fills
/// averages before the logarithm, which is nonlinear, and not after it. So the bias is k times
/// smaller than that of one partition: about (e^x - x - 1)/(2k) keys too many with x = n/s,
/// which is 0.02 keys at half fill and k = 7. The relative standard deviation is sqrt(e^x - x -
/// 1)/(x sqrt(m)). (Source for one partition: Whang, Vander-Zanden and Taylor, "A linear-time
/// probabilistic counting algorithm for database applications", TODS 15, 1990.)
pub fn estimated_keys(partition_bits: u64, fill: f64) -> f64 {
    math::estimated_keys(partition_bits, 1, fill)
}

/// The number of different keys at which the mean fill to the power k reaches `fpr`.
pub fn keys_until_fpr(partition_bits: u64, hashes: u32, fpr: f64) -> f64 {
    // The classic formula assumes k throws per key into one array; here a partition gets one.
    f64::from(hashes) * math::keys_until_fpr(partition_bits, hashes, fpr)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn reference_rows_match() {
        let mut rows = 0;
        for line in include_str!("../tests/data/partitioned_fpr_exact.csv")
            .lines()
            .skip(1)
        {
            let cell: Vec<&str> = line.split(',').collect();
            let (m, k): (u64, u32) = (cell[0].parse().unwrap(), cell[1].parse().unwrap());
            let want: f64 = cell[3].parse().unwrap();
            let s = m / u64::from(k);
            let got = expected_fpr(s, k, cell[2].parse().unwrap());
            // The reference values have 12 significant digits: half a unit of the last digit is
            // 5e-12.
            assert!((got / want - 1.0).abs() < 5.1e-12, "{line}: {got}");
            assert_eq!(s * u64::from(k), cell[4].parse::<u64>().unwrap(), "{line}");
            rows += 1;
        }
        assert_eq!(rows, 864);
    }

    #[test]
    fn words_meet_the_target_and_are_the_least() {
        for keys in (1..300).chain([1_000, 54_321, 1_000_000, 10_000_000_000]) {
            for fpr in [0.999, 0.5, 0.1, 0.01, 1e-3, 1e-6, 1e-12, 1e-30] {
                let Parameters { size_bits, hashes } = min_bits_in_words(keys, fpr).unwrap();
                let reached =
                    |size_bits: u64, k: u32| expected_fpr(size_bits / u64::from(k), k, keys);
                assert_eq!(size_bits % 64, 0);
                assert!(reached(size_bits, hashes) <= fpr, "{keys} {fpr}");
                for k in 1..=MAX_HASHES.min(size_bits as u32) {
                    assert!(reached(size_bits, k) >= reached(size_bits, hashes));
                    if size_bits - 64 >= u64::from(k) {
                        assert!(reached(size_bits - 64, k) > fpr, "{keys} {fpr} {k}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_best_k_is_the_best_of_all() {
        for size_bits in (1..2_000).chain([9_600, 65_537, 1 << 30]) {
            for bits_per_key in [0.01, 0.5, 1.0, 3.0, 9.6, 14.4, 40.0, 130.0, 1e6] {
                let keys = (size_bits as f64 / bits_per_key) as u64;
                let fpr_of = |k: u32| expected_fpr(size_bits / u64::from(k), k, keys);
                let most = MAX_HASHES.min(size_bits.try_into().unwrap());
                let all = (1..=most).map(|k| (k, fpr_of(k)));
                let (best, _) = all.reduce(|a, b| if b.1 < a.1 { b } else { a }).unwrap();
                assert_eq!(best_hashes(size_bits, keys), best, "{size_bits} {keys}");
            }
        }
    }

    #[test]
    fn no_size_past_the_end() {
        assert!(matches!(
            min_bits_in_words(1 << 50, 0.01),
            Err(SpecError::TooLarge { .. })
        ));
        assert!(min_bits_in_words(0, 0.01).is_err());
        assert!(min_bits_in_words(1, f64::NAN).is_err());
    }

    #[test]
    fn estimates_undo_the_expected_fill() {
        for (s, k, n) in [
            (64, 3, 7u32),
            (1_370, 7, 1_000),
            (1 << 40, 10, 4_000_000_000),
        ] {
            let fill = expected_fill(s, f64::from(n));
            assert!((estimated_keys(s, fill) / f64::from(n) - 1.0).abs() < 1e-9);
            let fpr = expected_fpr(s, k, u64::from(n));
            assert!((keys_until_fpr(s, k, fpr) / f64::from(n) - 1.0).abs() < 1e-9);
        }
        assert_eq!(estimated_keys(1, 1.0), f64::INFINITY);
        assert_eq!(estimated_keys(1, 0.0), 0.0);
    }
}
