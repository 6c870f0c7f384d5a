//! Which cells a run has: `experiments/battery.toml`, narrowed.

use std::{collections::BTreeMap, sync::Arc};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::{BatteryCell, Expectations};
use crate::registry::Options;
use crate::schemes::Scheme;
use crate::workload::{KeySet, mix, seed_of};
use bouquet_ground::groups::distinct;

/// The definition.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    pub analysis: String,
    controls: Vec<String>,
    #[serde(rename = "block")]
    blocks: Vec<Block>,
}

/// Subjects, key sets and sizes that are all combined.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    profiles: Vec<String>,
    roles: Vec<String>,
    /// Only these, of the roles; all if not given.
    #[serde(default)]
    schemes: Vec<String>,
    datasets: Vec<String>,
    /// Takes key sets that were asked for by name, and the user's own, too.
    #[serde(default)]
    takes_asked: bool,
    slots: Vec<u64>,
    probes: u32,
    /// Of generated sets.
    keys: u64,
    /// Of files, from their beginning; the whole if not given.
    most_file_keys: Option<u64>,
    /// Of generated sets, by profile: other keys and another seed each; one if not given.
    #[serde(default)]
    replicates: BTreeMap<String, u32>,
}

impl Definition {
    pub fn shipped() -> Result<Self> {
        toml::from_str(include_str!("../../../experiments/battery.toml"))
            .context("experiments/battery.toml")
    }

    /// The schemes that go with whatever is tested: without them a pass says little.
    pub fn controls(&self) -> Vec<&str> {
        self.controls.iter().map(String::as_str).collect()
    }

    /// The key sets that a profile uses.
    pub fn datasets<'a>(&'a self, profile: &'a str) -> Vec<&'a str> {
        let names = self.blocks_of(profile).flat_map(|block| &block.datasets);
        distinct(names.map(String::as_str))
    }

    /// The cells of a profile for these subjects and key sets, of which some were
    /// asked for by name.
    pub fn cells(
        &self,
        profile: &str,
        table: &Expectations,
        subjects: &[Scheme],
        sets: &[Arc<KeySet>],
        asked: &[String],
        seed: u64,
    ) -> Vec<BatteryCell> {
        let mut cells: Vec<BatteryCell> = Vec::new();
        for block in self.blocks_of(profile) {
            for subject in subjects.iter().filter(|subject| block.has(subject)) {
                for keys in sets.iter().filter(|set| block.takes(set, asked)) {
                    for cell in block.cells(profile, table, subject, keys, seed) {
                        if !cells.iter().any(|other| other.is_same(&cell)) {
                            cells.push(cell);
                        }
                    }
                }
            }
        }
        cells
    }

    fn blocks_of<'a>(&'a self, profile: &'a str) -> impl Iterator<Item = &'a Block> {
        self.blocks.iter().filter(|block| block.is_of(profile))
    }
}

impl Block {
    fn is_of(&self, profile: &str) -> bool {
        self.profiles.iter().any(|name| name == profile)
    }

    fn has(&self, subject: &Scheme) -> bool {
        let of_role = self.roles.iter().any(|role| role == subject.role);
        of_role && (self.schemes.is_empty() || self.schemes.iter().any(|s| s == subject.name))
    }

    fn takes(&self, set: &KeySet, asked: &[String]) -> bool {
        let named = |names: &[String]| names.iter().any(|name| name == set.name());
        named(&self.datasets) || (self.takes_asked && named(asked))
    }

    fn cells(
        &self,
        profile: &str,
        table: &Expectations,
        subject: &Scheme,
        keys: &Arc<KeySet>,
        seed: u64,
    ) -> Vec<BatteryCell> {
        let (count, replicates) = if keys.is_generated() {
            let replicates = self.replicates.get(profile);
            (self.keys, replicates.copied().unwrap_or(1))
        } else {
            let most = self.most_file_keys.unwrap_or(u64::MAX);
            (keys.len().min(most), 1)
        };
        let mut cells = Vec::new();
        for &slots in &self.slots {
            let Some(expected) = table.find(subject, keys.name(), slots, count) else {
                continue;
            };
            for replicate in 0..replicates {
                cells.push(BatteryCell {
                    subject: *subject,
                    keys: keys.clone(),
                    count,
                    slots,
                    probes: self.probes,
                    replicate,
                    // Leaving out other cells does not change it.
                    seed: seed_of(
                        mix(seed ^ mix(slots)),
                        &[subject.name, keys.name()],
                        replicate.into(),
                    ),
                    options: Options::default(),
                    expected: expected.clone(),
                });
            }
        }
        cells
    }
}

impl BatteryCell {
    fn is_same(&self, other: &Self) -> bool {
        let of = |cell: &Self| {
            (
                cell.subject.name,
                cell.count,
                cell.slots,
                cell.probes,
                cell.replicate,
            )
        };
        of(self) == of(other) && self.keys.name() == other.keys.name()
    }
}
