//! Medians and intervals that assume nothing about the distribution of the values.

use super::{CountLaw, Interval};

/// The median, and an interval that contains the true median with at least this confidence. The
/// interval comes from order statistics: each value is below the true median with probability 1/2.
/// With too few values, the interval is the whole range. `None` if there are no values.
///
/// Source: David and Nagaraja, "Order Statistics", 3rd edition, section 7.1.
pub fn median(values: &[f64], confidence: f64) -> Option<(f64, Interval)> {
    let mut sorted = values.to_vec();
    let middle = middle(&mut sorted)?;
    let n = sorted.len();
    let cut = cut(n, confidence);
    let interval = Interval::new(sorted[cut], sorted[n - 1 - cut]);
    Some((middle, interval))
}

/// Sorts the values and returns their median; `None` if there are no values.
fn middle(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    let (low, high) = (values.get(n.checked_sub(1)? / 2)?, values.get(n / 2)?);
    Some((low + high) / 2.0)
}

/// The p-value of the sign test (Lehmann and Romano, section 4.9) against the alternative that the
/// median is above `limit`. The values may have any distribution. The p-value is 1 if there are no
/// values.
pub fn sign_test_above(values: &[f64], limit: f64) -> f64 {
    let above = values.iter().filter(|value| **value > limit).count();
    if values.is_empty() {
        return 1.0;
    }
    let law = CountLaw::Binomial(values.len() as u64, 0.5);
    law.tails(above as f64, 0.0).upper
}

/// How many of the n sorted values lie below the interval. The same number lies above it.
fn cut(n: usize, confidence: f64) -> usize {
    let most = (1.0 - confidence) / 2.0;
    // `tail` is the probability that at most `cut` of n values lie on one given side of the median.
    let mut term = 0.5_f64.powi(n as i32);
    let (mut tail, mut cut) = (term, 0);
    while tail <= most && cut < n / 2 {
        cut += 1;
        term *= (n + 1 - cut) as f64 / cut as f64;
        tail += term;
    }
    cut.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_lies_in_the_middle() {
        assert_eq!(median(&[], 0.95), None);
        let (one, range) = median(&[3.0], 0.95).unwrap();
        assert_eq!((one, range.low, range.high), (3.0, 3.0, 3.0));
        let (even, _) = median(&[4.0, 1.0, 3.0, 2.0], 0.95).unwrap();
        assert_eq!(even, 2.5);
    }

    #[test]
    fn the_sign_test_counts_what_lies_above() {
        let p = |above: usize| {
            let values: Vec<f64> = (0..31).map(|at| f64::from(u8::from(at < above))).collect();
            sign_test_above(&values, 0.5)
        };
        // From R: pbinom(21, 31, 0.5, lower = FALSE).
        assert!((p(22) - 0.014_724_69).abs() < 1e-6, "{}", p(22));
        assert!(p(31) < 1e-9 && p(0) > 0.999);
        assert_eq!(sign_test_above(&[], 1.0), 1.0);
    }

    /// From tables of the sign test: the i-th and the (n + 1 - i)-th of n sorted values enclose the
    /// median with a confidence of at least 95 %, except that n = 5 gives 94 %.
    #[test]
    fn intervals_agree_with_the_sign_test() {
        for (n, i) in [
            (5, 1),
            (6, 1),
            (8, 1),
            (9, 2),
            (11, 2),
            (12, 3),
            (15, 4),
            (20, 6),
            (25, 8),
        ] {
            let values: Vec<f64> = (1..=n).rev().map(f64::from).collect();
            let (_, interval) = median(&values, 0.95).unwrap();
            assert_eq!(interval.low, f64::from(i), "{n}");
            assert_eq!(interval.high, f64::from(n + 1 - i), "{n}");
        }
    }
}
