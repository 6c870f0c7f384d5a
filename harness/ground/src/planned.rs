//! What is known of a rate before it is measured.

use crate::record::FprRow;

/// A rate that will be judged, as planned.
#[derive(Clone, Debug)]
pub struct PlannedRate {
    /// A replicate of it: the expected FPR with its spread, and how many non-members are
    /// asked. What is measured is empty.
    pub row: FprRow,
    /// Replicates of the first stage and of the second together.
    pub replicates: u32,
    /// Whether it is judged over all key sets together alone.
    pub over_sets: bool,
}
