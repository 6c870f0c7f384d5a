//! Confidence intervals for a rate, given a number of false positives. Implemented here in a few
//! lines, so that a project's tests do not have to build a library of statistics.

use std::ops::RangeInclusive;

/// The confidence of the interval: a correct filter fails about once in twenty thousand changes.
const CONFIDENCE: f64 = 0.9999;
/// The quantile of the normal distribution for this two-sided interval.
const Z: f64 = 3.890_591_886_413_097;
/// With fewer hits (or misses) than this the normal approximation is not used.
const FEW: u64 = 20;

/// The confidence interval of a rate, given `hits` in `trials`: Wilson's interval, or that of
/// Clopper and Pearson for fewer than 20 hits or misses. With no hits or no misses the interval is
/// one-sided.
pub fn interval(hits: u64, trials: u64) -> RangeInclusive<f64> {
    let misses = trials.saturating_sub(hits);
    if hits < FEW {
        clopper_pearson(hits, trials)
    } else if misses < FEW {
        let (low, high) = clopper_pearson(misses, trials).into_inner();
        1.0 - high..=1.0 - low
    } else {
        wilson(hits as f64, trials as f64)
    }
}

/// Wilson's interval (1927).
fn wilson(hits: f64, trials: f64) -> RangeInclusive<f64> {
    let share = hits / trials;
    let shrink = 1.0 / (1.0 + Z * Z / trials);
    let middle = shrink * (share + Z * Z / (2.0 * trials));
    let half =
        shrink * Z * (share * (1.0 - share) / trials + Z * Z / (4.0 * trials * trials)).sqrt();
    (middle - half).max(0.0)..=(middle + half).min(1.0)
}

/// The interval of Clopper and Pearson (1934).
fn clopper_pearson(hits: u64, trials: u64) -> RangeInclusive<f64> {
    let alpha = 1.0 - CONFIDENCE;
    if hits == 0 {
        return 0.0..=falling_to(alpha, |share| at_most(0, trials, share));
    }
    let low = falling_to(1.0 - alpha / 2.0, |share| at_most(hits - 1, trials, share));
    let high = falling_to(alpha / 2.0, |share| at_most(hits, trials, share));
    low..=high
}

/// Finds by bisection where the decreasing function `of` has the value `probability`.
fn falling_to(probability: f64, of: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high || (high - low) < 1e-12 * high {
            return middle;
        }
        if of(middle) > probability {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The probability of at most `hits` hits (a small number) in `trials`, if the rate is `share`,
/// between 0 and 1 (exclusive).
fn at_most(hits: u64, trials: u64, share: f64) -> f64 {
    let mut term = (trials as f64 * (-share).ln_1p()).exp();
    let mut sum = term;
    for i in 0..hits.min(trials) {
        term *= (trials - i) as f64 / (i + 1) as f64 * share / (1.0 - share);
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use bouquet_stats::proportion;

    use super::*;

    #[test]
    fn few_hits_have_the_interval_of_the_harness() {
        for trials in [50, 1_000, 1_000_000] {
            for hits in (0..FEW).flat_map(|hits| [hits, trials - hits]) {
                let (low, high) = interval(hits, trials).into_inner();
                let want = proportion(hits, trials, CONFIDENCE);
                let near = |got: f64, want: f64| (got - want).abs() <= 1e-8 * want;
                let same = near(low, want.low) && near(high, want.high);
                assert!(same, "{hits} of {trials}: {low} to {high}, not {want:?}");
            }
        }
    }

    /// Wilson's bounds are the rates from which the observed rate is `Z` standard deviations of
    /// that rate away.
    #[test]
    fn more_hits_have_the_interval_of_wilson() {
        for trials in [50, 1_000, 1_000_000] {
            for hits in [FEW, trials / 2, trials - FEW] {
                let (low, high) = interval(hits, trials).into_inner();
                for bound in [low, high] {
                    let off = hits as f64 / trials as f64 - bound;
                    let deviations = off.abs() / (bound * (1.0 - bound) / trials as f64).sqrt();
                    assert!((deviations - Z).abs() < 1e-9, "{hits} of {trials}: {bound}");
                }
            }
        }
    }
}
