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
    /// By the names of the definition behind a link, to stand after what else a filter is;
    /// nothing if nothing is chosen.
    pub fn after(&self, link: &str) -> String {
        let chosen = serde_json::to_value(self).unwrap_or_default();
        let all = chosen.as_object().into_iter().flatten();
        let words: Vec<String> = all
            .map(|(name, value)| format!("{name} {}", value.to_string().replace('"', "")))
            .collect();
        if words.is_empty() {
            return String::new();
        }
        format!("{link}{}", words.join(", "))
    }
}
