//! Mean deviations over several filters.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The upper tail of Student's t distribution.
pub(super) fn t_upper(t: f64, degrees_of_freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, degrees_of_freedom).map_or(f64::NAN, |law| law.sf(t))
}

/// The z-score of the summed deviations of independent filters' fill ratios from their exact means.
/// Each filter is a triple (fill ratio, mean, standard deviation). `None` if there are no filters.
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
