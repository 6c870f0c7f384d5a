//! The rows of the uniformity battery.

use serde::{Deserialize, Serialize};

/// One statistic of one cell: a subject on one key set with one m and number of
/// keys.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct BatteryRow {
    /// The scheme or filter.
    pub subject: String,
    /// As in [`SubjectRow`](super::SubjectRow), or `textbook`, `known-structure`.
    pub role: String,
    pub dataset: String,
    /// The m that was wanted, and the one that the layout makes of it.
    pub slots_wanted: u64,
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
    /// `T0`, `T1`, `T3` or `T7`.
    pub test: String,
    /// Which part, probe or pair.
    pub item: String,
    pub statistic: f64,
    /// What it is compared with: `chi-square`, `poisson`, `binomial` or `skewed`
    /// (a gamma law of three cumulants).
    pub law: String,
    pub degrees_of_freedom: Option<u64>,
    pub trials: Option<u64>,
    pub mean: Option<f64>,
    pub variance: Option<f64>,
    pub third_cumulant: Option<f64>,
    /// `both`, or `upper` where only too many is a fault.
    pub sides: String,
    /// Of a histogram.
    pub bins: u64,
    pub least_expected: f64,
    pub error: String,
}
