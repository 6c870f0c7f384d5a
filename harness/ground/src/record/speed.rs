//! The records of speed.

use serde::{Deserialize, Serialize};

/// One filter in one repetition of one operation on one thread.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SpeedRow {
    pub filter: String,
    /// `one by one` or `batch`: how keys are given to it.
    pub way: String,
    /// `ours` or `peer`.
    pub role: String,
    /// Crate and version.
    pub release: String,
    /// `blocked`, `spread` (probes anywhere), `fingerprints` or `static`.
    pub family: String,
    /// The kind of key: `u64` or `url`.
    pub keys: String,
    /// The filter was sized for so many keys, and holds them.
    pub capacity: u64,
    pub target_fpr: f64,
    /// `insert`, `hit`, `miss` or `half` (hits and misses at random); with `in turn`
    /// each key depends on the answer before.
    pub operation: String,
    pub repetition: u32,
    /// Keys given in the time measured.
    pub operations: u64,
    /// The processor's time of the thread, with the making of the key.
    pub gross_ns_per_key: f64,
    /// The making of the key alone, in the same repetition.
    pub dry_run_ns_per_key: f64,
    /// While filling: keys that it rejected.
    pub rejected: u64,
    /// Of hits: false negatives. None are counted of a filter that rejected
    /// keys, for these are among the hits.
    pub false_negatives: u64,
    /// Of misses: false positives.
    pub false_positives: u64,
    /// On the heap when full, as the allocator counted; without the peers as
    /// the filter tells.
    pub allocated_bytes: Option<u64>,
    pub threads: u32,
    pub error: String,
}

/// Random cache lines read from an array, in one repetition: what no filter
/// that reads a line a key can do better.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RooflineRow {
    /// The column that it was measured with.
    pub keys: String,
    /// Of the array: that of the filter `blocked` for these.
    pub capacity: u64,
    pub target_fpr: f64,
    pub bytes: u64,
    /// Huge pages were asked for.
    pub huge_pages: bool,
    /// Each line was fetched some time before it was read.
    pub prefetched: bool,
    pub repetition: u32,
    pub lines: u64,
    pub gross_ns_per_line: f64,
    /// The making of the line's number alone.
    pub dry_run_ns_per_line: f64,
}

/// One filter shared by threads, in one repetition of one operation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ThreadRow {
    pub filter: String,
    /// As in [`SpeedRow`], with `role` and `release`.
    pub way: String,
    pub role: String,
    pub release: String,
    pub keys: String,
    pub capacity: u64,
    pub target_fpr: f64,
    pub operation: String,
    pub threads: u32,
    pub repetition: u32,
    /// Keys given by all threads together.
    pub operations: u64,
    /// From the first thread's start to the last one's end, by the keys of all.
    pub wall_ns_per_key: f64,
    /// The making of the keys alone, on as many threads.
    pub dry_run_ns_per_key: f64,
    pub false_negatives: u64,
    pub error: String,
}
