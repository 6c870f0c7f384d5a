//! The list of all filters: ours, and the peers (filters of other crates). Only this module uses
//! the crates of the peers.

mod cross_check;
#[cfg(any(test, feature = "faults"))]
#[path = "registry/tests/faults.rs"]
mod faults;
mod ours;
mod peers;
mod sets;
mod shared;

use std::{ops::Deref, sync::Arc};

use anyhow::{Context, Result, bail};
use bouquet_core::Spec;
use bouquet_record::SubjectRow;

#[cfg(any(test, feature = "faults"))]
pub use faults::known_faults;
pub use ours::{SEED, blocked_bytes};
pub use sets::{Made, make_set, set_makers};
pub use shared::sharings;

use crate::{BenchLoop, Facts, Family, Kind, MakeLocator, Scheme, for_each_filter, mix};
pub use crate::{Options, hash::names as hashers};
use ours::entry;

#[derive(Clone, Copy, Debug)]
pub struct Request {
    pub capacity: u64,
    pub size: Size,
    pub seed: u64,
    pub options: Options,
}

impl Request {
    pub fn of_target(capacity: u64, target_fpr: f64, seed: u64) -> Self {
        Self {
            capacity,
            size: Size::TargetFpr(target_fpr),
            seed,
            options: Options::default(),
        }
    }

    /// The target FPR; an error if the size is given in bits per key.
    pub fn target_fpr(&self) -> Result<f64> {
        let (target, _) = self.size.columns();
        target.context("it is sized for a target FPR, not by bits per key")
    }

    pub fn spec(&self) -> Result<Spec> {
        Ok(Spec::new(self.capacity, self.target_fpr()?)?)
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Size {
    TargetFpr(f64),
    BitsPerKey(f64),
}

impl Size {
    /// A lower bound on the bits per key of a filter of this size. For a target FPR, it is the
    /// bound that holds for every filter (Carter et al. 1978).
    pub fn least_bits(self, filter: &Entry) -> f64 {
        match self {
            _ if filter.fixed_size.is_some() => 0.0,
            Self::TargetFpr(fpr) => -fpr.log2(),
            Self::BitsPerKey(bits) => bits,
        }
    }

    /// The target FPR and the bits per key, for two columns of the records. Only one has a value.
    pub fn columns(self) -> (Option<f64>, Option<f64>) {
        match self {
            Self::TargetFpr(fpr) => (Some(fpr), None),
            Self::BitsPerKey(bits) => (None, Some(bits)),
        }
    }
}

/// A filter under test.
pub trait Subject: 'static {
    fn insert(&mut self, key: &[u8]) -> bool;
    fn contains(&self, key: &[u8]) -> bool;
    /// Returns `false` if the key was definitely not present. Only called on filters that support
    /// removal.
    fn remove(&mut self, _key: &[u8]) -> bool {
        false
    }
    /// The filter's geometry and statistics after `keys` keys were inserted.
    fn state(&self, keys: u64) -> State;

    /// Looks up the keys as one batch: `found[i]` becomes the answer for `keys[i]`. Returns
    /// `false`, and writes nothing, if the filter has no batch lookup.
    fn contains_batch(&self, _keys: &[&[u8]], _found: &mut [bool]) -> bool {
        false
    }

    /// The filter as bytes in its file format; `None` if it has none.
    fn encoded(&self) -> Option<Vec<u8>> {
        None
    }

    /// The number of slots (m); `None` if it equals the number of bits.
    fn slots(&self) -> Option<u64> {
        None
    }
}

/// The fields correspond to the columns of the same names in [`bouquet_record::Observation`].
#[derive(Clone, Debug)]
pub struct State {
    pub size_bits: u64,
    pub hashes: u32,
    pub memory_bytes: u64,
    pub fill_ratio: f64,
    /// The expected mean and standard deviation of the fill ratio.
    pub expected_fill: Option<(f64, f64)>,
    pub fpr_given_bits: Option<f64>,
    pub expected_fpr: f64,
    pub expected_fpr_sd: Option<f64>,
    /// Describes the values for which the filter's crate and an independent computation disagree,
    /// if there are any. The other fields have the independent values.
    pub disagreement: Option<String>,
}

impl State {
    pub fn agreed(self) -> Result<Self> {
        match self.disagreement {
            None => Ok(self),
            Some(what) => bail!(what),
        }
    }
}

pub type Build = Box<dyn Fn(&Request) -> Result<Box<dyn Subject>> + Send + Sync>;

/// Makes a filter for a kind of key, a capacity and a target FPR, with the loops that time it.
pub type MakeLoop = Box<dyn Fn(Kind, u64, f64) -> Result<Box<dyn BenchLoop>> + Send + Sync>;

/// A filter, and how the harness builds, evaluates and times it.
pub struct Entry {
    pub facts: Facts,
    pub role: &'static str,
    /// Whether the filter is evaluated; if not, it is only timed.
    pub is_evaluated: bool,
    /// Whether a quick run of the benchmarks times the filter.
    pub is_quick: bool,
    /// If true, a false negative makes the run fail.
    pub promises_no_false_negatives: bool,
    pub reproducible_by_seed: bool,
    /// Why the size of the filter cannot be chosen; `None` if it can be chosen.
    pub fixed_size: Option<&'static str>,
    /// The names of the options that can be set besides the size; `check` rejects invalid values.
    pub options: Vec<&'static str>,
    pub check: fn(u64, &Options) -> Result<()>,
    pub build: Build,
    /// `None` if the filter is not timed.
    pub make_loop: Option<MakeLoop>,
    pub locate: Option<MakeLocator>,
    /// Name and version of its crate.
    pub release: &'static str,
}

/// The facts of an entry can be read like its own fields, as in `entry.name`.
impl Deref for Entry {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.facts
    }
}

impl Entry {
    /// How the filter maps keys to locations (bit positions), if it exposes them.
    pub fn locating(&self) -> Option<Scheme> {
        self.locate.map(|make| Scheme {
            name: self.name,
            about: self.about,
            role: self.role,
            make,
        })
    }

    /// Builds a filter at its full size. A static filter is built from its keys, so `capacity` keys
    /// are inserted into it.
    pub fn sized(&self, request: &Request) -> Result<Box<dyn Subject>> {
        let mut filter = (self.build)(request)?;
        if self.family == Family::Static {
            let keys = 0..request.capacity;
            keys.for_each(|key| _ = filter.insert(&mix(key).to_le_bytes()));
        }
        Ok(filter)
    }

    pub fn row(&self) -> SubjectRow {
        let style = crate::style(self.name);
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
            colour: style.colour.into(),
            marker: style.marker.into(),
            stroke: style.stroke.into(),
        }
    }

    pub fn timed_row(&self) -> SubjectRow {
        SubjectRow {
            about: self.about_plain.unwrap_or(self.about).into(),
            role: if self.role == "ours" { "ours" } else { "peer" }.into(),
            family: self.family.name().into(),
            ..self.row()
        }
    }
}

pub fn filters() -> Vec<Entry> {
    let mut filters = for_each_filter!(entry);
    filters.extend(peers::peers());
    filters.retain(|one| one.is_evaluated);
    filters
}

pub fn contestants() -> Vec<Entry> {
    let mut filters = for_each_filter!(entry);
    if cfg!(feature = "peers") {
        filters.extend(peers::peers());
    }
    filters.retain(|one| one.make_loop.is_some());
    filters
}

/// Replaces the names of groups by the names of their filters, so that experiments include a new
/// filter without a change of their definitions. The groups are `ours`, with the subsets
/// `removing`, `growing` and `not-growing`; `composed`, filters that are composed of ours; and
/// `peers`, the filters of other crates, with the subsets `removing-peers` and `growing-peers`.
/// Composed filters are in the other groups too if they are `chosen` by name.
pub fn members<'a>(
    filters: &'a [Arc<Entry>],
    names: &'a [String],
    chosen: &[String],
) -> Vec<&'a str> {
    type Belongs = fn(&Entry) -> bool;
    let groups: [(&str, &str, Belongs); 8] = [
        ("ours", "ours", |_| true),
        ("removing", "ours", |entry| entry.removes),
        ("growing", "ours", |entry| entry.grows),
        ("not-growing", "ours", |entry| !entry.grows),
        ("composed", "ours", |_| true),
        ("peers", "peer", |_| true),
        ("removing-peers", "peer", |entry| entry.removes),
        ("growing-peers", "peer", |entry| entry.grows),
    ];
    let members = names.iter().flat_map(|name| {
        let Some((_, role, belongs)) = groups.iter().find(|(group, ..)| group == name) else {
            return vec![name.as_str()];
        };
        let own = filters
            .iter()
            .filter(|one| one.role == *role && belongs(one));
        let is_chosen = |one: &Entry| chosen.iter().any(|name| *name == one.name);
        let own = own.filter(|one| one.is_composed == (name == "composed") || is_chosen(one));
        own.map(|one| one.name).collect()
    });
    members.collect()
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
