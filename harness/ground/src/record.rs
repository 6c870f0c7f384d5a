//! The records of a run: raw rows, one a replicate, in CSV. They are the one
//! truth; everything a report shows is computed from them when it is written.
//!
//! Units are in the column names; a rate is a share, not a percentage. An
//! error is a row with `error` filled in, not a gap.

mod cells;
mod gate;
mod recommend;
mod run;
mod source;
mod test;
mod timing;

use std::{
    collections::{BTreeMap, btree_map::Entry},
    fs::{self, File},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{folder::shown, interrupt::go_on};

use self::cells::Cells;
pub use self::{
    cells::guarded,
    gate::*,
    recommend::*,
    run::*,
    source::{Source, line_and_mistake},
    test::*,
    timing::*,
};

/// Raised when a column changes its meaning or goes away.
pub const SCHEMA_VERSION: u32 = 5;

/// A kind of row, with the file it goes to.
pub trait Row: Serialize + DeserializeOwned {
    const FILE: &'static str;
}

/// An experiment that was run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ExperimentRow {
    pub experiment: String,
    /// `uniformity`, `fpr`, `memory`, `churn`, `battery` or `speed`.
    pub kind: String,
    pub title: String,
    /// How to read the result, and how not to.
    pub analysis: String,
}

/// A filter or a location scheme that took part.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct SubjectRow {
    pub subject: String,
    /// `filter` or `scheme`.
    pub kind: String,
    /// What it is, in one sentence.
    pub about: String,
    /// `ours`, `baseline`, `peer` or, for schemes, `known-good`, `textbook`,
    /// `known-structure` or `known-bad`.
    pub role: String,
    /// A false negative in this filter ends the run.
    pub promises_no_false_negatives: bool,
    pub reproducible_by_seed: bool,
    pub exposes_locations: bool,
    pub removes: bool,
    pub grows: bool,
    pub concurrent: bool,
    /// The formula behind `expected_fpr`, and where it comes from.
    pub theory: String,
    /// Of a filter: the scheme of its locations, for its uniformity.
    pub scheme: String,
    /// Of a filter: its crate and version.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub release: String,
    /// Of a filter that is timed alone: `blocked`, `spread` (probes anywhere), `fingerprints` or
    /// `static`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub family: String,
}

impl SubjectRow {
    /// What it misses is reported and fails nothing.
    pub fn is_only_reported(&self) -> bool {
        is_only_reported(&self.role)
    }
}

/// Of a role; see [`SubjectRow::is_only_reported`].
pub fn is_only_reported(role: &str) -> bool {
    matches!(role, "baseline" | "peer")
}

/// A key set that was used.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DatasetRow {
    pub dataset: String,
    pub about: String,
    pub keys: u64,
    /// Lines left out because an equal one came before.
    pub duplicates_dropped: u64,
    pub key_bytes: u64,
    /// Of the file; empty for generated keys.
    pub sha256: String,
    /// Of generated keys; empty for files.
    pub generator: String,
}

/// One filter, filled and asked: a replicate of a point of a sweep.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct FprRow {
    pub experiment: String,
    pub filter: String,
    pub dataset: String,
    /// `bits-per-key` (full to capacity, size varied) or `load` (size fixed,
    /// fullness varied).
    pub sweep: String,
    /// What was varied: bits per key, or keys / capacity.
    pub x: f64,
    pub capacity: u64,
    /// What was asked for; empty where bits per key were, or where the filter
    /// leaves no choice.
    pub target_fpr: Option<f64>,
    /// m; for a cuckoo filter its slots times the bits of a slot.
    pub size_bits: u64,
    /// k; 0 where the filter has no such number.
    pub hashes: u32,
    pub memory_bytes: u64,
    pub replicate: u32,
    pub seed: u64,
    /// Keys that were given to it.
    pub keys: u64,
    /// Keys that it rejected.
    pub rejected: u64,
    /// Members looked up after filling, and the false negatives among them.
    pub members_asked: u64,
    pub false_negatives: u64,
    /// Non-members looked up, and the false positives among them.
    pub non_members_asked: u64,
    pub false_positives: u64,
    /// The same keys looked up in batches: false negatives, false positives,
    /// and keys of either kind that are answered otherwise than by single calls.
    /// Empty where the filter has no batches, and in records from before they were
    /// asked.
    #[serde(default)]
    pub batch_false_negatives: Option<u64>,
    #[serde(default)]
    pub batch_false_positives: Option<u64>,
    #[serde(default)]
    pub batch_otherwise: Option<u64>,
    /// Share of slots in use.
    pub fill_ratio: f64,
    /// Mean and standard deviation of the fill by theory; empty where theory
    /// gives none.
    pub expected_fill: Option<f64>,
    pub expected_fill_sd: Option<f64>,
    /// The FPR that these bits give.
    pub fpr_given_bits: Option<f64>,
    /// The FPR that theory gives for this many keys, over all filters.
    pub expected_fpr: f64,
    /// Its standard deviation from one filter to the next; empty where theory
    /// gives none.
    pub expected_fpr_sd: Option<f64>,
    pub error: String,
}

/// A filter of which keys are removed and others inserted: its state after one
/// round. Round 0 is the first filling.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ChurnRow {
    pub experiment: String,
    pub filter: String,
    pub dataset: String,
    pub capacity: u64,
    /// As in [`FprRow`].
    pub target_fpr: Option<f64>,
    pub size_bits: u64,
    pub hashes: u32,
    pub memory_bytes: u64,
    pub replicate: u32,
    pub seed: u64,
    pub round: u32,
    /// Keys that were removed in this round, and how many of them the filter
    /// said it did not hold: these are not asked for again.
    pub removed: u64,
    pub removals_rejected: u64,
    /// Keys that were given to it in this round, and how many it rejected: these
    /// are not asked for, for it may have kept them or not.
    pub inserted: u64,
    pub rejected: u64,
    /// Keys that must be present at the end of the round, and the false negatives among them.
    pub members_asked: u64,
    pub false_negatives: u64,
    /// Non-members looked up, and the false positives among them; keys that were
    /// removed and not inserted again are among them.
    pub non_members_asked: u64,
    pub false_positives: u64,
    /// Share of slots in use.
    pub fill_ratio: f64,
    pub fpr_given_bits: Option<f64>,
    /// The FPR that theory gives for the keys it should hold.
    pub expected_fpr: f64,
    /// As in [`FprRow`]; empty too in records from before it was written.
    #[serde(default)]
    pub expected_fpr_sd: Option<f64>,
    pub error: String,
}

/// What a filter takes for a target.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MemoryRow {
    pub experiment: String,
    pub filter: String,
    pub capacity: u64,
    pub target_fpr: f64,
    pub size_bits: u64,
    pub hashes: u32,
    /// Really allocated, the value itself included.
    pub memory_bytes: u64,
    /// The FPR at capacity by theory for the size it got.
    pub expected_fpr: f64,
    /// Why the target is not what it is sized for, where it is not.
    pub note: String,
    pub error: String,
}

macro_rules! rows {
    ($($row:ty => $file:literal,)*) => {$(
        impl Row for $row {
            const FILE: &'static str = $file;
        }
    )*};
}
rows! {
    FprRow => "fpr.csv",
    MemoryRow => "memory.csv",
    ChurnRow => "churn.csv",
    TestRow => "tests.csv",
    TimingRow => "times.csv",
}

crate::named! {
    /// What is recorded, by the command that does.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Kind {
        #[default]
        Evaluation = "evaluate",
        Speed = "speed",
    }
}

/// Everything that a run recorded; of most kinds of rows a run has none.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Records {
    pub kind: Kind,
    pub facts: Facts,
    pub experiments: Vec<ExperimentRow>,
    pub subjects: Vec<SubjectRow>,
    pub datasets: Vec<DatasetRow>,
    /// Of locations, without the next two.
    pub battery: Vec<TestRow>,
    pub fpr: Vec<FprRow>,
    pub memory: Vec<MemoryRow>,
    pub churn: Vec<ChurnRow>,
    /// Of the filters in sweeps.
    pub location_sets: Vec<TestRow>,
    /// A row a range; those of one histogram stand together.
    pub histograms: Vec<TestRow>,
    pub times: Vec<TimingRow>,
}

impl Records {
    /// A fact of the run, empty if it was not recorded.
    pub fn fact(&self, name: &str) -> &str {
        self.facts.get(name).map_or("", String::as_str)
    }

    /// Whether the run ended before all was measured.
    pub fn is_interrupted(&self) -> bool {
        !self.fact("interrupted").is_empty()
    }

    /// The row of a subject.
    pub fn subject(&self, name: &str) -> Option<&SubjectRow> {
        self.subjects.iter().find(|row| row.subject == name)
    }

    /// The role of a subject.
    pub fn role(&self, name: &str) -> &str {
        self.subject(name).map_or("", |subject| &subject.role)
    }
}

/// Rows as CSV, in memory.
pub fn in_csv<R: Serialize>(rows: &[R]) -> Result<String> {
    let mut cells = Cells::new(Vec::new());
    cells.write(rows)?;
    Ok(String::from_utf8(cells.into_inner()?)?)
}

/// Rows of such CSV.
pub fn of_csv<R: DeserializeOwned>(text: &[u8]) -> Result<Vec<R>> {
    Ok(cells::read(text)?)
}

/// Writes rows of all kinds as they come, each flushed, so that what was measured
/// before a crash is there to look at.
pub struct Writer {
    report: PathBuf,
    /// With the number of their rows.
    files: BTreeMap<&'static str, (Cells<File>, u64)>,
}

impl Writer {
    /// Into the folder of a report, which gets one of records with the first rows.
    pub fn new(report: &Path) -> Self {
        Self {
            report: report.to_path_buf(),
            files: BTreeMap::new(),
        }
    }

    /// Adds rows to the file of their kind; not after an interruption, when the folder is kept as
    /// it is.
    pub fn write<R: Row>(&mut self, rows: &[R]) -> Result<()> {
        go_on()?;
        let folder = self.report.join("records");
        let path = folder.join(R::FILE);
        let write = || -> Result<()> {
            fs::create_dir_all(folder)?;
            let (cells, count) = match self.files.entry(R::FILE) {
                Entry::Occupied(open) => open.into_mut(),
                Entry::Vacant(new) => new.insert((Cells::new(File::create_new(&path)?), 0)),
            };
            cells.write(rows)?;
            *count += rows.len() as u64;
            cells.flush()
        };
        write().with_context(|| format!("cannot write {}", shown(&path).display()))
    }

    /// Writes what was run in place of what was written of it before.
    pub fn describe(&self, run: &Run) -> Result<()> {
        let path = self.report.join(RUN_FILE);
        let text = serde_json::to_string_pretty(run)? + "\n";
        fs::write(&path, text).with_context(|| format!("cannot write {}", shown(&path).display()))
    }

    /// Brings the files to the disk; gives the number of rows in each.
    pub fn finish(&mut self) -> Result<BTreeMap<String, u64>> {
        let files = std::mem::take(&mut self.files).into_iter();
        let finished = files.map(|(name, (cells, count))| {
            let synced = cells.into_inner().and_then(|file| file.sync_all());
            synced.with_context(|| format!("cannot write {name}"))?;
            Ok((name.to_owned(), count))
        });
        finished.collect()
    }
}
