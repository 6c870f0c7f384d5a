//! The rows of tests of locations.

use serde::{Deserialize, Serialize};

/// The test of a row that is a range of a histogram.
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
    /// Of the filter in a sweep.
    pub capacity: Option<u64>,
    /// m, as the layout makes it of what was wanted.
    pub slots: u64,
    /// k.
    pub probes: u32,
    /// Keys located, one set of k locations each.
    pub keys: u64,
    /// From 0: other keys of a generated set, and another seed.
    pub replicate: u32,
    pub seed: u64,
    /// `flagged`, `passes`, `undetectable`, `impossible` for a size that the
    /// layout does not have, or `unclaimed` of too few keys.
    pub expected_outcome: String,
    /// The tests that must flag it, with blanks between; empty if any will do.
    pub expected_tests: String,
    /// `T0`, `T1`, `T3`, `T7` or `histogram`; empty where there is none.
    pub test: String,
    /// Which part, probe, pair or range.
    pub item: String,
    pub statistic: f64,
    /// What it is compared with: `chi-square`, `poisson`, `binomial`, `skewed`
    /// (a gamma law of three cumulants) or `normal`.
    pub law: String,
    pub degrees_of_freedom: Option<u64>,
    pub trials: Option<u64>,
    pub mean: Option<f64>,
    pub variance: Option<f64>,
    pub third_cumulant: Option<f64>,
    /// `both`, or `upper` where only too many is a fault.
    pub sides: String,
    pub error: String,
}

impl TestRow {
    /// Why there is no statistic.
    pub fn failed(error: String) -> Self {
        Self {
            error,
            ..Self::default()
        }
    }

    /// Whether both are of one cell, whose rows stand together.
    pub fn is_beside(&self, other: &Self) -> bool {
        let of = |row: &Self| (row.seed, row.probes, row.keys, row.replicate);
        of(self) == of(other) && self.subject == other.subject && self.key_set == other.key_set
    }
}
