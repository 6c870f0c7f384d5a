//! The rows of filters that were filled and asked by every way.

use serde::{Deserialize, Serialize};

/// A filter that was filled by one way and asked by one, compared with the same
/// filter filled and asked by single calls; one by `from_keys` against one that its
/// plain constructor makes for the same keys.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct WaysRow {
    pub experiment: String,
    pub filter: String,
    pub dataset: String,
    /// What it is sized for. Where it is far more than the keys, it is a filter that
    /// no cache holds, whose batches go another way; where it is fewer, one that grows,
    /// passes its FPR or rejects keys.
    pub capacity: u64,
    pub target_fpr: Option<f64>,
    pub bits_per_key: Option<f64>,
    pub size_bits: u64,
    pub replicate: u32,
    pub seed: u64,
    /// How keys were inserted: `singly`, `in batches`, `by extend`, `by hash`,
    /// `by hash in batches`, `by from_keys`, `by union` or `across a reload`.
    pub inserted: String,
    /// How the filter was asked: `singly`, `in batches`, `by hash`,
    /// `by hash in batches`, `by the hash of its parts`, `by a view` or `by a mapped view`.
    /// Empty, as that above, of an error that came before.
    pub asked: String,
    /// Keys that were given to it, and how many it rejected.
    pub keys: u64,
    pub rejected: u64,
    /// Keys that single calls reject where this way takes them, or the other way
    /// round.
    pub taken_otherwise: u64,
    /// Whether this way counts another number of new keys; empty where it counts
    /// none.
    pub new_otherwise: Option<bool>,
    /// Whether the filter is stored as other bytes; empty where it may be, and where
    /// it has no format.
    pub stored_otherwise: Option<bool>,
    pub members_asked: u64,
    pub false_negatives: u64,
    pub non_members_asked: u64,
    pub false_positives: u64,
    /// Keys of either kind that are answered otherwise than by single calls.
    pub answered_otherwise: u64,
    pub error: String,
}
