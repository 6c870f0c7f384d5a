//! The rows of a filter's lifecycle, and of keys that no filter could distinguish.

use serde::{Deserialize, Serialize};

/// A filter after one phase of its lifecycle: all keys that must be present were looked
/// up.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PhaseRow {
    pub experiment: String,
    pub filter: String,
    pub dataset: String,
    pub capacity: u64,
    /// What it was sized for: a target, or bits per key.
    pub target_fpr: Option<f64>,
    pub bits_per_key: Option<f64>,
    pub replicate: u32,
    pub seed: u64,
    /// `insert`, `remove`, `grow`, `reload`, `repeat`, `remove repeats`, `union`,
    /// `concurrent insert` or `fold`.
    pub phase: String,
    /// Keys that were given to it in this phase, and how many it rejected.
    pub inserted: u64,
    pub rejected: u64,
    /// Keys that were removed, and how many of them it said it did not hold.
    pub removed: u64,
    pub removals_rejected: u64,
    /// Keys that must be present at the end of the phase, and the false negatives among them.
    pub members_asked: u64,
    pub false_negatives: u64,
    /// The same keys looked up in batches: false negatives, and those answered otherwise
    /// than by single calls. Empty as in [`FprRow`](super::FprRow).
    #[serde(default)]
    pub batch_false_negatives: Option<u64>,
    #[serde(default)]
    pub batch_otherwise: Option<u64>,
    pub error: String,
}

/// Pairs of keys that have all their locations in common, in a geometry made
/// for a low FPR: no filter tells such keys apart, whatever its size.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LocationSetsRow {
    pub experiment: String,
    pub filter: String,
    pub dataset: String,
    pub capacity: u64,
    /// m and k of the filter whose locations they are.
    pub slots: u64,
    pub probes: u32,
    pub seed: u64,
    /// Keys located.
    pub keys: u64,
    /// Pairs found, and by chance; empty where the layout claims nothing of
    /// them.
    pub pairs: Option<u64>,
    pub expected_pairs: Option<f64>,
    pub error: String,
}
