//! Threads that share a filter.

use std::{
    hint,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread::{self, ScopedJoinHandle},
};

use bouquet_core::{ConcurrentInsert, Filter};

/// What threads that share a filter do.
macro_rules! shared {
    ($filter:ty) => {
        fn insert_from_threads<H: Hasher>(filter: &$filter, keys: &[Vec<u8>], threads: usize) {
            $crate::threads::share_out(filter, keys, threads);
        }

        fn insert_batches_from_threads<H: Hasher>(
            filter: &$filter,
            keys: &[Vec<u8>],
            threads: usize,
        ) -> u64 {
            let insert = |keys: &[&[u8]]| _ = filter.insert_batch(keys);
            $crate::threads::share_batches(filter, insert, keys, threads)
        }
    };
}
pub(crate) use shared;

/// Threads that wait for each other: those of few keys would come one after the other.
struct Start {
    not_there: AtomicUsize,
}

impl Start {
    /// Turns of waiting that keep the processor; the others give it to who needs it.
    const SPINS: u32 = 1 << 10;
    /// More are not waited for: a thread that cannot be begun never comes.
    const TURNS: u32 = 1 << 13;

    fn of(threads: usize) -> Self {
        Self {
            not_there: AtomicUsize::new(threads),
        }
    }

    fn wait(&self) {
        self.not_there.fetch_sub(1, Relaxed);
        for turn in 0..Self::TURNS {
            if self.not_there.load(Relaxed) == 0 {
                break;
            }
            match turn < Self::SPINS {
                true => hint::spin_loop(),
                false => thread::yield_now(),
            }
        }
    }
}

/// Each thread takes every so-manieth key.
pub fn share_out(filter: &impl ConcurrentInsert, keys: &[Vec<u8>], threads: usize) {
    let start = &Start::of(threads);
    thread::scope(|scope| {
        for thread in 0..threads {
            let own = keys.iter().skip(thread).step_by(threads);
            scope.spawn(move || {
                start.wait();
                own.for_each(|key| {
                    filter.insert_shared(key);
                })
            });
        }
    });
}

/// Keys of a batch that threads share out: each of some shards gets a few dozen.
const BATCH: usize = 256;

/// The keys in batches from so many threads, each of which asks for what it has inserted,
/// while one thread more asks for keys that were there before: how many are absent.
pub fn share_batches<F: Filter + Sync>(
    filter: &F,
    insert: impl Fn(&[&[u8]]) + Sync,
    keys: &[Vec<u8>],
    threads: usize,
) -> u64 {
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
    let (before, keys) = keys.split_at(keys.len() / 4);
    let missing = &|batch: &[&[u8]]| {
        let mut found = vec![false; batch.len()];
        filter.contains_batch(batch, &mut found);
        found.iter().map(|found| u64::from(!found)).sum::<u64>()
    };
    insert(before);
    let insert = &insert;
    let inserting = &AtomicUsize::new(threads);
    let start = &Start::of(threads);
    thread::scope(|scope| {
        let inserters = (0..threads).map(|thread| {
            let own: Vec<&[u8]> = keys.iter().skip(thread).step_by(threads).copied().collect();
            scope.spawn(move || {
                // Counted however it ends: the thread that asks would never end.
                let _done = Done(inserting);
                start.wait();
                let batches = own.chunks(BATCH).map(|batch| {
                    insert(batch);
                    missing(batch)
                });
                batches.sum::<u64>()
            })
        });
        // All begin before the first is waited for.
        let inserters: Vec<_> = inserters.collect();
        let mut sum = 0;
        while inserting.load(Relaxed) > 0 {
            sum += before.chunks(BATCH).map(missing).sum::<u64>();
        }
        let join = |thread: ScopedJoinHandle<'_, u64>| {
            let done = thread.join();
            done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        sum + inserters.into_iter().map(join).sum::<u64>()
    })
}

/// A thread less that inserts, when it ends.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}
