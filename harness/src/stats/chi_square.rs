//! Pearson's chi-square, two-sided.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Two-sided p-value of a chi-square statistic: the smaller tail doubled, at
/// most 1. Too even a histogram is as wrong as too uneven a one: a counter in
/// place of a hash fills its bins exactly.
///
/// `None` without at least one degree of freedom or for a statistic that is
/// no number.
pub fn chi_square_p(statistic: f64, degrees_of_freedom: u64) -> Option<f64> {
    if statistic.is_nan() || statistic < 0.0 {
        return None;
    }
    let law = ChiSquared::new(degrees_of_freedom as f64).ok()?;
    let tail = law.sf(statistic).min(law.cdf(statistic));
    Some((2.0 * tail).min(1.0))
}

/// The upper tail alone, as [`chi_square_p`]: for a few bins, which chance
/// fills exactly evenly now and then.
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
        let table = include_str!("../../tests/data/chi2_critical.csv");
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
