//! The raw rows of a run of the gate.

use super::GateRow;
use crate::record::{FprRow, TestRow, TimingRow};

/// A filter as it is configured with all of its keys, of which there may be more than
/// it is sized for.
#[derive(Clone, Debug, Default)]
pub struct GateLoadRow {
    pub subject: String,
    pub setting: String,
    /// Different keys: those of its file, or as many as its capacity of a generated
    /// set.
    pub keys: u64,
    pub capacity: u64,
    /// It makes room for more keys than its capacity.
    pub grows: bool,
    /// Of more keys than its capacity: how many it rejected.
    pub rejected: u64,
    /// With the keys that it took.
    pub expected_fpr: f64,
    /// Measured if it has more keys than its capacity; else nobody is asked.
    pub non_members_asked: u64,
    pub false_positives: u64,
    pub error: String,
}

impl GateLoadRow {
    /// Whether its keys have outgrown it.
    pub fn is_overfull(&self) -> bool {
        self.keys > self.capacity && !self.grows
    }
}

/// The raw rows of a run.
#[derive(Clone, Debug, Default)]
pub struct GateRecords {
    pub loads: Vec<GateLoadRow>,
    pub exact: Vec<GateRow>,
    pub fpr: Vec<FprRow>,
    pub battery: Vec<TestRow>,
    pub times: Vec<TimingRow>,
}
