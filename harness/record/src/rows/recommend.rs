//! The result of `recommend`, and the times that it is based on.

use serde::{Deserialize, Serialize};

/// The time that one candidate takes per key.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TimeRow {
    pub candidate: String,
    /// `default`, or `keyed` for a hash with a secret key.
    pub hash: String,
    /// `u64` or `url`, or `own` for keys that the user gave.
    pub keys: String,
    pub capacity: u64,
    /// The final number of keys divided by the initial capacity; 1 for a filter that does not grow,
    /// and in rows written before this field existed.
    #[serde(default = "not_grown")]
    pub grown: f64,
    /// 0 for an exact set.
    pub target_fpr: f64,
    /// `insert`, `hit` or `miss`.
    pub operation: String,
    /// CPU time of the thread, without the time of iterating over the keys; the median of the
    /// repetitions.
    pub net_ns_per_key: f64,
    /// The 95 % interval of `net_ns_per_key`.
    pub low: f64,
    pub high: f64,
    /// For times shipped with the program: `speed` if they are taken from reports/speed, else
    /// `scaled`. Empty for times that the program itself measured.
    #[serde(default)]
    pub source: String,
}

fn not_grown() -> f64 {
    1.0
}

/// One candidate of a recommendation, at its best size.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct CandidateRow {
    pub candidate: String,
    /// `ours`, `exact`, `other` or `none`.
    pub class: String,
    /// `choice`, `runner-up`, `possible` or `rejected`.
    pub outcome: String,
    /// The target FPR; empty if it cannot be chosen for the candidate.
    pub target_fpr: Option<f64>,
    pub bits_per_key: Option<f64>,
    /// The FPR with the final number of keys.
    pub expected_fpr: Option<f64>,
    pub hit_ns: Option<f64>,
    pub miss_ns: Option<f64>,
    pub insert_ns: Option<f64>,
    /// The time to insert all keys of one key set.
    pub build_s: Option<f64>,
    /// The total memory of the filters, one for every key set of the workload.
    pub memory_bytes: Option<f64>,
    /// The total size of the filters as files; empty if they have no Bouquet file format.
    pub stored_bytes: Option<f64>,
    /// The expected cost per lookup, without the backing lookup that every present key needs.
    pub overhead_ns: Option<f64>,
    /// Why the candidate was rejected.
    pub reasons: String,
}

/// A value that was assumed because no flag set it.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct AssumedRow {
    pub flag: String,
    pub value: String,
    pub source: String,
}

/// The result of `bouquet recommend`.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Recommendation {
    /// The version of the program.
    pub version: String,
    /// The number of keys of one key set, at the beginning and at the end.
    pub capacity: u64,
    pub final_keys: u64,
    pub work_cost_ns: f64,
    pub hits: f64,
    /// The values that no flag set, such as defaults, with their source.
    pub assumed: Vec<AssumedRow>,
    /// The name of the chosen candidate.
    pub choice: String,
    /// The chosen candidate and the reason for the choice.
    pub reason: String,
    pub runner_up: Option<String>,
    /// The runner-up with its numbers.
    pub runner_up_reason: String,
    /// What else a reader should know.
    pub notes: Vec<String>,
    /// Where the times were measured.
    pub times: String,
    #[serde(rename = "rows")]
    pub candidates: Vec<CandidateRow>,
    /// The command that adds the dependencies.
    pub cargo_add: String,
    /// A complete example program.
    pub rust: String,
}
