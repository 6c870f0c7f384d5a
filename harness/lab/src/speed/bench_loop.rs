//! A filter in its own loop, compiled for it: chosen once a run of some
//! thousand keys, never for a key.

use std::{borrow::Borrow as _, marker::PhantomData};

use anyhow::Result;
use bouquet_catalogue::Methods;
use bouquet_core::Key;
use bouquet_ground::record::Way;

use super::keys::{CHUNK, Integers, Keys, Kind, Stream, Urls, each_chunk};

/// A filter that is asked one key at a time.
pub trait Insertable<T: ?Sized> {
    /// `false`: the key was rejected.
    fn insert(&mut self, key: &T) -> bool;
    fn contains(&self, key: &T) -> bool;
    /// All keys were given: a static filter is built.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

/// One of ours, by its inherent methods, as its users call them.
pub struct Own<F>(pub F);

impl<K: Key + ?Sized, F: Methods> Insertable<K> for Own<F> {
    #[inline(always)]
    fn insert(&mut self, key: &K) -> bool {
        self.0.insert(key)
    }

    #[inline(always)]
    fn contains(&self, key: &K) -> bool {
        self.0.contains(key)
    }
}

/// A filter with its loops.
pub trait BenchLoop {
    fn ways(&self) -> &'static [Way];
    /// How many were accepted.
    fn insert(&mut self, way: Way, stream: &Stream) -> u64;
    fn finish(&mut self) -> Result<()>;
    /// How many may be present.
    fn look_up(&self, way: Way, stream: &Stream) -> u64;
    /// How many may be present, asked one by one, none before the answer to the one before is
    /// known: latency, not throughput.
    fn look_up_in_turn(&self, stream: &Stream) -> u64;
}

/// A filter that has no batches.
struct Single<F, K>(F, PhantomData<K>);

impl<F, K> BenchLoop for Single<F, K>
where
    K: Keys,
    F: Insertable<K::Target>,
{
    fn ways(&self) -> &'static [Way] {
        &[Way::Single]
    }

    fn insert(&mut self, _: Way, stream: &Stream) -> u64 {
        insert_singly::<K, F>(&mut self.0, stream)
    }

    fn finish(&mut self) -> Result<()> {
        self.0.finish()
    }

    fn look_up(&self, _: Way, stream: &Stream) -> u64 {
        look_up_singly::<K, F>(&self.0, stream)
    }

    fn look_up_in_turn(&self, stream: &Stream) -> u64 {
        each_in_turn::<K>(stream, |key| self.0.contains(key.borrow()))
    }
}

/// One of ours, which have batches too.
struct Batched<F, K>(Own<F>, PhantomData<K>);

impl<F, K> BenchLoop for Batched<F, K>
where
    K: Keys<Target: Key>,
    F: Methods,
{
    fn ways(&self) -> &'static [Way] {
        &[Way::Single, Way::Batch]
    }

    fn insert(&mut self, way: Way, stream: &Stream) -> u64 {
        match way {
            Way::Single => insert_singly::<K, Own<F>>(&mut self.0, stream),
            Way::Batch => each_chunk::<K>(stream, |chunk| self.0.0.take_batch(chunk)),
        }
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }

    fn look_up(&self, way: Way, stream: &Stream) -> u64 {
        match way {
            Way::Single => look_up_singly::<K, Own<F>>(&self.0, stream),
            Way::Batch => look_up_in_batches::<K>(stream, |keys, found| {
                self.0.0.contains_batch(keys, found);
            }),
        }
    }

    fn look_up_in_turn(&self, stream: &Stream) -> u64 {
        each_in_turn::<K>(stream, |key| self.0.contains(key.borrow()))
    }
}

/// Asks for the keys of a stream in batches.
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

fn insert_singly<K: Keys, F: Insertable<K::Target>>(filter: &mut F, stream: &Stream) -> u64 {
    each_chunk::<K>(stream, |chunk| {
        let taken = chunk
            .iter()
            .map(|key| u64::from(filter.insert(key.borrow())));
        taken.sum()
    })
}

fn look_up_singly<K: Keys, F: Insertable<K::Target>>(filter: &F, stream: &Stream) -> u64 {
    each_chunk::<K>(stream, |chunk| {
        let total = chunk
            .iter()
            .map(|key| u64::from(filter.contains(key.borrow())));
        total.sum()
    })
}

/// Asks for one key after the other, each chosen by the answer before: which key of a
/// chunk comes next is said by its place and by whether the one before may be present.
///
/// What a filter branches on a processor foresees here too, and goes on by its guess.
#[inline(always)]
fn each_in_turn<K: Keys>(stream: &Stream, look_up: impl Fn(&K::Item<'_>) -> bool) -> u64 {
    let mut before = 0;
    each_chunk::<K>(stream, |chunk| {
        let mut total = 0;
        for place in 0..chunk.len() {
            // Half a chunk further where the key before may be present: no key comes again
            // before it is forgotten.
            let at = place + before * (chunk.len() / 2);
            let round = usize::from(at >= chunk.len());
            before = usize::from(look_up(&chunk[at - round * chunk.len()]));
            total += before as u64;
        }
        total
    })
}

/// The loop of a filter that takes keys of any kind.
pub fn single<F>(filter: F, kind: Kind) -> Box<dyn BenchLoop>
where
    F: Insertable<u64> + Insertable<[u8]> + 'static,
{
    match kind {
        Kind::U64 => Box::new(Single::<F, Integers>(filter, PhantomData)),
        Kind::Url => Box::new(Single::<F, Urls>(filter, PhantomData)),
    }
}

/// The loop of one of ours.
pub fn batched<F: Methods + 'static>(filter: F, kind: Kind) -> Box<dyn BenchLoop> {
    match kind {
        Kind::U64 => Box::new(Batched::<F, Integers>(Own(filter), PhantomData)),
        Kind::Url => Box::new(Batched::<F, Urls>(Own(filter), PhantomData)),
    }
}

/// The loop of a filter that is typed by its keys, integers.
#[cfg(feature = "peers")]
pub fn of_integers<F: Insertable<u64> + 'static>(filter: F) -> Box<dyn BenchLoop> {
    Box::new(Single::<F, Integers>(filter, PhantomData))
}

/// The loop of a filter that is typed by its keys, bytes.
#[cfg(feature = "peers")]
pub fn of_urls<F: Insertable<[u8]> + 'static>(filter: F) -> Box<dyn BenchLoop> {
    Box::new(Single::<F, Urls>(filter, PhantomData))
}

/// Makes the keys of a stream and does nothing with them.
pub fn dry_run(kind: Kind, stream: &Stream) -> u64 {
    fn run<K: Keys>(stream: &Stream) -> u64 {
        each_chunk::<K>(stream, |chunk| {
            std::hint::black_box(chunk);
            0
        })
    }
    match kind {
        Kind::U64 => run::<Integers>(stream),
        Kind::Url => run::<Urls>(stream),
    }
}

/// The choice of keys one after the other, of which nobody is asked.
pub fn dry_run_in_turn(kind: Kind, stream: &Stream) -> u64 {
    fn run<K: Keys>(stream: &Stream) -> u64 {
        each_in_turn::<K>(stream, |key| std::hint::black_box(K::bit(key)))
    }
    match kind {
        Kind::U64 => run::<Integers>(stream),
        Kind::Url => run::<Urls>(stream),
    }
}

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
}
