//! Queries and inserts of many keys at once.

use bouquet_core::{Key, KeyHash, KeyHasher};

use crate::AgingBloom;

impl<H: KeyHasher> AgingBloom<H> {
    /// Queries many keys at once: `found[i]` is the answer that [`contains`](Self::contains) gives
    /// for `keys[i]`. Takes as long as single queries.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    #[inline]
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        assert_eq!(keys.len(), found.len(), "one answer per key");
        for (key, found) in keys.iter().zip(found) {
            *found = self.contains(key);
        }
    }

    /// Like [`contains_batch`](Self::contains_batch), with the hashes of the keys.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        assert_eq!(hashes.len(), found.len(), "one answer per key");
        for (hash, found) in hashes.iter().zip(found) {
            *found = self.contains_hash(*hash);
        }
    }

    /// Inserts keys in order and returns how many were definitely new.
    pub fn insert_batch<K: Key>(&mut self, keys: &[K]) -> usize {
        keys.iter().filter(|key| self.insert(*key)).count()
    }

    /// Like [`insert_batch`](Self::insert_batch), with the hashes of the keys.
    pub fn insert_hash_batch(&mut self, hashes: &[KeyHash]) -> usize {
        hashes
            .iter()
            .filter(|hash| self.insert_hash(**hash))
            .count()
    }
}
