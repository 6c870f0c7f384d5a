//! A filter as a definition has it.

use serde::{Deserialize, Serialize};

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
    /// In words behind a link, to stand after what else a filter is; nothing if nothing is
    /// chosen.
    pub fn after(&self, link: &str) -> String {
        let all = [
            self.hasher
                .as_ref()
                .map(|hasher| format!("hasher {hasher}")),
            self.seed.map(|seed| format!("seed {seed}")),
            self.counter_bits
                .map(|bits| format!("counters of {bits} bits")),
            self.shards.map(|shards| format!("shards: {shards}")),
            self.stage_growth
                .map(|times| format!("stage growth {times}")),
            self.stage_tightening
                .map(|ratio| format!("stage tightening {ratio}")),
        ];
        match all
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(", ")
            .as_str()
        {
            "" => String::new(),
            words => format!("{link}{words}"),
        }
    }
}
