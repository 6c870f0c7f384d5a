//! Filters with a known fault, which a gate must detect. They are in no list; only a definition
//! that names one of them contains it.

use std::{borrow::Borrow, cell::OnceCell, hint::black_box};

use anyhow::{Result, bail, ensure};
use bouquet_core::{Key, KeyHash, KeyHasher, Locate, Prehashed, TryInsert};
use bouquet_hash::Folded;
use bouquet_record::Way;
use bouquet_standard::StandardBloom;

use super::{Entry, MakeLoop, Request, State, Subject, ours, ours::Native};
use crate::{CatalogueFilter, Facts, Insertable, native, single, standard::Standard};

const UNMADE: &str = "cannot be made";

bouquet_record::named! {
    enum Fault {
        ProbeMissing = "fault-probe-missing",
        BiasedHash = "fault-biased-hash",
        LostKey = "fault-missing-key",
        OneWordMore = "fault-one-word-more",
        BatchAccepts = "fault-batch-accepts",
        BatchMisses = "fault-batch-misses",
        CannotBeMade = "fault-cannot-be-made",
        SlowLookup = "fault-slow-lookup",
    }
}

/// All of them: each is the standard filter with one fault.
pub fn known_faults() -> Vec<Entry> {
    let faults = [
        (Fault::ProbeMissing, "Asks for one probe fewer than it sets"),
        (Fault::BiasedHash, "Has 2^24 hashes"),
        (
            Fault::LostKey,
            "A false negative for the first key it was given",
        ),
        (Fault::OneWordMore, "Takes a word of memory more"),
        (
            Fault::BatchAccepts,
            "Accepts one key in eight when it is asked in batches",
        ),
        (
            Fault::BatchMisses,
            "A false negative for one key in 4,096 when it is asked in batches",
        ),
        (Fault::CannotBeMade, "Is an error"),
        (Fault::SlowLookup, "Looks a key up several times"),
    ];
    faults.map(|(fault, about)| fault.entry(about)).into()
}

impl Fault {
    fn entry(self, about: &'static str) -> Entry {
        let standard = ours::entry::<Standard>();
        Entry {
            facts: Facts {
                name: self.name(),
                about,
                ..standard.facts
            },
            role: "known-bad",
            options: Vec::new(),
            build: Box::new(move |request| faulty(request, self)),
            make_loop: match self {
                Self::CannotBeMade => Some(Box::new(|_, _, _| bail!(UNMADE)) as MakeLoop),
                Self::SlowLookup => Some(Box::new(|kind, capacity, fpr| {
                    let slow = Slow(StandardBloom::new(capacity as usize, fpr)?);
                    Ok(single(slow, kind))
                })),
                _ => standard.make_loop,
            },
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
}

struct Faulty {
    filter: Native<Standard>,
    fault: Fault,
    /// Additional memory that has no use.
    more: Vec<u64>,
    first: OnceCell<KeyHash>,
}

fn faulty(request: &Request, fault: Fault) -> Result<Box<dyn Subject>> {
    ensure!(fault != Fault::CannotBeMade, UNMADE);
    Ok(Box::new(Faulty::of(ours::made(request)?, fault)))
}

/// A hash with only 2^24 different values, which are spread over the whole range.
fn few_hashes(hasher: &Folded, key: &[u8]) -> KeyHash {
    let few = hasher.hash(key).place & 0xff_ffff;
    hasher.hash(&few.to_le_bytes())
}

impl Faulty {
    fn of(filter: Native<Standard>, fault: Fault) -> Self {
        Self {
            filter,
            fault,
            more: vec![0; usize::from(fault == Fault::OneWordMore)],
            first: OnceCell::new(),
        }
    }

    fn hash(&self, key: &[u8]) -> KeyHash {
        match self.fault {
            Fault::BiasedHash => few_hashes(self.filter.0.hasher(), key),
            _ => self.filter.0.hash_key(key),
        }
    }

    fn holds(&self, hash: KeyHash) -> bool {
        match self.fault {
            Fault::ProbeMissing => {
                let mut slots = Vec::new();
                let geometry = self.filter.0.geometry();
                geometry.locate(&hash, &mut |slot| slots.push(slot));
                slots.pop();
                slots.iter().all(|slot| self.filter.0.bits().test(*slot))
            }
            Fault::LostKey if self.first.get() == Some(&hash) => false,
            _ => self.filter.0.contains_hash(hash),
        }
    }

    /// Looks up the keys. If `lie` is `(n, answer)`, one key in n gets this answer instead of the
    /// correct one.
    fn answer(&self, keys: &[&[u8]], found: &mut [bool], lie: Option<(u64, bool)>) {
        for (key, found) in keys.iter().zip(found) {
            let hash = self.hash(key);
            *found = match lie {
                Some((keys, lie)) if one_in(keys, hash) => lie,
                _ => self.holds(hash),
            };
        }
    }
}

/// Selects one key in `keys` by its hash, so that its position in a batch does not matter.
fn one_in(keys: u64, hash: KeyHash) -> bool {
    let mixed = Folded::with_seed(!keys).hash(&hash.place.to_le_bytes());
    mixed.place.is_multiple_of(keys)
}

impl Subject for Faulty {
    fn contains_batch(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        let lie = match self.fault {
            Fault::BatchAccepts => Some((8, true)),
            Fault::BatchMisses => Some((4_096, false)),
            _ => None,
        };
        self.answer(keys, found, lie);
        true
    }

    fn insert(&mut self, key: &[u8]) -> bool {
        let hash = self.hash(key);
        self.first.get_or_init(|| hash);
        self.filter.0.try_insert_hash(hash).is_ok()
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.holds(self.hash(key))
    }

    fn state(&self, keys: u64) -> State {
        let state = Subject::state(&self.filter, keys);
        State {
            memory_bytes: state.memory_bytes + size_of_val(&*self.more) as u64,
            ..state
        }
    }

    fn encoded(&self) -> Option<Vec<u8>> {
        self.filter.encoded()
    }
}

/// Makes several lookups of one.
struct Slow(StandardBloom);

/// The number of lookups that one call makes.
const LOOKUPS: u32 = 4;

impl<T: Key + ?Sized> Insertable<T> for Slow {
    const WAYS: &'static [Way] = <StandardBloom as Insertable<T>>::WAYS;

    fn insert(&mut self, key: &T) -> bool {
        self.0.accepts_one(key)
    }

    fn contains(&self, key: &T) -> bool {
        (0..LOOKUPS).all(|_| self.0.contains_one(black_box(key)))
            // The first `false` ends the loop, so non-members are not slower.
            || (1..LOOKUPS).any(|_| self.0.contains_one(black_box(key)))
    }

    fn insert_batch<K: Key + Borrow<T>>(&mut self, keys: &[K]) -> u64 {
        self.0.insert_many(keys)
    }

    fn contains_batch<K: Key + Borrow<T>>(&self, keys: &[K], found: &mut [bool]) {
        for _ in 0..LOOKUPS {
            self.0.contains_many(black_box(keys), found);
        }
    }
}
