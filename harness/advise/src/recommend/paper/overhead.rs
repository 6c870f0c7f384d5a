//! What a filter takes beside its bits.

use anyhow::Result;

use crate::recommend::{candidates::Candidate, workload::Workload};
use bouquet_lab::registry::{Made, hold};

/// Bytes that a filter takes beside its bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overhead {
    /// In memory: the value itself, and what it takes to begin on a cache line.
    pub memory: f64,
    /// In a file: the header, check sums and all.
    pub stored: f64,
}

/// The same, of one that is really made for the target; of other sets it is in
/// their formulas. From one size to the next it differs by what fills a line.
///
/// # Errors
///
/// It cannot be made.
pub fn overhead(candidate: Candidate, workload: &Workload, target_fpr: f64) -> Result<Overhead> {
    if !candidate.is_sized() {
        return Ok(Overhead::default());
    }
    let made = Made {
        // The number of shards goes by the keys; from 64,000 on it is the same. A
        // set that grows begins with one stage.
        capacity: match candidate.begins_small() {
            true => workload.capacity,
            false => workload.final_keys(),
        }
        .min(64_000),
        target_fpr,
        keyed: workload.hostile,
        below: 0,
    };
    let bytes = hold(candidate.name(), &made)?.bytes();
    Ok(bytes.map_or(Overhead::default(), |bytes| Overhead {
        memory: bytes.allocated as f64 - bytes.payload as f64,
        stored: bytes.stored as f64 - bytes.payload as f64,
    }))
}
