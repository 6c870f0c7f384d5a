//! The standard normal distribution.

use statrs::function::erf::{erfc, erfc_inv};

/// P(Z > z).
pub(super) fn upper_tail(z: f64) -> f64 {
    0.5 * erfc(z / std::f64::consts::SQRT_2)
}

/// The z beyond which the two tails together have probability `1 - confidence`: 1.96 at 0.95.
pub fn z_two_sided(confidence: f64) -> f64 {
    std::f64::consts::SQRT_2 * erfc_inv(1.0 - confidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table has both z and Bonferroni's share of alpha as columns.
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
