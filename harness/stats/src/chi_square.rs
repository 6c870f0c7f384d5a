//! p-values of Pearson's chi-square statistic.

use statrs::{
    distribution::{ChiSquared, ContinuousCDF},
    function::gamma::ln_gamma,
};

use super::interval::halving;

/// The two-sided p-value of a chi-square statistic: twice the smaller tail, at most 1. A statistic
/// near 0 indicates a fault too: bins that are filled exactly evenly show that the keys were not
/// hashed but, for example, numbered consecutively.
///
/// `None` if there are no degrees of freedom, or if the statistic is negative or NaN.
pub fn chi_square_p(statistic: f64, degrees_of_freedom: u64) -> Option<f64> {
    let upper = chi_square_upper_p(statistic, degrees_of_freedom)?;
    let law = ChiSquared::new(degrees_of_freedom as f64).ok()?;
    Some((2.0 * upper.min(law.cdf(statistic))).min(1.0))
}

/// The one-sided p-value: the upper tail. It is used for few bins, which may be filled exactly
/// evenly by chance. `None` in the same cases as for [`chi_square_p`].
pub fn chi_square_upper_p(statistic: f64, degrees_of_freedom: u64) -> Option<f64> {
    if statistic.is_nan() || statistic < 0.0 {
        return None;
    }
    let law = ChiSquared::new(degrees_of_freedom as f64).ok()?;
    Some(law.sf(statistic))
}

/// The power of a chi-square test at the significance level `alpha` if the statistic has this
/// noncentrality. `None` if there are no degrees of freedom.
///
/// The noncentral distribution is a Poisson mixture of central ones (Johnson, Kotz and
/// Balakrishnan, "Continuous univariate distributions" 2, eq. 29.3).
pub fn chi_square_power(degrees_of_freedom: u64, noncentrality: f64, alpha: f64) -> Option<f64> {
    let df = degrees_of_freedom as f64;
    let critical = upper_critical(df, alpha)?;
    let mean = noncentrality / 2.0;
    let reach = 10.0 * mean.sqrt() + 10.0;
    let first = (mean - reach).max(0.0).floor();
    let last = (mean + reach).ceil();
    let (mut power, mut at) = (0.0, first);
    while at <= last {
        let weight = if mean > 0.0 {
            (at * mean.ln() - mean - ln_gamma(at + 1.0)).exp()
        } else {
            f64::from(at == 0.0)
        };
        power += weight * ChiSquared::new(df + 2.0 * at).ok()?.sf(critical);
        at += 1.0;
    }
    Some(power.min(1.0))
}

/// The smallest noncentrality that a chi-square test detects with this power.
pub fn noncentrality_seen(degrees_of_freedom: u64, alpha: f64, power: f64) -> Option<f64> {
    let power_at = |at| chi_square_power(degrees_of_freedom, at, alpha);
    power_at(0.0)?;
    let is_seen = |at| power_at(at).is_some_and(|found| found >= power);
    let mut high = 1.0;
    while !is_seen(high) {
        high *= 2.0;
    }
    Some(halving(0.0, high, 1e-4, is_seen))
}

fn upper_critical(df: f64, alpha: f64) -> Option<f64> {
    let law = ChiSquared::new(df).ok()?;
    let mut high = 2.0 * df + 10.0;
    while law.sf(high) > alpha {
        high *= 2.0;
    }
    Some(halving(0.0, high, 1e-9, |x| law.sf(x) <= alpha))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn critical_values_have_their_tails() {
        let table = include_str!("../../data/chi2_critical.csv");
        let mut seen = 0;
        for line in table.lines().skip(1) {
            let cell: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
            let [df, alpha, upper, lower] = cell[..] else {
                panic!("{line}")
            };
            for critical in [upper, lower] {
                let p = chi_square_p(critical, df as u64).unwrap();
                assert!((p / (2.0 * alpha) - 1.0).abs() < 1e-3, "{line}: {p}");
            }
            seen += 1;
        }
        assert!(seen > 60);
    }

    /// The next number of the generator SplitMix64.
    fn next(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// For uniform histograms with few draws per bin, compares the rejection rate divided by alpha
    /// with the table. The two must agree within their statistical errors.
    #[test]
    fn few_draws_a_bin_have_the_tails_that_were_found() {
        const ALPHAS: [f64; 5] = [0.05, 0.01, 1e-3, 1e-4, 1e-5];
        let table = include_str!("../../data/chi2_tail_small_E.csv");
        let mut rows = 0;
        for line in table.lines().skip(1) {
            let cell: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
            let (bins, expected, there) = (cell[0] as u64, cell[1], cell[2]);
            let draws = (bins as f64 * expected) as u64;
            let repeats = (10_000_000 / draws).min(100_000);
            let mut state = bins << 32 | draws;
            let mut rejected = [0u64; 5];
            for _ in 0..repeats {
                let mut counts = vec![0.0; bins as usize];
                for _ in 0..draws {
                    counts[(next(&mut state) % bins) as usize] += 1.0;
                }
                let squares: f64 = counts.iter().map(|c| (c - expected).powi(2)).sum();
                let p = chi_square_upper_p(squares / expected, bins - 1).unwrap();
                for (rejected, alpha) in rejected.iter_mut().zip(ALPHAS) {
                    *rejected += u64::from(p < alpha);
                }
            }
            for ((rejected, alpha), ratio) in rejected.into_iter().zip(ALPHAS).zip(&cell[3..]) {
                let here = rejected as f64 / repeats as f64 / alpha;
                let rate = ratio.max(here).max(1.0);
                let error = (rate / alpha * (1.0 / repeats as f64 + 1.0 / there)).sqrt();
                assert!((here - ratio).abs() < 5.0 * error, "{line} {alpha}: {here}");
            }
            rows += 1;
        }
        assert_eq!(rows, 8);
    }

    #[test]
    fn the_middle_is_capped_and_the_ends_are_zero() {
        assert_eq!(chi_square_p(1e9, 1023), Some(0.0));
        assert_eq!(chi_square_p(0.0, 1023), Some(0.0));
        assert!(chi_square_p(1022.4, 1023).unwrap() > 0.95);
        assert_eq!(chi_square_p(1.0, 0), None);
        assert_eq!(chi_square_upper_p(0.0, 1), Some(1.0));
        assert_eq!(chi_square_upper_p(-1.0, 1), None);
        assert_eq!(chi_square_p(f64::NAN, 3), None);
    }
}

#[cfg(test)]
mod power_tests {
    use super::*;

    #[test]
    fn noncentralities_agree_with_the_reference() {
        let table = include_str!("../../data/chi2_power_one_bin.csv");
        let mut seen = 0;
        for line in table.lines().skip(1) {
            let cell: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
            let (bins, excess, alpha, power) = (cell[0], cell[1], cell[2], cell[3]);
            // The noncentrality does not depend on the excess, so one value of the excess is
            // enough.
            if excess != 0.01 {
                continue;
            }
            let got = noncentrality_seen(bins as u64 - 1, alpha, power).unwrap();
            assert!((got / cell[4] - 1.0).abs() < 1e-3, "{line}: {got}");
            let locations = got * (bins - 1.0) / (excess * excess);
            assert!((locations / cell[5] - 1.0).abs() < 2e-3, "{line}");
            seen += 1;
        }
        assert_eq!(seen, 24);
    }

    #[test]
    fn without_an_effect_the_power_is_alpha() {
        let power = chi_square_power(63, 0.0, 1e-3).unwrap();
        assert!((power / 1e-3 - 1.0).abs() < 1e-6);
        assert_eq!(chi_square_power(0, 1.0, 1e-3), None);
    }
}
