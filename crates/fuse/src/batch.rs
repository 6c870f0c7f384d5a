//! Lookups of many keys at once.

use bouquet_core::{
    Key, KeyHash, KeyHasher,
    batch::{FAR_BITS, Hashes, Ready, in_chunks},
};

use crate::{Fingerprint, FuseFilter, build::word, fingerprint::byte_of};

impl<F: Fingerprint, H: KeyHasher> FuseFilter<F, H> {
    /// Queries many keys at once: `found[i]` is the answer that [`contains`](Self::contains) gives
    /// for `keys[i]`.
    ///
    /// In a filter of more than 16 MiB the slots of 32 keys are fetched in parallel; in a smaller one
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
        // Up to some 16 MiB, slots are there before it pays to ask for them.
        if self.size_bits() <= 2 * FAR_BITS {
            for (key, found) in keys.iter().zip(found) {
                *found = self.contains_hash(hashing.one(key));
            }
        } else {
            self.query_far(keys, hashing, found);
        }
    }

    /// Fetches the slots of some keys before it reads those of the keys before them.
    #[inline(never)]
    fn query_far<K>(&self, keys: &[K], hashing: impl Hashes<K>, found: &mut [bool]) {
        // Copied, since a loop through `self` would load the fields for each key, and so would one
        // through a copy that closures borrow: they have their own.
        let (table, bytes) = (self.table, self.array.bytes());
        let fetch = move |hash: &KeyHash| {
            let place = table.place(bytes, word(*hash));
            for slot in place.map_or([0; 3], |(slots, _)| slots) {
                self.array.prefetch(byte_of::<F>(slot));
            }
        };
        in_chunks(
            keys,
            true,
            hashing,
            found,
            |_, hashes| hashes.iter().for_each(fetch),
            move |found, first, hashes| {
                for (hash, found) in hashes.iter().zip(&mut found[first..]) {
                    *found = table.contains(bytes, word(*hash));
                }
            },
        );
    }
}
