//! Operations on many keys at once.

use bouquet_core::{
    BatchError, Key, KeyHash, KeyHasher,
    batch::{self, CHUNK, Hashes, Ready},
};

use crate::{CuckooFilter, Full};

impl<H: KeyHasher> CuckooFilter<H> {
    /// Queries many keys at once: `found[i]` is the answer that [`contains`](Self::contains) gives
    /// for `keys[i]`.
    ///
    /// In a filter larger than the caches the buckets of 32 keys are fetched in parallel. In a
    /// filter that fits in the caches a batch takes as long as single queries. Allocates nothing.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use bouquet_cuckoo::CuckooFilter;
    ///
    /// let mut filter = CuckooFilter::new(1_000, 0.01)?;
    /// assert_eq!(filter.insert_batch(&["rose", "tulip", "rose"])?, 2);
    /// let mut found = [false; 3];
    /// filter.contains_batch(&["tulip", "daisy", "rose"], &mut found);
    /// assert_eq!(found, [true, false, true]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

    /// Inserts keys in order and returns how many were definitely new.
    ///
    /// # Errors
    ///
    /// The first rejected key, with its index: the keys before it were inserted, and it and the
    /// keys after it were not.
    pub fn insert_batch<K: Key>(&mut self, keys: &[K]) -> Result<usize, BatchError<Full>> {
        let mut hashes = [KeyHash::new(0, 0); CHUNK];
        let mut new = 0;
        for (chunk, keys) in keys.chunks(CHUNK).enumerate() {
            let hashes = &mut hashes[..keys.len()];
            self.hasher.hash_batch(keys, hashes);
            for (place, hash) in hashes.iter().enumerate() {
                let index = chunk * CHUNK + place;
                let was_new = self.insert_hash(*hash);
                new += usize::from(was_new.map_err(|error| BatchError::new(index, error))?);
            }
        }
        Ok(new)
    }

    #[inline]
    fn query<K>(&self, keys: &[K], hashing: impl Hashes<K>, found: &mut [bool]) {
        assert_eq!(keys.len(), found.len(), "one answer per key");
        let fetches = self.table.prefetch_pays();
        let fetch = |_: &[bool], hashes: &[KeyHash]| {
            if !fetches {
                return;
            }
            let buckets = hashes
                .iter()
                .flat_map(|hash| self.geometry.buckets_of(*hash));
            buckets.for_each(|bucket| self.table.prefetch(bucket));
        };
        batch::in_chunks(
            keys,
            self.geometry.size_bits() > batch::FAR_BITS,
            hashing,
            found,
            fetch,
            |found, first, hashes| {
                for (hash, found) in hashes.iter().zip(&mut found[first..]) {
                    *found = self.contains_hash(*hash);
                }
            },
        );
    }
}
