//! The rows of keys that no filter could distinguish.

use serde::{Deserialize, Serialize};

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
