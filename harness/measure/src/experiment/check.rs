//! Checks that an experiment definition is valid.

use anyhow::{Result, ensure};
use bouquet_core::math::MAX_HASHES;

use super::{Experiment, Kind, Profiled};
use bouquet_record::{Sweep, line::is_harmless};

/// The largest number of keys that a filter is sized for, is given, or is looked up in: more would
/// take days.
pub(crate) const MAX_KEYS: u64 = 1 << 32;

/// The maximum number of filters per cell, and of rounds per filter. More would not make an
/// estimate more precise, and each takes memory before the first is measured.
const MAX_REPEATS: u32 = 1 << 16;

/// The maximum number of entries in a list: nobody could read a table or chart with more.
const MAX_ENTRIES: usize = 1_024;

const TARGET: &str = "a target_fpr of 2^-64 to below 1";

const PROBES: &str = "1 to 128 probes";

/// The smallest target FPR: by default no filter here uses a hash of more than 64 bits.
const LEAST_FPR: f64 = 1.0 / (1_u128 << 64) as f64;

/// The largest number of slots: no scheme locates keys in more.
const MAX_SLOTS: u64 = 1 << 56;

/// The longest duration that a definition may state, in seconds.
const MAX_SECONDS: f64 = 86_400.0;

/// The largest number of bits per key; no filter needs it: an FPR of 2^-64 takes about 92.
pub const MAX_BITS_PER_KEY: f64 = 4_096.0;

/// Rejects a name with control characters, because names are shown and recorded as one line of
/// text.
pub(crate) fn one_line(what: &str, name: &str) -> Result<()> {
    ensure!(
        name.chars().all(is_harmless),
        "{what} {name:?} has a control character: take plain text of one line"
    );
    Ok(())
}

/// Rejects an invalid duration: durations are shown and added up.
pub(super) fn check_seconds(seconds: &Profiled<f64>) -> Result<()> {
    let is_possible = |seconds: f64| seconds > 0.0 && seconds <= MAX_SECONDS;
    for seconds in seconds.each() {
        ensure!(
            is_possible(seconds),
            "seconds of {seconds:?} are no duration: give more than 0, a day ({MAX_SECONDS}) at most"
        );
    }
    Ok(())
}

/// Rejects a list that is too long, before anything is computed from it.
fn few(list: &str, entries: usize) -> Result<()> {
    ensure!(
        entries <= MAX_ENTRIES,
        "{list}: a list of {entries} entries; give {MAX_ENTRIES} at most"
    );
    Ok(())
}

/// The length of the list in the profile with the fewest entries and in the one with the most.
fn lengths<T: Clone>(list: &Profiled<Vec<T>>) -> [usize; 2] {
    let mut lengths = list.each().map(|list| list.len());
    lengths.sort_unstable();
    [lengths[0], lengths[2]]
}

impl Experiment {
    /// Rejects names that are not plain text, and numbers with which the experiment would measure
    /// nothing or would never end.
    pub(super) fn check(&self) -> Result<()> {
        one_line("the name", &self.name)?;
        one_line("the title", &self.title)?;
        let tables = self.kinds().count();
        ensure!(
            tables == 1,
            "{tables} of the tables [uniformity], [fpr], [memory], [churn]: give exactly one"
        );
        few("datasets", self.datasets.len())?;
        let kind = self.kind();
        let name = kind.name();
        for (list, [least, most]) in kind.lists() {
            ensure!(least > 0, "[{name}] has no {list}: give at least one");
            few(&format!("[{name}] {list}"), most)?;
        }
        for (is_met, what) in kind.needs() {
            ensure!(is_met, "[{name}] needs {what}");
        }
        ensure!(
            self.memory.is_some() || !self.datasets.is_empty(),
            "datasets is missing: name at least one key set"
        );
        Ok(())
    }
}

fn is_share(share: &f64) -> bool {
    *share >= LEAST_FPR && *share < 1.0
}

fn are_few(keys: &Profiled<u64>) -> bool {
    keys.each().iter().all(|keys| *keys <= MAX_KEYS)
}

fn are_some(repeats: &Profiled<u32>) -> bool {
    let all = repeats.each();
    all.iter().all(|n| (1..=MAX_REPEATS).contains(n))
}

fn capacity(capacity: u64) -> (bool, &'static str) {
    let is_possible = (1..=MAX_KEYS).contains(&capacity);
    (is_possible, "a capacity of 1 to 2^32 keys")
}

/// The checks of the numbers of hits and of non-members.
fn asked(hits: &Profiled<u64>, non_members: &Profiled<u64>) -> [(bool, &'static str); 2] {
    let has_0 = hits.has_0() || non_members.has_0();
    let are_few = are_few(hits) && are_few(non_members);
    [
        (!has_0, "at least 1 hit and non-member"),
        (are_few, "at most 2^32 hits and non-members"),
    ]
}

impl Kind<'_> {
    /// The lists of the table that must not be empty: name, smallest length and largest length over
    /// the profiles.
    fn lists(self) -> Vec<(&'static str, [usize; 2])> {
        let one = |list: &'static str, entries: usize| (list, [entries; 2]);
        match self {
            Kind::Uniformity(u) => vec![
                one("slots", u.slots.len()),
                one("subjects", u.subjects.len()),
            ],
            Kind::Fpr(fpr) => vec![
                ("points", lengths(&fpr.points)),
                one("filters", fpr.filters.len()),
            ],
            Kind::Memory(memory) => vec![
                one("capacities", memory.capacities.len()),
                one("target_fprs", memory.target_fprs.len()),
                one("filters", memory.filters.len()),
            ],
            Kind::Churn(churn) => vec![one("filters", churn.filters.len())],
        }
    }

    /// The requirements of the table: whether each is met, and its description.
    fn needs(self) -> Vec<(bool, &'static str)> {
        match self {
            Kind::Uniformity(u) => {
                let are_possible = u.slots.iter().all(|slots| (2..=MAX_SLOTS).contains(slots));
                let has_probes = (1..=MAX_HASHES).contains(&u.probes);
                let has_keys = !u.keys.has_0() && are_few(&u.keys);
                vec![
                    (are_possible, "2 to 2^56 slots"),
                    (has_probes, PROBES),
                    (has_keys, "1 to 2^32 keys"),
                ]
            }
            Kind::Fpr(fpr) => {
                let points = fpr.points.each().concat();
                let are_above_0 = points.iter().all(|x| *x > 0.0 && x.is_finite());
                let keys = |load: &f64| load * fpr.capacity as f64;
                let fit = match fpr.sweep {
                    Sweep::BitsPerKey => (
                        points.iter().all(|bits| *bits <= MAX_BITS_PER_KEY),
                        "points of 4096 at most for a sweep over bits per key",
                    ),
                    Sweep::Load => (
                        points.iter().all(|load| keys(load) <= MAX_KEYS as f64),
                        "loads of at most 2^32 keys",
                    ),
                    Sweep::TargetFpr => (
                        points.iter().all(is_share),
                        "points of 2^-64 to below 1 for a sweep over targets",
                    ),
                    Sweep::Churn | Sweep::Memory => {
                        (false, "a sweep of bits-per-key, load or target-fpr")
                    }
                };
                let is_settled = (fpr.sweep == Sweep::Load) == fpr.target_fpr.is_some();
                let mut needs = vec![
                    capacity(fpr.capacity),
                    (are_above_0, "points above 0"),
                    (are_some(&fpr.replicates), "1 to 65536 replicates"),
                    (fpr.target_fpr.iter().all(is_share), TARGET),
                    fit,
                    (
                        is_settled,
                        "target_fpr for a sweep over load, and only there",
                    ),
                ];
                needs.extend(asked(&fpr.hits, &fpr.max_non_members));
                needs
            }
            Kind::Memory(memory) => {
                let mut needs: Vec<_> =
                    memory.capacities.iter().map(|own| capacity(*own)).collect();
                needs.push((memory.target_fprs.iter().all(is_share), TARGET));
                needs
            }
            Kind::Churn(churn) => {
                let is_part = churn.share > 0.0 && churn.share <= 1.0;
                let mut needs = vec![
                    capacity(churn.capacity),
                    (are_some(&churn.rounds), "1 to 65536 rounds"),
                    (are_some(&churn.replicates), "1 to 65536 replicates"),
                    (is_part, "a share above 0, 1 at most"),
                    (is_share(&churn.target_fpr), TARGET),
                ];
                needs.extend(asked(&churn.hits, &churn.max_non_members));
                needs
            }
        }
    }
}
