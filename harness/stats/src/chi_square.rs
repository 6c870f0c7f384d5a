//! p-values of Pearson's chi-square statistic.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The two-sided p-value of a chi-square statistic: twice the smaller tail, at most 1. A histogram
/// that is too even is a fault just like one that is too uneven: a counter in place of a hash fills
/// its bins exactly evenly.
///
/// `None` if there are no degrees of freedom, or if the statistic is negative or NaN.
pub fn chi_square_p(statistic: f64, degrees_of_freedom: u64) -> Option<f64> {
    let upper = chi_square_upper_p(statistic, degrees_of_freedom)?;
    let law = ChiSquared::new(degrees_of_freedom as f64).ok()?;
    Some((2.0 * upper.min(law.cdf(statistic))).min(1.0))
}

/// The p-value of the upper tail alone, otherwise as [`chi_square_p`]. It is for few bins, which
/// may be filled exactly evenly by chance.
pub fn chi_square_upper_p(statistic: f64, degrees_of_freedom: u64) -> Option<f64> {
    if statistic.is_nan() || statistic < 0.0 {
        return None;
    }
    let law = ChiSquared::new(degrees_of_freedom as f64).ok()?;
    Some(law.sf(statistic))
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

    /// The generator SplitMix64.
    fn next(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// For uniform histograms with few draws per bin: how often the test rejects, divided by how
    /// often it should. The result must agree with the table within the errors of both.
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
