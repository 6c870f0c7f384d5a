//! Many keys at once: hash a chunk ahead, prefetch its memory, then query.
//!
//! For implementors of filters. A filter that exceeds the cache waits for memory on
//! every key; with prefetches issued early, the processor loads the lines
//! in parallel. From: Polychroniou and Ross, "Vectorized Bloom filters for
//! advanced SIMD processors", DaMoN 2014, for the batch, and Chen et al.,
//! "Improving hash join performance through prefetching", ICDE 2004, for the
//! chunks that overlap.

mod hashes;

pub use hashes::{Hashes, Ready};

use alloc::vec::Vec;
use core::{hint, mem};

use crate::KeyHash;

/// Keys in a chunk: enough to fill the processor's queue of outstanding lines,
/// few enough that the first line is still there when it is used.
pub const CHUNK: usize = 32;

/// Keys whose lines are prefetched at once where memory [is far](FAR_BITS): more would leave
/// the processor none of its outstanding lines to read the keys themselves ahead.
const BURST: usize = 8;

/// Keys that [`of_iter`] gives at a time: some chunks, for the last one of a batch
/// has nothing to overlap with.
const GIVEN: usize = 4 * CHUNK;

/// What a processor's last cache may hold of one filter, in bits: 8 MiB.
pub const FAR_BITS: u64 = 64 << 20;

/// What a processor's nearer caches may hold of one filter, in bits: 1 MiB. Past it a
/// single key is queried by branches: see [`by_branch`].
pub const NEAR_BITS: u64 = 8 << 20;

/// The same answer, computed with a branch.
///
/// For filters past [`NEAR_BITS`], queried one key at a time: an answer computed from
/// all bits is ready when the last line has arrived, and whatever depends on it waits. A
/// branch is predicted, and the program goes on. A misprediction costs less than the wait; in
/// the nearer caches it costs more where members and non-members are mixed.
#[inline(always)]
pub fn by_branch(answer: bool) -> bool {
    /// Keeps the compiler from turning the branch back into a computation.
    #[cold]
    #[inline(never)]
    fn absent() {
        hint::black_box(());
    }
    if !answer {
        absent();
        return false;
    }
    true
}

/// Takes `keys` through a filter by chunks of [`CHUNK`], in order: `fetch` gets
/// the hashes of each chunk before `take` gets those of the chunk before it. Where the
/// filter `is_far`, past [`FAR_BITS`], it gets some at a time while others are hashed;
/// otherwise a whole chunk is hashed at once, which is faster with vectors.
///
/// `hashing` makes the hashes, of up to [`CHUNK`] keys at a time.
/// `state` is what `take` changes and `fetch` looks at, the storage or the
/// answers. `take` gets the index of its first key. Uses 1 KiB of stack.
///
/// ```
/// use bouquet_core::{KeyHash, batch};
///
/// let keys: Vec<KeyHash> = (0..70).map(KeyHash::from_word).collect();
/// let mut seen = Vec::new();
/// batch::in_chunks(
///     &keys,
///     false,
///     batch::Ready,
///     &mut seen,
///     |_, _| (),
///     |seen, first, hashes| seen.push((first, hashes.len())),
/// );
/// assert_eq!(seen, [(0, 32), (32, 32), (64, 6)]);
/// ```
#[inline]
pub fn in_chunks<K, S: ?Sized>(
    keys: &[K],
    is_far: bool,
    hashing: impl Hashes<K>,
    state: &mut S,
    fetch: impl Fn(&S, &[KeyHash]),
    mut take: impl FnMut(&mut S, usize, &[KeyHash]),
) {
    let mut buffers = [[KeyHash::new(0, 0); CHUNK]; 2];
    let [now, ahead] = &mut buffers;
    let (mut now, mut ahead) = (now, ahead);
    let mut first = 0;
    let mut waiting = 0;
    for chunk in keys.chunks(CHUNK) {
        let hashes = &mut ahead[..chunk.len()];
        if is_far {
            for (keys, hashes) in chunk.chunks(BURST).zip(hashes.chunks_mut(BURST)) {
                hashing.many(keys, hashes);
                fetch(state, hashes);
            }
        } else {
            hashing.many(chunk, hashes);
            fetch(state, hashes);
        }
        if waiting > 0 {
            take(state, first, &now[..waiting]);
        }
        first += waiting;
        waiting = chunk.len();
        mem::swap(&mut now, &mut ahead);
    }
    if waiting > 0 {
        take(state, first, &now[..waiting]);
    }
}

/// Passes the keys of an iterator to `take`, in order and 128 at a time: for
/// `Extend`, whose keys come one by one. Buffers up to that many, and passes on
/// the buffered ones too if the iterator panics.
///
/// ```
/// use bouquet_core::batch;
///
/// let mut lengths = Vec::new();
/// batch::of_iter(0..300, |keys: &[i32]| lengths.push(keys.len()));
/// assert_eq!(lengths, [128, 128, 44]);
/// ```
#[inline]
pub fn of_iter<K>(keys: impl IntoIterator<Item = K>, take: impl FnMut(&[K])) {
    // Once it has ended it is not polled again, though more might come.
    let mut keys = keys.into_iter().fuse();
    let room = keys.size_hint().0.min(GIVEN);
    let mut buffer = Buffered {
        keys: Vec::with_capacity(room),
        take,
    };
    loop {
        buffer.keys.extend(keys.by_ref().take(GIVEN));
        if buffer.keys.is_empty() {
            return;
        }
        buffer.give();
    }
}

/// Keys taken from an iterator, and where they go.
struct Buffered<K, T: FnMut(&[K])> {
    keys: Vec<K>,
    take: T,
}

impl<K, T: FnMut(&[K])> Buffered<K, T> {
    #[inline]
    fn give(&mut self) {
        // Moved out first: keys that make `take` panic are not passed on again.
        let mut keys = mem::take(&mut self.keys);
        (self.take)(&keys);
        keys.clear();
        self.keys = keys;
    }
}

impl<K, T: FnMut(&[K])> Drop for Buffered<K, T> {
    fn drop(&mut self) {
        if !self.keys.is_empty() {
            self.give();
        }
    }
}

/// Some of a key's probes, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The first two: at half fill, three in four non-members are rejected by them.
    First,
    /// The others.
    Rest,
}

impl Part {
    /// The slots of this part, of all slots of a key in probe order.
    #[inline]
    pub fn of(self, slots: impl Iterator<Item = u64>) -> impl Iterator<Item = u64> {
        let (skipped, taken) = match self {
            Self::First => (0, 2),
            Self::Rest => (2, usize::MAX),
        };
        slots.skip(skipped).take(taken)
    }
}

/// Queries in two stages, for filters whose probes lie apart: `fetch` and `test`
/// get the first probes of every key, and the rest only of those that have
/// passed. So a non-member usually costs two lines, not k, and no line is waited
/// for alone. `found[i]` becomes the answer for `keys[i]`.
///
/// # Panics
///
/// If the slices differ in length.
#[inline]
pub fn in_stages<K>(
    keys: &[K],
    hashing: impl Hashes<K>,
    found: &mut [bool],
    fetch: impl Fn(KeyHash, Part),
    test: impl Fn(KeyHash, Part) -> bool,
) {
    assert_eq!(keys.len(), found.len(), "one answer per key");
    let fetch_first = |_: &[bool], hashes: &[KeyHash]| {
        hashes.iter().for_each(|hash| fetch(*hash, Part::First));
    };
    in_chunks(
        keys,
        true,
        hashing,
        found,
        fetch_first,
        |found, first, hashes| {
            let found = &mut found[first..][..hashes.len()];
            for (hash, found) in hashes.iter().zip(&mut *found) {
                *found = test(*hash, Part::First);
                if *found {
                    fetch(*hash, Part::Rest);
                }
            }
            for (hash, found) in hashes.iter().zip(found) {
                *found = *found && test(*hash, Part::Rest);
            }
        },
    );
}

#[cfg(test)]
mod tests {
    extern crate std;

    use alloc::vec::Vec;
    use core::cell::RefCell;

    use super::*;

    #[test]
    fn every_key_comes_once_in_order_and_is_fetched_before() {
        for len in [0, 1, 31, 32, 33, 63, 64, 65, 200] {
            let keys: Vec<KeyHash> = (0..len).map(|key| KeyHash::new(key, !key)).collect();
            let fetched = RefCell::new(Vec::new());
            let mut taken = Vec::new();
            in_chunks(
                &keys,
                true,
                Ready,
                &mut taken,
                |_, hashes| fetched.borrow_mut().extend_from_slice(hashes),
                |taken, first, hashes| {
                    assert_eq!(taken.len(), first);
                    taken.extend_from_slice(hashes);
                    assert!(fetched.borrow().starts_with(taken));
                    let ahead = fetched.borrow().len() - taken.len();
                    assert!(ahead <= CHUNK, "{ahead}");
                },
            );
            assert_eq!(taken, keys);
        }
        in_chunks(
            &[KeyHash::new(0, 0); 5],
            false,
            Ready,
            &mut (),
            |(), _| (),
            |(), _, hashes| assert_eq!(hashes.len(), 5),
        );
    }

    #[test]
    fn the_two_parts_are_the_whole() {
        for k in [0, 1, 2, 3, 7] {
            let parts = Part::First.of(0..k).chain(Part::Rest.of(0..k));
            assert!(parts.eq(0..k));
            assert_eq!(Part::First.of(0..k).count() as u64, k.min(2));
        }
    }

    #[test]
    fn an_iterator_is_polled_until_it_ends_and_no_more() {
        let mut calls = 0;
        let pauses = core::iter::from_fn(|| {
            calls += 1;
            (calls % 51 != 0).then_some(calls)
        });
        let mut taken = Vec::new();
        of_iter(pauses, |keys| taken.extend_from_slice(keys));
        assert!(taken.into_iter().eq(1..51));
        assert_eq!(calls, 51);
    }

    #[test]
    fn what_came_before_a_panic_is_given() {
        let keys = (0..200).inspect(|key| assert!(*key < 150, "no more"));
        let mut taken = Vec::new();
        let all = || of_iter(keys, |keys| taken.extend_from_slice(keys));
        let ended = std::panic::catch_unwind(core::panic::AssertUnwindSafe(all));
        assert!(ended.is_err());
        assert!(taken.into_iter().eq(0..150));
    }

    #[test]
    fn keys_that_cannot_be_taken_are_given_once() {
        let mut given = 0;
        let take = |_: &[u8]| {
            given += 1;
            assert_ne!(given, 2, "a key that panics");
        };
        let all = || of_iter([0; 300], take);
        let ended = std::panic::catch_unwind(core::panic::AssertUnwindSafe(all));
        assert!(ended.is_err());
        assert_eq!(given, 2);
    }

    #[test]
    fn in_stages_both_parts_decide() {
        // Two bits of the key are the answers of its two parts.
        let keys: Vec<KeyHash> = (0..100).map(|key| KeyHash::new(key, 0)).collect();
        let fetched = RefCell::new(Vec::new());
        let mut found = alloc::vec![true; 100];
        in_stages(
            &keys,
            Ready,
            &mut found,
            |hash, part| fetched.borrow_mut().push((hash.place, part)),
            |hash, part| {
                assert!(fetched.borrow().contains(&(hash.place, part)));
                hash.place >> (part as u64) & 1 == 1
            },
        );
        let want: Vec<bool> = keys.iter().map(|key| key.place % 4 == 3).collect();
        assert_eq!(found, want);
        let rest = fetched
            .borrow()
            .iter()
            .filter(|f| f.1 == Part::Rest)
            .count();
        assert_eq!(rest, 50);
    }
}
