//! An answer of `recommend`, and the times that it is made of.

use serde::{Deserialize, Serialize};

/// How long one candidate takes for a key.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TimeRow {
    pub candidate: String,
    /// `default`, or `keyed`: hashed under a secret.
    pub hash: String,
    /// `u64` or `url`; the user's own keys go under their own name.
    pub keys: String,
    pub capacity: u64,
    /// Times as many keys as it was sized for at first: of a set that grows. Rows
    /// from before there was this had all their keys at first.
    #[serde(default = "not_grown")]
    pub grown: f64,
    /// 0 of a set that is exact.
    pub target_fpr: f64,
    /// `insert`, `hit` or `miss`.
    pub operation: String,
    /// The processor's time of the thread, net of walking over the keys; the
    /// median of the repetitions.
    pub net_ns_per_key: f64,
    /// Its interval at 95 %.
    pub low: f64,
    pub high: f64,
    /// Of those that come with the program: `speed` where it is a cell of reports/speed,
    /// else `scaled`; empty of what was measured for the answer.
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
    /// What it was sized for; empty where there is nothing to choose.
    pub target_fpr: Option<f64>,
    pub bits_per_key: Option<f64>,
    /// At its final number of keys.
    pub expected_fpr: Option<f64>,
    pub hit_ns: Option<f64>,
    pub miss_ns: Option<f64>,
    pub insert_ns: Option<f64>,
    /// Of all keys of one set.
    pub build_s: Option<f64>,
    /// Of all sets.
    pub memory_bytes: Option<f64>,
    /// Of all sets, in files; empty where it has no stored form of ours.
    pub stored_bytes: Option<f64>,
    /// Per lookup, without the backing lookup that a hit needs anyway.
    pub overhead_ns: Option<f64>,
    /// Why it was rejected.
    pub reasons: String,
}

/// Something that was not said by a flag.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct AssumedRow {
    pub flag: String,
    pub value: String,
    pub source: String,
}

/// An answer of `bouquet recommend`.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Recommendation {
    /// The version of the program.
    pub version: String,
    /// Of one set, at first and in the end.
    pub capacity: u64,
    pub final_keys: u64,
    pub work_cost_ns: f64,
    pub hits: f64,
    /// Defaults assumed, and other values that no flag gave, with their source.
    pub assumed: Vec<AssumedRow>,
    /// The name of the candidate.
    pub choice: String,
    /// The choice, and why.
    pub reason: String,
    pub runner_up: Option<String>,
    /// The runner-up, with its figures.
    pub runner_up_reason: String,
    /// Those whose overhead and the least, as the choice's, are too close to call.
    pub too_close: Vec<String>,
    /// What else a reader should know.
    pub notes: Vec<String>,
    /// Whose the times are.
    pub times: String,
    #[serde(rename = "rows")]
    pub candidates: Vec<CandidateRow>,
    /// Lines of `[dependencies]`.
    pub cargo_toml: String,
    /// A whole program.
    pub rust: String,
}
