//! The cells of a run of uniformity tests. A cell is one subject (scheme or filter) on one key set,
//! with one m and one number of keys. `experiments/battery.toml` defines the cells; the command
//! line can select some of them. `battery-expectations.csv` has the expected outcome of each cell.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::{Sample, findings, t0_arithmetic};
use crate::schemes::{Locator, Scheme, Wanted};
use crate::workload::{KeySet, mix, seed_of};
use bouquet_record::TestRow;
use bouquet_record::groups::distinct;
use bouquet_record::{parallel::guarded, room};

/// The contents of `experiments/battery.toml`.
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
    /// If given, only these schemes take part; otherwise all that have one of the `roles`.
    #[serde(default)]
    schemes: Vec<String>,
    datasets: Vec<String>,
    /// Whether key sets that the user names, and the user's own keys, are tested too.
    #[serde(default)]
    takes_asked: bool,
    slots: Vec<u64>,
    probes: u32,
    /// The number of keys to test if the key set is generated.
    keys: u64,
    /// The maximum number of keys to test of a file, from its beginning; if not given, all of them.
    most_file_keys: Option<u64>,
    /// The number of replicates for each profile if the key set is generated; one if not given.
    /// Each replicate has its own keys and seed.
    #[serde(default)]
    replicates: BTreeMap<String, u32>,
}

impl Definition {
    pub fn shipped() -> Result<Self> {
        toml::from_str(include_str!("../../../experiments/battery.toml"))
            .context("experiments/battery.toml")
    }

    /// The schemes that every run includes as controls. A pass means little unless the run flags
    /// the control that has a known fault.
    pub fn controls(&self) -> Vec<&str> {
        self.controls.iter().map(String::as_str).collect()
    }

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
                    // Skips a cell that an earlier block contains too.
                    let is_new =
                        |at: &u32| seen.insert((name, set, count, slots, block.probes, *at));
                    cells.extend((0..replicates).filter(is_new).map(|replicate| {
                        // The seed depends on the run's seed and this cell alone, so leaving out
                        // other cells does not change it.
                        let of_slots = mix(seed ^ mix(slots));
                        let seed = seed_of(of_slots, &[name, set], replicate.into());
                        BatteryCell {
                            subject: *subject,
                            at: Wanted::new(slots, block.probes, seed),
                            keys: keys.clone(),
                            count,
                            replicate,
                            expected: expected.clone(),
                        }
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

/// A cell of the uniformity battery. One thread measures the whole cell with the cell's own seed,
/// so that the rows do not depend on the number of threads.
#[derive(Clone)]
pub struct BatteryCell {
    pub subject: Scheme,
    /// The requested m and k, the seed, and the options of the filter.
    pub at: Wanted,
    pub keys: Arc<KeySet>,
    pub count: u64,
    pub replicate: u32,
    pub expected: Expectation,
}

impl BatteryCell {
    /// Whether the cell measures locations. If not, it only checks that the size is rejected.
    pub fn draws(&self) -> bool {
        self.expected.outcome != Claim::Impossible
    }

    /// Fails if the locations of all keys cannot fit into the available memory.
    pub fn check_room(&self) -> Result<()> {
        let bytes = self.count as f64 * f64::from(self.at.probes) * size_of::<u64>() as f64;
        let is_tested = self.draws() && self.expected.outcome != Claim::Unclaimed;
        room::check(
            &format!("measuring {}", self.subject.name),
            if is_tested { bytes } else { 0.0 },
        )
    }

    /// One row per finding, or a single row with the error if the measurement fails.
    pub fn measure(&self) -> Vec<TestRow> {
        guarded(|| self.run()).unwrap_or_else(|error| {
            vec![self.row((self.at.slots, self.at.probes), TestRow::failed(error))]
        })
    }

    fn run(&self) -> Result<Vec<TestRow>> {
        if self.expected.outcome == Claim::Unclaimed {
            bail!("too few keys to tell: {}", self.count);
        }
        let locator = self.locator()?;
        let sample = self.sample(&locator)?;
        let exact = t0_arithmetic::exact(
            self.subject.name,
            &locator,
            self.at.seed,
            self.at.options.hasher,
        );
        let all = exact.into_iter().chain(findings(&sample));
        let layout = (sample.slots, sample.columns.len() as u32);
        Ok(all.map(|finding| self.row(layout, finding)).collect())
    }

    /// The row of a finding in this cell, with the actual m and k of the layout, which may differ
    /// from the requested m and k.
    pub fn row(&self, (slots, probes): (u64, u32), finding: TestRow) -> TestRow {
        TestRow {
            subject: self.subject.name.into(),
            key_set: self.keys.name().into(),
            slots,
            probes,
            keys: self.count,
            replicate: self.replicate,
            seed: self.at.seed,
            expected_outcome: self.expected.outcome.name().into(),
            expected_tests: self.expected.tests.clone(),
            ..finding
        }
    }

    pub fn locator(&self) -> Result<Locator> {
        (self.subject.make)(self.at)
    }

    pub fn sample(&self, locator: &Locator) -> Result<Sample> {
        let from = u64::from(self.replicate) * self.count;
        Sample::take(locator, self.count, |visit| {
            self.keys.for_range(from..from + self.count, visit);
        })
    }
}

bouquet_record::named! {
    /// The expected outcome of a cell.
    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Claim {
        Flagged = "flagged",
        Passes = "passes",
        /// The scheme has a known fault that cannot be detected with this number of keys.
        Undetectable = "undetectable",
        /// The layout does not support this size and returns an error.
        Impossible = "impossible",
        /// Nothing is expected, because there are too few keys. No line of
        /// `battery-expectations.csv` has this outcome.
        #[serde(skip)]
        Unclaimed = "unclaimed",
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    pub outcome: Claim,
    pub tests: String,
}

impl Expectation {
    /// Expects this outcome; it does not matter which tests lead to it.
    pub const fn of(outcome: Claim) -> Self {
        let tests = String::new();
        Self { outcome, tests }
    }
}

/// The expected outcomes of cells; the first line that matches a cell applies.
#[derive(Debug)]
pub struct Expectations(Vec<Line>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// The name of a scheme or filter, or `role:` and a role, such as `role:known-good`.
    scheme: String,
    dataset: String,
    /// The values of m that the line applies to.
    slots: String,
    /// The line applies from this number of keys on.
    from_keys: u64,
    /// The line applies below this number of keys, if given.
    below_keys: Option<u64>,
    outcome: Claim,
    tests: String,
    #[serde(rename = "source")]
    _source: String,
}

impl Expectations {
    /// The expected outcomes that are built into the program.
    pub fn shipped() -> Result<Self> {
        Self::parse(include_str!(
            "../../../experiments/battery-expectations.csv"
        ))
        .context("experiments/battery-expectations.csv")
    }

    fn parse(text: &str) -> Result<Self> {
        let lines = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
        let lines: Result<_, csv::Error> = lines.collect();
        Ok(Self(lines?))
    }

    /// The expected outcome of a cell; `None` if no line matches the cell.
    pub fn find(
        &self,
        subject: &Scheme,
        dataset: &str,
        slots: u64,
        keys: u64,
    ) -> Option<Expectation> {
        let named = |line: &Line| match line.scheme.strip_prefix("role:") {
            Some(of_role) => of_role == subject.role,
            None => line.scheme == subject.name,
        };
        let fits = |line: &&Line| {
            named(line)
                && (line.dataset == "any" || line.dataset.split(' ').any(|name| name == dataset))
                && is_meant(&line.slots, slots) == Some(true)
                && keys >= line.from_keys
                && line.below_keys.is_none_or(|below| keys < below)
        };
        self.0.iter().find(fits).map(|line| Expectation {
            outcome: line.outcome,
            tests: line.tests.clone(),
        })
    }
}

/// Whether `text` means this m: it may be `any`, `even`, `odd`, a number such as `1000` or `2^20`,
/// or a range such as `64..2^20`. `None` if it is none of these.
fn is_meant(text: &str, slots: u64) -> Option<bool> {
    let number = |text: &str| match text.strip_prefix("2^") {
        Some(power) => 1_u64.checked_shl(power.parse().ok()?),
        None => text.parse().ok(),
    };
    Some(match text {
        "any" => true,
        "even" => slots.is_multiple_of(2),
        "odd" => !slots.is_multiple_of(2),
        _ => {
            let (low, high) = text.split_once("..").unwrap_or((text, text));
            (number(low)?..=number(high)?).contains(&slots)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{registry::filters, schemes::schemes};

    #[test]
    fn the_first_line_that_fits_counts() {
        let text = "scheme,dataset,slots,from_keys,below_keys,outcome,tests,source\n\
                    a,any,2^20,100,,flagged,T1 T3,s\n\
                    a,any,odd,100,200,undetectable,,s\n\
                    role:good,x y,any,0,,passes,,s\n";
        let table = Expectations::parse(text).unwrap();
        let find = |name, role, dataset, slots, keys| {
            let subject = Scheme {
                name,
                role,
                ..schemes()[0]
            };
            let found = table.find(&subject, dataset, slots, keys);
            found.map(|e| (e.outcome.name(), e.tests))
        };
        assert_eq!(
            find("a", "bad", "x", 1 << 20, 100),
            Some(("flagged", "T1 T3".into()))
        );
        assert_eq!(find("a", "bad", "x", 1 << 20, 99), None);
        assert_eq!(
            find("a", "bad", "x", 7, 100),
            Some(("undetectable", String::new()))
        );
        assert_eq!(find("a", "bad", "x", 7, 200), None);
        assert_eq!(
            find("b", "good", "y", 7, 1),
            Some(("passes", String::new()))
        );
        assert_eq!(find("b", "good", "z", 7, 1), None);
    }

    /// Every line must name a known scheme, filter or role; otherwise it would never apply.
    #[test]
    fn the_shipped_table_names_what_there_is() {
        let filters = filters().into_iter().map(|one| (one.name, one.role));
        let schemes = schemes().into_iter().map(|one| (one.name, one.role));
        let known: Vec<_> = filters.chain(schemes).collect();
        for line in Expectations::shipped().unwrap().0 {
            let is_known = match line.scheme.strip_prefix("role:") {
                Some(own) => known.iter().any(|(_, role)| *role == own),
                None => known.iter().any(|(name, _)| *name == line.scheme),
            };
            assert!(is_known, "{}", line.scheme);
            assert!(is_meant(&line.slots, 1).is_some(), "{}", line.slots);
        }
    }

    #[test]
    fn slots_are_numbers_powers_and_ranges() {
        assert_eq!(is_meant("2^20..2^30", 1 << 25), Some(true));
        assert_eq!(is_meant("1000", 1_000), Some(true));
        assert_eq!(is_meant("64..2^20", 63), Some(false));
        for slots in ["many", "2^", "", "2^64", "1..2^64", "2^84"] {
            assert_eq!(is_meant(slots, 1), None, "{slots}");
        }
    }
}
