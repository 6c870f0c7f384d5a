//! The cells of a run. A cell is one subject on one key set, with one m and one number of keys. The
//! cells are defined in `experiments/battery.toml`; the command line can select some of them.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::{
    Expectations, Sample,
    expect::{Claim, Expectation},
    findings, t0_arithmetic,
};
use crate::registry::Options;
use crate::schemes::{Locator, Scheme, Wanted};
use crate::workload::{KeySet, mix, seed_of};
use bouquet_record::TestRow;
use bouquet_record::groups::distinct;
use bouquet_record::{parallel::guarded, room};

/// The battery's definition file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    pub analysis: String,
    controls: Vec<String>,
    #[serde(rename = "block")]
    blocks: Vec<Block>,
}

/// Subjects, key sets and sizes; every combination of them is a cell.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    profiles: Vec<String>,
    roles: Vec<String>,
    /// If given, only these schemes among those with one of the roles; otherwise all of them.
    #[serde(default)]
    schemes: Vec<String>,
    datasets: Vec<String>,
    /// Whether key sets that the user names, and the user's own keys, are tested too.
    #[serde(default)]
    takes_asked: bool,
    slots: Vec<u64>,
    probes: u32,
    /// Number of keys of a generated set.
    keys: u64,
    /// Maximum number of keys of a file, counted from its beginning; if not given, the whole file.
    most_file_keys: Option<u64>,
    /// Number of replicates of a generated set for each profile, each with other keys and another
    /// seed; one if not given.
    #[serde(default)]
    replicates: BTreeMap<String, u32>,
}

impl Definition {
    pub fn shipped() -> Result<Self> {
        toml::from_str(include_str!("../../../experiments/battery.toml"))
            .context("experiments/battery.toml")
    }

    /// The schemes that every run includes as controls. One of them is known to be bad: a pass
    /// means little unless it is flagged.
    pub fn controls(&self) -> Vec<&str> {
        self.controls.iter().map(String::as_str).collect()
    }

    /// The key sets that a profile uses.
    pub fn datasets<'a>(&'a self, profile: &'a str) -> Vec<&'a str> {
        let names = self.blocks_of(profile).flat_map(|block| &block.datasets);
        distinct(names.map(String::as_str))
    }

    /// The cells of a profile for these subjects and key sets; `asked` has the names of the key
    /// sets that the user asked for.
    pub fn cells(
        &self,
        profile: &str,
        table: &Expectations,
        subjects: &[Scheme],
        sets: &[Arc<KeySet>],
        asked: &[String],
        seed: u64,
    ) -> Vec<BatteryCell> {
        let (mut cells, mut seen) = (Vec::new(), HashSet::new());
        let has = |names: &[String], name: &str| names.iter().any(|one| one == name);
        for block in self.blocks_of(profile) {
            let has_subject = |one: &&Scheme| {
                let schemes = &block.schemes;
                has(&block.roles, one.role) && (schemes.is_empty() || has(schemes, one.name))
            };
            let has_set = |one: &&Arc<KeySet>| {
                has(&block.datasets, one.name()) || block.takes_asked && has(asked, one.name())
            };
            let own = subjects.iter().filter(has_subject);
            let pairs = own.flat_map(|one| sets.iter().filter(has_set).map(move |set| (one, set)));
            for (subject, keys) in pairs {
                let (count, replicates) = match keys.is_generated() {
                    true => (
                        block.keys,
                        block.replicates.get(profile).copied().unwrap_or(1),
                    ),
                    false => (keys.up_to(block.most_file_keys.unwrap_or(u64::MAX)), 1),
                };
                let (name, set) = (subject.name, keys.name());
                for &slots in &block.slots {
                    let Some(expected) = table.find(subject, set, slots, count) else {
                        continue;
                    };
                    // Two blocks may contain the same cell.
                    let is_new =
                        |at: &u32| seen.insert((name, set, count, slots, block.probes, *at));
                    cells.extend((0..replicates).filter(is_new).map(|replicate| BatteryCell {
                        subject: *subject,
                        keys: keys.clone(),
                        count,
                        slots,
                        probes: block.probes,
                        replicate,
                        // The seed depends on this cell alone, so leaving out other cells does not
                        // change it.
                        seed: seed_of(mix(seed ^ mix(slots)), &[name, set], replicate.into()),
                        options: Options::default(),
                        expected: expected.clone(),
                    }));
                }
            }
        }
        cells
    }

    fn blocks_of<'a>(&'a self, profile: &'a str) -> impl Iterator<Item = &'a Block> {
        let is_of = move |block: &&Block| block.profiles.iter().any(|name| name == profile);
        self.blocks.iter().filter(is_of)
    }
}

/// One cell of the battery. It is measured in one go, on one thread, from its own seed, so that a
/// run gives the same rows with any number of threads.
#[derive(Clone)]
pub struct BatteryCell {
    pub subject: Scheme,
    pub keys: Arc<KeySet>,
    pub count: u64,
    pub slots: u64,
    pub probes: u32,
    pub replicate: u32,
    pub seed: u64,
    /// The options of the filter whose locations are tested.
    pub options: Options,
    pub expected: Expectation,
}

impl BatteryCell {
    /// Whether locations are drawn; if not, the cell only checks that the size is rejected.
    pub fn draws(&self) -> bool {
        self.expected.outcome != Claim::Impossible
    }

    /// Fails if the locations of all keys cannot fit into the available memory.
    pub fn check_room(&self) -> Result<()> {
        let bytes = self.count as f64 * f64::from(self.probes) * size_of::<u64>() as f64;
        let is_tested = self.draws() && self.expected.outcome != Claim::Unclaimed;
        room::check(
            &format!("measuring {}", self.subject.name),
            if is_tested { bytes } else { 0.0 },
        )
    }

    /// One row per finding, or a single row with the error if there are none.
    pub fn measure(&self) -> Vec<TestRow> {
        guarded(|| self.run()).unwrap_or_else(|error| {
            vec![self.row((self.slots, self.probes), TestRow::failed(error))]
        })
    }

    fn run(&self) -> Result<Vec<TestRow>> {
        if self.expected.outcome == Claim::Unclaimed {
            bail!("too few keys to tell: {}", self.count);
        }
        let locator = self.locator()?;
        let sample = self.sample(&locator)?;
        let exact =
            t0_arithmetic::exact(self.subject.name, &locator, self.seed, self.options.hasher);
        let all = exact.into_iter().chain(findings(&sample));
        let layout = (sample.slots, sample.columns.len() as u32);
        Ok(all.map(|finding| self.row(layout, finding)).collect())
    }

    /// The row of a finding in this cell, with the m and k that the layout has in fact, which may
    /// differ from those requested.
    pub fn row(&self, (slots, probes): (u64, u32), finding: TestRow) -> TestRow {
        TestRow {
            subject: self.subject.name.into(),
            key_set: self.keys.name().into(),
            slots,
            probes,
            keys: self.count,
            replicate: self.replicate,
            seed: self.seed,
            expected_outcome: self.expected.outcome.name().into(),
            expected_tests: self.expected.tests.clone(),
            ..finding
        }
    }

    pub fn locator(&self) -> Result<Locator> {
        (self.subject.make)(Wanted {
            options: self.options,
            ..Wanted::new(self.slots, self.probes, self.seed)
        })
    }

    pub fn sample(&self, locator: &Locator) -> Result<Sample> {
        let from = u64::from(self.replicate) * self.count;
        Sample::take(locator, self.count, |visit| {
            self.keys.for_range(from..from + self.count, visit);
        })
    }
}
