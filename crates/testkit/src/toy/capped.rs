use std::sync::atomic::Ordering::Relaxed;

use bouquet_core::{BatchError, Filter, Key, KeyHash, Prehashed, Spec, SpecError, TryInsert};

use super::{Fault, Toy};

/// A [`Toy`] that rejects keys past twice its capacity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CappedToy {
    toy: Toy,
    taken: u64,
}

/// The filter is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

impl CappedToy {
    /// A filter with something wrong in it or not.
    ///
    /// # Errors
    ///
    /// Those of [`Toy::faulty`].
    pub fn new(spec: Spec, seed: u64, fault: Fault) -> Result<Self, SpecError> {
        Ok(Self {
            toy: Toy::faulty(spec, seed, fault)?,
            taken: 0,
        })
    }
}

impl Filter for CappedToy {
    fn contains(&self, key: &[u8]) -> bool {
        self.toy.contains(key)
    }
}

impl Prehashed for CappedToy {
    type Hash = KeyHash;

    fn hash_key(&self, key: &[u8]) -> KeyHash {
        self.toy.hash_key(key)
    }

    fn contains_hash(&self, hash: KeyHash) -> bool {
        self.toy.contains_hash(hash)
    }
}

impl TryInsert for CappedToy {
    type Error = Full;

    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, Full> {
        if self.taken == 2 * self.toy.capacity {
            if self.toy.has(Fault::ErrorChanges) {
                let first = self.toy.geometry.slots_of(hash).next();
                first
                    .into_iter()
                    .for_each(|slot| self.toy.counters[slot].store(1, Relaxed));
            }
            return Err(Full);
        }
        self.taken += 1;
        Ok(self.toy.insert_hash(hash))
    }

    fn try_insert_batch<K: Key>(&mut self, keys: &[K]) -> Result<usize, BatchError<Full>> {
        let mut new = 0;
        for (index, key) in keys.iter().enumerate() {
            let was_new = self.try_insert(key).map_err(|error| BatchError {
                index: index.saturating_sub(usize::from(self.toy.has(Fault::BatchErrorIndexOff))),
                error,
            })?;
            new += usize::from(was_new);
        }
        Ok(new)
    }
}
