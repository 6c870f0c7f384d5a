//! Medians, without a law of what is measured.

use super::Interval;

/// The median and an interval that holds the true one with at least this
/// confidence, from order statistics: each value lies below it with probability
/// one half. The interval is the whole range where values are too few. `None`
/// without a value.
///
/// From: David and Nagaraja, "Order Statistics", 3rd edition, section 7.1.
pub fn median(values: &[f64], confidence: f64) -> Option<(f64, Interval)> {
    let mut sorted = values.to_vec();
    let middle = middle(&mut sorted)?;
    let n = sorted.len();
    let cut = cut(n, confidence);
    let interval = Interval::new(sorted[cut], sorted[n - 1 - cut]);
    Some((middle, interval))
}

/// The median of values, which are sorted by it; `None` without one.
pub fn middle(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    let (low, high) = (values.get(n.checked_sub(1)? / 2)?, values.get(n / 2)?);
    Some((low + high) / 2.0)
}

/// How many values may be left out at either end.
fn cut(n: usize, confidence: f64) -> usize {
    let most = (1.0 - confidence) / 2.0;
    // The chance that at most so many of n values lie on one side of the median.
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

    /// From tables of the sign test: of n values the i-th and the (n + 1 - i)-th
    /// enclose the median with at least 95 %.
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
