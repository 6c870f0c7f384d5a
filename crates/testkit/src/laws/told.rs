//! What threads are told of one filter while others change it.

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
/// Keys of a round.
const KEYS: u64 = 64;

/// While threads insert, no key is found that the filter does not contain when all are done.
///
/// # Errors
///
/// The key and the round.
pub fn concurrent_absent<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: ConcurrentInsert,
{
    for round in 0..ROUNDS {
        // So few keys, again and again, that the threads and the questions meet in one place.
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
                found.extend((0..KEYS).map(non_member).filter(|key| filter.contains(key)));
            }
        });
        for key in found {
            ensure!(
                filter.contains(&key),
                "an absent key was found while {} threads inserted others: {}, round {round}",
                THREADS - 1,
                show(&key)
            );
        }
    }
    Ok(())
}

/// Of threads that insert one key at once at least one is told that it is new, if one thread
/// would be, and none if not.
///
/// # Errors
///
/// The key, how many were told so, and the round.
pub fn concurrent_new<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: ConcurrentInsert + TryInsert<Error: std::fmt::Debug>,
{
    told(make, |is_new, told| is_new == (told > 0))
}

/// Of threads that insert one key at once exactly one is told that it is new, if one thread
/// would be, and none if not.
///
/// # Errors
///
/// As [`concurrent_new`].
pub fn concurrent_once<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: ConcurrentInsert + TryInsert<Error: std::fmt::Debug>,
{
    told(make, |is_new, told| told == usize::from(is_new))
}

/// All threads have the same keys in the same order: the first one to come to a key finds the
/// filter that one thread alone would find.
fn told<F>(make: impl Fn(Spec, u64) -> F, holds: impl Fn(bool, usize) -> bool) -> Verdict
where
    F: ConcurrentInsert + TryInsert<Error: std::fmt::Debug>,
{
    for round in 0..ROUNDS {
        // Some are false positives when they come.
        let spec = spec(KEYS, 0.1)?;
        let (shared, mut alone) = (make(spec, round), make(spec, round));
        let start = Barrier::new(THREADS);
        let told: Vec<AtomicUsize> = (0..KEYS).map(|_| AtomicUsize::new(0)).collect();
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    start.wait();
                    for (i, told) in (0..).zip(&told) {
                        told.fetch_add(shared.insert_shared(&member(i)).into(), Relaxed);
                    }
                });
            }
        });
        for (key, told) in (0..).map(member).zip(&told) {
            let (is_new, told) = (must_insert(&mut alone, &key)?, told.load(Relaxed));
            ensure!(
                holds(is_new, told),
                "{told} of {THREADS} threads were told that a key is new, alone it is {is_new}: \
                 {}, round {round}",
                show(&key)
            );
        }
    }
    Ok(())
}
