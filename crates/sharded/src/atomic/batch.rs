//! Many keys at once.

use bouquet_core::{
    Key, KeyHash, KeyHasher,
    batch::{self, CHUNK, Part},
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
        self.query(
            keys,
            |keys, hashes| self.hasher.hash_batch(keys, hashes),
            found,
        );
    }

    /// [`contains_batch`](Self::contains_batch) by the keys' hashes.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        self.query(hashes, |from, to| to.copy_from_slice(from), found);
    }

    /// Inserts keys in order and returns how many were definitely new, each as
    /// [`insert`](Self::insert) reports. Other threads see them come one by one.
    #[inline]
    pub fn insert_batch<K: Key>(&self, keys: &[K]) -> usize {
        self.take(keys, |keys, hashes| self.hasher.hash_batch(keys, hashes))
    }

    /// [`insert_batch`](Self::insert_batch) by the keys' hashes.
    pub fn insert_hash_batch(&self, hashes: &[KeyHash]) -> usize {
        self.take(hashes, |from, to| to.copy_from_slice(from))
    }

    #[inline]
    fn query<K>(&self, keys: &[K], hash: impl Fn(&[K], &mut [KeyHash]), found: &mut [bool]) {
        assert_eq!(keys.len(), found.len(), "one answer per key");
        let rows = self.geometry.rows(keys.len());
        if rows.is_some() || !self.bits.prefetch_pays() {
            scheme::query(
                rows,
                keys,
                hash,
                found,
                |row, hits| self.bits.test_row(row, hits),
                |hash| self.bits.test_all(self.geometry.slots(hash)),
            );
            return;
        }
        let slots = |hash, part: Part| part.of(self.geometry.slots(hash));
        let fetch = |hash, part| slots(hash, part).for_each(|slot| self.bits.prefetch(slot));
        batch::in_stages(keys, hash, found, fetch, |hash, part| {
            self.bits.test_all(slots(hash, part))
        });
    }

    #[inline]
    fn take<K>(&self, keys: &[K], hash: impl Fn(&[K], &mut [KeyHash])) -> usize {
        let fetch = |_: &usize, hashes: &[KeyHash]| {
            if self.bits.prefetch_pays() {
                let slots = hashes.iter().flat_map(|hash| self.geometry.slots(*hash));
                self.bits.prefetch_to_set(slots);
            }
        };
        let is_far = self.bits.len() > batch::FAR_BITS;
        let mut new = 0;
        // Which key was new depends on the one before it, so no row by row.
        let mut columns = self.geometry.columns(keys.len());
        batch::in_chunks(keys, is_far, hash, &mut new, fetch, |new, _, hashes| {
            if let (Some(columns), Ok(hashes)) = (&mut columns, hashes.try_into()) {
                columns.locate(hashes);
                let was_new = |i: &usize| self.bits.set_all(columns.of(*i));
                *new += (0..CHUNK).filter(was_new).count();
                return;
            }
            let was_new = |hash: &&KeyHash| self.insert_hash(**hash);
            *new += hashes.iter().filter(was_new).count();
        });
        new
    }
}
