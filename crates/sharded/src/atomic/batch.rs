//! Many keys at once.

use bouquet_core::{
    Key, KeyHash, KeyHasher,
    batch::{self, Hashes, Part, Ready},
};
use bouquet_hash::scheme::{self, array::Slots};

use super::AtomicBloom;

impl<H: KeyHasher> AtomicBloom<H> {
    /// Queries many keys at once: `found[i]` answers for `keys[i]`, as
    /// [`contains`](Self::contains) does.
    ///
    /// Out of cache, the lines of 32 keys are fetched in parallel:
    /// two of each key, and the others of those that are still possible. In
    /// cache, on processors with AVX-512, their slots are found side by side.
    /// Allocates nothing.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use bouquet_sharded::AtomicBloom;
    ///
    /// let filter = AtomicBloom::new(1_000, 0.01)?;
    /// assert_eq!(filter.insert_batch(&["rose", "tulip", "rose"]), 2);
    /// let mut found = [false; 3];
    /// filter.contains_batch(&["tulip", "daisy", "rose"], &mut found);
    /// assert_eq!(found, [true, false, true]);
    /// # Ok::<(), bouquet_sharded::SpecError>(())
    /// ```
    #[inline]
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        self.query(keys, &self.hasher, found);
    }

    /// [`contains_batch`](Self::contains_batch) by the keys' hashes.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        self.query(hashes, Ready, found);
    }

    /// Inserts keys in order and returns how many were definitely new, each as
    /// [`insert`](Self::insert) reports. Other threads see them come one by one.
    ///
    /// Past 8 MiB their lines are fetched in parallel. Up to that it is a loop over single calls,
    /// and takes as long.
    #[inline]
    pub fn insert_batch<K: Key>(&self, keys: &[K]) -> usize {
        let mut new = 0;
        self.take(keys, &self.hasher, |_, is_new| new += usize::from(is_new));
        new
    }

    /// [`insert_batch`](Self::insert_batch) by the keys' hashes.
    pub fn insert_hash_batch(&self, hashes: &[KeyHash]) -> usize {
        let mut new = 0;
        self.take(hashes, Ready, |_, is_new| new += usize::from(is_new));
        new
    }

    /// Inserts keys in order: `new[i]` says whether key `i` was definitely new.
    #[inline]
    pub(super) fn insert_each<K: Key>(&self, keys: &[K], new: &mut [bool]) {
        assert_eq!(keys.len(), new.len(), "one answer per key");
        self.take(keys, &self.hasher, |i, is_new| new[i] = is_new);
    }

    /// [`insert_each`](Self::insert_each) by the keys' hashes.
    pub(super) fn insert_hash_each(&self, hashes: &[KeyHash], new: &mut [bool]) {
        assert_eq!(hashes.len(), new.len(), "one answer per key");
        self.take(hashes, Ready, |i, is_new| new[i] = is_new);
    }

    #[inline]
    fn query<K>(&self, keys: &[K], hashing: impl Hashes<K>, found: &mut [bool]) {
        assert_eq!(keys.len(), found.len(), "one answer per key");
        let rows = self.geometry.rows(keys.len());
        if rows.is_some() || !self.bits.prefetch_pays() {
            scheme::query(
                rows,
                keys,
                hashing,
                found,
                |row, hits| self.bits.test_row(row, hits),
                |hash| self.bits.test_all(self.geometry.slots(hash)),
            );
            return;
        }
        let slots = |hash, part: Part| part.of(self.geometry.slots(hash));
        let fetch = |hash, part| slots(hash, part).for_each(|slot| self.bits.prefetch(slot));
        batch::in_stages(keys, hashing, found, fetch, |hash, part| {
            self.bits.test_all(slots(hash, part))
        });
    }

    /// Inserts keys in order and reports for each, by its number, whether it was definitely new.
    #[inline]
    fn take<K, S: Hashes<K>>(&self, keys: &[K], hashing: S, mut tell: impl FnMut(usize, bool)) {
        let is_far = self.bits.len() > batch::FAR_BITS;
        if !is_far && !S::IN_BATCHES {
            // Each write waits for the one before it, and what is computed meanwhile is free.
            for (i, key) in keys.iter().enumerate() {
                tell(i, self.insert_hash(hashing.one(key)));
            }
            return;
        }
        let fetch = |(): &(), hashes: &[KeyHash]| {
            if is_far {
                let slots = hashes.iter().flat_map(|hash| self.geometry.slots(*hash));
                self.bits.prefetch_to_set(slots);
            }
        };
        batch::in_chunks(
            keys,
            is_far,
            hashing,
            &mut (),
            fetch,
            |(), first, hashes| {
                for (i, hash) in (first..).zip(hashes) {
                    tell(i, self.insert_hash(*hash));
                }
            },
        );
    }
}
