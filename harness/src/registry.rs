//! The one file that names filter crates, ours and the peers. Whoever adds a
//! filter adds one entry to [`filters`].

use std::{collections::hash_map::DefaultHasher, hash::Hash};

use anyhow::Result;
use bouquet_core::{
    Insert, Inspect, KeyHasher, Locate, Spec,
    math::{expected_fill, fill_variance},
};
use bouquet_hash::Xxh3;
use bouquet_standard::{Geometry, StandardBloom};
use cuckoofilter::CuckooFilter;

use crate::{
    record::SubjectRow,
    schemes::{Located, Locator},
};

/// What is asked of a filter.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    pub capacity: u64,
    pub size: Size,
    pub seed: u64,
}

#[derive(Clone, Copy, Debug)]
pub enum Size {
    TargetFpr(f64),
    BitsPerKey(f64),
}

/// A filter under test.
pub trait Subject {
    /// `false`: the key was refused.
    fn insert(&mut self, key: &[u8]) -> bool;
    fn contains(&self, key: &[u8]) -> bool;
    /// What it is and how it stands after `keys` keys were given to it.
    fn state(&self, keys: u64) -> State;
}

/// See the columns of the same names in [`crate::record`].
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub size_bits: u64,
    pub hashes: u32,
    pub memory_bytes: u64,
    pub fill_ratio: f64,
    /// Mean and standard deviation by theory.
    pub expected_fill: Option<(f64, f64)>,
    pub fpr_given_bits: Option<f64>,
    pub expected_fpr: f64,
}

type Build = fn(&Ask) -> Result<Box<dyn Subject>>;
type MakeLocator = fn(slots: u64, probes: u32, seed: u64) -> Result<Box<dyn Locator>>;

/// A filter that the harness knows.
pub struct Entry {
    pub name: &'static str,
    pub about: &'static str,
    pub role: &'static str,
    /// A false negative fails the run.
    pub promises_no_false_negatives: bool,
    pub reproducible_by_seed: bool,
    pub removes: bool,
    pub grows: bool,
    pub concurrent: bool,
    pub theory: &'static str,
    /// The scheme of its locations; empty where they are not exposed.
    pub scheme: &'static str,
    /// Why its size cannot be chosen, where it cannot.
    pub fixed_size: Option<&'static str>,
    pub build: Build,
    pub locate: Option<MakeLocator>,
}

impl Entry {
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
        }
    }
}

/// Every filter, ours first.
pub fn filters() -> Vec<Entry> {
    vec![
        Entry {
            name: "standard",
            about: "The classic Bloom filter: one bit array, k probes",
            role: "ours",
            promises_no_false_negatives: true,
            reproducible_by_seed: true,
            removes: false,
            grows: false,
            concurrent: false,
            theory: "exact, by recurrence over the probed slots (Bose et al. 2008; Christensen, \
                     Roginsky and Jimeno 2010)",
            scheme: "default",
            fixed_size: None,
            build: standard,
            locate: Some(|slots, probes, seed| {
                native_locator(Geometry::new(slots, probes)?, Xxh3::with_seed(seed))
            }),
        },
        Entry {
            name: "cuckoofilter",
            about: "The crate cuckoofilter 0.5 as it is: a cuckoo filter with one-byte \
                    fingerprints in buckets of four",
            role: "baseline",
            promises_no_false_negatives: false,
            reproducible_by_seed: false,
            removes: true,
            grows: false,
            concurrent: false,
            theory: "1 - (1 - 1/(2^8 - 1))^(2 * 4 * load), load = keys held / slots (Fan et al. \
                     2014, with the zero fingerprint reserved)",
            scheme: "",
            fixed_size: Some("one-byte fingerprints, slots rounded up to a power of two"),
            build: |ask| {
                Ok(Box::new(Cuckoo(CuckooFilter::with_capacity(
                    ask.capacity as usize,
                ))))
            },
            locate: None,
        },
    ]
}

fn standard(ask: &Ask) -> Result<Box<dyn Subject>> {
    let hasher = Xxh3::with_seed(ask.seed);
    let filter = match ask.size {
        Size::TargetFpr(fpr) => StandardBloom::with_hasher(Spec::new(ask.capacity, fpr)?, hasher)?,
        Size::BitsPerKey(bits) => {
            let geometry = Geometry::with_bits_per_key(ask.capacity, bits)?;
            StandardBloom::from_parts(geometry.size_bits(), geometry.hashes(), hasher)?
        }
    };
    Ok(Box::new(Native(filter)))
}

/// Any filter that speaks our traits and probes independently.
struct Native<F>(F);

impl<F: Insert + Inspect> Subject for Native<F> {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.0.insert(key);
        true
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.0.contains(key)
    }

    fn state(&self, keys: u64) -> State {
        let filter = &self.0;
        let throws = keys as f64 * f64::from(filter.hashes());
        let fill = expected_fill(filter.size_bits(), throws);
        let spread = fill_variance(filter.size_bits(), throws).sqrt();
        State {
            size_bits: filter.size_bits(),
            hashes: filter.hashes(),
            memory_bytes: filter.memory_bytes() as u64,
            fill_ratio: filter.fill_ratio(),
            expected_fill: Some((fill, spread)),
            fpr_given_bits: Some(filter.estimated_fpr()),
            expected_fpr: filter.expected_fpr(keys),
        }
    }
}

fn native_locator<G, H>(geometry: G, hasher: H) -> Result<Box<dyn Locator>>
where
    G: Locate<Hash = bouquet_core::KeyHash> + 'static,
    H: KeyHasher + 'static,
{
    Ok(Box::new(Located {
        geometry,
        hash: move |key: &[u8]| hasher.hash(key),
    }))
}

/// The baseline. It hashes with the standard library's `DefaultHasher`, which
/// has fixed keys, and picks what to evict by a random generator that cannot be
/// seeded.
struct Cuckoo(CuckooFilter<DefaultHasher>);

impl Cuckoo {
    /// Bits of a fingerprint.
    const BITS: u64 = 8;
    const BUCKET: f64 = 4.0;

    fn slots(&self) -> u64 {
        // What it reports less the value itself is one byte a slot.
        (self.0.memory_usage() - size_of::<CuckooFilter<DefaultHasher>>()) as u64
    }
}

impl Subject for Cuckoo {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.0.add(&Bytes(key)).is_ok()
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.0.contains(&Bytes(key))
    }

    fn state(&self, _keys: u64) -> State {
        let slots = self.slots();
        let load = self.0.len() as f64 / slots as f64;
        let fingerprints = f64::from((1u32 << Self::BITS) - 1);
        State {
            size_bits: slots * Self::BITS,
            hashes: 0,
            memory_bytes: self.0.memory_usage() as u64,
            fill_ratio: load,
            expected_fill: None,
            fpr_given_bits: None,
            expected_fpr: 1.0 - (1.0 - 1.0 / fingerprints).powf(2.0 * Self::BUCKET * load),
        }
    }
}

/// A key as the baseline takes it: its bytes and nothing else.
#[derive(Hash)]
struct Bytes<'a>(&'a [u8]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_every_filter_holds_a_key() {
        let filters = filters();
        for (i, entry) in filters.iter().enumerate() {
            assert!(filters[..i].iter().all(|other| other.name != entry.name));
            let ask = Ask {
                capacity: 1_000,
                size: Size::TargetFpr(0.01),
                seed: 1,
            };
            let mut filter = (entry.build)(&ask).unwrap();
            assert!(!filter.contains(b"rose"), "{}", entry.name);
            assert!(filter.insert(b"rose"), "{}", entry.name);
            assert!(filter.contains(b"rose"), "{}", entry.name);
        }
    }

    #[test]
    fn the_baseline_s_slots_are_a_power_of_two() {
        for capacity in [1, 4, 1_000, 8_192, 10_000] {
            let cuckoo: Cuckoo = Cuckoo(CuckooFilter::with_capacity(capacity));
            assert_eq!(cuckoo.slots(), (capacity as u64).next_power_of_two().max(4));
        }
    }
}
