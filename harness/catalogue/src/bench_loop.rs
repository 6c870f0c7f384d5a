//! The benchmark loops of filters, compiled separately for each type of filter. A dynamic call
//! happens once per several thousand keys, not for each key.

use std::{borrow::Borrow, marker::PhantomData, ops::Range};

use anyhow::Result;
use bouquet_core::Key;
use bouquet_record::{SubjectRow, Way};

use crate::{
    CatalogueFilter,
    keys::{CHUNK, Integers, Keys, Kind, StoredKeys, Stream, Urls, each_chunk},
};

/// A filter or set into which keys of type `T` can be inserted.
pub trait Insertable<T: ?Sized> {
    /// How it is timed: with a call for each key, with batches of keys, or in both ways.
    const WAYS: &'static [Way] = &[Way::Single];

    /// Whether it can reject a key.
    const REJECTS: bool = false;

    /// Returns the filter's own answer: `false` if it rejected the key or, where it rejects none,
    /// if the key may have been present before.
    fn insert(&mut self, key: &T) -> bool;

    fn contains(&self, key: &T) -> bool;

    /// Inserts a key and drops the answer; returns `false` if the key was rejected.
    #[inline(always)]
    fn accepts(&mut self, key: &T) -> bool {
        self.insert(key) || !Self::REJECTS
    }

    /// Returns how many keys were accepted.
    fn insert_batch<K: Key + Borrow<T>>(&mut self, keys: &[K]) -> u64 {
        let accepted = keys.iter().map(|key| u64::from(self.accepts(key.borrow())));
        accepted.sum()
    }

    fn contains_batch<K: Key + Borrow<T>>(&self, keys: &[K], found: &mut [bool]) {
        for (key, found) in keys.iter().zip(found) {
            *found = self.contains(key.borrow());
        }
    }

    /// Called when all keys are inserted; a static filter is built here.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }

    /// The sizes of the filter; `None` if it is not a filter of this workspace.
    fn bytes(&self) -> Option<FilterBytes> {
        None
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct FilterBytes {
    pub payload: u64,
    /// The bytes of heap memory and of the struct itself.
    pub allocated: u64,
    /// The encoded size with header and checksums.
    pub stored: u64,
}

impl<T: Key + ?Sized, F: CatalogueFilter> Insertable<T> for F {
    const WAYS: &'static [Way] = &[Way::Single, Way::Batch];
    const REJECTS: bool = F::REJECTS;

    #[inline(always)]
    fn insert(&mut self, key: &T) -> bool {
        self.insert_one(key)
    }

    #[inline(always)]
    fn contains(&self, key: &T) -> bool {
        self.contains_one(key)
    }

    #[inline(always)]
    fn insert_batch<K: Key + Borrow<T>>(&mut self, keys: &[K]) -> u64 {
        self.insert_many(keys)
    }

    #[inline(always)]
    fn contains_batch<K: Key + Borrow<T>>(&self, keys: &[K], found: &mut [bool]) {
        self.contains_many(keys, found);
    }

    fn finish(&mut self) -> Result<()> {
        CatalogueFilter::finish(self)
    }

    fn bytes(&self) -> Option<FilterBytes> {
        Some(FilterBytes {
            payload: self.inspect().size_bits().div_ceil(8),
            allocated: self.inspect().memory_bytes() as u64,
            stored: self.header().map_or(0, |header| header.file_bytes()),
        })
    }
}

/// A filter or set with its benchmark loops.
pub trait BenchLoop {
    fn ways(&self) -> &'static [Way];
    /// Returns how many keys were accepted. Single calls are those of a function that is not
    /// inlined, as in a program with several of them, and their answers are counted.
    fn insert(&mut self, way: Way, stream: &Stream) -> u64;
    /// Like single calls of [`insert`](Self::insert), but inlined, and the answers are dropped: then
    /// the compiler can remove what computes them.
    fn insert_dropped(&mut self, stream: &Stream) -> u64;
    fn finish(&mut self) -> Result<()>;
    /// Returns how many keys may be present.
    fn look_up(&self, way: Way, stream: &Stream) -> u64;
    /// Returns how many keys may be present. The keys are looked up one by one; each lookup starts
    /// only after the previous lookup has ended, so latency is measured instead of throughput.
    fn look_up_in_turn(&self, stream: &Stream) -> u64;
    /// Returns how many of the stored keys in `range` were accepted.
    fn insert_stored(&mut self, keys: &StoredKeys, range: Range<usize>) -> u64;
    /// Returns how many of the stored keys in `range` may be present.
    fn look_up_stored(&self, keys: &StoredKeys, range: Range<usize>) -> u64;
    /// The sizes of the filter; `None` if it is not a filter of this workspace.
    fn bytes(&self) -> Option<FilterBytes>;
}

struct Loops<F, K>(F, PhantomData<K>);

impl<F: Insertable<K::Target>, K: Keys> BenchLoop for Loops<F, K> {
    fn ways(&self) -> &'static [Way] {
        F::WAYS
    }

    fn insert(&mut self, way: Way, stream: &Stream) -> u64 {
        match way {
            Way::Single => {
                // Seen, or the compiler would remove what computes an answer that nobody uses.
                let answers = std::hint::black_box(each_chunk::<K>(stream, |chunk| {
                    let keys = chunk.iter();
                    let answers = keys.map(|key| u64::from(insert(&mut self.0, key.borrow())));
                    answers.sum()
                }));
                match F::REJECTS {
                    true => answers,
                    false => stream.count,
                }
            }
            Way::Batch => each_chunk::<K>(stream, |chunk| self.0.insert_batch(chunk)),
        }
    }

    fn insert_dropped(&mut self, stream: &Stream) -> u64 {
        each_chunk::<K>(stream, |chunk| {
            let keys = chunk.iter();
            let accepted = keys.map(|key| u64::from(self.0.accepts(key.borrow())));
            accepted.sum()
        })
    }

    fn finish(&mut self) -> Result<()> {
        self.0.finish()
    }

    fn look_up(&self, way: Way, stream: &Stream) -> u64 {
        match way {
            Way::Single => each_chunk::<K>(stream, |chunk| {
                let keys = chunk.iter();
                let found = keys.map(|key| u64::from(contains(&self.0, key.borrow())));
                found.sum()
            }),
            Way::Batch => look_up_in_batches::<K>(stream, |keys, found| {
                self.0.contains_batch(keys, found);
            }),
        }
    }

    fn look_up_in_turn(&self, stream: &Stream) -> u64 {
        each_in_turn::<K>(stream, |key| self.0.contains(key.borrow()))
    }

    fn insert_stored(&mut self, keys: &StoredKeys, range: Range<usize>) -> u64 {
        K::count_stored(keys, range, |key| self.0.accepts(key))
    }

    fn look_up_stored(&self, keys: &StoredKeys, range: Range<usize>) -> u64 {
        K::count_stored(keys, range, |key| self.0.contains(key))
    }

    fn bytes(&self) -> Option<FilterBytes> {
        self.0.bytes()
    }
}

/// An insert as a user's method makes it: a call for each key, whose answer is returned.
#[inline(never)]
fn insert<F: Insertable<T>, T: ?Sized>(filter: &mut F, key: &T) -> bool {
    filter.insert(key)
}

#[inline(never)]
fn contains<F: Insertable<T>, T: ?Sized>(filter: &F, key: &T) -> bool {
    filter.contains(key)
}

#[inline(always)]
pub fn look_up_in_batches<K: Keys>(
    stream: &Stream,
    look_up: impl Fn(&[K::Item<'_>], &mut [bool]),
) -> u64 {
    let mut found = [false; CHUNK];
    each_chunk::<K>(stream, |chunk| {
        let found = &mut found[..chunk.len()];
        look_up(chunk, found);
        found.iter().map(|found| u64::from(*found)).sum()
    })
}

/// Looks up the keys of a stream one by one. The previous answer determines which key of the chunk
/// is next, so a lookup cannot start before the previous one has ended.
///
/// The processor can still predict the branches inside a lookup.
#[inline(always)]
fn each_in_turn<K: Keys>(stream: &Stream, look_up: impl Fn(&K::Item<'_>) -> bool) -> u64 {
    let mut before = 0;
    each_chunk::<K>(stream, |chunk| {
        let mut total = 0;
        for place in 0..chunk.len() {
            // If the previous lookup returned true, the key half a chunk after `place` is taken, so
            // that half a chunk of other lookups lies between two lookups of the same key.
            let at = place + before * (chunk.len() / 2);
            let round = usize::from(at >= chunk.len());
            before = usize::from(look_up(&chunk[at - round * chunk.len()]));
            total += before as u64;
        }
        total
    })
}

/// The benchmark loops of a filter that accepts both kinds of keys.
pub fn single<F>(filter: F, kind: Kind) -> Box<dyn BenchLoop>
where
    F: Insertable<u64> + Insertable<[u8]> + 'static,
{
    match kind {
        Kind::U64 | Kind::Among => of_integers(filter),
        Kind::Url => of_bytes(filter),
    }
}

pub fn of_integers<F: Insertable<u64> + 'static>(filter: F) -> Box<dyn BenchLoop> {
    Box::new(Loops::<F, Integers>(filter, PhantomData))
}

pub fn of_bytes<F: Insertable<[u8]> + 'static>(filter: F) -> Box<dyn BenchLoop> {
    Box::new(Loops::<F, Urls>(filter, PhantomData))
}

/// The number of filters that [`among`] makes.
pub const FILTERS: u64 = 1_000;

/// The benchmark loops of [`FILTERS`] filters, each for an equal share of the capacity. Each key is
/// inserted into one of them and looked up in that one, as in a store with many files.
pub fn among<F: Insertable<u64> + 'static>(
    capacity: u64,
    make: impl Fn(u64) -> Result<F>,
) -> Result<Box<dyn BenchLoop>> {
    let filters = (0..FILTERS).map(|_| make(capacity.div_ceil(FILTERS)));
    Ok(of_integers(Among(filters.collect::<Result<_>>()?)))
}

struct Among<F>(Vec<F>);

impl<F> Among<F> {
    /// The index of the filter for a key.
    #[inline(always)]
    fn at(&self, key: u64) -> usize {
        ((u128::from(key) * self.0.len() as u128) >> 64) as usize
    }
}

impl<F: Insertable<u64>> Insertable<u64> for Among<F> {
    const REJECTS: bool = F::REJECTS;

    #[inline(always)]
    fn insert(&mut self, key: &u64) -> bool {
        let at = self.at(*key);
        self.0[at].insert(key)
    }

    #[inline(always)]
    fn contains(&self, key: &u64) -> bool {
        self.0[self.at(*key)].contains(key)
    }

    fn finish(&mut self) -> Result<()> {
        self.0.iter_mut().try_for_each(F::finish)
    }

    fn bytes(&self) -> Option<FilterBytes> {
        let mut all = FilterBytes::default();
        for filter in &self.0 {
            let FilterBytes {
                payload,
                allocated,
                stored,
            } = filter.bytes()?;
            all.payload += payload;
            all.allocated += allocated;
            all.stored += stored;
        }
        Some(all)
    }
}

/// Generates the keys of a stream without using them, to measure the cost of generating them. With
/// `in_turn`, a bit of each key determines which key is next, as a filter's answer does in
/// `look_up_in_turn`.
pub fn dry_run(kind: Kind, in_turn: bool, stream: &Stream) -> u64 {
    fn run<K: Keys>(in_turn: bool, stream: &Stream) -> u64 {
        if in_turn {
            return each_in_turn::<K>(stream, |key| std::hint::black_box(K::bit(key)));
        }
        each_chunk::<K>(stream, |chunk| {
            std::hint::black_box(chunk);
            0
        })
    }
    match kind {
        Kind::U64 | Kind::Among => run::<Integers>(in_turn, stream),
        Kind::Url => run::<Urls>(in_turn, stream),
    }
}

/// Reads the stored keys without a filter, to measure the cost of reading them. The caller must use
/// the returned sum, or the compiler removes the loop.
pub fn dry_walk(keys: &StoredKeys, range: Range<usize>) -> u64 {
    fn is_high(key: &(impl Key + ?Sized)) -> bool {
        key.with_bytes(|bytes| bytes.first().is_some_and(|byte| *byte > 127))
    }
    match keys {
        StoredKeys::Integers(_) => Integers::count_stored(keys, range, is_high),
        StoredKeys::Bytes(..) => Urls::count_stored(keys, range, is_high),
    }
}

/// One or several filters that several threads use at the same time.
pub trait Shared: Send + Sync {
    /// Returns for how many keys the filter's insert method returned `true`. Threads are numbered
    /// from 0.
    ///
    /// The return values are counted, because otherwise the compiler would replace the atomic write
    /// by a faster instruction that does not return the previous bits.
    fn insert(&self, thread: usize, way: Way, stream: &Stream) -> u64;
    /// Called when all threads have finished inserting.
    fn gather(&mut self) -> Result<()> {
        Ok(())
    }
    /// Returns how many keys may be present.
    fn look_up(&self, way: Way, stream: &Stream) -> u64;
}

/// A filter that threads can share, and the function that makes it.
pub struct Sharing {
    pub subject: SubjectRow,
    pub ways: &'static [Way],
    /// Whether all threads share one filter, with no single lock around it.
    pub is_one: bool,
    pub make: MakeShared,
}

/// Makes a filter for a capacity, a target FPR and a number of threads.
pub type MakeShared = Box<dyn Fn(u64, f64, usize) -> Result<Box<dyn Shared>> + Send + Sync>;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[derive(Default)]
    struct Exact(HashSet<Vec<u8>>);

    impl<K: Key + ?Sized> Insertable<K> for Exact {
        fn insert(&mut self, key: &K) -> bool {
            self.0.insert(key.with_bytes(<[u8]>::to_vec))
        }

        fn contains(&self, key: &K) -> bool {
            self.0.contains(&key.with_bytes(<[u8]>::to_vec))
        }
    }

    #[test]
    fn keys_asked_in_turn_are_all_members_or_none() {
        let count = 1_000;
        let stream = |from| Stream {
            seed: 3,
            from,
            count,
            end: u64::MAX,
            mixed: None,
        };
        for kind in Kind::ALL {
            let mut bench_loop = single(Exact::default(), kind);
            bench_loop.insert(Way::Single, &stream(0));
            assert_eq!(bench_loop.look_up_in_turn(&stream(0)), count);
            assert_eq!(bench_loop.look_up_in_turn(&stream(count)), 0);
        }
    }

    #[test]
    fn the_key_after_a_member_is_another_one_than_after_a_non_member() {
        let stream = Stream {
            seed: 3,
            from: 0,
            count: CHUNK as u64,
            end: u64::MAX,
            mixed: None,
        };
        let order = |answer: bool| {
            let asked = std::cell::RefCell::new(Vec::new());
            each_in_turn::<Integers>(&stream, |key| {
                asked.borrow_mut().push(*key);
                answer
            });
            asked.into_inner()
        };
        let (total, absent) = (order(true), order(false));
        assert_eq!(total[0], absent[0]);
        assert!(
            total
                .iter()
                .zip(&absent)
                .skip(1)
                .all(|(one, other)| one != other)
        );
    }

    #[test]
    fn every_stored_key_of_the_range_is_taken_and_found() {
        let mut bytes = StoredKeys::Bytes(Vec::new(), Vec::new());
        let mut integers = StoredKeys::Integers(Vec::new());
        for key in ["a", "", "rose", "tulip"] {
            bytes.push(key.as_bytes());
        }
        for key in 1..5u64 {
            integers.push(&key.to_le_bytes());
        }
        for (stored, kind) in [(bytes, Kind::Url), (integers, Kind::U64)] {
            assert_eq!(stored.len(), 4);
            let mut set = single(Exact::default(), kind);
            assert_eq!(set.insert_stored(&stored, 1..3), 2);
            let found = [0..4, 1..3, 3..4].map(|range| set.look_up_stored(&stored, range));
            assert_eq!(found, [2, 2, 0]);
            assert!(set.bytes().is_none());
        }
    }
}
