//! The records of a recommendation.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::{Row, Source, Writer};

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
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
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

/// A line of the cost model: overhead = `base_ns` + `slope` * cost of a backing lookup.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LineRow {
    pub candidate: String,
    pub bits_per_key: f64,
    pub base_ns: f64,
    pub base_low_ns: f64,
    pub base_high_ns: f64,
    pub slope: f64,
}

/// A stretch of the lower envelope.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct EnvelopeRow {
    pub from_ns: f64,
    pub to_ns: f64,
    pub candidate: String,
    /// Of its sizes within the stretch, at either end.
    pub bits_per_key_from: f64,
    pub bits_per_key_to: f64,
    /// Those that are too close to call, and where; without bounds all over it.
    pub too_close: String,
}

/// The costs of a backing lookup at which a candidate and the best are too close to call.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct BandRow {
    pub candidate: String,
    pub from_ns: f64,
    pub to_ns: f64,
    /// Who has the least overhead there.
    pub best: String,
}

/// The choice with more keys than it was sized for.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SensitivityRow {
    /// Keys over those it was sized for.
    pub times_the_keys: f64,
    /// Empty where it rejects them.
    pub expected_fpr: Option<f64>,
    pub overhead_ns: Option<f64>,
    /// Who has the least overhead then, all as large as they are.
    pub best: String,
}

/// Something that was not said by a flag.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AssumedRow {
    pub flag: String,
    pub value: String,
    pub source: String,
}

/// What an answer says beside its tables.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AnswerRow {
    pub version: String,
    pub capacity: u64,
    pub final_keys: u64,
    pub work_cost_ns: f64,
    pub hits: f64,
    pub choice: String,
    pub reason: String,
    pub runner_up: Option<String>,
    pub runner_up_reason: String,
    /// Names with commas between them.
    pub too_close: String,
    pub times: String,
    pub cargo_toml: String,
    pub rust: String,
}

/// What else a reader of an answer should know.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct NoteRow {
    pub note: String,
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
    /// The runner-up, and when it would win.
    pub runner_up_reason: String,
    /// Those whose overhead and the least, as the choice's, are too close to call.
    pub too_close: Vec<String>,
    /// What else a reader should know.
    pub notes: Vec<String>,
    /// Whose the times are.
    pub times: String,
    #[serde(rename = "rows")]
    pub candidates: Vec<CandidateRow>,
    pub envelope: Vec<EnvelopeRow>,
    pub bands: Vec<BandRow>,
    pub sensitivity: Vec<SensitivityRow>,
    pub lines: Vec<LineRow>,
    /// Lines of `[dependencies]`.
    pub cargo_toml: String,
    /// A whole program.
    pub rust: String,
}

/// Between the names of a list in one cell.
const BETWEEN: &str = ", ";

impl Recommendation {
    /// Adds it to the records of a run.
    ///
    /// Fails if a file cannot be written.
    pub fn write(&self, rows: &mut Writer) -> Result<()> {
        let own = AnswerRow {
            version: self.version.clone(),
            capacity: self.capacity,
            final_keys: self.final_keys,
            work_cost_ns: self.work_cost_ns,
            hits: self.hits,
            choice: self.choice.clone(),
            reason: self.reason.clone(),
            runner_up: self.runner_up.clone(),
            runner_up_reason: self.runner_up_reason.clone(),
            too_close: self.too_close.join(BETWEEN),
            times: self.times.clone(),
            cargo_toml: self.cargo_toml.clone(),
            rust: self.rust.clone(),
        };
        let notes = self.notes.iter().cloned();
        let notes: Vec<NoteRow> = notes.map(|note| NoteRow { note }).collect();
        rows.write(&[own])?;
        rows.write(&notes)?;
        rows.write(&self.candidates)?;
        rows.write(&self.lines)?;
        rows.write(&self.envelope)?;
        rows.write(&self.bands)?;
        rows.write(&self.sensitivity)?;
        rows.write(&self.assumed)
    }

    /// Reads it again.
    ///
    /// Fails if a kind of row is missing or cannot be read.
    pub(super) fn read(from: &Source) -> Result<Self> {
        let own = from.rows()?.pop();
        let own: AnswerRow = own.with_context(|| format!("{} has no row", AnswerRow::FILE))?;
        let too_close = own.too_close.split(BETWEEN).filter(|name| !name.is_empty());
        let notes: Vec<NoteRow> = from.rows()?;
        Ok(Self {
            too_close: too_close.map(str::to_owned).collect(),
            version: own.version,
            capacity: own.capacity,
            final_keys: own.final_keys,
            work_cost_ns: own.work_cost_ns,
            hits: own.hits,
            assumed: from.rows()?,
            choice: own.choice,
            reason: own.reason,
            runner_up: own.runner_up,
            runner_up_reason: own.runner_up_reason,
            notes: notes.into_iter().map(|row| row.note).collect(),
            times: own.times,
            candidates: from.rows()?,
            envelope: from.rows()?,
            bands: from.rows()?,
            sensitivity: from.rows()?,
            lines: from.rows()?,
            cargo_toml: own.cargo_toml,
            rust: own.rust,
        })
    }
}
