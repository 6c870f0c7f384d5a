//! Many keys at once.

use bouquet_core::{Key, KeyHash, KeyHasher, batch::Ready};
use bouquet_hash::scheme::array;

use crate::StandardBloom;

impl<H: KeyHasher> StandardBloom<H> {
    /// Queries many keys at once: `found[i]` answers for `keys[i]`, as
    /// [`contains`](Self::contains) does.
    ///
    /// Out of cache, the lines of 32 keys are fetched in parallel:
    /// two of each key, and the others of those that are still possible. In
    /// cache, on processors with AVX-512, their slots are found side by side; on
    /// others it costs about the same as single queries, and of non-members in a filter past
    /// 1 MiB up to 1.5 times as much: it tests all bits, without a branch to mispredict.
    /// Allocates nothing.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use bouquet_standard::StandardBloom;
    ///
    /// let mut filter = StandardBloom::new(1_000, 0.01)?;
    /// assert_eq!(filter.insert_batch(&["rose", "tulip", "rose"]), 2);
    /// let mut found = [false; 3];
    /// filter.contains_batch(&["tulip", "daisy", "rose"], &mut found);
    /// assert_eq!(found, [true, false, true]);
    /// # Ok::<(), bouquet_standard::SpecError>(())
    /// ```
    #[inline]
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        array::contains_batch(self.geometry, self.bits.words(), &self.hasher, keys, found);
    }

    /// [`contains_batch`](Self::contains_batch) by the keys' hashes.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        array::contains_batch(self.geometry, self.bits.words(), Ready, hashes, found);
    }

    /// Inserts keys in order and returns how many were definitely new.
    ///
    /// The filter is the one that [`insert`](Self::insert) would make of them
    /// one by one, and is made faster than by calls whose answers are used. To learn
    /// which were new takes up to twice as long as inserting, and longer than calls whose
    /// answers are dropped, because each key has to wait for those before it: where the count is
    /// not needed, use [`extend_from_slice`](Self::extend_from_slice) or `extend`.
    #[inline]
    pub fn insert_batch<K: Key>(&mut self, keys: &[K]) -> usize {
        array::insert_batch(self.geometry, &mut self.bits, &self.hasher, keys)
    }

    /// [`insert_batch`](Self::insert_batch) by the keys' hashes.
    pub fn insert_hash_batch(&mut self, hashes: &[KeyHash]) -> usize {
        array::insert_batch(self.geometry, &mut self.bits, Ready, hashes)
    }

    /// Inserts keys in order: `new[i]` says whether key `i` was definitely new.
    #[inline]
    pub(crate) fn insert_each<K: Key>(&mut self, keys: &[K], new: &mut [bool]) {
        array::insert_each(self.geometry, &mut self.bits, &self.hasher, keys, new);
    }

    /// [`insert_each`](Self::insert_each) by the keys' hashes.
    pub(crate) fn insert_hash_each(&mut self, hashes: &[KeyHash], new: &mut [bool]) {
        array::insert_each(self.geometry, &mut self.bits, Ready, hashes, new);
    }

    /// [`insert_batch`](Self::insert_batch) without a count: the fastest insert, because
    /// the order in which keys set their bits does not matter.
    ///
    /// ```
    /// use bouquet_standard::StandardBloom;
    ///
    /// let mut filter = StandardBloom::new(1_000, 0.01)?;
    /// filter.extend_from_slice(&["rose", "tulip", "rose"]);
    /// assert!(filter.contains("tulip"));
    /// # Ok::<(), bouquet_standard::SpecError>(())
    /// ```
    #[inline]
    pub fn extend_from_slice<K: Key>(&mut self, keys: &[K]) {
        array::extend(self.geometry, &mut self.bits, &self.hasher, keys);
    }
}
