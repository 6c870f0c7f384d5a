//! The part of a record that says what a test found: a statistic and its expected distribution.

use bouquet_record::TestRow;
use bouquet_stats::CountLaw;

/// Two-sided: a count that is too small, or a histogram that is too even, is a fault too.
pub const BOTH: &str = "both";
/// One-sided: only a count that is too large, or a histogram that is too uneven, is a fault.
pub const UPPER: &str = "upper";

/// The row of a count, with the distribution of the count if the scheme does what it claims.
pub fn counted(test: &str, item: &str, count: u64, law: CountLaw, sides: &str) -> TestRow {
    let mut row = TestRow {
        test: test.into(),
        item: item.into(),
        statistic: count as f64,
        mean: Some(law.mean()),
        sides: sides.into(),
        ..TestRow::default()
    };
    let name = match law {
        CountLaw::Poisson(_) => "poisson",
        CountLaw::Binomial(trials, _) => {
            row.trials = Some(trials);
            "binomial"
        }
        CountLaw::Skewed(_, variance, third) => {
            (row.variance, row.third_cumulant) = (Some(variance), Some(third));
            "skewed"
        }
    };
    row.law = name.into();
    row
}

/// A count of rare pairs with a mean below this is taken as Poisson, otherwise as nearly normal.
const FEW: f64 = 100.0;
/// The largest number of draws per value at which pairs of equal draws rarely come in clumps, so
/// that their number is Poisson.
const SPARSE: f64 = 0.02;

/// The distribution of the number of pairs of equal draws among `draws` draws from `values` equally
/// likely values. Any two pairs are independent, so mean and variance are exact; three equal draws
/// add to the third cumulant. `None` if pairs are few but come in clumps.
pub fn equal_pairs(draws: f64, values: f64) -> Option<CountLaw> {
    let p = 1.0 / values;
    let pairs = draws * (draws - 1.0) / 2.0;
    let triples = pairs * (draws - 2.0) / 3.0;
    let mean = pairs * p;
    if mean < FEW {
        return (draws * p <= SPARSE).then_some(CountLaw::Poisson(mean));
    }
    Some(CountLaw::Skewed(
        mean,
        mean * (1.0 - p),
        mean * (1.0 - p) * (1.0 - 2.0 * p) + 6.0 * triples * p * p * (1.0 - p),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thirty draws from two values, with all possible outcomes enumerated.
    #[test]
    fn cumulants_of_a_case_by_enumeration() {
        let law = equal_pairs(30.0, 2.0).unwrap();
        let CountLaw::Skewed(mean, variance, third) = law else {
            panic!("{law:?}")
        };
        let mut chance = 0.5_f64.powi(30);
        let cases = (0..=30).map(|first| {
            let (a, b) = (f64::from(first), f64::from(30 - first));
            let case = (chance, (a * (a - 1.0) + b * (b - 1.0)) / 2.0);
            chance *= b / (a + 1.0);
            case
        });
        let cases: Vec<(f64, f64)> = cases.collect();
        let moment = |power| -> f64 {
            let terms = cases
                .iter()
                .map(|(p, pairs)| p * (pairs - mean).powi(power));
            terms.sum()
        };
        assert!(moment(1).abs() < 1e-9);
        assert!((variance / moment(2) - 1.0).abs() < 1e-9);
        assert!((third / moment(3) - 1.0).abs() < 1e-9, "{third}");
    }

    #[test]
    fn few_pairs_in_clumps_have_no_law() {
        assert_eq!(equal_pairs(20.0, 64.0), None);
        assert!(equal_pairs(1e5, 1e9).is_some());
    }
}
