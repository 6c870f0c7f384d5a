//! Many keys at once: sorted by their shards, so that a shard is locked once for
//! all of its keys.

use std::mem;

use bouquet_core::{Inner, Key, KeyHash, KeyHasher};

use super::{Shard, ShardedBloom};

/// Keys that are sorted at a time: some tens for each of the shards that a filter
/// has by default, and no more than the processor's nearer caches take.
const WINDOW: usize = 4_096;

/// Keys that are sorted in little room.
const SMALL: usize = 256;

/// Keys that are given to a shard at a time.
const RUN: usize = 128;

/// Keys for a shard, on average, from which on sorting pays.
const FEW: usize = 2;

impl<F: Inner> ShardedBloom<F> {
    /// Asks for many keys: `found[i]` answers for `keys[i]`, as
    /// [`contains`](Self::contains) does.
    ///
    /// From two keys a shard on, they are sorted by shard, and each shard is
    /// locked once for all of its keys: faster than one by one, the more so with
    /// other threads beside. Allocates nothing, and takes up to 92 KiB of stack.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use bouquet_sharded::ShardedBloom;
    ///
    /// let filter = ShardedBloom::new(1_000, 0.01)?;
    /// assert_eq!(filter.insert_batch(&["rose", "tulip", "rose"]), 2);
    /// let mut found = [false; 3];
    /// filter.contains_batch(&["tulip", "daisy", "rose"], &mut found);
    /// assert_eq!(found, [true, false, true]);
    /// # Ok::<(), bouquet_sharded::SpecError>(())
    /// ```
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

    /// Inserts keys and returns how many were certainly new, each as
    /// [`insert`](Self::insert) says. Keys of one shard go in in order; they are
    /// sorted by shard as [`contains_batch`](Self::contains_batch) does it.
    pub fn insert_batch<K: Key>(&self, keys: &[K]) -> usize {
        self.put(keys, |keys, hashes| self.hasher.hash_batch(keys, hashes))
    }

    /// [`insert_batch`](Self::insert_batch) by the keys' hashes.
    pub fn insert_hash_batch(&self, hashes: &[KeyHash]) -> usize {
        self.put(hashes, |from, to| to.copy_from_slice(from))
    }

    fn ask<K>(&self, keys: &[K], hash: impl Fn(&[K], &mut [KeyHash]), found: &mut [bool]) {
        assert_eq!(keys.len(), found.len(), "one answer a key");
        self.by_shard(keys, hash, |shard, from, hashes, places| {
            let shard = shard.read();
            let found = &mut found[from..];
            in_order(hashes, places, |hashes, places| {
                let mut answers = [false; RUN];
                let answers = &mut answers[..hashes.len()];
                shard.contains_hash_batch(hashes, answers);
                for (place, answer) in places.iter().zip(answers) {
                    found[usize::from(*place)] = *answer;
                }
            });
        });
    }

    fn put<K>(&self, keys: &[K], hash: impl Fn(&[K], &mut [KeyHash])) -> usize {
        let mut new = 0;
        self.by_shard(keys, hash, |shard, _, hashes, places| {
            let mut shard = shard.write();
            in_order(hashes, places, |hashes, _| {
                new += match shard.try_insert_hash_batch(hashes) {
                    Ok(new) => new,
                };
            });
        });
        new
    }

    /// Visits the shards of these keys: with the index of a key, what is left of
    /// the hashes from there on, and which of them the shard has, in order.
    fn by_shard<K>(
        &self,
        keys: &[K],
        hash: impl Fn(&[K], &mut [KeyHash]),
        visit: impl FnMut(&Shard<F>, usize, &[KeyHash], &[u16]),
    ) {
        // Room costs time too, to clear it.
        if keys.len() <= SMALL {
            self.by_shard_in::<SMALL, K>(keys, hash, visit);
        } else {
            self.by_shard_in::<WINDOW, K>(keys, hash, visit);
        }
    }

    fn by_shard_in<const N: usize, K>(
        &self,
        keys: &[K],
        hash: impl Fn(&[K], &mut [KeyHash]),
        mut visit: impl FnMut(&Shard<F>, usize, &[KeyHash], &[u16]),
    ) {
        let mut hashes = [KeyHash::new(0, 0); N];
        let (mut owners, mut places, mut ends) = ([0u16; N], [0u16; N], [0u16; N]);
        let sorts = keys.len().min(N) >= FEW * self.shards.len();
        for (from, window) in (0..).step_by(N).zip(keys.chunks(N)) {
            let hashes = &mut hashes[..window.len()];
            hash(window, hashes);
            if !sorts {
                for (place, hash) in (from..).zip(hashes) {
                    let (shard, rest) = self.geometry.split(*hash);
                    visit(&self.shards[shard as usize], place, &[rest], &[0]);
                }
                continue;
            }
            // A counting sort: how many keys each shard has, where they begin, and
            // then each key to its place, which moves on to where they end.
            let ends = &mut ends[..self.shards.len()];
            ends.fill(0);
            for (hash, owner) in hashes.iter_mut().zip(&mut owners) {
                let (shard, rest) = self.geometry.split(*hash);
                (*hash, *owner) = (rest, shard as u16);
                ends[shard as usize] += 1;
            }
            let mut begin = 0;
            for end in &mut *ends {
                begin += mem::replace(end, begin);
            }
            for (place, owner) in owners[..hashes.len()].iter().enumerate() {
                let end = &mut ends[usize::from(*owner)];
                places[usize::from(*end)] = place as u16;
                *end += 1;
            }
            // Threads that began with one and the same shard would meet in all.
            let first = usize::from(owners[0]);
            for shard in (first..ends.len()).chain(0..first) {
                let begin = shard.checked_sub(1).map_or(0, |before| ends[before]);
                let own = begin.into()..ends[shard].into();
                if !own.is_empty() {
                    visit(&self.shards[shard], from, hashes, &places[own]);
                }
            }
        }
    }
}

/// Gives the hashes at these places to `take`, a run at a time.
fn in_order(hashes: &[KeyHash], places: &[u16], mut take: impl FnMut(&[KeyHash], &[u16])) {
    let mut run = [KeyHash::new(0, 0); RUN];
    for places in places.chunks(RUN) {
        for (hash, place) in run.iter_mut().zip(places) {
            *hash = hashes[usize::from(*place)];
        }
        take(&run[..places.len()], places);
    }
}
