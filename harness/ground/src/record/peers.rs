//! The records of the scoreboard.

use serde::{Deserialize, Serialize};

/// One phase of one filter, in one replicate.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PeerRow {
    pub experiment: String,
    pub filter: String,
    /// Crate and version.
    pub release: String,
    /// `seeded` (the user may set a seed), `fixed` (the same in every filter)
    /// or `random` (drawn anew for every filter).
    pub hashing: String,
    /// Built from all keys at once.
    pub is_static: bool,
    /// `false`: the target was asked for all the same, the filter has but one.
    pub chooses_fpr: bool,
    pub dataset: String,
    /// `load` (filled with `load` times its capacity, then asked), `union` (two
    /// filters of different seeds, half the keys each), `reload` (full, written
    /// down and read back) or `size` (full, only what it holds is counted).
    pub phase: String,
    pub load: f64,
    pub capacity: u64,
    pub target_fpr: f64,
    pub replicate: u32,
    pub seed: u64,
    /// Keys that were given to it, and how many it refused.
    pub keys: u64,
    pub refused: u64,
    /// Keys asked for that it had accepted, and how many it denied. After
    /// `reload`: keys that it held before, and how many it no longer did.
    pub members_asked: u64,
    pub false_negatives: u64,
    /// Strangers asked for, and how many it held for members.
    pub strangers_asked: u64,
    pub false_positives: u64,
    /// On the heap, the value itself included, as the allocator counted.
    pub allocated_bytes: Option<u64>,
    /// What it was written as.
    pub serialized_bytes: Option<u64>,
    /// `done`, `not offered` by the crate, or `refused: ` and why.
    pub outcome: String,
    pub error: String,
}
