use std::{
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use bouquet_core::{Key, KeyHash, Prehashed, Spec, SpecError, math};

use super::{Fault, HasherFault, ToyGeometry, ToyHasher};
use crate::rng::mix;

/// The textbook Bloom filter, with a byte for each slot, and its mutants.
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
    pub(super) capacity: u64,
    pub(super) geometry: ToyGeometry,
    pub(super) hasher: ToyHasher,
    /// Where a counter stops: 1 makes it a bit.
    pub(super) max: u8,
    /// Shared by the clones of one mutant, never by others.
    pub(super) counters: Arc<[AtomicU8]>,
    /// Inserts so far. Only faults use it.
    pub(super) turns: AtomicU64,
    /// What distinguishes this instance. Only a fault uses it.
    pub(super) instance: u64,
    pub(super) fault: Fault,
}

impl Toy {
    /// A sound filter of bits.
    ///
    /// # Errors
    ///
    /// Those of [`math::min_bits_exact`].
    pub fn new(spec: Spec, seed: u64) -> Result<Self, SpecError> {
        Self::faulty(spec, seed, Fault::None)
    }

    /// A filter of bits with something wrong in it.
    ///
    /// # Errors
    ///
    /// Those of [`math::min_bits_exact`].
    pub fn faulty(spec: Spec, seed: u64, fault: Fault) -> Result<Self, SpecError> {
        Self::make(spec, seed, 1, fault)
    }

    /// A filter of counters that stop at 15, with something wrong in it or not.
    ///
    /// # Errors
    ///
    /// Those of [`math::min_bits_exact`].
    pub fn counting(spec: Spec, seed: u64, fault: Fault) -> Result<Self, SpecError> {
        Self::make(spec, seed, 15, fault)
    }

    /// A filter of bits whose hasher reports the same `seed()` for every seed, with
    /// something wrong in it or not.
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
            capacity: spec.capacity(),
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
            fault,
        })
    }

    /// The slot arithmetic.
    pub const fn geometry(&self) -> ToyGeometry {
        self.geometry
    }

    /// Inserts a key; `true` if it was definitely not present before.
    pub fn insert<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        key.with_bytes(|bytes| {
            let mut bytes = bytes.to_vec();
            if self.has(Fault::TypedKeysReversed) {
                bytes.reverse();
            }
            self.insert_hash(self.hash_key(&bytes))
        })
    }

    /// Whether the filter may contain the key; `false`: it is definitely absent.
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        key.with_bytes(|bytes| self.holds(self.hash_key(bytes)))
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
    /// If there are fewer answers than keys.
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        let skipped = usize::from(self.has(Fault::TypedBatchAnswersLess));
        let answered = keys.len().saturating_sub(skipped);
        for (i, key) in keys[..answered].iter().enumerate() {
            found[i] = self.contains(key);
        }
    }

    /// Drops all keys.
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

    /// One insert, as all ways of inserting do it.
    pub(super) fn insert_hash(&self, hash: KeyHash) -> bool {
        let turn = self.turns.fetch_add(1, Relaxed) + 1;
        let was_present = self.holds(hash);
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
            Fault::AsksTooLate => !self.holds(hash),
            _ => !was_present,
        }
    }

    /// Counts a slot up, to its maximum and no further.
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
                // Never `Err`: the closure always has a next value.
                let _ =
                    self.counters[slot].fetch_update(Relaxed, Relaxed, |count| Some(more(count)));
            }
        }
    }

    pub(super) fn counts(&self) -> impl Iterator<Item = u8> {
        self.counters.iter().map(|counter| counter.load(Relaxed))
    }
}
