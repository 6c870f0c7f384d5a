//! Compares measured rates with theory.

use super::{
    CountLaw,
    normal::{t_upper, z_two_sided},
};

/// FPRs up to this value are called low, because a run of normal length finds few false positives.
pub const LOW_FPR: f64 = 1e-5;
/// For a low FPR, a run is planned so that this many false positives are expected. At 1e-6, this
/// takes 6.6e7 lookups.
pub const LOW_HITS: u64 = 66;
/// The tolerated relative deviation of a filter's FPR from theory, if all its measurements are
/// pooled. Without a tolerance, a run that is long enough would fail a correct filter.
pub const ALLOWED: f64 = 1e-3;
/// A filter's measurements are pooled only if at least this many false positives are expected in
/// total, because the distribution of a smaller number is not close enough to normal.
const LEAST_HITS: f64 = 100.0;
/// At a two-sided confidence of 99.8 %, the z-score is the one-sided 99.9 % quantile. A deviation
/// that is reported as detectable is therefore detected with a probability of 99.9 %.
const SURE: f64 = 0.998;

/// The lookups of non-members in one filter, and its expected FPR.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Asked {
    pub non_members: u64,
    pub hits: u64,
    pub fpr: f64,
    /// The standard deviation of the FPR from one filter to the next, if theory gives one.
    pub sd: Option<f64>,
}

/// The false positives of several filters, compared with the number that theory expects in total.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PooledRate {
    pub hits: u64,
    pub expected: f64,
    /// The standard error of hits / expected.
    pub error: f64,
    pub z: f64,
    /// The two-sided p-value of the hypothesis that the rate is within 0.1 % of theory.
    pub p: f64,
}

impl PooledRate {
    /// `None` if too few false positives are expected, or if there is only one filter and theory
    /// gives no standard deviation for it.
    pub fn of(filters: &[Asked]) -> Option<Self> {
        let n = filters.len() as f64;
        let mean = |one: &Asked| one.non_members as f64 * one.fpr;
        let expected: f64 = filters.iter().map(mean).sum();
        let hits: u64 = filters.iter().map(|one| one.hits).sum();
        let off = hits as f64 - expected;
        let sampling: f64 = filters.iter().map(|one| mean(one) * (1.0 - one.fpr)).sum();
        let spread = |one: &Asked| Some((one.non_members as f64 * one.sd?).powi(2));
        let between: Option<f64> = filters.iter().map(spread).sum();
        // If theory gives no standard deviation, the variance is estimated from the filters' hits.
        let seen = || {
            let each = filters.iter().map(|one| one.hits as f64 - mean(one));
            let squares: f64 = each.map(|own| (own - off / n).powi(2)).sum();
            n / (n - 1.0) * squares
        };
        if expected < LEAST_HITS || between.is_none() && filters.len() < 2 {
            return None;
        }
        let variance = match between {
            Some(between) => sampling + between,
            None => sampling.max(seen()),
        };
        let sd = variance.sqrt();
        let beyond = (off.abs() - ALLOWED * expected).max(0.0).copysign(off);
        let p = match between {
            Some(between) => {
                // The third cumulant of the number of hits when the FPR itself varies.
                let third = sampling + 3.0 * between;
                let law = CountLaw::Skewed(expected, variance, third);
                law.tails(expected + beyond, 0.5).two_sided()
            }
            None => (2.0 * t_upper(beyond.abs() / sd, n - 1.0)).min(1.0),
        };
        Some(Self {
            hits,
            expected,
            error: sd / expected,
            z: off / sd,
            p,
        })
    }

    /// The smallest relative deviation from theory that a test at the significance level `alpha`
    /// would have detected with a probability of 99.9 %.
    pub fn found_from(&self, alpha: f64) -> f64 {
        ALLOWED + found_from(self.error, alpha)
    }
}

/// The smallest relative deviation that a test at the level `alpha` detects with a probability of
/// 99.9 % in a rate with the relative standard error `error`, if no deviation is tolerated.
pub fn found_from(error: f64, alpha: f64) -> f64 {
    (z_two_sided(1.0 - alpha) + z_two_sided(SURE)) * error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::upper_tail;

    fn asked(hits: u64, sd: Option<f64>) -> Asked {
        Asked {
            non_members: 1_000_000,
            hits,
            fpr: 0.01,
            sd,
        }
    }

    #[test]
    fn a_long_run_fails_no_correct_filter_and_finds_one_percent() {
        let pooled = |hits| PooledRate::of(&[asked(hits, Some(0.0)); 100]).unwrap();
        let right = pooled(10_010);
        assert!((right.z - 1.005).abs() < 0.001, "{right:?}");
        assert!(right.p > 0.9);
        let off = pooled(10_100);
        assert!(off.z > 10.0 && off.p < 1e-15, "{off:?}");
        let from = right.found_from(1e-4);
        assert!((from - 0.001 - (3.891 + 3.090) * right.error).abs() < 1e-6);
        // A deviation of the size `from` is missed with a probability of 1/1,000.
        let missed = upper_tail((from - 0.001) / right.error - 3.891);
        assert!((missed - 0.001).abs() < 1e-5, "{missed}");
    }

    #[test]
    fn filters_that_differ_are_allowed_to() {
        let known = PooledRate::of(&[asked(10_500, Some(0.001)); 4]).unwrap();
        let chance = PooledRate::of(&[asked(10_500, Some(0.0)); 4]).unwrap();
        assert!(known.p > 0.3 && chance.p < 1e-15, "{known:?} {chance:?}");
        let seen = |hits: &[u64]| {
            let all: Vec<Asked> = hits.iter().map(|hits| asked(*hits, None)).collect();
            PooledRate::of(&all)
        };
        assert!(seen(&[9_000, 11_500, 9_500, 11_000]).unwrap().p > 0.5);
        assert!(seen(&[20_000, 20_100, 19_900, 20_050]).unwrap().p < 1e-6);
        assert_eq!(seen(&[10_000]), None);
    }

    #[test]
    fn few_hits_are_not_pooled() {
        let low = |non_members| Asked {
            non_members,
            hits: 0,
            fpr: 1e-6,
            sd: Some(0.0),
        };
        assert_eq!(PooledRate::of(&[low(99_000_000)]), None);
        assert!(PooledRate::of(&[low(101_000_000)]).unwrap().p < 1e-15);
        assert_eq!(PooledRate::of(&[]), None);
    }
}
