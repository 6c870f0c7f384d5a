//! The power of chi-square tests.

use statrs::{
    distribution::{ChiSquared, ContinuousCDF},
    function::gamma::ln_gamma,
};

use super::halving::halving;

/// The probability that a statistic with this noncentrality lies in the upper tail of size `alpha`
/// of the central distribution. `None` if there are no degrees of freedom.
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

/// The noncentrality that the test detects with this power.
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
    fn noncentralities_agree_with_the_reference() {
        let table = include_str!("../../data/chi2_power_one_bin.csv");
        let mut seen = 0;
        for line in table.lines().skip(1) {
            let cell: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
            let (bins, excess, alpha, power) = (cell[0], cell[1], cell[2], cell[3]);
            // The result does not depend on the excess, so one value is enough and saves time.
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
