//! Means over replicates, and what a measured filter is compared with.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{Interval, halving::halving};

/// Student's interval of the mean; `None` with fewer than two values.
pub fn mean_interval(values: &[f64], confidence: f64) -> Option<Interval> {
    if values.len() < 2 {
        return None;
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = t_two_sided(n - 1.0, confidence) * (variance / n).sqrt();
    Some(Interval::new(mean - half, mean + half))
}

/// By bisection on the upper tail, so that levels close to 1 keep their digits.
fn t_two_sided(degrees_of_freedom: f64, confidence: f64) -> f64 {
    let Ok(law) = StudentsT::new(0.0, 1.0, degrees_of_freedom) else {
        return f64::NAN;
    };
    let tail = (1.0 - confidence) / 2.0;
    let mut high = 1.0;
    while law.sf(high) > tail && high < 1e12 {
        high *= 2.0;
    }
    halving(0.0, high, 1e-10, |t| law.sf(t) <= tail)
}

/// The upper tail of Student's law.
pub(super) fn t_upper(t: f64, degrees_of_freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, degrees_of_freedom).map_or(f64::NAN, |law| law.sf(t))
}

/// z of the fills of independent filters against their exact mean and standard
/// deviation, each a triple (fill, mean, standard deviation). `None` for none.
pub fn fill_z(fills: &[(f64, f64, f64)]) -> Option<f64> {
    pooled_z(fills.iter().map(|(fill, mean, sd)| (fill - mean, sd * sd)))
}

/// z of the hits of several filters given their bits: `(asked, hits, fpr)`
/// each, the hits of one being binomial in its own FPR, so that the sum has
/// mean sum q p and variance sum q p (1 - p). `None` for none.
pub fn given_bits_z(filters: &[(u64, u64, f64)]) -> Option<f64> {
    pooled_z(filters.iter().map(|&(q, hits, p)| {
        let mean = q as f64 * p;
        (hits as f64 - mean, mean * (1.0 - p))
    }))
}

/// Of deviations with their variances.
fn pooled_z(each: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let sum = |(off, variance): (f64, f64), one: (f64, f64)| (off + one.0, variance + one.1);
    let (off, variance) = each.reduce(sum)?;
    Some(ratio_or_zero(off, variance.sqrt()))
}

/// A deviation where theory allows none at all is infinite, bar rounding.
fn ratio_or_zero(off: f64, sd: f64) -> f64 {
    if sd > 0.0 {
        off / sd
    } else if off.abs() < 1e-9 {
        0.0
    } else {
        f64::INFINITY.copysign(off)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_student() {
        for (df, confidence, t) in [
            (2.0, 0.95, 4.302_652_73),
            (4.0, 0.95, 2.776_445_11),
            (9.0, 0.95, 2.262_157_16),
            (4.0, 0.999, 8.610_301_58),
            (2.0, 0.99999, 316.225_394),
        ] {
            let got = t_two_sided(df, confidence);
            assert!((got / t - 1.0).abs() < 1e-6, "{df} {confidence}: {got}");
        }
    }

    #[test]
    fn the_mean_of_five() {
        let got = mean_interval(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.95).unwrap();
        assert!((got.low - 1.036_756_8).abs() < 1e-6, "{got:?}");
        assert!((got.high - 4.963_243_2).abs() < 1e-6, "{got:?}");
        assert_eq!(mean_interval(&[1.0], 0.95), None);
    }

    #[test]
    fn z_pools_over_filters() {
        let one = fill_z(&[(0.51, 0.5, 0.01)]).unwrap();
        assert!((one - 1.0).abs() < 1e-9);
        let four = fill_z(&[(0.51, 0.5, 0.01); 4]).unwrap();
        assert!((four - 2.0).abs() < 1e-9);
        assert_eq!(fill_z(&[]), None);
        assert_eq!(fill_z(&[(0.5, 0.5, 0.0)]), Some(0.0));
        assert_eq!(fill_z(&[(0.6, 0.5, 0.0)]), Some(f64::INFINITY));
        // 10,000 at 1 %: sd 9.95; twice 100 + 9.95 is sqrt 2 away.
        let z = given_bits_z(&[(10_000, 110, 0.01), (10_000, 110, 0.01)]).unwrap();
        assert!((z - 20.0 / 198.0_f64.sqrt()).abs() < 1e-9, "{z}");
    }
}
