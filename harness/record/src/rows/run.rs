//! The document of a run, `run.json`: the facts of the run, its subjects, and the files of its
//! report. A folder is recognised as a report by this file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{DatasetRow, ExperimentRow, Kind, SubjectRow};

/// The file name of the document.
pub const RUN_FILE: &str = "run.json";

/// A fact for the records: its name and value.
pub type Fact = (&'static str, String);

/// The facts of a run by name: `schema_version`, `revision`, `version`, `command`, `profile`,
/// `seed`, `duration_s`, `os`, `architecture`, `cpu`, `cores`, `memory`, `build`, and while the run
/// is measuring `interrupted`.
pub type Facts = BTreeMap<String, String>;

/// What was run, where, and on which subjects.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Run {
    /// Always `bouquet`.
    pub program: String,
    pub kind: Kind,
    #[serde(flatten)]
    pub facts: Facts,
    pub experiments: Vec<ExperimentRow>,
    pub subjects: Vec<SubjectRow>,
    pub key_sets: Vec<DatasetRow>,
    /// The number of rows in each file of records; empty while the run is measuring.
    pub rows: BTreeMap<String, u64>,
    /// All files of the report, including this document.
    pub files: Vec<String>,
}

impl Run {
    /// Whether a filter or scheme of this name took part.
    pub fn lists(&self, name: &str) -> bool {
        self.subjects.iter().any(|row| row.subject == name)
    }
}
