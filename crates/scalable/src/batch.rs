//! Queries and inserts of many keys at once.

use core::{convert::Infallible, iter::once};

use bouquet_core::{
    BatchError, Inner, Key, KeyHash, Prehashed,
    batch::{CHUNK, Hashes, NEAR_BITS, Ready},
};

use crate::{Full, ScalableBloom, Stage};

/// The number of keys for which a stage is queried at a time: several chunks, so that a stage
/// that exceeds the cache fetches the lines of the next chunk while it answers for the current
/// one.
const GROUP: usize = 4 * CHUNK;

impl<F: Inner> ScalableBloom<F> {
    /// Queries many keys at once: `found[i]` becomes the answer of [`contains`](Self::contains)
    /// for `keys[i]`.
    ///
    /// Each stage, from the newest on, is queried for the keys that were not found in the
    /// stages before it, in batches of up to 128; filters that exceed the cache answer a batch
    /// faster than single queries.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use bouquet_scalable::ScalableBloom;
    ///
    /// let mut filter = ScalableBloom::new(1, 0.01)?;
    /// assert_eq!(filter.insert_batch(&["rose", "tulip", "rose"]), 2);
    /// let mut found = [false; 3];
    /// filter.contains_batch(&["tulip", "daisy", "rose"], &mut found);
    /// assert_eq!(found, [true, false, true]);
    /// # Ok::<(), bouquet_scalable::SpecError>(())
    /// ```
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        self.query(keys, self.hasher(), found);
    }

    /// Same as [`contains_batch`](Self::contains_batch), for the hashes of the keys.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        self.query(hashes, Ready, found);
    }

    /// Inserts keys in order and returns how many were definitely new.
    ///
    /// The resulting filter is the same as with [`insert`](Self::insert) for each key. Older
    /// stages are queried for 128 keys at a time; so is the newest stage if it exceeds the
    /// inner caches.
    pub fn insert_batch<K: Key>(&mut self, keys: &[K]) -> usize {
        match self.insert_all(keys, &self.own_hasher(), put) {
            Ok(new) => new,
        }
    }

    /// Same as [`insert_batch`](Self::insert_batch), for the hashes of the keys.
    pub fn insert_hash_batch(&mut self, hashes: &[KeyHash]) -> usize {
        match self.insert_all(hashes, Ready, put) {
            Ok(new) => new,
        }
    }

    /// Inserts keys in order until the filter is full, and returns how many were definitely
    /// new: the same as [`try_insert`](Self::try_insert) for each key.
    ///
    /// # Errors
    ///
    /// The first rejected key, by its index: the keys before it are present, that key and those
    /// after it are not.
    pub fn try_insert_batch<K: Key>(&mut self, keys: &[K]) -> Result<usize, BatchError<Full>> {
        self.insert_all(keys, &self.own_hasher(), Self::take)
    }

    /// Same as [`try_insert_batch`](Self::try_insert_batch), for the hashes of the keys.
    ///
    /// # Errors
    ///
    /// Those of [`try_insert_batch`](Self::try_insert_batch).
    pub fn try_insert_hash_batch(&mut self, hashes: &[KeyHash]) -> Result<usize, BatchError<Full>> {
        self.insert_all(hashes, Ready, Self::take)
    }

    /// Inserts the keys with these hashes, in order: `new[i]` becomes what
    /// [`try_insert_hash`](Self::try_insert_hash) returns for `hashes[i]`. Stages are queried
    /// as in [`insert_batch`](Self::insert_batch).
    ///
    /// # Errors
    ///
    /// Those of [`try_insert_batch`](Self::try_insert_batch).
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn try_insert_hash_each(
        &mut self,
        hashes: &[KeyHash],
        new: &mut [bool],
    ) -> Result<(), BatchError<Full>> {
        assert_eq!(hashes.len(), new.len(), "one answer per key");
        for (first, hashes) in (0..).step_by(GROUP).zip(hashes.chunks(GROUP)) {
            let tell = |index, was_new| new[index] = was_new;
            self.insert_group(first, hashes, Self::take, tell)?;
        }
        Ok(())
    }

    /// A copy of the hasher, because the filter itself is mutably borrowed during inserts.
    fn own_hasher(&self) -> F::Hasher {
        self.hasher().clone()
    }

    fn insert_all<K, E>(
        &mut self,
        keys: &[K],
        hashing: impl Hashes<K>,
        take: impl Fn(&mut Self, KeyHash) -> Result<(), E>,
    ) -> Result<usize, BatchError<E>> {
        let mut hashes = [KeyHash::new(0, 0); GROUP];
        let mut new = 0;
        for (first, keys) in (0..).step_by(GROUP).zip(keys.chunks(GROUP)) {
            let hashes = &mut hashes[..keys.len()];
            hashing.many(keys, hashes);
            let tell = |_, was_new| new += usize::from(was_new);
            self.insert_group(first, hashes, &take, tell)?;
        }
        Ok(new)
    }

    /// Inserts at most [`GROUP`] keys: calls `take` for those that no stage contains. `first`
    /// is the index of the first of them in the batch; `tell` gets the index of each key and
    /// whether it was new.
    fn insert_group<E>(
        &mut self,
        first: usize,
        hashes: &[KeyHash],
        take: impl Fn(&mut Self, KeyHash) -> Result<(), E>,
        mut tell: impl FnMut(usize, bool),
    ) -> Result<(), BatchError<E>> {
        let mut found = [false; GROUP];
        let found = &mut found[..hashes.len()];
        let older = self.older.iter().rev();
        if self.newest.filter().size_bits() > NEAR_BITS {
            // Queries the newest stage too, which loads the memory that inserting needs, for
            // many keys at once.
            let stages = once(&self.newest).chain(older);
            ask_group(stages.map(Stage::filter), hashes, found);
        } else {
            // The newest stage is queried below in any case; in cache, querying it twice is not
            // faster.
            ask_group(older.map(Stage::filter), hashes, found);
        }
        let stages = self.older.len();
        for (index, (hash, found)) in (first..).zip(hashes.iter().zip(&*found)) {
            // Earlier keys of this group were meanwhile inserted into the newest stage, or into
            // several.
            let is_present = *found
                || match self.older.len() == stages {
                    true => self.newest.filter().contains_hash(*hash),
                    false => self.contains_hash(*hash),
                };
            let taken = if is_present {
                Ok(())
            } else {
                take(self, *hash)
            };
            taken.map_err(|error| BatchError::new(index, error))?;
            tell(index, !is_present);
        }
        Ok(())
    }

    fn query<K>(&self, keys: &[K], hashing: impl Hashes<K>, found: &mut [bool]) {
        in_groups(keys, hashing, found, |hashes, found| {
            let stages = once(&self.newest).chain(self.older.iter().rev());
            ask_group(stages.map(Stage::filter), hashes, found);
        });
    }
}

/// Inserts a key that no stage contains into a filter that never rejects one.
fn put<F: Inner>(filter: &mut ScalableBloom<F>, hash: KeyHash) -> Result<(), Infallible> {
    filter.add(hash);
    Ok(())
}

/// Hashes keys and queries them in groups.
pub(crate) fn in_groups<K>(
    keys: &[K],
    hashing: impl Hashes<K>,
    found: &mut [bool],
    ask: impl Fn(&[KeyHash], &mut [bool]),
) {
    assert_eq!(keys.len(), found.len(), "one answer per key");
    let mut hashes = [KeyHash::new(0, 0); GROUP];
    for (keys, found) in keys.chunks(GROUP).zip(found.chunks_mut(GROUP)) {
        let hashes = &mut hashes[..keys.len()];
        hashing.many(keys, hashes);
        ask(hashes, found);
    }
}

/// Queries the filters of all stages, newest first, for a group of hashes.
pub(crate) fn ask_group<'s, P: Prehashed<Hash = KeyHash> + 's>(
    mut newest_first: impl Iterator<Item = &'s P>,
    hashes: &[KeyHash],
    found: &mut [bool],
) {
    match newest_first.next() {
        Some(newest) => newest.contains_hash_batch(hashes, found),
        None => found.fill(false),
    }
    // The hashes that no stage has found yet, and their indices.
    let mut left = [KeyHash::new(0, 0); GROUP];
    let mut places = [0; GROUP];
    for filter in newest_first {
        let mut count = 0;
        for (place, hash) in hashes.iter().enumerate() {
            if !found[place] {
                (left[count], places[count]) = (*hash, place);
                count += 1;
            }
        }
        if count == 0 {
            return;
        }
        let mut answers = [false; GROUP];
        filter.contains_hash_batch(&left[..count], &mut answers[..count]);
        for (place, answer) in places.iter().zip(answers).take(count) {
            found[*place] = answer;
        }
    }
}
