//! The document that `bouquet gate` writes. A report has the same form as the baseline that it is
//! compared with. The schema is `docs/gate.schema.json`.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::{Observation, TestRow, TimingRow};
use crate::Outcome;

/// Incremented when a field is removed, changes its meaning, or is added to every document.
pub const GATE_SCHEMA_VERSION: u32 = 3;
/// The name of the document's file in its folder.
pub const GATE_FILE: &str = "gate.json";
/// The identifier of the schema in `docs/gate.schema.json`.
const SCHEMA: &str = "urn:bouquet:gate:3";

/// The name of the rows that count false negatives of single lookups; for other lookups, such as
/// batches, a suffix is added. A failed row of this name cannot be accepted into a baseline.
pub const FALSE_NEGATIVES: &str = "false negatives";
/// The name of the rows that compare the number of keys with the capacity. A failed row of this
/// name cannot be accepted into a baseline. Rows of filters that grow never fail.
pub const KEYS_PER_CAPACITY: &str = "keys / capacity";

/// The name of the control that times the reference filter against itself. The names of other
/// controls begin with [`GATE_CONTROL`]. Filters may not have these names.
pub const GATE_REFERENCE: &str = "reference";
pub const GATE_CONTROL: &str = "control ";

crate::named! {
    /// How reproducible a value is, the most reproducible first.
    #[derive(PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum)]
    #[serde(rename_all = "lowercase")]
    pub enum Tier {
        /// The same on every machine and in every run, to the bit.
        Exact = "exact",
        /// A sample under a fixed seed.
        Statistical = "statistical",
        /// A ratio of times.
        Time = "time",
    }
}

impl Tier {
    pub const ALL: [Self; 3] = [Self::Exact, Self::Statistical, Self::Time];

    /// The name of the fact `what` about the run that measured this tier. In a baseline, each tier
    /// may come from another run.
    pub fn fact(self, what: &str) -> String {
        match self {
            Self::Time => format!("times_{what}"),
            _ => format!("{}_{what}", self.name()),
        }
    }
}

/// A measured value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Figure {
    Digest {
        sha256: String,
    },
    Count {
        count: u64,
        /// `bytes` or `keys`.
        unit: String,
    },
    /// A false-positive rate, as a fraction, with its 95 % interval.
    Rate {
        rate: f64,
        low: f64,
        high: f64,
        hits: u64,
        asked: u64,
        /// The rate by theory.
        expected: f64,
    },
    /// The number of keys inserted into a filter, relative to its capacity.
    Load {
        keys: u64,
        capacity: u64,
        load: f64,
        /// The FPR by theory with `keys` keys.
        expected_fpr: f64,
    },
    /// The smallest of several p-values, after Holm's correction over the whole run.
    PValue {
        p: f64,
        tests: u64,
        /// The test that this p-value belongs to.
        of: String,
    },
    /// The time relative to the reference filter, with its 95 % interval.
    Ratio {
        ratio: f64,
        low: f64,
        high: f64,
        rounds: u64,
        /// The median times of the filter and of the reference, on this machine.
        ns: f64,
        reference_ns: f64,
    },
    /// The value could not be measured.
    Error {
        error: String,
    },
}

/// One checked value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GateRow {
    pub tier: Tier,
    /// The name of a filter in the gate's definition file, of a scheme, or of a control.
    pub subject: String,
    pub what: String,
    /// The size of the filter and its keys, in words.
    pub setting: String,
    /// Empty for a row that only the baseline has.
    pub value: Option<Figure>,
    /// The value in the baseline. In a row of a baseline: the value in the previous baseline, if it
    /// was different.
    pub baseline: Option<Figure>,
    pub standing: Outcome,
    /// Whether the value differs from the baseline's.
    pub changed: bool,
    /// By how much the value changed, or the reason for the outcome.
    pub note: String,
}

impl GateRow {
    /// A row without a value.
    pub fn new(tier: Tier, subject: &str, what: &str, setting: String) -> Self {
        Self {
            tier,
            subject: subject.into(),
            what: what.into(),
            setting,
            value: None,
            baseline: None,
            standing: Outcome::Pass,
            changed: false,
            note: String::new(),
        }
    }

    /// Sets the measured value.
    pub fn has(self, figure: Figure) -> Self {
        Self {
            value: Some(figure),
            ..self
        }
    }

    /// Makes the row fail, because its value could not be measured.
    pub fn error(self, error: &str) -> Self {
        let value = Figure::Error {
            error: error.into(),
        };
        self.has(value).failed(error)
    }

    /// Makes the row fail, whatever the baseline contains; `note` says why.
    pub fn failed(self, note: &str) -> Self {
        Self {
            standing: Outcome::Fail,
            note: note.into(),
            ..self
        }
    }

    /// What identifies a row in a report and in its baseline.
    pub fn id(&self) -> (Tier, &str, &str) {
        (self.tier, &self.subject, &self.what)
    }
}

/// A filter in the gate's definition file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Configuration {
    pub name: String,
    pub filter: String,
    pub capacity: u64,
    pub target_fpr: Option<f64>,
    pub bits_per_key: Option<f64>,
    pub keys: String,
    #[serde(flatten)]
    pub chosen: Chosen,
}

/// The options of a filter in the gate's definition file, besides its size and its keys. Unset
/// options are not serialized, so that older baselines stay unchanged.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Chosen {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hasher: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter_bits: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shards: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage_growth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage_tightening: Option<f64>,
}

impl Chosen {
    /// The options that are set, as text such as `, seed 7, shards 8`.
    pub fn after_commas(&self) -> String {
        let chosen = serde_json::to_value(self).unwrap_or_default();
        let all = chosen.as_object().into_iter().flatten();
        let words = |(name, value)| format!(", {name} {value}").replace('"', "");
        all.map(words).collect()
    }
}

/// A key set in the gate's definition file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Keys {
    pub name: String,
    /// The number of keys of a file; `None` for generated keys, whose number is not limited.
    pub keys: Option<u64>,
    /// Empty for generated keys.
    pub sha256: String,
    /// Empty for a file.
    pub generator: String,
}

/// The result of one tier.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TierVerdict {
    pub tier: Tier,
    pub standing: Outcome,
    pub checks: u64,
    pub failed: u64,
    pub inconclusive: u64,
    pub changed: u64,
    /// A note about the tier as a whole.
    pub note: String,
}

impl TierVerdict {
    /// The result of a tier: the worst outcome among its rows. A tier without rows is inconclusive.
    pub fn of(tier: Tier, rows: &[GateRow]) -> Self {
        let own = || rows.iter().filter(|row| row.tier == tier);
        let count = |is: fn(&&GateRow) -> bool| own().filter(is).count() as u64;
        let gravest = own().map(|row| row.standing).max();
        Self {
            tier,
            standing: gravest.unwrap_or(Outcome::Inconclusive),
            checks: count(|_| true),
            failed: count(|row| row.standing >= Outcome::Fail),
            inconclusive: count(|row| row.standing == Outcome::Inconclusive),
            changed: count(|row| row.changed),
            note: String::new(),
        }
    }
}

/// The result of all tiers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GateVerdict {
    pub standing: Outcome,
    /// The result in one sentence.
    pub sentence: String,
    /// The tiers that the run included.
    pub tiers: Vec<TierVerdict>,
}

/// Why a baseline was accepted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Acceptance {
    pub reason: String,
    /// The revision of the baseline that was replaced; empty for the first baseline.
    pub replaces: String,
}

/// The gate's document: a report or a baseline.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GateDocument {
    #[serde(rename = "$schema")]
    pub schema: String,
    pub schema_version: u32,
    /// Facts of the run, by name; see [`Tier::fact`] for those of a tier.
    pub run: BTreeMap<String, String>,
    pub configuration: Vec<Configuration>,
    pub keys: Vec<Keys>,
    /// Only in a baseline.
    pub acceptance: Option<Acceptance>,
    pub verdict: GateVerdict,
    pub rows: Vec<GateRow>,
}

impl GateDocument {
    /// Creates a document of the current schema version.
    pub fn new(run: BTreeMap<String, String>, verdict: GateVerdict, rows: Vec<GateRow>) -> Self {
        Self {
            schema: SCHEMA.into(),
            schema_version: GATE_SCHEMA_VERSION,
            run,
            configuration: Vec::new(),
            keys: Vec::new(),
            acceptance: None,
            verdict,
            rows,
        }
    }

    /// Reads the document from a file, or from a folder that contains it; `None` for a document of
    /// an older version, which can be replaced but not used as a baseline.
    ///
    /// Fails if the file is not a gate document, or if a later version wrote it.
    pub fn read(path: &Path) -> Result<Option<Self>> {
        let is_folder = path.is_dir();
        let path = if is_folder {
            &path.join(GATE_FILE)
        } else {
            path
        };
        let shown = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        let document: serde_json::Value =
            serde_json::from_str(&text).with_context(|| format!("{shown} is no JSON"))?;
        match document["schema_version"].as_u64() {
            Some(version) if version < GATE_SCHEMA_VERSION.into() => return Ok(None),
            Some(version) if version > GATE_SCHEMA_VERSION.into() => bail!(
                "{shown} has version {version} of the gate's schema, this program reads version \
                 {GATE_SCHEMA_VERSION}: use a later program"
            ),
            _ => {}
        }
        let document = serde_json::from_str(&text);
        let document = document.with_context(|| format!("{shown} is no document of the gate"))?;
        Ok(Some(document))
    }

    /// The document as JSON with one line per row, so that a changed baseline has a readable diff.
    pub fn text(&self) -> Result<String> {
        let mut head = self.clone();
        head.rows.clear();
        let head = serde_json::to_string_pretty(&head)?;
        let lines: serde_json::Result<Vec<String>> =
            self.rows.iter().map(serde_json::to_string).collect();
        let lines = format!("\"rows\": [\n    {}\n  ]\n}}\n", lines?.join(",\n    "));
        Ok(head.replace("\"rows\": []\n}", &lines))
    }

    /// A fact of the run, empty if it was not recorded.
    pub fn fact(&self, name: &str) -> &str {
        self.run.get(name).map_or("", String::as_str)
    }

    /// Like [`read`](Self::read), but a document of an older version is an error.
    pub fn read_current(path: &Path) -> Result<Self> {
        Self::current(Self::read(path)?, path)
    }

    /// The document that [`read`](Self::read) found at `path`; fails if it is of an older version.
    pub fn current(read: Option<Self>, path: &Path) -> Result<Self> {
        read.with_context(|| {
            format!(
                "{}: made by an older version: accept it again with bouquet gate --accept \
                 --reason \"…\"",
                path.display()
            )
        })
    }

    /// The configuration of a filter, and its key set.
    pub fn configured(&self, name: &str) -> Option<(&Configuration, Option<&Keys>)> {
        let own = self.configuration.iter().find(|own| own.name == name)?;
        let keys = self.keys.iter().find(|keys| keys.name == own.keys);
        Some((own, keys))
    }

    pub fn row(&self, id: (Tier, &str, &str)) -> Option<&GateRow> {
        self.rows.iter().find(|row| row.id() == id)
    }
}

/// The raw rows of a run, before they are compared with a baseline.
#[derive(Clone, Debug, Default)]
pub struct GateRecords {
    /// Values that are compared with the baseline as they are.
    pub rows: Vec<GateRow>,
    pub fpr: Vec<Observation>,
    pub battery: Vec<TestRow>,
    pub times: Vec<TimingRow>,
}
