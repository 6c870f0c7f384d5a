//! Many keys at once: sorted by their shards, so that a shard is locked once for
//! all of its keys.

use std::mem;

use bouquet_core::{Inner, Key, KeyHash, KeyHasher, batch::in_chunks};

use super::{Shard, ShardedBloom};

/// Keys that are sorted at a time: some tens for each of the shards that a filter
/// has by default, and no more than the processor's nearer caches take.
const WINDOW: usize = 4_096;

/// Keys that are sorted in little room.
const SMALL: usize = 256;

/// Keys that are given to a shard at a time.
const RUN: usize = 128;

/// Keys for a shard, on average, from which on sorting pays.
const FEW: usize = 16;

impl<F: Inner> ShardedBloom<F> {
    /// Asks for many keys: `found[i]` answers for `keys[i]`, as
    /// [`contains`](Self::contains) does.
    ///
    /// From 16 keys a shard on, they are sorted by shard, and each shard is locked
    /// once for all of its keys: faster than one by one, the more so with other
    /// threads beside. Fewer keys go one by one, and beyond 256 shards all do.
    /// Allocates nothing. Takes some 100 KiB of stack to sort more than 256 keys.
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
        if !self.sorts(keys.len()) {
            let no_fetch = |_: &[bool], _: &[KeyHash]| ();
            in_chunks(keys, hash, found, no_fetch, |found, first, hashes| {
                for (hash, found) in hashes.iter().zip(&mut found[first..]) {
                    *found = self.contains_hash(*hash);
                }
            });
            return;
        }
        self.by_shard(keys, hash, |shard, waits, own| {
            let Some(shard) = shard.read_if(waits) else {
                return false;
            };
            let found = &mut found[own.from..];
            own.each_run(|hashes, places| {
                let mut answers = [false; RUN];
                let answers = &mut answers[..hashes.len()];
                shard.contains_hash_batch(hashes, answers);
                for (place, answer) in places.iter().zip(answers) {
                    found[usize::from(*place)] = *answer;
                }
            });
            true
        });
    }

    fn put<K>(&self, keys: &[K], hash: impl Fn(&[K], &mut [KeyHash])) -> usize {
        let mut new = 0;
        if !self.sorts(keys.len()) {
            let no_fetch = |_: &usize, _: &[KeyHash]| ();
            in_chunks(keys, hash, &mut new, no_fetch, |new, _, hashes| {
                let was_new = |hash: &&KeyHash| self.insert_hash(**hash);
                *new += hashes.iter().filter(was_new).count();
            });
            return new;
        }
        self.by_shard(keys, hash, |shard, waits, own| {
            let Some(mut shard) = shard.write_if(waits) else {
                return false;
            };
            own.each_run(|hashes, _| {
                new += match shard.try_insert_hash_batch(hashes) {
                    Ok(new) => new,
                };
            });
            true
        });
        new
    }

    /// Visits the shards of these keys. A visit that need not wait for the lock may
    /// be `false`, not done: it comes again when the others are done.
    fn by_shard<K>(
        &self,
        keys: &[K],
        hash: impl Fn(&[K], &mut [KeyHash]),
        visit: impl FnMut(&Shard<F>, bool, Own<'_>) -> bool,
    ) {
        // Room costs time too, to clear it.
        if keys.len() <= SMALL {
            self.by_shard_in::<SMALL, K>(keys, hash, visit);
        } else {
            self.by_shard_in::<WINDOW, K>(keys, hash, visit);
        }
    }

    fn sorts(&self, keys: usize) -> bool {
        keys.min(WINDOW) >= FEW * self.shards.len()
    }

    /// Not inlined, so that a few keys do not take the stack of many.
    #[inline(never)]
    fn by_shard_in<const N: usize, K>(
        &self,
        keys: &[K],
        hash: impl Fn(&[K], &mut [KeyHash]),
        mut visit: impl FnMut(&Shard<F>, bool, Own<'_>) -> bool,
    ) {
        let mut hashes = [KeyHash::new(0, 0); N];
        let (mut owners, mut places, mut ends) = ([0u16; N], [0u16; N], [0u16; N]);
        let mut run = [KeyHash::new(0, 0); RUN];
        for (from, window) in (0..).step_by(N).zip(keys.chunks(N)) {
            let hashes = &mut hashes[..window.len()];
            hash(window, hashes);
            let ends = &mut ends[..self.shards.len()];
            for (hash, owner) in hashes.iter_mut().zip(&mut owners) {
                let (shard, rest) = self.geometry.split(*hash);
                (*hash, *owner) = (rest, shard as u16);
            }
            sort(&owners[..hashes.len()], ends, &mut places);
            let mut visit = |shard: usize, waits| {
                let begin = shard.checked_sub(1).map_or(0, |before| ends[before]);
                let own = Own {
                    from,
                    hashes,
                    places: &places[begin.into()..ends[shard].into()],
                    run: &mut run,
                };
                own.places.is_empty() || visit(&self.shards[shard], waits, own)
            };
            // Threads that began with one and the same shard would meet in all; and
            // who sleeps until a lock is free sleeps for longer than a visit takes.
            let (first, mut later) = (usize::from(owners[0]), 0);
            for shard in (first..self.shards.len()).chain(0..first) {
                if !visit(shard, false) {
                    owners[later] = shard as u16;
                    later += 1;
                }
            }
            for shard in &owners[..later] {
                visit((*shard).into(), true);
            }
        }
    }
}

/// A counting sort: `places` become the indexes in `owners`, in order of their
/// owners, and those of one owner in their own order. The last place of each owner
/// comes before its end.
fn sort(owners: &[u16], ends: &mut [u16], places: &mut [u16]) {
    ends.fill(0);
    for owner in owners {
        ends[usize::from(*owner)] += 1;
    }
    let mut begin = 0;
    for end in &mut *ends {
        begin += mem::replace(end, begin);
    }
    for (index, owner) in owners.iter().enumerate() {
        // Where the next one goes, and so at last where they end.
        let end = &mut ends[usize::from(*owner)];
        places[usize::from(*end)] = index as u16;
        *end += 1;
    }
}

/// The keys of one shard among others.
struct Own<'a> {
    /// The index of the first of all keys.
    from: usize,
    /// What is left of the hashes of all keys.
    hashes: &'a [KeyHash],
    /// Which of them are the shard's.
    places: &'a [u16],
    run: &'a mut [KeyHash; RUN],
}

impl Own<'_> {
    /// Gives the shard's hashes and their places to `take`, in order.
    fn each_run(self, mut take: impl FnMut(&[KeyHash], &[u16])) {
        for places in self.places.chunks(RUN) {
            for (hash, place) in self.run.iter_mut().zip(places) {
                *hash = self.hashes[usize::from(*place)];
            }
            take(&self.run[..places.len()], places);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use bouquet_core::Spec;
    use bouquet_hash::Folded;
    use bouquet_standard::StandardBloom;

    use super::*;

    /// Whoever holds a lock is passed by, and waited for at the end.
    #[test]
    fn a_locked_shard_comes_last_and_misses_nothing() {
        let spec = Spec::new(10_000, 1e-9).unwrap();
        let filter =
            ShardedBloom::<StandardBloom>::with_shards(spec, 4, Folded::default()).unwrap();
        let keys: Vec<u64> = (0..1_000).collect();
        let shard_of = |key: &u64| filter.geometry.split(filter.hash(key)).0;
        thread::scope(|scope| {
            let locked = filter.shards[2].write();
            let inserting = scope.spawn(|| filter.insert_batch(&keys));
            let mut others = keys.iter().filter(|key| shard_of(key) != 2);
            while !others.clone().all(|key| filter.contains(key)) {
                thread::yield_now();
            }
            assert!(others.next().is_some() && !inserting.is_finished());
            drop(locked);
            assert_eq!(inserting.join().unwrap(), keys.len());
        });
        thread::scope(|scope| {
            let locked = filter.shards[2].write();
            let asking = scope.spawn(|| {
                let mut found = vec![false; keys.len()];
                filter.contains_batch(&keys, &mut found);
                found
            });
            drop(locked);
            assert!(asking.join().unwrap().iter().all(|held| *held));
        });
    }
}
