//! A filter that is timed.

use anyhow::Result;

use bouquet_catalogue::Family;
use bouquet_ground::record::SubjectRow;

use super::Entry;
use crate::speed::{BenchLoop, Kind};

/// Makes a filter with its loop for keys of a kind.
pub type MakeBenchLoop = fn(Kind, capacity: u64, target_fpr: f64) -> Result<Box<dyn BenchLoop>>;

/// A filter that is compared in speed.
pub struct Contestant {
    /// Of the role `ours` or `peer`.
    pub subject: SubjectRow,
    /// Among the few of a quick run.
    pub is_quick: bool,
    pub make: MakeBenchLoop,
    /// What it takes, where no allocator counts.
    pub memory_bytes: Option<fn(capacity: u64, target_fpr: f64) -> Result<u64>>,
}

impl Contestant {
    pub fn is_static(&self) -> bool {
        self.subject.family == Family::Static.name()
    }
}

/// One of ours, or of others as it is evaluated.
pub fn contestant(entry: Entry, family: Family, make: MakeBenchLoop) -> Contestant {
    let is_ours = entry.role == "ours";
    let role = if is_ours { "ours" } else { "peer" };
    Contestant {
        subject: SubjectRow {
            role: role.into(),
            family: family.name().into(),
            ..entry.row()
        },
        is_quick: is_ours,
        make,
        memory_bytes: None,
    }
}
