//! Times the operations of a filter, for developers who change it.
//!
//! This gives a first impression on your own machine, before and after a change: wall-clock time,
//! the fastest of a few rounds, keys from an array. It is not a precise measurement: the rounds of
//! different filters are not interleaved, and the time of the loop itself is not subtracted. The
//! harness does both.

use std::{hint::black_box, time::Instant};

use bouquet_core::Spec;

use crate::keys::{member, non_member};

/// Capacities of the filters that are timed, in keys: one filter fits in the processor's nearest
/// caches, the other does not.
pub const CAPACITIES: [u64; 2] = [10_000, 1_000_000];

/// Number of keys in a batch.
const BATCH: usize = 1_024;

/// Number of rounds. The fastest round counts.
const ROUNDS: u32 = 5;

/// Prints the column headings for [`row`].
pub fn heading(capacity: u64) {
    let columns = [
        "insert",
        "hit",
        "recent hit",
        "miss",
        "insert x",
        "hit x",
        "miss x",
    ];
    print!("\n{:24}", format!("{capacity} keys, ns per key"));
    for column in columns {
        print!("{column:>12}");
    }
    println!();
}

/// Times a filter for `capacity` keys of 8 bytes at a target FPR of 1 %, and prints a row of the
/// table of [`heading`]. "Recent" are the last quarter of the keys; an `x` marks batches.
pub fn row<F>(
    name: &str,
    capacity: u64,
    make: impl Fn(Spec) -> F,
    insert: impl Fn(&mut F, &u64),
    contains: impl Fn(&F, &u64) -> bool,
    insert_batch: impl Fn(&mut F, &[u64]),
    contains_batch: impl Fn(&F, &[u64], &mut [bool]),
) {
    let Ok(spec) = Spec::new(capacity, 0.01) else {
        return;
    };
    let keys = |key: fn(u64) -> [u8; 8]| (0..capacity).map(move |i| u64::from_le_bytes(key(i)));
    let members: Vec<u64> = keys(member).collect();
    let absent: Vec<u64> = keys(non_member).collect();
    let one_by_one = |filter: &mut F| members.iter().for_each(|key| insert(filter, key));
    let in_batches = |filter: &mut F| {
        let batches = members.chunks(BATCH);
        batches.for_each(|batch| insert_batch(filter, batch));
    };
    let mut filter = make(spec);
    one_by_one(&mut filter);
    let ask = |keys: &[u64]| {
        keys.iter()
            .for_each(|key| _ = black_box(contains(&filter, key)));
    };
    let ask_batches = |keys: &[u64]| {
        let mut found = [false; BATCH];
        for batch in keys.chunks(BATCH) {
            contains_batch(&filter, batch, black_box(&mut found[..batch.len()]));
        }
    };
    let recent = &members[members.len() / 4 * 3..];
    let fresh = || make(spec);
    let none = || ();
    let times = [
        least(capacity, fresh, one_by_one),
        least(capacity, none, |()| ask(&members)),
        least(recent.len() as u64, none, |()| ask(recent)),
        least(capacity, none, |()| ask(&absent)),
        least(capacity, fresh, in_batches),
        least(capacity, none, |()| ask_batches(&members)),
        least(capacity, none, |()| ask_batches(&absent)),
    ];
    print!("{name:24}");
    for time in times {
        print!("{time:12.1}");
    }
    println!();
}

/// The smallest time per key over all rounds, in nanoseconds. `prepare` is not timed.
fn least<S>(keys: u64, prepare: impl Fn() -> S, round: impl Fn(&mut S)) -> f64 {
    let times = (0..ROUNDS).map(|_| {
        let mut state = prepare();
        let start = Instant::now();
        round(&mut state);
        let time = start.elapsed();
        black_box(&state);
        time.as_nanos() as f64 / keys as f64
    });
    times.fold(f64::INFINITY, f64::min)
}

/// Defines the `main` function of `benches/ops.rs`: it times the inherent operations of each filter
/// that `make` builds from a [`Spec`].
///
/// ```no_run
/// use bouquet_testkit::toy::Toy;
///
/// bouquet_testkit::ops! {
///     "toy": |spec| Toy::new(spec, 1).unwrap(),
/// }
/// ```
#[macro_export]
macro_rules! ops {
    ($($name:literal: |$spec:ident| $make:expr),+ $(,)?) => {
        fn main() {
            for capacity in $crate::bench::CAPACITIES {
                $crate::bench::heading(capacity);
                $($crate::bench::row(
                    $name,
                    capacity,
                    |$spec: $crate::core::Spec| $make,
                    |filter, key| _ = ::std::hint::black_box(filter.insert(key)),
                    |filter, key| filter.contains(key),
                    |filter, keys| _ = ::std::hint::black_box(filter.insert_batch(keys)),
                    |filter, keys, found| filter.contains_batch(keys, found),
                );)+
            }
        }
    };
}
