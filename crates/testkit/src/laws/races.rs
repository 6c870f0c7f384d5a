//! Laws about the answers that threads get while other threads insert.

use std::{
    sync::{
        Barrier,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

use bouquet_core::{ConcurrentInsert, Spec, TryInsert};

use super::{Verdict, must_insert, spec};
use crate::keys::{member, non_member, show};

const ROUNDS: u64 = 30;
const THREADS: usize = 4;
/// Number of keys per round.
const KEYS: u64 = 64;

/// While threads insert, no key is reported present that the filter does not contain at the end.
///
/// # Errors
///
/// The key and the round.
pub fn concurrent_absent<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: ConcurrentInsert,
{
    for round in 0..ROUNDS {
        // So few keys, queried again and again, that inserts and queries meet at the same slots.
        let filter = make(spec(KEYS, 0.01)?, round);
        let (start, writing) = (Barrier::new(THREADS), AtomicUsize::new(THREADS - 1));
        let mut found = Vec::new();
        thread::scope(|scope| {
            for _ in 1..THREADS {
                scope.spawn(|| {
                    start.wait();
                    (0..32 * KEYS).for_each(|i| _ = filter.insert_shared(&member(i % KEYS)));
                    writing.fetch_sub(1, Relaxed);
                });
            }
            start.wait();
            while writing.load(Relaxed) > 0 {
                found.extend(
                    (0..KEYS)
                        .map(non_member)
                        .filter(|key| filter.contains_bytes(key)),
                );
            }
        });
        for key in found {
            ensure!(
                filter.contains_bytes(&key),
                "an absent key was found while {} threads inserted others: {}, round {round}",
                THREADS - 1,
                show(&key)
            );
        }
    }
    Ok(())
}

/// If several threads insert one key at the same time, and the key would be new to a single thread,
/// it is reported as new to at least one thread; otherwise to none.
///
/// # Errors
///
/// The key, the number of threads to which it was new, and the round.
pub fn concurrent_new<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: ConcurrentInsert + TryInsert<Error: std::fmt::Debug>,
{
    new_to(make, |is_new, threads| is_new == (threads > 0))
}

/// If several threads insert one key at the same time, and the key would be new to a single thread,
/// it is reported as new to exactly one thread; otherwise to none.
///
/// # Errors
///
/// As [`concurrent_new`].
pub fn concurrent_once<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: ConcurrentInsert + TryInsert<Error: std::fmt::Debug>,
{
    new_to(make, |is_new, threads| threads == usize::from(is_new))
}

/// All threads insert the same keys in the same order, so the first thread to insert a key finds
/// the filter in the state in which a single thread would find it.
fn new_to<F>(make: impl Fn(Spec, u64) -> F, holds: impl Fn(bool, usize) -> bool) -> Verdict
where
    F: ConcurrentInsert + TryInsert<Error: std::fmt::Debug>,
{
    for round in 0..ROUNDS {
        // Some keys are false positives when they are inserted.
        let spec = spec(KEYS, 0.1)?;
        let (shared, mut alone) = (make(spec, round), make(spec, round));
        let start = Barrier::new(THREADS);
        let new_to: Vec<AtomicUsize> = (0..KEYS).map(|_| AtomicUsize::new(0)).collect();
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    start.wait();
                    for (i, threads) in (0..).zip(&new_to) {
                        threads.fetch_add(shared.insert_shared(&member(i)).into(), Relaxed);
                    }
                });
            }
        });
        for (key, threads) in (0..).map(member).zip(&new_to) {
            let (is_new, threads) = (must_insert(&mut alone, &key)?, threads.load(Relaxed));
            ensure!(
                holds(is_new, threads),
                "a key is new to {threads} of {THREADS} threads, and to one alone: {is_new}: \
                 {}, round {round}",
                show(&key)
            );
        }
    }
    Ok(())
}
