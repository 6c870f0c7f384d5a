//! Filters with a known fault: a gate that lets them pass guards nothing. They
//! are in no list, and only a definition that names them has them.

use std::{any::Any, cell::OnceCell, hint::black_box};

use anyhow::{Result, bail, ensure};
use bouquet_catalogue::{Methods, standard::Standard};
use bouquet_core::{Filter, Key, KeyHash, KeyHasher, Locate, Prehashed, TryInsert};
use bouquet_format::Decode;
use bouquet_hash::Folded;
use bouquet_standard::StandardBloom;

use super::{
    BatchInserted, Entry, MakeBenchLoop, OfKeys, Request, State, Subject, Viewed, ours,
    ours::Native,
};
use crate::schemes::native;
use crate::speed::batched;

const UNMADE: &str = "cannot be made";

bouquet_ground::named! {
    enum Fault {
        ProbeMissing = "fault-probe-missing",
        BiasedHash = "fault-biased-hash",
        LostKey = "fault-missing-key",
        OneWordMore = "fault-one-word-more",
        ReadsBackFull = "fault-reads-back-full",
        BatchAccepts = "fault-batch-accepts",
        BatchMisses = "fault-batch-misses",
        BatchDrops = "fault-batch-drops",
        HashAccepts = "fault-hash-accepts",
        ViewMisses = "fault-view-misses",
        FromKeysDrops = "fault-from-keys-drops",
        CannotBeMade = "fault-cannot-be-made",
        SlowLookup = "fault-slow-lookup",
    }
}

/// All of them, each with its loop: the standard filter with one thing wrong.
pub fn known_faults() -> Vec<(Entry, MakeBenchLoop)> {
    let faults = [
        (Fault::ProbeMissing, "Asks for one probe fewer than it sets"),
        (Fault::BiasedHash, "Has 2^24 hashes"),
        (
            Fault::LostKey,
            "A false negative for the first key it was given",
        ),
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
            Fault::BatchMisses,
            "A false negative for one key in 4,096 when it is asked in batches",
        ),
        (
            Fault::BatchDrops,
            "Drops the last of 33 keys that are inserted as a batch",
        ),
        (
            Fault::HashAccepts,
            "Accepts one key in eight when it is asked by hash",
        ),
        (
            Fault::ViewMisses,
            "A false negative for one key in 4,096 when it is asked by a view",
        ),
        (
            Fault::FromKeysDrops,
            "Drops the last of the keys that it is made of",
        ),
        (Fault::CannotBeMade, "Is an error"),
        (Fault::SlowLookup, "Looks a key up several times"),
    ];
    let known = faults.map(|(fault, about)| (fault.entry(about), fault.bench_loop()));
    known.into()
}

impl Fault {
    fn entry(self, about: &'static str) -> Entry {
        let standard = ours::entry::<Standard>();
        Entry {
            name: self.name(),
            about,
            role: "known-bad",
            options: Vec::new(),
            build: Box::new(move |request| faulty(request, self)),
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

    fn bench_loop(self) -> MakeBenchLoop {
        match self {
            Self::CannotBeMade => |_, _, _| bail!(UNMADE),
            Self::SlowLookup => {
                |kind, capacity, fpr| Ok(batched(Slow(StandardBloom::new(capacity, fpr)?), kind))
            }
            _ => ours::contestant::<Standard>().make,
        }
    }
}

struct Faulty {
    filter: Native<Standard>,
    fault: Fault,
    /// Memory that it needs for nothing.
    more: Vec<u64>,
    holds_all: bool,
    first: OnceCell<KeyHash>,
}

fn faulty(request: &Request, fault: Fault) -> Result<Box<dyn Subject>> {
    ensure!(fault != Fault::CannotBeMade, UNMADE);
    Ok(Box::new(Faulty::of(ours::made(request)?, fault)))
}

/// A hash of 24 bits, spread over all.
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
            holds_all: false,
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
            _ if self.holds_all => true,
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

    /// The answers as `lie` has them for one key in so many.
    fn answer(&self, keys: &[&[u8]], found: &mut [bool], lie: Option<(u64, bool)>) {
        for (key, found) in keys.iter().zip(found) {
            let hash = self.hash(key);
            *found = match lie {
                Some((keys, lie)) if one_in(keys, hash) => lie,
                _ => self.holds(hash),
            };
        }
    }

    /// For so many keys, by the plain constructor.
    fn plain(&self, keys: usize, target_fpr: f64) -> Result<Box<Self>> {
        let filter = Native(StandardBloom::new(keys.max(1) as u64, target_fpr)?);
        Ok(Box::new(Self::of(filter, self.fault)))
    }
}

/// One key in so many, whatever its place in a batch.
fn one_in(keys: u64, hash: KeyHash) -> bool {
    let mixed = Folded::with_seed(!keys).hash(&hash.place.to_le_bytes());
    mixed.place.is_multiple_of(keys)
}

/// What was read of its bytes.
struct FaultyView(Faulty);

impl Filter for FaultyView {
    fn contains(&self, key: &[u8]) -> bool {
        self.contains_hash(self.hash_key(key))
    }
}

impl Prehashed for FaultyView {
    type Hash = KeyHash;

    fn hash_key(&self, key: &[u8]) -> KeyHash {
        self.0.hash(key)
    }

    fn contains_hash(&self, hash: KeyHash) -> bool {
        let is_missed = self.0.fault == Fault::ViewMisses && one_in(4_096, hash);
        self.0.holds(hash) && !is_missed
    }
}

impl Subject for Faulty {
    fn insert_batch(&mut self, keys: &[&[u8]]) -> Option<BatchInserted> {
        let mut new = 0;
        for (index, key) in keys.iter().enumerate() {
            if self.fault == Fault::BatchDrops && (index, keys.len()) == (32, 33) {
                continue;
            }
            new += u64::from(!Subject::contains(self, key));
            Subject::insert(self, key);
        }
        Some(BatchInserted::All { new })
    }

    fn contains_batch(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        let lie = match self.fault {
            Fault::BatchAccepts => Some((8, true)),
            Fault::BatchMisses => Some((4_096, false)),
            _ => None,
        };
        self.answer(keys, found, lie);
        true
    }

    fn insert_hashes(&mut self, keys: &[&[u8]]) -> Option<Vec<Option<bool>>> {
        let insert = |key: &&[u8]| {
            let is_new = !Subject::contains(self, key);
            Subject::insert(self, key).then_some(is_new)
        };
        Some(keys.iter().map(insert).collect())
    }

    fn insert_hash_batch(&mut self, keys: &[&[u8]]) -> Option<BatchInserted> {
        let each = self.insert_hashes(keys)?.into_iter();
        let new = each.filter(|new| *new == Some(true)).count() as u64;
        Some(BatchInserted::All { new })
    }

    fn contains_hashes(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        let lie = (self.fault == Fault::HashAccepts).then_some((8, true));
        self.answer(keys, found, lie);
        true
    }

    fn contains_hash_batch(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        self.answer(keys, found, None);
        true
    }

    fn contains_parts(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        self.answer(keys, found, None);
        true
    }

    fn of_keys(&self, keys: &[&[u8]], target_fpr: f64) -> Option<Result<OfKeys>> {
        let make = || {
            let mut filter = self.plain(keys.len(), target_fpr)?;
            let dropped = usize::from(self.fault == Fault::FromKeysDrops);
            filter.extend(&keys[..keys.len() - dropped]);
            Ok(OfKeys {
                filter,
                empty: self.plain(keys.len(), target_fpr)?,
            })
        };
        Some(make())
    }

    fn view<'a>(&self, bytes: &'a [u8]) -> Option<Result<Viewed<'a>>> {
        Some(match StandardBloom::decode(bytes) {
            Ok(filter) => Ok(Box::new(FaultyView(Self {
                holds_all: self.holds_all,
                first: self.first.clone(),
                ..Self::of(Native(filter), self.fault)
            }))),
            Err(error) => Err(error.into()),
        })
    }

    fn extend(&mut self, keys: &[&[u8]]) -> bool {
        keys.iter().all(|key| Subject::insert(self, key))
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

    fn unite(&mut self, other: &dyn Subject) -> Option<Result<()>> {
        let other: &dyn Any = other;
        let other: &Self = other.downcast_ref()?;
        Subject::unite(&mut self.filter, &other.filter)
    }

    fn fold(&mut self, target_fpr: f64) -> bool {
        Subject::fold(&mut self.filter, target_fpr)
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
            // A non-member is answered at once.
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
