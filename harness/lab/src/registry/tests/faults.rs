//! Filters with a known fault: a gate that lets them pass guards nothing. They
//! are in no list, and only a definition that names them has them.

use std::{any::Any, cell::OnceCell, hint::black_box};

use anyhow::{Result, bail, ensure};
use bouquet_catalogue::{Methods, standard::Standard};
use bouquet_core::{Key, KeyHash, KeyHasher, Prehashed, TryInsert};
use bouquet_hash::Folded;
use bouquet_standard::StandardBloom;

use super::{BatchInserted, Entry, MakeBenchLoop, Request, State, Subject, ours, ours::Native};
use crate::schemes::native;
use crate::speed::batched;

const UNMADE: &str = "cannot be made";

bouquet_ground::named! {
    enum Fault {
        ProbeMissing = "fault-probe-missing",
        BiasedHash = "fault-biased-hash",
        LostKey = "fault-lost-key",
        OneWordMore = "fault-one-word-more",
        ReadsBackFull = "fault-reads-back-full",
        BatchAccepts = "fault-batch-accepts",
        BatchDenies = "fault-batch-denies",
        BatchLoses = "fault-batch-loses",
        CannotBeMade = "fault-cannot-be-made",
        SlowLookup = "fault-slow-lookup",
    }
}

/// All of them, each with its loop: the standard filter with one thing wrong.
pub fn known_faults() -> Vec<(Entry, MakeBenchLoop)> {
    let faults = [
        (Fault::ProbeMissing, "Asks for one probe fewer than it sets"),
        (Fault::BiasedHash, "Has 2^24 hashes"),
        (Fault::LostKey, "Denies the first key it was given"),
        (Fault::OneWordMore, "Takes a word of memory more"),
        (
            Fault::ReadsBackFull,
            "Is written out and read back as a filter that holds every key",
        ),
        (
            Fault::BatchAccepts,
            "Accepts one key in eight when it is asked in batches",
        ),
        (
            Fault::BatchDenies,
            "Denies one key in 4,096 when it is asked in batches",
        ),
        (
            Fault::BatchLoses,
            "Loses the last of 33 keys that are inserted as a batch",
        ),
        (Fault::CannotBeMade, "Is an error"),
        (Fault::SlowLookup, "Looks a key up several times"),
    ];
    let known = faults.map(|(fault, about)| (fault.entry(about), fault.lane()));
    known.into()
}

impl Fault {
    fn entry(self, about: &'static str) -> Entry {
        let standard = ours::entry::<Standard>();
        Entry {
            name: self.name(),
            about,
            role: "known-bad",
            build: Box::new(move |ask| faulty(ask, self)),
            locate: match self {
                Self::BiasedHash => Some(|at| {
                    let hasher = Folded::with_seed(at.seed);
                    native(at, move |key| few_hashes(&hasher, key))
                }),
                _ => standard.locate,
            },
            ..standard
        }
    }

    fn lane(self) -> MakeBenchLoop {
        match self {
            Self::CannotBeMade => |_, _, _| bail!(UNMADE),
            Self::SlowLookup => {
                |kind, capacity, fpr| Ok(batched(Slow(StandardBloom::new(capacity, fpr)?), kind))
            }
            _ => ours::racer::<Standard>().make,
        }
    }
}

struct Faulty {
    filter: Native<Standard>,
    fault: Fault,
    /// Memory that it needs for nothing.
    more: Vec<u64>,
    holds_all: bool,
    first: OnceCell<Vec<u8>>,
}

fn faulty(ask: &Request, fault: Fault) -> Result<Box<dyn Subject>> {
    ensure!(fault != Fault::CannotBeMade, UNMADE);
    Ok(Box::new(Faulty {
        filter: ours::made(ask)?,
        fault,
        more: vec![0; usize::from(fault == Fault::OneWordMore)],
        holds_all: false,
        first: OnceCell::new(),
    }))
}

/// A hash of 24 bits, spread over all.
fn few_hashes(hasher: &Folded, key: &[u8]) -> KeyHash {
    let few = hasher.hash(key).place & 0xff_ffff;
    hasher.hash(&few.to_le_bytes())
}

impl Faulty {
    fn hash(&self, key: &[u8]) -> KeyHash {
        match self.fault {
            Fault::BiasedHash => few_hashes(self.filter.0.hasher(), key),
            _ => self.filter.0.hash_key(key),
        }
    }
}

/// One key in so many, whatever its place in a batch.
fn one_in(keys: u64, key: &[u8]) -> bool {
    Folded::with_seed(!keys)
        .hash(key)
        .place
        .is_multiple_of(keys)
}

impl Subject for Faulty {
    fn insert_batch(&mut self, keys: &[&[u8]]) -> Option<BatchInserted> {
        let mut new = 0;
        for (index, key) in keys.iter().enumerate() {
            if self.fault == Fault::BatchLoses && (index, keys.len()) == (32, 33) {
                continue;
            }
            new += u64::from(!Subject::contains(self, key));
            Subject::insert(self, key);
        }
        Some(BatchInserted::All { new })
    }

    fn contains_batch(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        for (key, found) in keys.iter().zip(found) {
            *found = match self.fault {
                Fault::BatchAccepts if one_in(8, key) => true,
                Fault::BatchDenies if one_in(4_096, key) => false,
                _ => Subject::contains(self, key),
            };
        }
        true
    }

    fn extend(&mut self, keys: &[&[u8]]) -> bool {
        keys.iter().all(|key| Subject::insert(self, key))
    }

    fn insert(&mut self, key: &[u8]) -> bool {
        self.first.get_or_init(|| key.to_vec());
        let hash = self.hash(key);
        self.filter.0.try_insert_hash(hash).is_ok()
    }

    fn contains(&self, key: &[u8]) -> bool {
        match self.fault {
            _ if self.holds_all => true,
            Fault::ProbeMissing => {
                let probes = self.filter.0.hashes() as usize - 1;
                let mut slots = self.filter.0.locations(key).take(probes);
                slots.all(|slot| self.filter.0.bits().test(slot))
            }
            Fault::LostKey if self.first.get().is_some_and(|first| first == key) => false,
            _ => self.filter.0.contains_hash(self.hash(key)),
        }
    }

    fn state(&self, keys: u64) -> State {
        let state = Subject::state(&self.filter, keys);
        State {
            memory_bytes: state.memory_bytes + size_of_val(&*self.more) as u64,
            ..state
        }
    }

    fn unite(&mut self, other: &dyn Subject) -> Option<Result<()>> {
        let other: &dyn Any = other;
        let other: &Self = other.downcast_ref()?;
        Subject::unite(&mut self.filter, &other.filter)
    }

    fn reload(&mut self) -> Option<Result<()>> {
        self.holds_all = self.fault == Fault::ReadsBackFull;
        Subject::reload(&mut self.filter)
    }

    fn encoded(&self) -> Option<Vec<u8>> {
        self.filter.encoded()
    }
}

struct Slow(StandardBloom);

/// Lookups in place of one.
const LOOKUPS: u32 = 4;

impl Methods for Slow {
    fn insert<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        self.0.insert(key);
        true
    }

    fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        (0..LOOKUPS).all(|_| self.0.contains(black_box(key)))
            // A stranger is denied at once.
            || (1..LOOKUPS).any(|_| self.0.contains(black_box(key)))
    }

    fn insert_batch<K: Key>(&mut self, keys: &[K]) -> BatchInserted {
        Methods::insert_batch(&mut self.0, keys)
    }

    fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        for _ in 0..LOOKUPS {
            self.0.contains_batch(black_box(keys), found);
        }
    }
}
