//! Many keys at once.

use core::iter::once;

use bouquet_core::{
    Inner, Key, KeyHash, KeyHasher, Prehashed, Refused,
    batch::{self, CHUNK},
};

use crate::{Full, ScalableBloom, Stage};

impl<F: Inner> ScalableBloom<F> {
    /// Asks for many keys at once: `found[i]` answers for `keys[i]`, as
    /// [`contains`](Self::contains) does.
    ///
    /// Each stage, newest first, gets the keys that those before it deny, in
    /// batches of 32, which filters out of cache answer sooner than one by one.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use bouquet_scalable::ScalableBloom;
    ///
    /// let mut filter = ScalableBloom::new(1, 0.01)?;
    /// assert_eq!(filter.insert_batch(&["rose", "tulip", "rose"])?, 2);
    /// let mut found = [false; 3];
    /// filter.contains_batch(&["tulip", "daisy", "rose"], &mut found);
    /// assert_eq!(found, [true, false, true]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        let hash = |keys: &[K], hashes: &mut [KeyHash]| self.hasher().hash_batch(keys, hashes);
        self.ask(keys, hash, found);
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
    /// # Errors
    ///
    /// The first key refused, by its index: those before it are held, it and
    /// those after it are not.
    pub fn insert_batch<K: Key>(&mut self, keys: &[K]) -> Result<usize, Refused<Full>> {
        let mut hashes = [KeyHash::new(0, 0); CHUNK];
        let mut new = 0;
        for (chunk, keys) in keys.chunks(CHUNK).enumerate() {
            let hashes = &mut hashes[..keys.len()];
            self.hasher().hash_batch(keys, hashes);
            for (place, hash) in hashes.iter().enumerate() {
                let index = chunk * CHUNK + place;
                let was_new = self.insert_hash(*hash);
                new += usize::from(was_new.map_err(|error| Refused { index, error })?);
            }
        }
        Ok(new)
    }

    fn ask<K>(&self, keys: &[K], hash: impl Fn(&[K], &mut [KeyHash]), found: &mut [bool]) {
        assert_eq!(keys.len(), found.len(), "one answer a key");
        let no_fetch = |_: &[bool], _: &[KeyHash]| ();
        batch::in_chunks(keys, hash, found, no_fetch, |found, first, hashes| {
            let stages = once(&self.newest).chain(self.older.iter().rev());
            let found = &mut found[first..][..hashes.len()];
            ask_chunk(stages.map(Stage::filter), hashes, found);
        });
    }
}

/// Asks the filters of all stages, newest first, for at most [`CHUNK`] hashes.
pub(crate) fn ask_chunk<'s, P: Prehashed<Hash = KeyHash> + 's>(
    mut newest_first: impl Iterator<Item = &'s P>,
    hashes: &[KeyHash],
    found: &mut [bool],
) {
    match newest_first.next() {
        Some(newest) => newest.contains_hash_batch(hashes, found),
        None => found.fill(false),
    }
    // The hashes that no stage has found yet, and their places.
    let mut left = [(KeyHash::new(0, 0), 0); CHUNK];
    for filter in newest_first {
        let mut count = 0;
        for (place, hash) in hashes.iter().enumerate() {
            if !found[place] {
                left[count] = (*hash, place);
                count += 1;
            }
        }
        if count == 0 {
            return;
        }
        let hashes = left.map(|(hash, _)| hash);
        let mut answers = [false; CHUNK];
        filter.contains_hash_batch(&hashes[..count], &mut answers[..count]);
        for ((_, place), answer) in left.iter().zip(answers).take(count) {
            found[*place] = answer;
        }
    }
}
