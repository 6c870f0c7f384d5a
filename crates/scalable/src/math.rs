//! The FPR of a series of filters. Source: Almeida, Baquero, Preguiça and Hutchison, "Scalable
//! Bloom Filters", Information Processing Letters 101, 2007, section 3.

/// The FPR of the first stage, chosen so that all stages together stay within the target p, if
/// each further stage has `tightening` (r) times the FPR of the previous one: p (1 - r),
/// because p (1 - r) (1 + r + r^2 + ...) = p.
///
/// In some libraries the first stage has the FPR p itself; then the total reaches p / (1 - r),
/// which is five times the target at r = 0.8.
pub fn first_fpr(target_fpr: f64, tightening: f64) -> f64 {
    target_fpr * (1.0 - tightening)
}

/// The FPR of several filters that are queried together: 1 - prod(1 - p_i), the probability
/// that at least one of them gives a false positive (section 3, the compound error
/// probability). 0 if there are no filters.
///
/// Computed by repeating p + (1 - p) q, in which nothing cancels.
///
/// ```
/// use bouquet_scalable::math::compound_fpr;
///
/// assert!((compound_fpr([0.1, 0.1]) - 0.19).abs() < 1e-15);
/// ```
pub fn compound_fpr(fprs: impl IntoIterator<Item = f64>) -> f64 {
    fprs.into_iter()
        .fold(0.0, |all, fpr| all + (1.0 - all) * fpr)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// The FPR of `stages` full stages.
    fn full_stages(first: f64, tightening: f64, stages: usize) -> f64 {
        let fprs = core::iter::successors(Some(first), |fpr| Some(fpr * tightening));
        compound_fpr(fprs.take(stages))
    }

    #[test]
    fn reference_rows_match() {
        let mut rows = 0;
        for line in include_str!("../tests/data/scalable_compound.csv")
            .lines()
            .skip(1)
        {
            let cell: Vec<&str> = line.split(',').collect();
            let number = |i: usize| -> f64 { cell[i].parse().unwrap() };
            let (target, tightening, stages) = (number(0), number(1), number(4) as usize);
            let first = if cell[2] == "P0=P" {
                target
            } else {
                first_fpr(target, tightening)
            };
            let close = |got: f64, want: f64, what: &str| {
                assert!(
                    (got / want - 1.0).abs() <= 5.1e-10,
                    "{what} {line}: {got} {want}"
                );
            };
            close(first, number(3), "first");
            let compound = full_stages(first, tightening, stages);
            close(compound, number(5), "compound");
            if cell[2] != "P0=P" {
                assert!(compound <= target, "{line}");
            }
            rows += 1;
        }
        assert_eq!(rows, 225);
    }

    #[test]
    fn no_number_of_stages_exceeds_the_target() {
        for target in [0.999, 0.5, 0.01, 1e-9] {
            for tightening in [0.01, 0.3, 0.5, 0.8, 0.99] {
                let first = first_fpr(target, tightening);
                for stages in [1, 2, 10, 100_000] {
                    let compound = full_stages(first, tightening, stages);
                    assert!(compound <= target, "{target} {tightening} {stages}");
                }
            }
        }
    }

    #[test]
    fn edges() {
        assert_eq!(compound_fpr([]), 0.0);
        assert_eq!(compound_fpr([0.3]), 0.3);
        assert_eq!(compound_fpr([1.0, 0.5]), 1.0);
    }
}
