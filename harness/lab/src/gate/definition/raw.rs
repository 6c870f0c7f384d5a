//! The text of a definition, as TOML has it: names are not looked up yet.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A whole definition.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Raw {
    /// For filters that do not say their own, as the next five.
    pub capacity: Option<u64>,
    pub fpr: Option<f64>,
    pub keys: Option<String>,
    /// How many times the keys of its file a filter will have.
    pub growth: Option<f64>,
    pub hasher: Option<String>,
    pub seed: Option<u64>,
    #[serde(default)]
    pub key_sets: BTreeMap<String, RawKeys>,
    #[serde(default, rename = "filter")]
    pub filters: Vec<RawFilter>,
    #[serde(default)]
    pub memory: RawMemory,
    #[serde(default)]
    pub locations: RawLocations,
}

/// A file, one key per line, or generated keys.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected the name of a file, or a table with generator and seed"
)]
pub enum RawKeys {
    File(String),
    Generated {
        generator: String,
        #[serde(default)]
        seed: u64,
    },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawFilter {
    /// What its rows are called; the filter's own name if not given.
    pub name: Option<String>,
    /// A filter, or a group of them.
    pub filter: String,
    pub capacity: Option<u64>,
    pub fpr: Option<f64>,
    pub bits_per_key: Option<f64>,
    pub keys: Option<String>,
    pub growth: Option<f64>,
    pub hasher: Option<String>,
    pub seed: Option<u64>,
    pub counter_bits: Option<u32>,
    pub shards: Option<u32>,
    pub stage_growth: Option<u32>,
    pub stage_tightening: Option<f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawMemory {
    pub filters: Vec<String>,
    pub capacities: Vec<u64>,
    pub fprs: Vec<f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawLocations {
    #[serde(default)]
    pub schemes: Vec<String>,
    #[serde(default)]
    pub filters: Vec<String>,
    pub slots: Vec<u64>,
    pub probes: u32,
}
