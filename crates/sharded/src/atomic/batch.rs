//! Many keys at once.

use bouquet_core::{
    Key, KeyHash, KeyHasher,
    batch::{self, Part},
};

use super::AtomicBloom;

impl<H: KeyHasher> AtomicBloom<H> {
    /// Asks for many keys at once: `found[i]` answers for `keys[i]`, as
    /// [`contains`](Self::contains) does.
    ///
    /// Of a filter out of cache the lines of 32 keys are fetched side by side:
    /// two of each key, and the others of those that are still possible.
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
        self.ask(keys, |key| self.hash(key), found);
    }

    /// [`contains_batch`](Self::contains_batch) by the keys' hashes.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        self.ask(hashes, |hash| *hash, found);
    }

    /// Inserts keys in order and returns how many were certainly new, each as
    /// [`insert`](Self::insert) says. Other threads see them come one by one.
    #[inline]
    pub fn insert_batch<K: Key>(&self, keys: &[K]) -> usize {
        self.take(keys, |key| self.hash(key))
    }

    /// [`insert_batch`](Self::insert_batch) by the keys' hashes.
    pub fn insert_hash_batch(&self, hashes: &[KeyHash]) -> usize {
        self.take(hashes, |hash| *hash)
    }

    #[inline]
    fn ask<K>(&self, keys: &[K], hash: impl Fn(&K) -> KeyHash, found: &mut [bool]) {
        assert_eq!(keys.len(), found.len(), "one answer a key");
        if !self.bits.prefetch_pays() {
            for (key, found) in keys.iter().zip(found) {
                *found = self.contains_hash(hash(key));
            }
            return;
        }
        let slots = |hash, part: Part| part.of(self.geometry.slots(hash));
        let fetch = |hash, part| slots(hash, part).for_each(|slot| self.bits.prefetch(slot));
        batch::in_stages(keys, hash, found, fetch, |hash, part| {
            self.bits.test_all(slots(hash, part))
        });
    }

    #[inline]
    fn take<K>(&self, keys: &[K], hash: impl Fn(&K) -> KeyHash) -> usize {
        let fetch = |_: &usize, hashes: &[KeyHash]| {
            if self.bits.prefetch_pays() {
                let slots = hashes.iter().flat_map(|hash| self.geometry.slots(*hash));
                slots.for_each(|slot| self.bits.prefetch(slot));
            }
        };
        let mut new = 0;
        batch::in_chunks(keys, hash, &mut new, fetch, |new, _, hashes| {
            *new += hashes
                .iter()
                .filter(|hash| self.insert_hash(**hash))
                .count();
        });
        new
    }
}
