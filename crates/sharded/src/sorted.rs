//! Sorts keys by their shards.

use std::mem;

use bouquet_core::{
    KeyHash,
    batch::{Hashes, in_chunks},
};

/// The number of keys that are sorted at a time: a few dozen for each of the default number of
/// shards, and few enough for the nearer caches of the processor.
const WINDOW: usize = 4_096;

/// The number of keys up to which a small buffer is used for sorting.
const SMALL: usize = 256;

/// The maximum number of keys that are passed to a shard at a time.
const RUN: usize = 128;

/// The average number of keys per shard from which sorting is worthwhile.
const FEW: usize = 16;

/// Whether sorting this number of keys is worthwhile.
pub(crate) fn sorts(keys: usize, shards: usize) -> bool {
    keys.min(WINDOW) >= FEW * shards
}

/// Queries the keys in their order, without sorting.
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

/// Calls `visit` for each shard of these keys. There must be at most as many shards as [`sorts`]
/// allows.
///
/// `visit` gets the index of a shard, whether it must wait for the shard's lock, and the shard's
/// keys. If it must not wait, it may return `false` to say that it did nothing; then it is called
/// again after all other shards.
pub(crate) fn by_shard<K>(
    keys: &[K],
    shards: usize,
    hashing: impl Hashes<K>,
    visit: impl FnMut(usize, bool, Own<'_>) -> bool,
) {
    if shards == 1 {
        in_order(keys, hashing, visit);
    // Clearing a larger buffer would take time.
    } else if keys.len() <= SMALL {
        by_shard_in::<SMALL, K>(keys, shards, hashing, visit);
    } else {
        by_shard_in::<WINDOW, K>(keys, shards, hashing, visit);
    }
}

/// Passes on the keys of a filter with one shard, without sorting.
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

/// Not inlined, so that a batch of few keys does not use the stack space for many.
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
        // Each thread begins at another shard, because threads that begin at the same shard would
        // contend for all of them. Locked shards are visited later, because a thread that sleeps
        // until a lock is free sleeps for longer than a visit takes.
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

/// A counting sort: fills `places` with the indices into `owners`, ordered by owner, and in their
/// own order for the same owner. Afterwards `ends` contains for each owner the end of its range in
/// `places`.
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
        // The position of the owner's next index. After the loop this is the end of the owner's
        // range.
        let end = &mut ends[usize::from(*owner)];
        places[usize::from(*end)] = index as u16;
        *end += 1;
    }
}

/// The keys of one shard in a batch.
pub(crate) enum Own<'a> {
    /// All keys of the batch in order, from index `from` on; at most [`RUN`].
    All { from: usize, hashes: &'a [KeyHash] },
    /// Some keys of the batch.
    Some {
        /// The index in the batch of the first element of `hashes`.
        from: usize,
        /// The rest of the hash of each key, for keys of all shards.
        hashes: &'a [KeyHash],
        /// The indices into `hashes` that belong to this shard.
        places: &'a [u16],
        run: &'a mut [KeyHash; RUN],
    },
}

impl Own<'_> {
    /// Queries the shard's keys and stores the answers at the keys' indices in `found`.
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

    /// Passes the hashes of the shard's keys to `take`, in order.
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

/// Passes the hashes at `places`, and these places, to `take` in order, in runs of limited length.
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
