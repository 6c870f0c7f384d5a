//! The records of times.

use serde::{Deserialize, Serialize};

/// The operation of random cache lines that are read from an array: what no filter that reads a
/// line a key can do better.
pub const READ: &str = "read";
/// What the operations of the gate's rerun end in, which confirms.
pub const AGAIN: &str = " again";

/// How keys are given to a filter.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// One by one.
    #[default]
    Single,
    /// Of lines: each was fetched some time before it was read.
    Batch,
}

/// What is read before and after.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// The processor's time of the one thread.
    #[default]
    Thread,
    /// From the first thread's start to the last one's end, by the keys of all.
    Wall,
}

/// One subject in one repetition of one operation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TimingRow {
    /// A filter; [`GATE_REFERENCE`](super::GATE_REFERENCE) for the control that sets the reference
    /// beside itself; or `cache lines`, with `huge pages` where these were asked for.
    pub subject: String,
    pub path: Way,
    /// The kind of key: `u64` or `url`; of the gate, whose keys are the program's own, their
    /// length.
    pub keys: String,
    /// The filter was sized for so many keys, and holds them.
    pub capacity: u64,
    /// 0 of the gate's reference, which has none.
    pub target_fpr: f64,
    /// `insert`, `hit`, `miss` or `half` (hits and misses at random); with `in turn` each key
    /// depends on the answer before; with [`AGAIN`] in a rerun; or [`READ`].
    pub operation: String,
    /// They share the filter.
    pub threads: u32,
    pub repetition: u32,
    /// Keys given in the time measured, by all threads together.
    pub operations: u64,
    /// With the making of the key.
    pub ns_per_key: f64,
    /// The making of the key alone, in the same repetition, on as many threads; 0 where it was not
    /// measured.
    pub dry_run_ns_per_key: f64,
    /// Of the gate: of its reference in the same repetition.
    pub reference_ns_per_key: Option<f64>,
    pub clock: Clock,
    /// On the heap when full, as the allocator counted; without the peers as the filter tells.
    pub bytes: Option<u64>,
    /// While filling on one thread alone: keys that it rejected.
    pub rejected: u64,
    /// Of hits: false negatives. None are counted of a filter that rejected keys, for these are
    /// among the hits.
    pub false_negatives: u64,
    /// Of misses of one thread alone: false positives.
    pub false_positives: u64,
    pub error: String,
}

impl TimingRow {
    /// Without the making of the key.
    pub fn net(&self) -> f64 {
        self.ns_per_key - self.dry_run_ns_per_key
    }
}
