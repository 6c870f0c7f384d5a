//! What must hold of a definition.

use anyhow::{Result, ensure};
use bouquet_core::math::MAX_HASHES;

use super::{Experiment, Kind, Profiled};
use bouquet_ground::{line::is_harmless, record::Sweep};

/// The most keys that a filter is sized for or given, or asked for: more would take days.
pub(crate) const MAX_KEYS: u64 = 1 << 32;

/// The most filters that are filled for one cell, and rounds that one goes through: an
/// estimate gains no more digits by more, and each takes memory before the first is measured.
const MAX_REPEATS: u32 = 1 << 16;

/// The most entries of a list: more make no table or chart that anybody reads.
const MAX_ENTRIES: usize = 1_024;

/// The least target: no filter here is hashed with more bits by default.
const LEAST_FPR: f64 = 1.0 / (1_u128 << 64) as f64;

/// The most slots: beyond, no scheme locates a key.
const MAX_SLOTS: u64 = 1 << 56;

/// What an experiment takes at most, by its definition.
const MAX_SECONDS: f64 = 86_400.0;

/// More than any filter is better with: an FPR of 2^-64 takes about 92.
pub const MAX_BITS_PER_KEY: f64 = 4_096.0;

/// Rejects a name that would not be one line of text where it is shown or recorded.
pub(crate) fn one_line(what: &str, name: &str) -> Result<()> {
    ensure!(
        name.chars().all(is_harmless),
        "{what} {name:?} has a control character: take plain text of one line"
    );
    Ok(())
}

/// Rejects a duration that none is: it is shown, and added to those of others.
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

/// Rejects a list that is too long to be read, before anything is made of it.
fn few(list: &str, entries: usize) -> Result<()> {
    ensure!(
        entries <= MAX_ENTRIES,
        "{list}: a list of {entries} entries; give {MAX_ENTRIES} at most"
    );
    Ok(())
}

/// How many entries the list has in the profile with the fewest, and with the most.
fn lengths<T: Clone>(list: &Profiled<Vec<T>>) -> [usize; 2] {
    let mut lengths = list.each().map(|list| list.len());
    lengths.sort_unstable();
    [lengths[0], lengths[2]]
}

impl Experiment {
    /// Rejects names that are no text, and numbers that would measure nothing, or
    /// without end.
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
        for (list, [least, most]) in kind.lists() {
            let name = kind.name();
            ensure!(least > 0, "[{name}] has no {list}: give at least one");
            few(&format!("[{name}] {list}"), most)?;
        }
        kind.check(|is_met, what| {
            ensure!(is_met, "[{}] needs {what}", kind.name());
            Ok(())
        })?;
        ensure!(
            self.memory.is_some() || !self.datasets.is_empty(),
            "datasets is missing: name at least one key set"
        );
        Ok(())
    }
}

impl Kind<'_> {
    /// The lists of the table that must have an entry, with how many they have. Of the sizes of
    /// filters there are two lists, of which one is enough.
    fn lists(self) -> Vec<(&'static str, [usize; 2])> {
        let one = |list: &'static str, entries: usize| (list, [entries; 2]);
        match self {
            Kind::Uniformity(u) => {
                vec![
                    one("slots", u.slots.len()),
                    one("subjects", u.subjects.len()),
                ]
            }
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

    /// Calls `needs` with whether the table has what it needs, and with what that is.
    fn check(self, needs: impl Fn(bool, &str) -> Result<()>) -> Result<()> {
        let is_share = |share: &f64| *share >= LEAST_FPR && *share < 1.0;
        let is_above_0 = |x: &f64| *x > 0.0 && x.is_finite();
        let is_possible_size = |bits: &f64| *bits > 0.0 && *bits <= MAX_BITS_PER_KEY;
        let are_few = |keys: &Profiled<u64>| keys.each().iter().all(|keys| *keys <= MAX_KEYS);
        let are_some = |what: &str, repeats: &Profiled<u32>| {
            let are_some = repeats.each().iter().all(|n| (1..=MAX_REPEATS).contains(n));
            needs(are_some, &format!("1 to {MAX_REPEATS} {what}"))
        };
        let is_possible = |capacity: u64| {
            let is_possible = (1..=MAX_KEYS).contains(&capacity);
            needs(is_possible, "a capacity of 1 to 2^32 keys")
        };
        match self {
            Kind::Uniformity(u) => {
                let are_possible = u.slots.iter().all(|slots| (2..=MAX_SLOTS).contains(slots));
                needs(are_possible, "2 to 2^56 slots")?;
                let has_probes = (1..=MAX_HASHES).contains(&u.probes);
                needs(has_probes, &format!("1 to {MAX_HASHES} probes"))?;
                needs(!u.keys.has_0() && are_few(&u.keys), "1 to 2^32 keys")
            }
            Kind::Fpr(fpr) => {
                let points = fpr.points.each().concat();
                is_possible(fpr.capacity)?;
                needs(points.iter().all(is_above_0), "points above 0")?;
                are_some("replicates", &fpr.replicates)?;
                let has_0 = fpr.hits.has_0() || fpr.max_non_members.has_0();
                needs(!has_0, "at least 1 hit and non-member")?;
                let are_few = are_few(&fpr.hits) && are_few(&fpr.max_non_members);
                needs(are_few, "at most 2^32 hits and non-members")?;
                let are_shares = fpr.target_fpr.iter().all(is_share);
                needs(are_shares, "a target_fpr of 2^-64 to below 1")?;
                let is_too_full = |load: &f64| load * fpr.capacity as f64 > MAX_KEYS as f64;
                let (are_fit, words) = match fpr.sweep {
                    Sweep::BitsPerKey => (
                        points.iter().all(is_possible_size),
                        "points of 4096 at most for a sweep over bits per key",
                    ),
                    Sweep::Load => (
                        !points.iter().any(is_too_full),
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
                needs(are_fit, words)?;
                let is_settled = (fpr.sweep == Sweep::Load) == fpr.target_fpr.is_some();
                needs(
                    is_settled,
                    "target_fpr for a sweep over load, and only there",
                )
            }
            Kind::Memory(memory) => {
                memory
                    .capacities
                    .iter()
                    .try_for_each(|own| is_possible(*own))?;
                let are_shares = memory.target_fprs.iter().all(is_share);
                needs(are_shares, "target_fprs of 2^-64 to below 1")
            }
            Kind::Churn(churn) => {
                is_possible(churn.capacity)?;
                are_some("rounds", &churn.rounds)?;
                are_some("replicates", &churn.replicates)?;
                let has_0 = churn.hits.has_0() || churn.max_non_members.has_0();
                needs(!has_0, "at least 1 hit and non-member")?;
                let are_few = are_few(&churn.hits) && are_few(&churn.max_non_members);
                needs(are_few, "at most 2^32 hits and non-members")?;
                let is_part = churn.share > 0.0 && churn.share <= 1.0;
                needs(is_part, "a share above 0, 1 at most")?;
                needs(
                    is_share(&churn.target_fpr),
                    "a target_fpr of 2^-64 to below 1",
                )
            }
        }
    }
}
