use std::sync::atomic::Ordering::Relaxed;

use bouquet_core::{BatchError, Filter, Key, KeyHash, Prehashed, Spec, SpecError, TryInsert};

use super::{Fault, Toy};

/// A filter made of [`Toy`]s that grows once, when it reaches its capacity, and rejects keys beyond
/// twice its capacity.
#[derive(Clone, Debug)]
pub struct CappedToy {
    stages: Vec<Toy>,
    taken: u64,
    seed: u64,
    /// The maximum number of bytes to which the filter may grow.
    max_bytes: Option<u64>,
    /// Whether the filter has rejected a key. Only a fault uses this.
    was_full: bool,
}

/// The filter is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

impl CappedToy {
    /// A filter with the given fault, which may be `None`.
    ///
    /// # Errors
    ///
    /// Those of [`Toy::faulty`].
    pub fn new(spec: Spec, seed: u64, fault: Fault) -> Result<Self, SpecError> {
        Ok(Self {
            stages: vec![Toy::faulty(spec, seed, fault)?],
            taken: 0,
            seed,
            max_bytes: None,
            was_full: false,
        })
    }

    /// Total number of bits of all stages.
    pub fn size_bits(&self) -> u64 {
        self.stages.iter().map(|toy| 8 * toy.geometry.slots).sum()
    }

    /// Sets the maximum number of bytes to which the filter may grow; `None` removes the limit.
    pub fn set_max_bytes(&mut self, max: Option<u64>) {
        self.max_bytes = max;
    }

    /// Removes all keys and the stage that was added by growth.
    pub fn clear(&mut self) {
        self.stages.truncate(1);
        self.stages[0].clear();
        self.taken = 0;
    }

    /// Adds a stage if there is no room for another key, or returns an error.
    fn grow(&mut self) -> Result<(), Full> {
        let first = &self.stages[0];
        let (spec, fault) = (first.spec, first.fault);
        let room = match fault {
            Fault::LimitsKeys if self.max_bytes == Some(0) => 0,
            _ => self.stages.len() as u64 * spec.capacity(),
        };
        if self.taken < room {
            return Ok(());
        }
        let past = u64::from(fault == Fault::GrowsPastLimit);
        let grown = 2 * first.geometry.slots;
        let allowed = self.max_bytes.is_none_or(|max| grown <= max + past);
        let stays_full = fault == Fault::StaysFull && self.was_full;
        if self.stages.len() == 2 || !allowed || stays_full {
            self.was_full = true;
            return Err(Full);
        }
        let next = Toy::faulty(spec, self.seed, fault);
        self.stages.push(next.map_err(|_| Full)?);
        Ok(())
    }
}

impl PartialEq for CappedToy {
    fn eq(&self, other: &Self) -> bool {
        self.stages == other.stages && self.taken == other.taken
    }
}

impl Filter for CappedToy {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        self.stages.iter().any(|toy| toy.contains(key))
    }
}

impl Prehashed for CappedToy {
    type Hash = KeyHash;

    fn hash_key(&self, key: &[u8]) -> KeyHash {
        self.stages[0].hash_key(key)
    }

    fn contains_hash(&self, hash: KeyHash) -> bool {
        self.stages.iter().any(|toy| toy.contains_hash(hash))
    }
}

impl TryInsert for CappedToy {
    type Error = Full;

    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, Full> {
        if let Err(full) = self.grow() {
            let first = &self.stages[0];
            if first.has(Fault::ErrorChanges) {
                let slot = first.geometry.slots_of(hash).next();
                slot.into_iter()
                    .for_each(|slot| first.counters[slot].store(1, Relaxed));
            }
            return Err(full);
        }
        let was_new = !self.contains_hash(hash);
        self.taken += 1;
        let newest = self.stages.last();
        newest.map(|toy| toy.insert_hash(hash));
        Ok(was_new)
    }

    fn try_insert_batch<K: Key>(&mut self, keys: &[K]) -> Result<usize, BatchError<Full>> {
        let off = usize::from(self.stages[0].has(Fault::BatchErrorIndexOff));
        let mut new = 0;
        for (index, key) in keys.iter().enumerate() {
            let was_new = self
                .try_insert(key)
                .map_err(|error| BatchError::new(index.saturating_sub(off), error))?;
            new += usize::from(was_new);
        }
        Ok(new)
    }
}
