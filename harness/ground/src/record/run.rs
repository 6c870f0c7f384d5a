//! The document of a run, `run.json`: its facts, what it was of, and the files of its report,
//! which is known by it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{DatasetRow, ExperimentRow, Kind, SubjectRow};

/// Its name.
pub const RUN_FILE: &str = "run.json";

/// A fact for the record: name and value.
pub type Fact = (&'static str, String);

/// Facts of a run by name: `schema_version`, `revision`, `version`, `command`, `profile`, `seed`,
/// `duration_s`, `os`, `architecture`, `cpu`, `cores`, `memory`, `build`, and `interrupted` as
/// long as it measures.
pub type Facts = BTreeMap<String, String>;

/// What was run, where, and of what.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Run {
    /// `bouquet`.
    pub program: String,
    pub kind: Kind,
    #[serde(flatten)]
    pub facts: Facts,
    pub experiments: Vec<ExperimentRow>,
    pub subjects: Vec<SubjectRow>,
    pub key_sets: Vec<DatasetRow>,
    /// The number of rows in each file of records; none of a run that is measuring.
    pub rows: BTreeMap<String, u64>,
    /// All files of the report, itself among them.
    pub files: Vec<String>,
}
