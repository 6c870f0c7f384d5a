//! The distribution of counter values. The FPR is that of the standard filter, so its formulas
//! are in `bouquet_core::math`.

use bouquet_core::math::expected_fill;

/// If the mean is above this, every counter has passed 500 with a probability that is 1 to 13
/// digits. Up to this mean, the probability that a counter is zero is still a normal
/// floating-point number.
const SURELY_FULL: f64 = 700.0;

/// The probability that `keys` different keys, each inserted once with k = `hashes` probes, hit a
/// given counter of m = `counters` at least `value` times (`value` is at most 500): the
/// probability that Binomial(kn, 1/m) is at least `value`.
///
/// If `value` is the [maximum](crate::CounterBits::max), this is the probability of saturation;
/// if it is one more, the probability of an overflow.
///
/// Source: Fan, Cao, Almeida and Broder, "Summary cache: a scalable wide-area web cache sharing
/// protocol", IEEE/ACM Transactions on Networking 8(3), 2000, section V-C. They give the bound
/// (e k n/(value m))^value, which is about twenty times too high; this is the sum itself.
/// # Cost
///
/// O(`value` + kn/m), one pass over the terms.
///
/// ```
/// # use bouquet_counting::math::counter_at_least;
/// // 4 bits at 1 %: one counter in 3 * 10^14 saturates.
/// let saturated = counter_at_least(9_585_000, 7, 1_000_000, 15);
/// assert!(saturated > 3.4e-15 && saturated < 3.6e-15, "{saturated}");
/// ```
pub fn counter_at_least(counters: u64, hashes: u32, keys: u64, value: u16) -> f64 {
    let throws = f64::from(hashes) * keys as f64;
    let (m, value) = (counters.max(1) as f64, f64::from(value));
    let mean = throws / m;
    if value > throws {
        return 0.0;
    }
    if m == 1.0 || mean > SURELY_FULL {
        return 1.0;
    }
    // Term j is the probability of exactly j hits.
    let mut term = never(counters, throws, mean);
    let mut j = 0.0;
    let mut below = 0.0;
    while j < value {
        below += term;
        term *= (throws - j) / ((j + 1.0) * (m - 1.0));
        j += 1.0;
    }
    if value <= mean {
        return (1.0 - below).max(0.0);
    }
    // Above the mean the terms decrease, so the tail is summed directly: the difference from 1
    // would lose its digits.
    let mut above = 0.0;
    while term > above * f64::EPSILON {
        above += term;
        term *= (throws - j) / ((j + 1.0) * (m - 1.0));
        j += 1.0;
    }
    above
}

/// The probability that no throw hits a given counter, (1 - 1/m)^throws, computed from factors
/// near 1/e: subtracting a fill near 1 from 1 would leave no digits.
fn never(counters: u64, throws: f64, mean: f64) -> f64 {
    let parts = mean as u32 + 1;
    let factor = 1.0 - expected_fill(counters, throws / f64::from(parts));
    (0..parts).fold(1.0, |product, _| product * factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn reference_rows_match() {
        let mut rows = 0;
        for line in include_str!("../tests/data/counting_overflow.csv")
            .lines()
            .skip(1)
        {
            let cell: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            let [_, max, k, _, n, m, _, p, _, expected, bound] = cell[..] else {
                panic!("{line}");
            };
            let got = counter_at_least(m as u64, k as u32, n as u64, max as u16 + 1);
            // The reference has 7 significant digits, and 0 for values below 1e-99.
            let close = |got: f64, want: f64| (got - want).abs() <= 5.1e-7 * want + 1e-99;
            assert!(close(got, p), "{line}: {got}");
            assert!(close(m * got, expected), "{line}: {got}");
            assert!(m * got <= bound.max(1e-99), "{line}: {got}");
            rows += 1;
        }
        assert_eq!(rows, 70);
    }

    /// Enumerates all outcomes of throws into 3 counters.
    #[test]
    fn few_throws_match_enumeration() {
        for throws in 1..=9u32 {
            for value in 0..=10u16 {
                let hits = |code: u32| {
                    (0..throws)
                        .filter(|i| (code / 3u32.pow(*i)).is_multiple_of(3))
                        .count()
                };
                let all = 3u32.pow(throws);
                let reached = (0..all).filter(|code| hits(*code) >= usize::from(value));
                let want = reached.count() as f64 / f64::from(all);
                let got = counter_at_least(3, 1, throws.into(), value);
                assert!((got - want).abs() < 1e-14, "{throws} {value}: {got} {want}");
            }
        }
    }

    #[test]
    fn full_filters_and_edges() {
        assert_eq!(counter_at_least(64, 3, 0, 15), 0.0);
        assert_eq!(counter_at_least(64, 3, 0, 0), 1.0);
        assert_eq!(counter_at_least(1, 3, 4, 12), 1.0);
        assert_eq!(counter_at_least(1, 3, 4, 13), 0.0);
        assert_eq!(counter_at_least(64, 3, u64::MAX, 255), 1.0);
        // The probability falls with the value and rises with the keys, also across the mean.
        let (mut last, m) = (1.0, 1_000);
        for value in 0..=255 {
            let now = counter_at_least(m, 4, 30_000, value);
            assert!(now <= last, "{value}: {last} {now}");
            last = now;
        }
        let mut last = 0.0;
        for keys in (0..300).map(|i| 1_000 * i) {
            let now = counter_at_least(m, 4, keys, 255);
            assert!(now >= last * (1.0 - 1e-9), "{keys}: {last} {now}");
            last = now;
        }
        // The median and the mean of a binomial distribution differ by less than one.
        let half = counter_at_least(m, 4, 63_750, 255);
        assert!((half - 0.5).abs() < 0.03, "{half}");
    }
}
