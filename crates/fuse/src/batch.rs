//! Lookups of many keys at once.

use core::mem;

use bouquet_core::{
    Key, KeyHash, KeyHasher,
    batch::{CHUNK, FAR_BITS, Hashes, Ready},
};

use crate::{Fingerprint, FuseFilter, build::word, table::Place};

impl<F: Fingerprint, H: KeyHasher> FuseFilter<F, H> {
    /// Queries many keys at once: `found[i]` is the answer that [`contains`](Self::contains) gives
    /// for `keys[i]`.
    ///
    /// In a filter of more than 32 MiB the slots of 32 keys are fetched in parallel; in a smaller one
    /// a batch takes as long as single queries. Allocates nothing.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    #[inline]
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        self.query(keys, &self.hasher, found);
    }

    /// Like [`contains_batch`](Self::contains_batch), with the hashes of the keys.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        self.query(hashes, Ready, found);
    }

    #[inline]
    fn query<K>(&self, keys: &[K], hashing: impl Hashes<K>, found: &mut [bool]) {
        assert_eq!(keys.len(), found.len(), "one answer per key");
        // Copied, since a loop through `self` would load the fields for each key.
        let (table, bytes) = (self.table, self.array.bytes());
        // Up to some 32 MiB, slots are there before it pays to ask for them.
        if self.size_bits() <= 4 * FAR_BITS {
            for (key, found) in keys.iter().zip(found) {
                *found = table.contains(bytes, word(hashing.one(key)));
            }
            return;
        }
        let mut hashes = [KeyHash::new(0, 0); CHUNK];
        // The slots of a chunk are fetched while those of the chunk before are read.
        let mut places = [[Place::default(); CHUNK]; 2];
        let [mut now, mut ahead] = places.each_mut();
        let mut waiting: &mut [bool] = &mut [];
        for (keys, found) in keys.chunks(CHUNK).zip(found.chunks_mut(CHUNK)) {
            let hashes = &mut hashes[..keys.len()];
            hashing.many(keys, hashes);
            for (hash, place) in hashes.iter().zip(&mut *ahead) {
                // So large a filter has keys.
                *place = table.place(bytes, word(*hash)).unwrap_or_default();
                for slot in place.slots {
                    self.array.prefetch(slot * F::BITS as usize / 8);
                }
            }
            answer::<F>(bytes, now, waiting);
            waiting = found;
            mem::swap(&mut now, &mut ahead);
        }
        answer::<F>(bytes, now, waiting);
    }
}

fn answer<F: Fingerprint>(bytes: &[u8], places: &[Place], found: &mut [bool]) {
    for (place, found) in places.iter().zip(found) {
        *found = place.holds::<F>(bytes);
    }
}
