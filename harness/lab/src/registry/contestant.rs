//! A filter that is timed.

use anyhow::Result;

use bouquet_catalogue::Family;

use super::Entry;
use crate::speed::{BenchLoop, Kind};

/// Makes a filter with its loop for keys of a kind.
pub type MakeBenchLoop = fn(Kind, capacity: u64, target_fpr: f64) -> Result<Box<dyn BenchLoop>>;

/// A filter that is compared in speed.
pub struct Contestant {
    pub name: &'static str,
    pub about: String,
    /// `ours` or `peer`.
    pub role: &'static str,
    /// Crate and version.
    pub release: &'static str,
    pub family: Family,
    /// A false negative fails the run.
    pub promises_no_false_negatives: bool,
    /// Among the few of a quick run.
    pub is_quick: bool,
    pub make: MakeBenchLoop,
    /// What it takes, where no allocator counts.
    pub memory_bytes: Option<fn(capacity: u64, target_fpr: f64) -> Result<u64>>,
}

impl Contestant {
    pub fn is_static(&self) -> bool {
        self.family == Family::Static
    }
}

/// One of ours, or of others as it is evaluated.
pub fn contestant(entry: Entry, family: Family, make: MakeBenchLoop) -> Contestant {
    Contestant {
        name: entry.name,
        about: entry.about.into(),
        role: if entry.role == "ours" { "ours" } else { "peer" },
        release: entry.release,
        family,
        promises_no_false_negatives: entry.promises_no_false_negatives,
        is_quick: entry.role == "ours",
        make,
        memory_bytes: None,
    }
}
