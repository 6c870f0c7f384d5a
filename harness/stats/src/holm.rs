//! Holm's correction for multiple tests.

/// The p-values adjusted by Holm's step-down method, in the order of `p`. If the hypotheses whose
/// adjusted p-value is below alpha are rejected, the probability of any false alarm is at most
/// alpha, however the tests depend on each other (Holm 1979).
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![1.0; p.len()];
    let mut floor = 0.0_f64;
    for (rank, &at) in order.iter().enumerate() {
        floor = floor.max(p[at] * (p.len() - rank) as f64).min(1.0);
        adjusted[at] = floor;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worked_example() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (got, want) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((got - want).abs() < 1e-12, "{adjusted:?}");
        }
        assert_eq!(holm(&[]), Vec::<f64>::new());
        assert_eq!(holm(&[0.7, 0.9]), vec![1.0, 1.0]);
    }

    /// Holm's method compares the smallest p-value with Bonferroni's limit, which the table has.
    #[test]
    fn the_smallest_meets_the_share_of_the_reference() {
        let table = include_str!("../../data/multiple_comparison.csv");
        for line in table.lines().skip(1) {
            let cell: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
            let (checks, alpha, share) = (cell[0] as usize, cell[1], cell[2]);
            for (factor, rejected) in [(0.999, true), (1.001, false)] {
                let mut p = vec![0.5; checks];
                p[checks / 2] = share * factor;
                assert_eq!(holm(&p)[checks / 2] < alpha, rejected, "{line}");
            }
        }
    }
}
