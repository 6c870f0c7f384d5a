//! Queries and inserts of many keys at once.

use bouquet_bits::{CounterArray, Counters, Words};
use bouquet_core::{
    Key, KeyHash, KeyHasher,
    batch::{self, Hashes, Part, Ready},
};
use bouquet_hash::scheme;

use crate::{CountingBloom, Geometry};

impl<H: KeyHasher> CountingBloom<H> {
    /// Queries many keys at once: `found[i]` becomes the answer of [`contains`](Self::contains)
    /// for `keys[i]`.
    ///
    /// If the filter exceeds the cache, the lines of 32 keys are fetched in parallel: two lines
    /// of each key first, then the others of the keys that may still be present. If it fits in
    /// the cache, processors with AVX-512 compute the slots of many keys in parallel; other
    /// processors take as long as single queries, or up to a fifth longer. For non-members in a
    /// filter above 1 MiB, every processor takes up to 1.5 times as long as with single
    /// queries, because a batch tests all counters to avoid mispredicted branches. Allocates
    /// nothing.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use bouquet_counting::CountingBloom;
    ///
    /// let mut filter = CountingBloom::new(1_000, 0.01)?;
    /// assert_eq!(filter.insert_batch(&["rose", "tulip", "rose"]), 2);
    /// let mut found = [false; 3];
    /// filter.contains_batch(&["tulip", "daisy", "rose"], &mut found);
    /// assert_eq!(found, [true, false, true]);
    /// # Ok::<(), bouquet_counting::SpecError>(())
    /// ```
    #[inline]
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        query(
            self.geometry,
            self.counters.reading(),
            &self.hasher,
            keys,
            found,
        );
    }

    /// Same as [`contains_batch`](Self::contains_batch), for the hashes of the keys.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        query(self.geometry, self.counters.reading(), Ready, hashes, found);
    }

    /// Inserts keys in order and returns how many were definitely new.
    ///
    /// The resulting filter is the same as with [`insert`](Self::insert) for each key. If the
    /// filter exceeds the cache, this is faster than single inserts: the lines of 32 keys are
    /// fetched in parallel.
    #[inline]
    pub fn insert_batch<K: Key>(&mut self, keys: &[K]) -> usize {
        let mut new = 0;
        self.take_keys(keys, |_, is_new| new += usize::from(is_new));
        new
    }

    /// Same as [`insert_batch`](Self::insert_batch), for the hashes of the keys.
    pub fn insert_hash_batch(&mut self, hashes: &[KeyHash]) -> usize {
        let mut new = 0;
        self.take_hashes(hashes, |_, is_new| new += usize::from(is_new));
        new
    }

    /// Inserts keys in order: `new[i]` becomes whether key `i` was definitely new.
    #[inline]
    pub(crate) fn insert_each<K: Key>(&mut self, keys: &[K], new: &mut [bool]) {
        assert_eq!(keys.len(), new.len(), "one answer per key");
        self.take_keys(keys, |i, is_new| new[i] = is_new);
    }

    /// Same as [`insert_each`](Self::insert_each), for the hashes of the keys.
    pub(crate) fn insert_hash_each(&mut self, hashes: &[KeyHash], new: &mut [bool]) {
        assert_eq!(hashes.len(), new.len(), "one answer per key");
        self.take_hashes(hashes, |i, is_new| new[i] = is_new);
    }

    #[inline]
    fn take_keys<K: Key>(&mut self, keys: &[K], tell: impl FnMut(usize, bool)) {
        take(self.geometry, &mut self.counters, &self.hasher, keys, tell);
    }

    #[inline]
    fn take_hashes(&mut self, hashes: &[KeyHash], tell: impl FnMut(usize, bool)) {
        take(self.geometry, &mut self.counters, Ready, hashes, tell);
    }
}

/// Queries counters, either an array's own or those in a file.
#[inline]
pub(crate) fn query<K, W: Words + ?Sized>(
    geometry: Geometry,
    counters: Counters<'_, W>,
    hashing: impl Hashes<K>,
    keys: &[K],
    found: &mut [bool],
) {
    assert_eq!(keys.len(), found.len(), "one answer per key");
    let rows = geometry.rows(keys.len());
    if rows.is_some() || !counters.prefetch_pays() {
        scheme::query(
            rows,
            keys,
            hashing,
            found,
            |row, hits| counters.test_row(row, hits),
            |hash| all_nonzero(counters, geometry.slots(hash)),
        );
        return;
    }
    let slots = |hash, part: Part| part.of(geometry.slots(hash));
    let fetch = |hash, part| slots(hash, part).for_each(|slot| counters.prefetch(slot));
    batch::in_stages(keys, hashing, found, fetch, |hash, part| {
        all_nonzero(counters, slots(hash, part))
    });
}

/// Inserts keys in order and reports for each key its index and whether it was definitely new.
#[inline]
fn take<K>(
    geometry: Geometry,
    counters: &mut CounterArray,
    hashing: impl Hashes<K>,
    keys: &[K],
    mut tell: impl FnMut(usize, bool),
) {
    let fetch = |counters: &CounterArray, hashes: &[KeyHash]| {
        if counters.prefetch_pays() {
            let slots = hashes.iter().flat_map(|hash| geometry.slots(*hash));
            slots.for_each(|slot| counters.prefetch(slot));
        }
    };
    let is_far = counters.words().len() as u64 * 64 > batch::FAR_BITS;
    batch::in_chunks(
        keys,
        is_far,
        hashing,
        counters,
        fetch,
        |counters, first, hashes| {
            for (i, hash) in (first..).zip(hashes) {
                tell(i, count_up(counters, geometry.slots(*hash)));
            }
        },
    );
}

/// Returns whether all these counters are above zero.
#[inline]
pub(crate) fn all_nonzero<W: Words + ?Sized>(
    counters: Counters<'_, W>,
    mut slots: impl Iterator<Item = u64>,
) -> bool {
    slots.all(|slot| counters.get(slot) > 0)
}

/// Adds one to each counter; returns `true` if one of them was zero.
#[inline]
pub(crate) fn count_up(counters: &mut CounterArray, slots: impl Iterator<Item = u64>) -> bool {
    slots.fold(false, |new, slot| new | (counters.increment(slot) == 1))
}
