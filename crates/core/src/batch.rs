//! Processes many keys at once: hashes a chunk of keys ahead, prefetches the memory of their
//! slots, then queries them.
//!
//! For implementors of filters. A filter larger than the cache waits for memory at every key;
//! when prefetches are issued early, the processor loads the cache lines in parallel. Sources:
//! Polychroniou and Ross, "Vectorized Bloom filters for advanced SIMD processors", DaMoN 2014,
//! for the batches, and Chen et al., "Improving hash join performance through prefetching",
//! ICDE 2004, for the overlapping chunks.

mod hashes;

pub use hashes::{Hashes, Ready};

use alloc::vec::Vec;
use core::{hint, mem};

use crate::KeyHash;

/// The number of keys in a chunk: enough to fill the processor's queue of outstanding
/// cache-line reads, and few enough that the first line is still in the cache when it is used.
pub const CHUNK: usize = 32;

/// The number of keys whose lines are prefetched together in a filter larger than [`FAR_BITS`].
/// With more, the prefetches would take all of the processor's outstanding line reads and leave
/// none to read the keys themselves ahead.
const BURST: usize = 8;

/// The number of keys that [`of_iter`] passes on at a time: several chunks, because the last
/// chunk of a batch has no next chunk to overlap with.
const GIVEN: usize = 4 * CHUNK;

/// How much of one filter the processor's last-level cache is assumed to hold, in bits: 8 MiB.
pub const FAR_BITS: u64 = 64 << 20;

/// How much of one filter the processor's inner caches are assumed to hold, in bits: 1 MiB. In
/// a larger filter, single keys are queried with branches: see [`by_branch`].
pub const NEAR_BITS: u64 = 8 << 20;

/// Returns `answer` unchanged, but by a branch on it.
///
/// For filters larger than [`NEAR_BITS`] that are queried one key at a time. An answer computed
/// from all bits is ready only when the last cache line has arrived, and whatever depends on it
/// waits. A branch is predicted, so the program continues without waiting. A misprediction
/// costs less than that wait; while the filter fits in the inner caches it costs more, if
/// members and non-members are mixed.
#[inline(always)]
pub fn by_branch(answer: bool) -> bool {
    /// Keeps the compiler from turning the branch back into a computation without branches.
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

/// Passes `keys` through a filter in chunks of [`CHUNK`] keys, in order: `fetch` gets the
/// hashes of each chunk before `take` gets those of the previous chunk. If the filter `is_far`
/// (larger than [`FAR_BITS`]), `fetch` gets a few hashes at a time while others are still being
/// computed; otherwise a whole chunk is hashed at once, which is faster with vector
/// instructions.
///
/// `hashing` computes the hashes, of up to [`CHUNK`] keys at a time. `state` is what `take`
/// changes and `fetch` reads: the storage or the answers. The second argument of `take` is the
/// index of the chunk's first key. Uses 1 KiB of stack.
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

/// Passes the keys of an iterator to `take`, in order and 128 at a time: for `Extend`, whose
/// keys arrive one by one. Buffers up to 128 keys; if the iterator panics, the buffered keys
/// are still passed to `take`.
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
    // After the iterator has ended it is not polled again, even if it could return more keys.
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

/// Keys taken from an iterator, and the function they are passed to.
struct Buffered<K, T: FnMut(&[K])> {
    keys: Vec<K>,
    take: T,
}

impl<K, T: FnMut(&[K])> Buffered<K, T> {
    #[inline]
    fn give(&mut self) {
        // The keys are moved out first: if `take` panics, `drop` does not pass them on again.
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

/// A subset of a key's probes, by position in probe order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The first two probes: at half fill they reject three of four non-members.
    First,
    /// All later probes.
    Rest,
}

impl Part {
    /// The slots of this part, given all slots of a key in probe order.
    #[inline]
    pub fn of(self, slots: impl Iterator<Item = u64>) -> impl Iterator<Item = u64> {
        let (skipped, taken) = match self {
            Self::First => (0, 2),
            Self::Rest => (2, usize::MAX),
        };
        slots.skip(skipped).take(taken)
    }
}

/// Queries in two stages, for filters whose probes lie in different cache lines: `fetch` and
/// `test` are called for the first probes of every key, and for the remaining probes only of
/// the keys that passed the first test. So a non-member usually costs two lines, not k, and no
/// line is waited for alone. `found[i]` becomes the answer for `keys[i]`.
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
        // Bits 0 and 1 of each key are the answers of its first and second part.
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
