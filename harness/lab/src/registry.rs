//! Every filter: ours, which the catalogue lists, and the peers, whose crates are named
//! here alone.

#[cfg(any(test, feature = "faults"))]
#[path = "registry/tests/faults.rs"]
mod faults;
mod ours;
mod peers;
mod second;
mod sets;
mod shared;

use std::sync::Arc;

use anyhow::Result;
use bouquet_catalogue::{Family, every};

pub use bouquet_catalogue::{Options, hash::names as hashers};
#[cfg(any(test, feature = "faults"))]
pub use faults::known_faults;
pub use ours::{SEED, blocked_bytes};
pub use sets::{Made, make_set, set_makers};
pub use shared::sharings;

use crate::schemes::{MakeLocator, Scheme};
use crate::speed::{BenchLoop, Kind};
use crate::workload::mix;
use bouquet_ground::record::SubjectRow;
use ours::entry;

/// What is asked of a filter.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    pub capacity: u64,
    pub size: Size,
    pub seed: u64,
    pub options: Options,
}

impl Request {
    /// For a target FPR.
    pub fn of_target(capacity: u64, target_fpr: f64, seed: u64) -> Self {
        let size = Size::TargetFpr(target_fpr);
        Self {
            capacity,
            size,
            seed,
            options: Options::default(),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Size {
    TargetFpr(f64),
    BitsPerKey(f64),
}

/// A filter under test.
pub trait Subject: 'static {
    /// `false`: the key was rejected.
    fn insert(&mut self, key: &[u8]) -> bool;
    fn contains(&self, key: &[u8]) -> bool;
    /// `false`: the key was definitely not present. Only asked of filters that remove.
    fn remove(&mut self, _key: &[u8]) -> bool {
        false
    }
    /// What it is and how it stands after `keys` keys were given to it.
    fn state(&self, keys: u64) -> State;

    /// Asks for the keys as one batch: `found[i]` becomes the answer for `keys[i]`.
    /// `false`: it has no batches, and answered nothing.
    fn contains_batch(&self, _keys: &[&[u8]], _found: &mut [bool]) -> bool {
        false
    }

    /// What it is written out as. `None`: it has no format.
    fn encoded(&self) -> Option<Vec<u8>> {
        None
    }

    /// m of its geometry; `None` where it is the number of its bits.
    fn slots(&self) -> Option<u64> {
        None
    }
}

/// See the columns of the same names in [`bouquet_ground::record`].
#[derive(Clone, Debug)]
pub struct State {
    pub size_bits: u64,
    pub hashes: u32,
    pub memory_bytes: u64,
    pub fill_ratio: f64,
    /// Mean and standard deviation by theory.
    pub expected_fill: Option<(f64, f64)>,
    pub fpr_given_bits: Option<f64>,
    pub expected_fpr: f64,
    pub expected_fpr_sd: Option<f64>,
    /// In which of these the filter's own word is another than what is computed a second
    /// time, which is what stands above.
    pub disagreement: Option<String>,
}

impl State {
    /// Fails if the filter says otherwise of itself.
    pub fn agreed(self) -> Result<Self> {
        match &self.disagreement {
            None => Ok(self),
            Some(what) => anyhow::bail!("{what}"),
        }
    }
}

pub type Build = Box<dyn Fn(&Request) -> Result<Box<dyn Subject>> + Send + Sync>;

/// Makes a filter with its loops for keys of a kind.
pub type MakeLoop = Box<dyn Fn(Kind, u64, f64) -> Result<Box<dyn BenchLoop>> + Send + Sync>;

/// A filter that the harness knows.
pub struct Entry {
    pub name: &'static str,
    pub about: &'static str,
    /// The same where it is timed, if that is another.
    pub about_timed: Option<&'static str>,
    pub role: &'static str,
    pub family: Family,
    /// Evaluated, not timed alone.
    pub is_evaluated: bool,
    /// Among the few that a quick run times.
    pub is_quick: bool,
    /// A false negative fails the run.
    pub promises_no_false_negatives: bool,
    pub reproducible_by_seed: bool,
    /// What it is stored as depends on the order of its keys.
    pub relocates: bool,
    pub removes: bool,
    pub grows: bool,
    pub concurrent: bool,
    /// Made of another of ours: only who asks for it has it.
    pub is_composed: bool,
    pub theory: &'static str,
    /// The scheme of its locations; empty where they are not exposed.
    pub scheme: &'static str,
    /// Why its size cannot be chosen, where it cannot.
    pub fixed_size: Option<&'static str>,
    /// With fewer there is no such filter.
    pub least_bits_per_key: f64,
    /// What may be chosen of it beside its size, by name; and what rejects a choice for a
    /// capacity.
    pub options: Vec<&'static str>,
    pub check: fn(u64, &Options) -> Result<()>,
    pub build: Build,
    /// `None` where it is not timed.
    pub make_loop: Option<MakeLoop>,
    pub locate: Option<MakeLocator>,
    /// Crate and version.
    pub release: &'static str,
}

impl Entry {
    /// Itself, if it gives its locations.
    pub fn locating(&self) -> Option<Scheme> {
        self.locate.map(|make| Scheme {
            name: self.name,
            about: self.about,
            role: self.role,
            make,
        })
    }

    /// One of the size that it has with as many keys as it is sized for: what is built of its
    /// keys is given them.
    pub fn sized(&self, request: &Request) -> Result<Box<dyn Subject>> {
        let mut filter = (self.build)(request)?;
        if self.family == Family::Static {
            let keys = 0..request.capacity;
            keys.for_each(|key| _ = filter.insert(&mix(key).to_le_bytes()));
        }
        Ok(filter)
    }

    pub fn row(&self) -> SubjectRow {
        SubjectRow {
            subject: self.name.into(),
            kind: "filter".into(),
            about: self.about.into(),
            role: self.role.into(),
            promises_no_false_negatives: self.promises_no_false_negatives,
            reproducible_by_seed: self.reproducible_by_seed,
            exposes_locations: self.locate.is_some(),
            removes: self.removes,
            grows: self.grows,
            concurrent: self.concurrent,
            theory: self.theory.into(),
            scheme: self.scheme.into(),
            release: self.release.into(),
            family: String::new(),
        }
    }

    /// As one that is timed.
    pub fn timed_row(&self) -> SubjectRow {
        SubjectRow {
            about: self.about_timed.unwrap_or(self.about).into(),
            role: if self.role == "ours" { "ours" } else { "peer" }.into(),
            family: self.family.name().into(),
            ..self.row()
        }
    }
}

/// Every filter that is evaluated: ours, the baseline and the peers.
pub fn filters() -> Vec<Entry> {
    let mut filters = every!(entry);
    filters.extend(peers::peers().into_iter().filter(|one| one.is_evaluated));
    filters
}

/// Every filter that is timed: ours, and where they are built in the crates of others.
pub fn contestants() -> Vec<Entry> {
    let mut filters = every!(entry);
    if cfg!(feature = "peers") {
        filters.extend(peers::peers());
    }
    filters.retain(|one| one.make_loop.is_some());
    filters
}

/// Names with those in place of a group's that belong to it: `ours`, and of these
/// `removing`, `growing` and `not-growing`; `composed`, which are made of ours; and `peers`, the
/// crates of others, with `removing-peers` and `growing-peers`. So a definition has a new filter
/// without naming it.
pub fn members<'a>(filters: &'a [Arc<Entry>], names: &'a [String]) -> Vec<&'a str> {
    let mut members = Vec::new();
    for name in names {
        let (role, belongs): (&str, fn(&Entry) -> bool) = match name.as_str() {
            "ours" => ("ours", |_| true),
            "removing" => ("ours", |entry| entry.removes),
            "growing" => ("ours", |entry| entry.grows),
            "not-growing" => ("ours", |entry| !entry.grows),
            "composed" => ("ours", |entry| entry.is_composed),
            "peers" => ("peer", |_| true),
            "removing-peers" => ("peer", |entry| entry.removes),
            "growing-peers" => ("peer", |entry| entry.grows),
            name => {
                members.push(name);
                continue;
            }
        };
        let is_one = |entry: &&Arc<Entry>| {
            entry.role == role && entry.is_composed == (name == "composed") && belongs(entry)
        };
        members.extend(filters.iter().filter(is_one).map(|entry| entry.name));
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_every_filter_holds_a_key() {
        let filters = filters();
        for (i, entry) in filters.iter().enumerate() {
            assert!(filters[..i].iter().all(|other| other.name != entry.name));
            let request = Request::of_target(1_000, 0.01, 1);
            let mut filter = (entry.build)(&request).unwrap();
            assert!(!filter.contains(b"rose"), "{}", entry.name);
            assert!(filter.insert(b"rose"), "{}", entry.name);
            assert!(filter.contains(b"rose"), "{}", entry.name);
        }
    }
}
