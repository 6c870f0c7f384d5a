//! Tails of the standard normal distribution and of Student's t distribution.

use statrs::{
    distribution::{ContinuousCDF, StudentsT},
    function::erf::{erfc, erfc_inv},
};

/// P(Z > z) for a standard normal Z.
pub(super) fn upper_tail(z: f64) -> f64 {
    0.5 * erfc(z / std::f64::consts::SQRT_2)
}

/// The z beyond which the two tails together have probability `1 - confidence`: 1.96 at 0.95.
pub fn z_two_sided(confidence: f64) -> f64 {
    std::f64::consts::SQRT_2 * erfc_inv(1.0 - confidence)
}

pub(super) fn t_upper(t: f64, degrees_of_freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, degrees_of_freedom).map_or(f64::NAN, |law| law.sf(t))
}

/// The z-score of the sum of (fill ratio - mean) over independent filters. Each filter is a triple
/// (fill ratio, mean, standard deviation). `None` if there are no filters.
pub fn fill_z(fills: &[(f64, f64, f64)]) -> Option<f64> {
    let each = fills.iter().map(|(fill, mean, sd)| (fill - mean, sd * sd));
    let (off, variance) = each.reduce(|sum, one| (sum.0 + one.0, sum.1 + one.1))?;
    Some(match variance.sqrt() {
        sd if sd > 0.0 => off / sd,
        // If theory allows no deviation at all, any deviation beyond rounding gives an infinite
        // z-score.
        _ if off.abs() < 1e-9 => 0.0,
        _ => f64::INFINITY.copysign(off),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table has alpha divided by the number of tests (Bonferroni), and z for this level.
    #[test]
    fn z_agrees_with_the_reference() {
        let table = include_str!("../../data/multiple_comparison.csv");
        for line in table.lines().skip(1) {
            let cell: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
            let (alpha, z) = (cell[2], cell[3]);
            assert!((z_two_sided(1.0 - alpha) - z).abs() < 1e-4, "{line}");
            assert!((2.0 * upper_tail(z) / alpha - 1.0).abs() < 1e-3, "{line}");
        }
    }
}

#[cfg(test)]
mod mean_tests {
    use super::*;

    #[test]
    fn z_pools_over_filters() {
        let one = fill_z(&[(0.51, 0.5, 0.01)]).unwrap();
        assert!((one - 1.0).abs() < 1e-9);
        let four = fill_z(&[(0.51, 0.5, 0.01); 4]).unwrap();
        assert!((four - 2.0).abs() < 1e-9);
        assert_eq!(fill_z(&[]), None);
        assert_eq!(fill_z(&[(0.5, 0.5, 0.0)]), Some(0.0));
        assert_eq!(fill_z(&[(0.6, 0.5, 0.0)]), Some(f64::INFINITY));
    }
}
