//! What a test finds, and what it is compared with.

use bouquet_stats::CountLaw;

/// A statistic with the law that it follows under what the scheme claims.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    pub test: &'static str,
    /// Which part, probe or pair.
    pub item: String,
    pub statistic: f64,
    pub law: Law,
    pub sides: Sides,
    /// Bins of a histogram, else 0.
    pub bins: u64,
    /// The smallest expected count of a bin, else the expected count.
    pub least_expected: f64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Law {
    ChiSquare { degrees_of_freedom: u64 },
    Count(CountLaw),
}

bouquet_ground::named! {
    /// Which deviations count.
    pub enum Sides {
        /// Too even a histogram is wrong as well.
        Both = "both",
        /// Too many or too uneven only.
        Upper = "upper",
    }
}

impl Finding {
    /// Of a count.
    pub fn count(
        test: &'static str,
        item: impl Into<String>,
        count: u64,
        law: CountLaw,
        sides: Sides,
    ) -> Self {
        Self {
            test,
            item: item.into(),
            statistic: count as f64,
            law: Law::Count(law),
            sides,
            bins: 0,
            least_expected: law.mean(),
        }
    }
}

impl Law {
    /// The expected count; of chi-square its degrees of freedom.
    pub fn mean(self) -> f64 {
        match self {
            Self::ChiSquare { degrees_of_freedom } => degrees_of_freedom as f64,
            Self::Count(law) => law.mean(),
        }
    }
}

/// Below this mean a count of rare pairs is Poisson, from it on near normal.
const FEW: f64 = 100.0;
/// Up to so many draws a value, pairs of equal draws come one at a time.
const SPARSE: f64 = 0.02;

/// The law of the number of pairs of equal draws among `draws` from `values`
/// equally likely ones. Any two pairs are independent, so mean and variance are
/// exact; triangles add to the third cumulant. `None` where pairs are few but come in
/// clumps.
pub fn equal_pairs(draws: f64, values: f64) -> Option<CountLaw> {
    let p = 1.0 / values;
    let pairs = draws * (draws - 1.0) / 2.0;
    let triples = pairs * (draws - 2.0) / 3.0;
    let mean = pairs * p;
    if mean < FEW {
        return (draws * p <= SPARSE).then_some(CountLaw::Poisson { mean });
    }
    Some(CountLaw::Skewed {
        mean,
        variance: mean * (1.0 - p),
        third: mean * (1.0 - p) * (1.0 - 2.0 * p) + 6.0 * triples * p * p * (1.0 - p),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thirty draws from two values, all ways to draw them counted.
    #[test]
    fn cumulants_of_a_case_by_enumeration() {
        let law = equal_pairs(30.0, 2.0).unwrap();
        let CountLaw::Skewed {
            mean,
            variance,
            third,
        } = law
        else {
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
