use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use bouquet_core::{Inspect, Key, KeyHash, Prehashed, Spec, SpecError, math};

use super::{Fault, HasherFault, ToyGeometry, ToyHasher};
use crate::rng::mix;

/// The textbook Bloom filter with one byte per slot, and its mutants.
///
/// ```
/// use bouquet_core::Spec;
/// use bouquet_testkit::toy::Toy;
///
/// let mut toy = Toy::new(Spec::new(100, 0.01)?, 1)?;
/// assert!(toy.insert("tulip"));
/// assert!(toy.contains("tulip"));
/// # Ok::<(), bouquet_core::SpecError>(())
/// ```
pub struct Toy {
    pub(super) spec: Spec,
    pub(super) geometry: ToyGeometry,
    pub(super) hasher: ToyHasher,
    /// The maximum of a counter; with 1 it is a bit.
    pub(super) max: u8,
    /// Only the clones of one mutant share their counters.
    pub(super) counters: Arc<[AtomicU8]>,
    /// Number of inserts so far. Only faults use it.
    pub(super) turns: AtomicU64,
    /// A number that distinguishes this instance. Only a fault uses it.
    pub(super) instance: u64,
    /// Whether a thread is inserting. Only a fault uses this.
    pub(super) is_inserting: AtomicBool,
    /// The lock of the thread that inserts through `&self`.
    pub(super) turn: Mutex<()>,
    pub(super) fault: Fault,
}

impl Toy {
    /// A correct filter with bits.
    ///
    /// # Errors
    ///
    /// Those of [`math::min_bits_exact`].
    pub fn new(spec: Spec, seed: u64) -> Result<Self, SpecError> {
        Self::faulty(spec, seed, Fault::None)
    }

    /// A filter with bits and the given fault.
    ///
    /// # Errors
    ///
    /// Those of [`math::min_bits_exact`].
    pub fn faulty(spec: Spec, seed: u64, fault: Fault) -> Result<Self, SpecError> {
        Self::make(spec, seed, 1, fault)
    }

    /// A filter with counters whose maximum is 15, and the given fault, which may be `None`.
    ///
    /// # Errors
    ///
    /// Those of [`math::min_bits_exact`].
    pub fn counting(spec: Spec, seed: u64, fault: Fault) -> Result<Self, SpecError> {
        Self::make(spec, seed, 15, fault)
    }

    /// A filter with bits whose hasher reports the same `seed()` for every seed, and the given
    /// fault, which may be `None`.
    ///
    /// # Errors
    ///
    /// Those of [`math::min_bits_exact`].
    pub fn keyed(spec: Spec, seed: u64, fault: Fault) -> Result<Self, SpecError> {
        let hasher = ToyHasher::faulty(seed, HasherFault::SeedNotReported);
        let toy = Self::faulty(spec, seed, fault)?;
        Ok(Self { hasher, ..toy })
    }

    fn make(spec: Spec, seed: u64, max: u8, fault: Fault) -> Result<Self, SpecError> {
        static INSTANCES: AtomicU64 = AtomicU64::new(0);
        let size = match fault {
            Fault::SizedByTextbook => {
                math::estimate_parameters(spec.capacity(), spec.target_fpr())?
            }
            _ => math::min_bits_exact(spec.capacity(), spec.target_fpr())?,
        };
        let hasher_fault = match fault {
            Fault::IgnoresSeed => HasherFault::SeedIgnored,
            Fault::IgnoresTrailingZeros => HasherFault::IgnoresTrailingZeros,
            _ => HasherFault::None,
        };
        let first = u8::from(fault == Fault::StartsDirty);
        Ok(Self {
            spec,
            geometry: ToyGeometry {
                slots: size.size_bits,
                hashes: size.hashes,
                fault,
            },
            hasher: ToyHasher::faulty(seed, hasher_fault),
            max,
            counters: (0..size.size_bits)
                .map(|i| AtomicU8::new(if i == 0 { first } else { 0 }))
                .collect(),
            turns: AtomicU64::new(0),
            instance: INSTANCES.fetch_add(1, Relaxed),
            is_inserting: AtomicBool::new(false),
            turn: Mutex::new(()),
            fault,
        })
    }

    /// The geometry, which locates the slots of a key.
    pub const fn geometry(&self) -> ToyGeometry {
        self.geometry
    }

    /// Inserts a key; `true` if it was definitely not present before.
    pub fn insert<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        key.with_bytes(|bytes| {
            let mut bytes = bytes.to_vec();
            match self.fault {
                Fault::TypedKeysReversed => bytes.reverse(),
                Fault::TypedKeysCutShort => bytes.truncate(128),
                _ => {}
            }
            self.insert_hash(self.hash_key(&bytes))
        })
    }

    /// Whether the filter may contain the key; `false`: it is definitely absent.
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        if self.has(Fault::BusyIsPresent) && self.is_inserting.load(Relaxed) {
            return true;
        }
        key.with_bytes(|bytes| self.holds(self.hash_key(bytes)))
    }

    /// An estimate of how many times the key is present: the smallest of its counters.
    pub fn estimated_count<K: Key + ?Sized>(&self, key: &K) -> u32 {
        let slots = self
            .geometry
            .slots_of(key.with_bytes(|bytes| self.hash_key(bytes)));
        let counts = slots.map(|slot| self.counters[slot].load(Relaxed));
        let count = match self.fault {
            Fault::CountsFirstProbe => counts.take(1).min(),
            Fault::CountsHighest => counts.max(),
            Fault::CountsOnce => counts.min().map(|count| count.min(1)),
            _ => counts.min(),
        };
        count.unwrap_or(0).into()
    }

    /// Whether the FPR estimated from the slots is above the target.
    pub fn is_over_capacity(&self) -> bool {
        let times = match self.fault {
            Fault::OverCapacityLate => 2.0,
            _ => 1.0,
        };
        self.estimated_fpr() > times * self.spec.target_fpr()
    }

    /// An estimate of how many more keys can be inserted before the FPR exceeds the target.
    pub fn keys_left(&self) -> u64 {
        let target_fpr = self.spec.target_fpr();
        let times = match self.fault {
            Fault::KeysLeftHigh => 1.01,
            _ => 1.0,
        };
        let until = math::keys_until_fpr(self.geometry.slots, self.geometry.hashes, target_fpr);
        let present = match self.fault {
            Fault::KeysLeftOfNew => 0.0,
            _ => self.estimated_keys(),
        };
        // The cast saturates: a negative number becomes 0.
        (times * until - present) as u64
    }

    /// Inserts keys and returns how many were definitely new.
    pub fn insert_batch<K: Key>(&mut self, keys: &[K]) -> usize {
        let skipped = usize::from(self.has(Fault::TypedBatchSkipsLast));
        let taken = keys.len().saturating_sub(skipped);
        keys[..taken].iter().filter(|key| self.insert(*key)).count()
    }

    /// Queries many keys: `found[i]` answers for `keys[i]`.
    ///
    /// # Panics
    ///
    /// If `found` is shorter than `keys`.
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        let skipped = usize::from(self.has(Fault::TypedBatchAnswersLess));
        let answered = keys.len().saturating_sub(skipped);
        for (i, key) in keys[..answered].iter().enumerate() {
            found[i] = self.contains(key);
        }
    }

    /// Removes all keys.
    pub fn clear(&mut self) {
        let kept = usize::from(self.has(Fault::ClearLeavesLast));
        for counter in &self.counters[..self.counters.len() - kept] {
            counter.store(0, Relaxed);
        }
    }

    pub(super) fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    pub(super) fn holds(&self, hash: KeyHash) -> bool {
        let skipped = usize::from(self.has(Fault::TestsOneLess));
        self.geometry
            .slots_of(hash)
            .skip(skipped)
            .all(|slot| self.counters[slot].load(Relaxed) > 0)
    }

    /// Inserts a key by its hash. All other ways of inserting call this.
    pub(super) fn insert_hash(&self, hash: KeyHash) -> bool {
        let turn = self.turns.fetch_add(1, Relaxed) + 1;
        let was_present = self.holds(hash);
        match self.fault {
            Fault::BusyIsPresent => self.is_inserting.store(true, Relaxed),
            Fault::NewToMany | Fault::NewOnlyIfAlone => thread::yield_now(),
            _ => {}
        }
        match self.fault {
            Fault::ForgetsEveryThousandth if turn.is_multiple_of(1_000) => return !was_present,
            Fault::OrderDependent => {
                self.add((mix(hash.probe ^ turn) % self.geometry.slots) as usize)
            }
            Fault::RepeatsSpill if was_present => self.add((turn % self.geometry.slots) as usize),
            _ => {}
        }
        let forgotten = usize::from(self.has(Fault::InsertsOneLess));
        for slot in self.geometry.slots_of(hash).skip(forgotten) {
            self.add(slot);
        }
        match self.fault {
            Fault::AlwaysNew => true,
            Fault::BusyIsPresent => {
                thread::yield_now();
                self.is_inserting.store(false, Relaxed);
                !was_present
            }
            Fault::NewOnlyIfAlone => !was_present && self.turns.load(Relaxed) == turn,
            Fault::AsksTooLate => !self.holds(hash),
            _ => !was_present,
        }
    }

    /// Increments a counter up to its maximum.
    fn add(&self, slot: usize) {
        let more = |count: u8| match self.fault {
            Fault::CountersWrap if count == self.max => 0,
            _ => (count + 1).min(self.max),
        };
        match self.fault {
            Fault::TearsWords => {
                let word = slot / 8 * 8..(slot / 8 * 8 + 8).min(self.counters.len());
                let read: Vec<u8> = self.counters[word.clone()]
                    .iter()
                    .map(|counter| counter.load(Relaxed))
                    .collect();
                thread::yield_now();
                for (i, count) in word.zip(read) {
                    self.counters[i].store(if i == slot { more(count) } else { count }, Relaxed);
                }
            }
            Fault::TearsCounters => {
                let count = self.counters[slot].load(Relaxed);
                thread::yield_now();
                self.counters[slot].store(more(count), Relaxed);
            }
            _ => {
                // This never fails, because the closure always returns `Some`.
                let _ =
                    self.counters[slot].fetch_update(Relaxed, Relaxed, |count| Some(more(count)));
            }
        }
    }

    pub(super) fn counts(&self) -> impl Iterator<Item = u8> {
        self.counters.iter().map(|counter| counter.load(Relaxed))
    }
}
