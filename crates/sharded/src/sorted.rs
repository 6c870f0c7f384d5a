//! Keys sorted by their shards.

use std::mem;

use bouquet_core::{
    KeyHash,
    batch::{Hashes, in_chunks},
};

/// Keys that are sorted at a time: a few dozen for each of the shards that a filter
/// has by default, and no more than the processor's nearer caches can store.
const WINDOW: usize = 4_096;

/// Keys that are sorted in a small buffer.
const SMALL: usize = 256;

/// Keys that are given to a shard at a time.
const RUN: usize = 128;

/// Keys for a shard, on average, from which on sorting is worth it.
const FEW: usize = 16;

/// Whether sorting so many keys is worth it.
pub(crate) fn sorts(keys: usize, shards: usize) -> bool {
    keys.min(WINDOW) >= FEW * shards
}

/// Queries without sorting.
pub(crate) fn one_by_one<K>(
    keys: &[K],
    hashing: impl Hashes<K>,
    found: &mut [bool],
    contains: impl Fn(KeyHash) -> bool,
) {
    let no_fetch = |_: &[bool], _: &[KeyHash]| ();
    in_chunks(
        keys,
        false,
        hashing,
        found,
        no_fetch,
        |found, first, hashes| {
            for (hash, found) in hashes.iter().zip(&mut found[first..]) {
                *found = contains(*hash);
            }
        },
    );
}

/// Visits the shards of these keys, of which there are at most as [`sorts`] allows.
///
/// `visit` gets the number of a shard, whether it is to wait for it, and its keys. One
/// that need not wait may return `false`, not done: it comes again when the others are done.
pub(crate) fn by_shard<K>(
    keys: &[K],
    shards: usize,
    hashing: impl Hashes<K>,
    visit: impl FnMut(usize, bool, Own<'_>) -> bool,
) {
    if shards == 1 {
        in_order(keys, hashing, visit);
    // A larger buffer costs time too, to clear it.
    } else if keys.len() <= SMALL {
        by_shard_in::<SMALL, K>(keys, shards, hashing, visit);
    } else {
        by_shard_in::<WINDOW, K>(keys, shards, hashing, visit);
    }
}

/// The keys of a filter of one shard.
fn in_order<K>(
    keys: &[K],
    hashing: impl Hashes<K>,
    mut visit: impl FnMut(usize, bool, Own<'_>) -> bool,
) {
    let mut hashes = [KeyHash::new(0, 0); RUN];
    for (from, window) in (0..).step_by(RUN).zip(keys.chunks(RUN)) {
        let hashes = &mut hashes[..window.len()];
        hashing.many(window, hashes);
        for hash in &mut *hashes {
            *hash = hash.split(1).1;
        }
        visit(0, true, Own::All { from, hashes });
    }
}

/// Not inlined, so that a few keys do not take the stack of many.
#[inline(never)]
fn by_shard_in<const N: usize, K>(
    keys: &[K],
    shards: usize,
    hashing: impl Hashes<K>,
    mut visit: impl FnMut(usize, bool, Own<'_>) -> bool,
) {
    let mut hashes = [KeyHash::new(0, 0); N];
    let (mut owners, mut places, mut ends) = ([0u16; N], [0u16; N], [0u16; N]);
    let mut run = [KeyHash::new(0, 0); RUN];
    for (from, window) in (0..).step_by(N).zip(keys.chunks(N)) {
        let hashes = &mut hashes[..window.len()];
        hashing.many(window, hashes);
        let ends = &mut ends[..shards];
        for (hash, owner) in hashes.iter_mut().zip(&mut owners) {
            let (shard, rest) = hash.split(shards as u64);
            (*hash, *owner) = (rest, shard as u16);
        }
        sort(&owners[..hashes.len()], ends, &mut places);
        let mut visit = |shard: usize, waits| {
            let begin = shard.checked_sub(1).map_or(0, |before| ends[before]);
            let places = &places[begin.into()..ends[shard].into()];
            let run = &mut run;
            let own = Own::Some {
                from,
                hashes,
                places,
                run,
            };
            places.is_empty() || visit(shard, waits, own)
        };
        // Threads that began with the same shard would contend for all; and
        // a thread that sleeps until a lock is free sleeps for longer than a visit takes.
        let (first, mut later) = (usize::from(owners[0]), 0);
        for shard in (first..shards).chain(0..first) {
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
        // Where the next one goes, and so in the end where they end.
        let end = &mut ends[usize::from(*owner)];
        places[usize::from(*end)] = index as u16;
        *end += 1;
    }
}

/// The keys of one shard.
pub(crate) enum Own<'a> {
    /// All keys there are, in order, from number `from` on: at most [`RUN`].
    All { from: usize, hashes: &'a [KeyHash] },
    /// Some of the keys.
    Some {
        /// The index of the first of all keys.
        from: usize,
        /// The remaining hashes of all keys.
        hashes: &'a [KeyHash],
        /// Which of them are the shard's.
        places: &'a [u16],
        run: &'a mut [KeyHash; RUN],
    },
}

impl Own<'_> {
    /// Queries the shard's keys and puts the answers among those of all keys.
    pub(crate) fn answer(self, found: &mut [bool], ask: impl Fn(&[KeyHash], &mut [bool])) {
        match self {
            Self::All { from, hashes } => ask(hashes, &mut found[from..][..hashes.len()]),
            Self::Some {
                from,
                hashes,
                places,
                run,
            } => each_run(hashes, places, run, |hashes, places| {
                let mut answers = [false; RUN];
                let answers = &mut answers[..hashes.len()];
                ask(hashes, answers);
                for (place, answer) in places.iter().zip(answers) {
                    found[from + usize::from(*place)] = *answer;
                }
            }),
        }
    }

    /// Gives the shard's hashes to `take`, in order.
    pub(crate) fn each(self, mut take: impl FnMut(&[KeyHash])) {
        match self {
            Self::All { hashes, .. } => take(hashes),
            Self::Some {
                hashes,
                places,
                run,
                ..
            } => each_run(hashes, places, run, |hashes, _| take(hashes)),
        }
    }
}

/// Gives these of all hashes and their places to `take`, in order.
fn each_run(
    hashes: &[KeyHash],
    places: &[u16],
    run: &mut [KeyHash; RUN],
    mut take: impl FnMut(&[KeyHash], &[u16]),
) {
    for places in places.chunks(RUN) {
        for (hash, place) in run.iter_mut().zip(places) {
            *hash = hashes[usize::from(*place)];
        }
        take(&run[..places.len()], places);
    }
}
