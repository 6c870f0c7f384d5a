//! Paired ratios: the median with a bootstrap interval, and the sign test.

use super::{CountLaw, Interval, median::middle};

/// Resamples: the ends of a 95 % interval move by about a hundredth of its width.
const RESAMPLES: usize = 2_000;

/// The median of `values` and its percentile interval over resamples drawn from
/// `seed`. `None` without a value.
///
/// From: Efron and Tibshirani, "An introduction to the bootstrap", section 13.3.
pub fn bootstrap_median(values: &[f64], confidence: f64, seed: u64) -> Option<(f64, Interval)> {
    let mut sample = values.to_vec();
    let median = middle(&mut sample)?;
    let mut state = seed;
    let mut medians = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        for slot in &mut sample {
            let at = (u128::from(next(&mut state)) * values.len() as u128) >> 64;
            *slot = values[at as usize];
        }
        medians.extend(middle(&mut sample));
    }
    medians.sort_by(f64::total_cmp);
    let cut = ((1.0 - confidence) / 2.0 * RESAMPLES as f64) as usize;
    let interval = Interval::new(medians[cut], medians[RESAMPLES - 1 - cut]);
    Some((median, interval))
}

/// The p-value that answers to a median above `limit`, whatever the law of the
/// values (the sign test; Lehmann and Romano, section 4.9). 1 without a value.
pub fn sign_test_above(values: &[f64], limit: f64) -> f64 {
    let above = values.iter().filter(|value| **value > limit).count();
    if values.is_empty() {
        return 1.0;
    }
    let law = CountLaw::Binomial {
        trials: values.len() as u64,
        chance: 0.5,
    };
    law.tails(above as f64, 0.0).upper
}

/// SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 31 values, skewed as times are: a uniform number to the power of -1/4.
    fn sample(seed: u64) -> Vec<f64> {
        let mut state = seed;
        let uniform = |word: u64| ((word >> 12) as f64 + 0.5) / (1u64 << 52) as f64;
        (0..31)
            .map(|_| uniform(next(&mut state)).powf(-0.25))
            .collect()
    }

    #[test]
    fn an_interval_holds_the_median_as_often_as_it_says() {
        let true_median = 0.5_f64.powf(-0.25);
        let covering = (0..1_000).filter(|&seed| {
            let (_, interval) = bootstrap_median(&sample(seed << 20), 0.95, seed).unwrap();
            interval.low <= true_median && true_median <= interval.high
        });
        let covering = covering.count();
        assert!((920..=980).contains(&covering), "{covering} of 1,000");
    }

    #[test]
    fn the_sign_test_rejects_as_often_as_it_says() {
        let true_median = 0.5_f64.powf(-0.25);
        let p = |seed: u64| sign_test_above(&sample(seed << 20), true_median);
        let rejected = (0..4_000).filter(|&seed| p(seed) < 0.05).count();
        // The largest level of 31 signs that is below: 0.035.
        assert!((100..=190).contains(&rejected), "{rejected} of 4,000");
        assert!(sign_test_above(&[2.0; 31], 1.0) < 1e-9);
        assert_eq!(sign_test_above(&[], 1.0), 1.0);
        assert!(sign_test_above(&[1.0; 31], 1.0) > 0.999);
    }

    #[test]
    fn medians_of_few() {
        assert_eq!(bootstrap_median(&[], 0.95, 1), None);
        let (median, interval) = bootstrap_median(&[3.0], 0.95, 1).unwrap();
        assert_eq!((median, interval.low, interval.high), (3.0, 3.0, 3.0));
        assert_eq!(bootstrap_median(&[4.0, 1.0], 0.95, 1).unwrap().0, 2.5);
        let same = |seed| bootstrap_median(&sample(5), 0.95, seed);
        assert_eq!(same(1), same(1));
    }
}
