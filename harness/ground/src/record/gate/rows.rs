//! The raw rows of a run of the gate.

use super::GateRow;
use crate::record::{Observation, TestRow, TimingRow};

/// A filter as it is configured with all of its keys, of which there may be more than
/// it is sized for.
#[derive(Clone, Debug, Default)]
pub struct GateLoadRow {
    pub setting: String,
    /// It makes room for more keys than its capacity.
    pub grows: bool,
    /// Its keys are different ones: those of its file, or as many as its capacity of a generated
    /// set. Measured if they are more than its capacity; else nobody is asked.
    pub of: Observation,
}

impl GateLoadRow {
    /// Whether its keys have outgrown it.
    pub fn is_overfull(&self) -> bool {
        self.of.keys > self.of.capacity && !self.grows
    }
}

/// The raw rows of a run.
#[derive(Clone, Debug, Default)]
pub struct GateRecords {
    pub loads: Vec<GateLoadRow>,
    pub exact: Vec<GateRow>,
    pub fpr: Vec<Observation>,
    pub battery: Vec<TestRow>,
    pub times: Vec<TimingRow>,
}
