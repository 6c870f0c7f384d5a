//! Laws about many threads that insert into one filter.

use std::{fmt::Debug, sync::Barrier, thread};

use bouquet_core::{ConcurrentInsert, Spec, TryInsert};

use super::{Verdict, all_present, spec};
use crate::keys::{member, show};

/// Numbers of threads that are tested.
const THREADS: [u64; 3] = [2, 4, 8];
/// Number of keys per thread.
const KEYS: u64 = 64;
/// Number of rounds. The filters are small, so that threads collide in the same words of memory.
/// None exceeds its capacity: otherwise other keys would set the slots that a key has lost.
const ROUNDS: u64 = 30;

/// Two, four and eight threads that insert through `&self` lose no key, whether their keys are the
/// same, different, or half of each. Each thread finds its own keys at once. With one thread the
/// result is that of `insert`.
///
/// # Errors
///
/// The lost key and the round.
pub fn concurrent<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: ConcurrentInsert,
{
    let filter = make(spec(KEYS, 0.1)?, 60);
    for key in (0..4 * KEYS).map(|i| member(i % (3 * KEYS))) {
        let before = filter.contains_bytes(&key);
        ensure!(
            filter.insert_shared(&key) != before,
            "insert_shared returned {before} where contains was {before}: {}",
            show(&key)
        );
    }
    for (threads, round) in rounds() {
        let filter = make(spec(threads * KEYS, 0.01)?, round);
        insert_from_threads(&filter, threads, round)?;
        all_present(
            &filter,
            keys_of_round(threads, round),
            &format!("after {threads} threads, round {round}"),
        )?;
    }
    Ok(())
}

/// Several threads make the same filter from some keys as one thread does.
///
/// # Errors
///
/// The number of threads and the round in which the filters differed.
pub fn concurrent_exact<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: ConcurrentInsert + TryInsert<Error: Debug> + PartialEq,
{
    for (threads, round) in rounds() {
        let shared = make(spec(threads * KEYS, 0.01)?, round);
        insert_from_threads(&shared, threads, round)?;
        let mut alone = make(spec(threads * KEYS, 0.01)?, round);
        for key in keys_of_round(threads, round) {
            super::must_insert(&mut alone, &key)?;
        }
        ensure!(
            shared == alone,
            "{threads} threads make a different filter from one, round {round}"
        );
    }
    Ok(())
}

fn rounds() -> impl Iterator<Item = (u64, u64)> {
    let rounds_of = |threads| (0..ROUNDS).map(move |round| (threads, round));
    THREADS.into_iter().flat_map(rounds_of)
}

/// The i-th key of a thread. Depending on the round, all threads have the same keys, or each has
/// its own, or each shares half of its keys with the next thread.
fn key_of(round: u64, thread: u64, i: u64) -> [u8; 8] {
    let apart = [0, KEYS, KEYS / 2][round as usize % 3];
    member((round << 32) + thread * apart + i)
}

fn keys_of_round(threads: u64, round: u64) -> impl Iterator<Item = [u8; 8]> {
    (0..threads * KEYS).map(move |i| key_of(round, i / KEYS, i % KEYS))
}

fn insert_from_threads<F: ConcurrentInsert>(filter: &F, threads: u64, round: u64) -> Verdict {
    let barrier = Barrier::new(threads as usize);
    let insert_all = |thread: u64| -> Verdict {
        barrier.wait();
        for i in 0..KEYS {
            let key = key_of(round, thread, i);
            match i % 2 {
                0 => filter.insert_shared(&key),
                _ => filter.insert_hash_shared(filter.hash_key(&key)),
            };
            ensure!(
                filter.contains_bytes(&key),
                "not present when its insert returned: {}, round {round}",
                show(&key)
            );
        }
        Ok(())
    };
    thread::scope(|scope| {
        let insert_all = &insert_all;
        let threads: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(move || insert_all(thread)))
            .collect();
        threads.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err(format!("a thread panicked, round {round}")))
        })
    })
}
