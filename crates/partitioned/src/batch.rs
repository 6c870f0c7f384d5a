//! Queries and inserts of many keys at once.

use bouquet_core::{Key, KeyHash, KeyHasher, batch::Ready};
use bouquet_hash::scheme::array;

use crate::PartitionedBloom;

impl<H: KeyHasher> PartitionedBloom<H> {
    /// Queries many keys at once: `found[i]` becomes the answer of [`contains`](Self::contains)
    /// for `keys[i]`.
    ///
    /// If the filter exceeds the cache, the lines of 32 keys are fetched in parallel: two lines
    /// of each key first, then the others of the keys that may still be present. If it fits in
    /// the cache, processors with AVX-512 compute the slots of many keys in parallel; other
    /// processors take about as long as single queries, and for non-members in a filter above 1
    /// MiB up to 1.6 times as long, because a batch tests all bits to avoid mispredicted
    /// branches. Allocates nothing.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use bouquet_partitioned::PartitionedBloom;
    ///
    /// let mut filter = PartitionedBloom::new(1_000, 0.01)?;
    /// assert_eq!(filter.insert_batch(&["rose", "tulip", "rose"]), 2);
    /// let mut found = [false; 3];
    /// filter.contains_batch(&["tulip", "daisy", "rose"], &mut found);
    /// assert_eq!(found, [true, false, true]);
    /// # Ok::<(), bouquet_partitioned::SpecError>(())
    /// ```
    #[inline]
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        array::contains_batch(self.geometry, self.bits.words(), &self.hasher, keys, found);
    }

    /// Same as [`contains_batch`](Self::contains_batch), for the hashes of the keys.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        array::contains_batch(self.geometry, self.bits.words(), Ready, hashes, found);
    }

    /// Inserts keys in order and returns how many were definitely new.
    ///
    /// The resulting filter is the same as with [`insert`](Self::insert) for each key. This is
    /// faster than single inserts whose answers are used, but slower than single inserts whose
    /// answers are ignored: counting the new keys takes up to twice as long as only inserting
    /// them, because each key has to wait for the keys before it. If you do not need the count,
    /// use `extend`.
    #[inline]
    pub fn insert_batch<K: Key>(&mut self, keys: &[K]) -> usize {
        array::insert_batch(self.geometry, &mut self.bits, &self.hasher, keys)
    }

    /// Same as [`insert_batch`](Self::insert_batch), for the hashes of the keys.
    pub fn insert_hash_batch(&mut self, hashes: &[KeyHash]) -> usize {
        array::insert_batch(self.geometry, &mut self.bits, Ready, hashes)
    }

    /// Inserts keys in order: `new[i]` becomes whether key `i` was definitely new.
    #[inline]
    pub(crate) fn insert_each<K: Key>(&mut self, keys: &[K], new: &mut [bool]) {
        array::insert_each(self.geometry, &mut self.bits, &self.hasher, keys, new);
    }

    /// Same as [`insert_each`](Self::insert_each), for the hashes of the keys.
    pub(crate) fn insert_hash_each(&mut self, hashes: &[KeyHash], new: &mut [bool]) {
        array::insert_each(self.geometry, &mut self.bits, Ready, hashes, new);
    }

    /// Inserts keys without counting the new ones: the fastest way to insert, because the order
    /// in which keys set their bits does not matter.
    #[inline]
    pub(crate) fn insert_all<K: Key>(&mut self, keys: &[K]) {
        array::extend(self.geometry, &mut self.bits, &self.hasher, keys);
    }
}
