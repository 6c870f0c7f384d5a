//! What `bouquet gate` writes: one document, the same for a report and for the
//! baseline it is compared with. Its schema is `docs/gate.schema.json`.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::{Observation, TestRow, TimingRow};
use crate::Outcome;

/// Raised when a field that every document has is added, and when one goes away or changes
/// its meaning.
pub const GATE_SCHEMA_VERSION: u32 = 3;
/// The document in its folder.
pub const GATE_FILE: &str = "gate.json";
/// The name of its schema, which is `docs/gate.schema.json`.
const SCHEMA: &str = "urn:bouquet:gate:3";

/// What a row is called that nothing may excuse: by single calls, and for other ways
/// to ask with more behind it.
pub const FALSE_NEGATIVES: &str = "false negatives";
/// Likewise, unless the filter grows.
pub const KEYS_PER_CAPACITY: &str = "keys / capacity";

/// The subject of times that sets the reference beside itself. No filter may have
/// its name, nor one that begins as those of the other controls.
pub const GATE_REFERENCE: &str = "reference";
pub const GATE_CONTROL: &str = "control ";

crate::named! {
    /// How much a figure is to be trusted, the most first.
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

    /// The name of a fact of the run that measured this tier, which in a baseline
    /// need not be the one that measured the others.
    pub fn fact(self, what: &str) -> String {
        match self {
            Self::Time => format!("times_{what}"),
            _ => format!("{}_{what}", self.name()),
        }
    }
}

/// A figure.
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
    /// A rate of false positives, as a share, with its 95 % interval.
    Rate {
        rate: f64,
        low: f64,
        high: f64,
        hits: u64,
        asked: u64,
        /// By theory.
        expected: f64,
    },
    /// How many keys a filter is given, over how many it is sized for.
    Load {
        keys: u64,
        capacity: u64,
        load: f64,
        /// By theory, with so many keys.
        expected_fpr: f64,
    },
    /// The smallest of several p-values, after Holm over all of the run.
    PValue {
        p: f64,
        tests: u64,
        /// What it is of.
        of: String,
    },
    /// How many times as long as the reference takes, with its 95 % interval.
    Ratio {
        ratio: f64,
        low: f64,
        high: f64,
        rounds: u64,
        /// Medians, of this machine.
        ns: f64,
        reference_ns: f64,
    },
    /// It could not be measured.
    Error {
        error: String,
    },
}

/// One thing that is guarded.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GateRow {
    pub tier: Tier,
    /// The name of a filter in the definition, of a scheme, or of a control.
    pub subject: String,
    pub what: String,
    /// At what size, on which keys.
    pub setting: String,
    /// Empty for a row that only the baseline has.
    pub value: Option<Figure>,
    /// What the baseline has; in a baseline what the one before it had, where
    /// that was another.
    pub baseline: Option<Figure>,
    pub standing: Outcome,
    /// It is not what the baseline has.
    pub changed: bool,
    /// By how much, or why.
    pub note: String,
}

impl GateRow {
    /// Of nothing measured yet.
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

    /// With what was measured.
    pub fn has(self, figure: Figure) -> Self {
        Self {
            value: Some(figure),
            ..self
        }
    }

    /// Of what could not be measured.
    pub fn error(self, error: &str) -> Self {
        let value = Figure::Error {
            error: error.into(),
        };
        self.has(value).failed(error)
    }

    /// Failed whatever the baseline has, and why.
    pub fn failed(self, note: &str) -> Self {
        Self {
            standing: Outcome::Fail,
            note: note.into(),
            ..self
        }
    }

    /// What it is found by in another document.
    pub fn id(&self) -> (Tier, &str, &str) {
        (self.tier, &self.subject, &self.what)
    }
}

/// A filter of the definition.
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

/// What the definition says of a filter beside its size and its keys. What it does not say
/// has no field, so that baselines from before there were these are as they were.
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
    /// By the names of the definition behind a link, to stand after what else a filter is;
    /// nothing if nothing is chosen.
    pub fn after(&self, link: &str) -> String {
        let chosen = serde_json::to_value(self).unwrap_or_default();
        let all = chosen.as_object().into_iter().flatten();
        let words =
            all.map(|(name, value)| format!("{name} {}", value.to_string().replace('"', "")));
        let words = words.collect::<Vec<_>>().join(", ");
        if words.is_empty() {
            words
        } else {
            format!("{link}{words}")
        }
    }
}

/// A key set of the definition.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Keys {
    pub name: String,
    /// Of a file; a generated set has no end.
    pub keys: Option<u64>,
    /// Empty for generated keys.
    pub sha256: String,
    /// Empty for a file.
    pub generator: String,
}

/// What came of a tier.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TierVerdict {
    pub tier: Tier,
    pub standing: Outcome,
    pub checks: u64,
    pub failed: u64,
    pub inconclusive: u64,
    pub changed: u64,
    /// What there is to say of the tier as a whole.
    pub note: String,
}

impl TierVerdict {
    /// What the rows of a tier came to: the gravest of them; a tier that checked nothing has
    /// shown nothing.
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

/// What came of all.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GateVerdict {
    pub standing: Outcome,
    /// In one sentence.
    pub sentence: String,
    /// Those that were asked for.
    pub tiers: Vec<TierVerdict>,
}

/// Why a baseline is as it is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Acceptance {
    pub reason: String,
    /// The revision of the baseline before; empty for the first.
    pub replaces: String,
}

/// The document.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GateDocument {
    #[serde(rename = "$schema")]
    pub schema: String,
    pub schema_version: u32,
    /// Facts of the run, by name; see [`Tier::fact`] for those of a tier.
    pub run: BTreeMap<String, String>,
    pub configuration: Vec<Configuration>,
    pub keys: Vec<Keys>,
    /// Of a baseline.
    pub acceptance: Option<Acceptance>,
    pub verdict: GateVerdict,
    pub rows: Vec<GateRow>,
}

impl GateDocument {
    /// A document of this version.
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

    /// Reads a file, or the file of that name in a folder; `None` if an older version made it,
    /// which can be replaced and not compared with.
    ///
    /// Fails if it is no such document, or of a later version.
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

    /// As text: a line a row, so that a changed baseline has a readable diff.
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

    /// Likewise, where only documents of this version will do.
    pub fn read_current(path: &Path) -> Result<Self> {
        Self::read(path)?.with_context(|| {
            format!(
                "{}: made by an older version: accept it again with bouquet gate --accept \
                 --reason \"…\"",
                path.display()
            )
        })
    }

    /// How a filter is configured, and on which keys.
    pub fn configured(&self, name: &str) -> Option<(&Configuration, Option<&Keys>)> {
        let own = self.configuration.iter().find(|own| own.name == name)?;
        let keys = self.keys.iter().find(|keys| keys.name == own.keys);
        Some((own, keys))
    }

    /// The row of the same id.
    pub fn row(&self, id: (Tier, &str, &str)) -> Option<&GateRow> {
        self.rows.iter().find(|row| row.id() == id)
    }
}

/// The raw rows of a run.
#[derive(Clone, Debug, Default)]
pub struct GateRecords {
    /// What needs no judgement but a comparison with the baseline.
    pub rows: Vec<GateRow>,
    pub fpr: Vec<Observation>,
    pub battery: Vec<TestRow>,
    pub times: Vec<TimingRow>,
}
