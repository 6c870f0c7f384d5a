//! Many keys at once.

use bouquet_bits::BitArray;
use bouquet_core::{
    Key, KeyHash, KeyHasher,
    batch::{self, CHUNK, Part},
};
use bouquet_hash::scheme;

use crate::{Geometry, PartitionedBloom};

impl<H: KeyHasher> PartitionedBloom<H> {
    /// Asks for many keys at once: `found[i]` answers for `keys[i]`, as
    /// [`contains`](Self::contains) does.
    ///
    /// Of a filter out of cache the lines of 32 keys are fetched side by side:
    /// two of each key, and the others of those that are still possible. In
    /// cache, on processors with AVX-512, their slots are found side by side; on
    /// others it costs there what asking one by one does. Allocates nothing.
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
        self.ask(
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
        self.ask(hashes, |from, to| to.copy_from_slice(from), found);
    }

    /// Inserts keys in order and returns how many were certainly new.
    ///
    /// The filter is the one that [`insert`](Self::insert) would make of them
    /// one by one, and out of cache made sooner: the lines of 32 keys are
    /// fetched side by side.
    #[inline]
    pub fn insert_batch<K: Key>(&mut self, keys: &[K]) -> usize {
        let hasher = &self.hasher;
        put(self.geometry, &mut self.bits, keys, |keys, hashes| {
            hasher.hash_batch(keys, hashes)
        })
    }

    /// [`insert_batch`](Self::insert_batch) by the keys' hashes.
    pub fn insert_hash_batch(&mut self, hashes: &[KeyHash]) -> usize {
        put(self.geometry, &mut self.bits, hashes, |from, to| {
            to.copy_from_slice(from)
        })
    }

    /// [`insert_batch`](Self::insert_batch) without a count: the quickest way in, for
    /// nobody asks in which order keys set their bits.
    ///
    /// ```
    /// use bouquet_partitioned::PartitionedBloom;
    ///
    /// let mut filter = PartitionedBloom::new(1_000, 0.01)?;
    /// filter.extend_from_slice(&["rose", "tulip", "rose"]);
    /// assert!(filter.contains("tulip"));
    /// # Ok::<(), bouquet_partitioned::SpecError>(())
    /// ```
    #[inline]
    pub fn extend_from_slice<K: Key>(&mut self, keys: &[K]) {
        let (geometry, hasher) = (self.geometry, &self.hasher);
        let hash = |keys: &[K], hashes: &mut [KeyHash]| hasher.hash_batch(keys, hashes);
        scheme::fill(
            geometry.rows(keys.len()),
            keys,
            hash,
            &mut self.bits,
            |bits, hashes| fetch(geometry, bits, hashes),
            |bits, row| bits.set_row(row),
            |bits, hash| _ = bits.set_all(geometry.slots(hash)),
        );
    }

    #[inline]
    fn ask<K>(&self, keys: &[K], hash: impl Fn(&[K], &mut [KeyHash]), found: &mut [bool]) {
        assert_eq!(keys.len(), found.len(), "one answer a key");
        let (geometry, bits) = (self.geometry, &self.bits);
        if !geometry.is_far() {
            scheme::ask(
                geometry.rows(keys.len()),
                keys,
                hash,
                found,
                |row, held| bits.test_row(row, held),
                |hash| bits.test_all(geometry.slots(hash)),
            );
            return;
        }
        let slots = |hash, part: Part| part.of(geometry.slots(hash));
        let fetch = |hash, part| slots(hash, part).for_each(|slot| bits.prefetch(slot));
        batch::in_stages(keys, hash, found, fetch, |hash, part| {
            bits.test_all(slots(hash, part))
        });
    }
}

#[inline]
fn put<K>(
    geometry: Geometry,
    bits: &mut BitArray,
    keys: &[K],
    hash: impl Fn(&[K], &mut [KeyHash]),
) -> usize {
    let mut new = 0;
    // Which key was new depends on the one before it, so no row by row.
    let mut columns = geometry.columns(keys.len());
    let located = columns.is_some();
    let fetch = |bits: &BitArray, hashes: &[KeyHash]| {
        if !located {
            fetch(geometry, bits, hashes);
        }
    };
    batch::in_chunks(keys, hash, bits, fetch, |bits, _, hashes| {
        if let (Some(columns), Ok(hashes)) = (&mut columns, hashes.try_into()) {
            columns.locate(hashes);
            for i in 0..CHUNK {
                new += usize::from(bits.set_all(columns.of(i)));
            }
            return;
        }
        for hash in hashes {
            new += usize::from(bits.set_all(geometry.slots(*hash)));
        }
    });
    new
}

/// Fetches all slots ahead, if they are far.
pub(crate) fn fetch(geometry: Geometry, bits: &BitArray, hashes: &[KeyHash]) {
    if bits.prefetch_pays() {
        let slots = hashes.iter().flat_map(|hash| geometry.slots(*hash));
        slots.for_each(|slot| bits.prefetch(slot));
    }
}
