//! The rows of statistical tests of locations.

use serde::{Deserialize, Serialize};

use super::{Cells, Row, Run};

/// The value of `test` in a row that is one range of a histogram.
pub const HISTOGRAM: &str = "histogram";

/// One statistic of one cell: a subject on one key set with one m and number of
/// keys.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TestRow {
    /// The sweep of the FPR in which the filter has this geometry; empty in the battery.
    pub experiment: String,
    /// The scheme or filter.
    pub subject: String,
    pub key_set: String,
    /// The capacity of a filter in a sweep.
    pub capacity: Option<u64>,
    /// m, as the layout rounded the requested size.
    pub slots: u64,
    /// k.
    pub probes: u32,
    /// The number of keys, each of which has one set of k locations.
    pub keys: u64,
    /// Counted from 0: each replicate has another seed and, for a generated set, other keys.
    pub replicate: u32,
    pub seed: u64,
    /// `flagged`, `passes`, `undetectable`, `impossible` for a size that the layout does not
    /// support, or `unclaimed` if there are too few keys to claim an outcome.
    pub expected_outcome: String,
    /// The tests that must flag the subject, separated by blanks; empty if any test will do.
    pub expected_tests: String,
    /// `T0`, `T1`, `T3`, `T7` or `histogram`; empty if no test was run.
    pub test: String,
    /// The part, probe, pair or range that was tested.
    pub item: String,
    pub statistic: f64,
    /// The distribution that the statistic is compared with: `chi-square`, `poisson`, `binomial`,
    /// `skewed` (a gamma distribution with three matching cumulants) or `normal`.
    pub law: String,
    pub degrees_of_freedom: Option<u64>,
    pub trials: Option<u64>,
    pub mean: Option<f64>,
    pub variance: Option<f64>,
    pub third_cumulant: Option<f64>,
    /// `both`, or `upper` if only large values indicate a fault.
    pub sides: String,
    pub error: String,
}

impl Row for TestRow {
    const FILE: &'static str = "tests.csv";

    fn cells<'a>(&'a self, run: &Run) -> Cells<'a> {
        const TESTS: [&str; 6] = ["", "T0", "T1", "T3", "T7", HISTOGRAM];
        const LAWS: [&str; 6] = ["", "chi-square", "poisson", "binomial", "skewed", "normal"];
        let (test, law) = (&*self.test, &*self.law);
        let mut expected = self.expected_tests.split_whitespace();
        vec![
            ("subject", &self.subject, run.lists(&self.subject)),
            ("test", &self.test, TESTS.contains(&test)),
            ("law", &self.law, LAWS.contains(&law)),
            (
                "sides",
                &self.sides,
                ["", "both", "upper"].contains(&&*self.sides),
            ),
            (
                "expected_tests",
                &self.expected_tests,
                expected.all(|one| TESTS.contains(&one)),
            ),
        ]
    }
}

impl TestRow {
    /// A row without a statistic; `error` says why.
    pub fn failed(error: String) -> Self {
        Self {
            error,
            ..Self::default()
        }
    }

    /// Whether both rows belong to the same cell. The rows of a cell are consecutive.
    pub fn is_beside(&self, other: &Self) -> bool {
        let of = |row: &Self| (row.seed, row.probes, row.keys, row.replicate);
        of(self) == of(other) && self.subject == other.subject && self.key_set == other.key_set
    }
}
