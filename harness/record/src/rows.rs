//! The records of a run: raw rows in CSV, one per replicate. Everything that a report shows is
//! computed from them when the report is written.
//!
//! Units are in the column names. A rate is a fraction, not a percentage. A failed measurement is a
//! row with `error` filled in, not a missing row.

mod gate;
mod kinds;
mod recommend;
mod source;

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs::{self, File},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::folder::{at_work, shown};

pub use self::{gate::*, kinds::*, recommend::*, source::Source};

/// Incremented when a column changes its meaning or is removed.
pub const SCHEMA_VERSION: u32 = 6;

/// The columns that are checked when a row is read, each with whether its value is possible in this
/// run.
pub type Cells = Vec<(&'static str, bool)>;

/// A kind of row, with the name of its CSV file.
pub trait Row: Serialize + DeserializeOwned {
    const FILE: &'static str;

    fn cells(&self, run: &Run) -> Cells;
}

/// An experiment that was run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExperimentRow {
    pub experiment: String,
    /// `uniformity`, `fpr`, `memory`, `churn`, `battery` or `speed`.
    pub kind: String,
    pub title: String,
    /// How to interpret the result, and how not to.
    pub analysis: String,
}

/// A filter or a location scheme (a rule that maps a key to k slots) that the run measured.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct SubjectRow {
    pub subject: String,
    /// `filter` or `scheme`.
    pub kind: String,
    /// A description in one sentence.
    pub about: String,
    /// `ours`, `baseline`, `peer` or, for schemes, `known-good`, `textbook`,
    /// `known-structure` or `known-bad`.
    pub role: String,
    /// If true, a false negative makes the run fail.
    pub promises_no_false_negatives: bool,
    pub reproducible_by_seed: bool,
    pub exposes_locations: bool,
    pub removes: bool,
    pub grows: bool,
    pub concurrent: bool,
    /// The formula behind `expected_fpr`, and where it comes from.
    pub theory: String,
    /// For a filter: its location scheme, which is tested for uniformity.
    pub scheme: String,
    /// For a filter: its crate and version.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub release: String,
    /// For a filter that is only timed: `blocked`, `spread` (probes in the whole filter),
    /// `fingerprints` or `static`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub family: String,
    /// How charts draw the filter, in words such as `blue`, `circle` and `solid`. Filters for which
    /// these columns are empty look alike.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub colour: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub marker: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stroke: String,
}

/// Whether a subject with this role cannot make the run fail: its failures are only reported.
pub fn is_only_reported(role: &str) -> bool {
    matches!(role, "baseline" | "peer")
}

/// A key set that was used.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DatasetRow {
    pub dataset: String,
    pub about: String,
    pub keys: u64,
    /// The number of lines left out because an equal line preceded them.
    pub duplicates_dropped: u64,
    pub key_bytes: u64,
    /// The digest of a key file; empty for generated keys.
    pub sha256: String,
    /// The generator of generated keys; empty for files.
    pub generator: String,
}

crate::named! {
    /// What a run recorded; each kind has the name of its command.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Kind {
        #[default]
        Evaluation = "evaluate",
        Speed = "speed",
    }
}

/// The name of the file that stores a [`Run`].
pub const RUN_FILE: &str = "run.json";

/// A fact about a run or a machine: its name and value.
pub type Fact = (&'static str, String);

/// The facts of a run by name: `schema_version`, `revision`, `version`, `command`, `profile`,
/// `seed`, `duration_s`, `os`, `architecture`, `cpu`, `cores`, `memory`, `build`; and
/// `interrupted`, which is removed when everything is measured.
pub type Facts = BTreeMap<String, String>;

/// What was run, where, and on which subjects. A folder that contains this document is a report.
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

    /// Writes the document into a folder and replaces an earlier one.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(RUN_FILE);
        let text = serde_json::to_string_pretty(self)?
            + "
";
        fs::write(&path, text).with_context(|| format!("cannot write {}", shown(&path).display()))
    }
}

/// Everything that a run recorded. A run has rows of only some of these kinds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Records {
    pub kind: Kind,
    pub facts: Facts,
    pub experiments: Vec<ExperimentRow>,
    pub subjects: Vec<SubjectRow>,
    pub datasets: Vec<DatasetRow>,
    /// The uniformity tests of locations, except those in `location_sets` and `histograms`.
    pub battery: Vec<TestRow>,
    /// False-positive rates at different sizes, loads or target FPRs.
    pub fpr: Vec<Observation>,
    pub memory: Vec<Observation>,
    pub churn: Vec<Observation>,
    /// Counts of pairs of keys with the same locations, for the filters of FPR experiments.
    pub location_sets: Vec<TestRow>,
    /// Histograms of locations. Each row describes one range of slots of a histogram.
    pub histograms: Vec<TestRow>,
    pub times: Vec<TimingRow>,
}

impl Records {
    /// A fact of the run, empty if it was not recorded.
    pub fn fact(&self, name: &str) -> &str {
        self.facts.get(name).map_or("", String::as_str)
    }

    /// Whether the run ended before everything was measured.
    pub fn is_interrupted(&self) -> bool {
        !self.fact("interrupted").is_empty()
    }

    pub fn subject(&self, name: &str) -> Option<&SubjectRow> {
        self.subjects.iter().find(|row| row.subject == name)
    }

    pub fn role(&self, name: &str) -> &str {
        self.subject(name).map_or("", |subject| &subject.role)
    }
}

/// The characters with which a formula can begin in a spreadsheet, in half and full width, and
/// white space, which spreadsheets skip.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'];

/// The text to write for a cell. Text that spreadsheets would execute as a formula gets an
/// apostrophe in front, which marks it as text. Numbers are unchanged.
pub fn guarded(cell: &str) -> Cow<'_, str> {
    match cell.starts_with(FORMULA) && cell.parse::<f64>().is_err() {
        true => format!("'{cell}").into(),
        false => cell.into(),
    }
}

/// Formats rows as CSV.
pub fn in_csv<R: Serialize>(rows: &[R]) -> Result<String> {
    let mut cells = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| cells.serialize(row))?;
    Ok(String::from_utf8(cells.into_inner()?)?)
}

/// Parses rows in the CSV of [`in_csv`].
pub fn of_csv<R: DeserializeOwned>(text: &[u8]) -> Result<Vec<R>> {
    let rows = csv::Reader::from_reader(text).into_deserialize();
    Ok(rows.collect::<csv::Result<_>>()?)
}

/// Writes rows of all kinds and flushes each, so that what was measured before a crash can be read.
pub struct Writer {
    report: PathBuf,
    /// The open file of each kind, with the number of its rows.
    files: BTreeMap<&'static str, (csv::Writer<File>, u64)>,
}

impl Writer {
    /// Creates a writer into a report. The first rows create the folder `records` in it.
    pub fn new(report: &Path) -> Self {
        Self {
            report: report.to_path_buf(),
            files: BTreeMap::new(),
        }
    }

    /// Adds rows to the file of their kind.
    pub fn write<R: Row>(&mut self, rows: &[R]) -> Result<()> {
        let _held = at_work();
        let path = self.report.join("records").join(R::FILE);
        let mut write = || -> Result<()> {
            if !self.files.contains_key(R::FILE) {
                fs::create_dir_all(self.report.join("records"))?;
                let file = csv::Writer::from_writer(File::create_new(&path)?);
                self.files.insert(R::FILE, (file, 0));
            }
            if let Some((cells, count)) = self.files.get_mut(R::FILE) {
                rows.iter().try_for_each(|row| cells.serialize(row))?;
                *count += rows.len() as u64;
                cells.flush()?;
            }
            Ok(())
        };
        write().with_context(|| format!("cannot write {}", shown(&path).display()))
    }

    /// Syncs the files to the disk; returns the number of rows in each.
    pub fn finish(&mut self) -> Result<BTreeMap<String, u64>> {
        let files = std::mem::take(&mut self.files).into_iter();
        let finished = files.map(|(name, (cells, count))| {
            let synced = cells.get_ref().sync_all();
            synced.with_context(|| format!("cannot write {name}"))?;
            Ok((name.to_owned(), count))
        });
        finished.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_text_and_all_else_stays_as_it_is() {
        for (words, cell) in [
            ("=1+1", "'=1+1"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("＝1", "'＝1"),
        ] {
            assert_eq!(guarded(words), cell);
        }
        for words in ["", "rose", "'tis", "a=b", "-1.5", "+3e-7", "–", "\u{2212}1"] {
            assert_eq!(guarded(words), words);
        }
    }
}
