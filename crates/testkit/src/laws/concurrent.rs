//! Many threads, one filter.

use std::{fmt::Debug, sync::Barrier, thread};

use bouquet_core::{ConcurrentInsert, Spec, TryInsert};

use super::{Verdict, held, spec};
use crate::keys::{member, show};

const THREADS: u64 = 4;
const KEYS: u64 = 64;
/// Small filters, many times: with few words of memory the threads meet.
const ROUNDS: u64 = 60;

/// Four threads that insert through `&self` lose no key, whether their keys are
/// the same or not; a thread sees its own keys at once; and on one thread the
/// answer is that of `insert`.
///
/// # Errors
///
/// The key that was lost and the round.
pub fn concurrent<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: ConcurrentInsert,
{
    let filter = make(spec(KEYS, 0.1)?, 60);
    for key in (0..4 * KEYS).map(|i| member(i % (3 * KEYS))) {
        let before = filter.contains(&key);
        ensure!(
            filter.insert_shared(&key) != before,
            "insert_shared answered {before} where contains was {before}: {}",
            show(&key)
        );
    }
    for round in 0..ROUNDS {
        let filter = make(spec(KEYS, 0.01)?, round);
        insert_from_threads(&filter, round)?;
        held(
            &filter,
            keys_of_round(round),
            &format!("after {THREADS} threads, round {round}"),
        )?;
    }
    Ok(())
}

/// What four threads make of some keys equals what one makes of them.
///
/// # Errors
///
/// The round in which it did not.
pub fn concurrent_exact<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: ConcurrentInsert + TryInsert<Error: Debug> + PartialEq,
{
    for round in 0..ROUNDS {
        let shared = make(spec(KEYS, 0.01)?, round);
        insert_from_threads(&shared, round)?;
        let mut alone = make(spec(KEYS, 0.01)?, round);
        super::fill(&mut alone, keys_of_round(round))?;
        ensure!(
            shared == alone,
            "{THREADS} threads make another filter than one, round {round}"
        );
    }
    Ok(())
}

/// The i-th key of a thread: in even rounds all threads have the same keys, in
/// odd ones each its own.
fn key_of(round: u64, thread: u64, i: u64) -> [u8; 8] {
    let own = (round % 2) * thread;
    member((round * THREADS + own) * KEYS + i)
}

fn keys_of_round(round: u64) -> impl Iterator<Item = [u8; 8]> {
    (0..THREADS * KEYS).map(move |i| key_of(round, i / KEYS, i % KEYS))
}

fn insert_from_threads<F: ConcurrentInsert>(filter: &F, round: u64) -> Verdict {
    let barrier = Barrier::new(THREADS as usize);
    let insert_all = |thread: u64| -> Verdict {
        barrier.wait();
        for i in 0..KEYS {
            let key = key_of(round, thread, i);
            filter.insert_shared(&key);
            ensure!(
                filter.contains(&key),
                "not held when its insert returned: {}, round {round}",
                show(&key)
            );
        }
        Ok(())
    };
    thread::scope(|scope| {
        let insert_all = &insert_all;
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| scope.spawn(move || insert_all(thread)))
            .collect();
        threads.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err(format!("a thread panicked, round {round}")))
        })
    })
}
