use std::convert::Infallible;

use bouquet_core::{
    BatchError, Filter, Inspect, Key, KeyHash, KeyHasher, Prehashed, TryInsert, batch::FAR_BITS,
};

use super::{Fault, Toy};
use crate::rng::mix;

impl Filter for Toy {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        self.contains(key)
    }

    fn contains_bytes_batch(&self, keys: &[&[u8]], found: &mut [bool]) {
        let answered = match self.fault {
            Fault::BatchContainsSkipsLast => keys.len().saturating_sub(1),
            Fault::BatchContainsStops => keys.len().min(64),
            _ => keys.len(),
        };
        for (key, found) in keys[..answered].iter().zip(found) {
            *found = self.contains(*key);
        }
    }
}

impl Prehashed for Toy {
    type Hash = KeyHash;

    fn hash_key(&self, key: &[u8]) -> KeyHash {
        let hash = self.hasher.hash(key);
        match self.fault {
            Fault::IgnoresLateBytes if key.len() > 128 => {
                let hash = self.hasher.hash(&key[..128]);
                KeyHash::new(hash.place, hash.probe ^ mix(key.len() as u64))
            }
            Fault::SaltsInstances => KeyHash::new(hash.place, hash.probe ^ mix(self.instance)),
            _ => hash,
        }
    }

    fn contains_hash(&self, hash: KeyHash) -> bool {
        match self.fault {
            Fault::HashApiDiffers => self.holds(KeyHash::new(hash.probe, hash.place)),
            _ => self.holds(hash),
        }
    }

    fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        let skipped = usize::from(self.has(Fault::HashBatchAnswersLess));
        let answered = hashes.len().saturating_sub(skipped);
        for (hash, found) in hashes[..answered].iter().zip(found) {
            *found = self.contains_hash(*hash);
        }
    }
}

impl TryInsert for Toy {
    type Error = Infallible;

    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, Infallible> {
        Ok(self.insert_hash(hash))
    }

    fn try_insert<K: Key + ?Sized>(&mut self, key: &K) -> Result<bool, Infallible> {
        key.with_bytes(|key| {
            if key.is_empty() && self.has(Fault::ForgetsEmptyKey) {
                return Ok(!self.contains(key));
            }
            self.try_insert_hash(self.hash_key(key))
        })
    }

    fn try_insert_hash_batch(
        &mut self,
        hashes: &[KeyHash],
    ) -> Result<usize, BatchError<Infallible>> {
        let skipped = usize::from(self.has(Fault::HashBatchSkipsLast));
        let taken = hashes.len().saturating_sub(skipped);
        let hashes = hashes[..taken].iter();
        Ok(hashes.filter(|hash| self.insert_hash(**hash)).count())
    }

    fn try_insert_batch<K: Key>(&mut self, keys: &[K]) -> Result<usize, BatchError<Infallible>> {
        let taken = match self.fault {
            Fault::BatchInsertSkipsLast if keys.len() > 1 => keys.len() - 1,
            Fault::BatchInsertStops => keys.len().min(64),
            Fault::FarBatchStops if self.size_bits() > FAR_BITS => keys.len().min(1_000),
            _ => keys.len(),
        };
        let mut new = 0;
        for key in &keys[..taken] {
            let Ok(was_new) = self.try_insert(key);
            if !was_new && self.has(Fault::BatchStopsAtHeld) {
                break;
            }
            new += usize::from(was_new);
        }
        Ok(if self.has(Fault::BatchCountsAll) {
            keys.len()
        } else {
            new
        })
    }
}
