//! One filter shared by threads: the time on the wall of all together.

use std::{sync::Barrier, thread, time::Instant};

use anyhow::Result;

use super::{
    clock::middle_of_three,
    definition::Column,
    keys::{STRANGERS, Stream},
    lane::{Way, dry_run},
    sharing::Sharing,
};
use crate::measure::guarded;
use crate::workload::mix;
use bouquet_ground::record::ThreadRow;
use bouquet_ground::staging::go_on;

/// Threads that share a filter.
const THREADS: [u32; 2] = [1, 2];

pub struct Together<'a> {
    pub column: Column,
    pub sharings: Vec<&'a Sharing>,
    pub repetitions: u32,
    pub seed: u64,
}

type Emit<'a> = dyn FnMut(ThreadRow) -> Result<()> + 'a;

impl Together<'_> {
    /// Measures all ways in turn, one thread and two within each repetition.
    ///
    /// Fails if it is interrupted, or if a row cannot be taken.
    pub fn run(&self, emit: &mut Emit<'_>) -> Result<()> {
        for repetition in 0..self.repetitions {
            let mut turns: Vec<(&Sharing, Way, u32)> = Vec::new();
            for sharing in &self.sharings {
                for way in sharing.ways {
                    turns.extend(THREADS.map(|threads| (*sharing, *way, threads)));
                }
            }
            turns.sort_by_cached_key(|(sharing, way, threads)| {
                let name = sharing
                    .name
                    .bytes()
                    .fold(0, |sum, byte| mix(sum ^ u64::from(byte)));
                mix(name ^ mix(u64::from(repetition) << 8 ^ u64::from(*threads) << 4 ^ *way as u64))
            });
            // The making of keys alone, a key: of members and of strangers.
            let dry = THREADS.map(|threads| [0, STRANGERS].map(|from| self.dry(threads, from)));
            for (sharing, way, threads) in turns {
                go_on()?;
                let row = ThreadRow {
                    filter: sharing.name.into(),
                    way: way.name().into(),
                    role: sharing.role.into(),
                    release: sharing.release.into(),
                    keys: self.column.kind.name().into(),
                    capacity: self.column.capacity,
                    target_fpr: self.column.target_fpr,
                    threads,
                    repetition,
                    operations: self.column.capacity,
                    ..ThreadRow::default()
                };
                let dry = dry[usize::from(threads > 1)];
                match guarded(|| self.measure(sharing, way, &row, dry)) {
                    Ok(rows) => rows.into_iter().try_for_each(&mut *emit)?,
                    Err(error) => emit(ThreadRow { error, ..row })?,
                }
            }
        }
        Ok(())
    }

    fn measure(
        &self,
        sharing: &Sharing,
        way: Way,
        row: &ThreadRow,
        [dry_members, dry_strangers]: [f64; 2],
    ) -> Result<Vec<ThreadRow>> {
        let Column {
            capacity,
            target_fpr,
            ..
        } = self.column;
        let threads = row.threads as usize;
        let mut filter = (sharing.make)(capacity, target_fpr, threads)?;
        let (_, filled) = at_once(threads, |thread| {
            filter.insert(thread, way, &self.part(thread, threads, 0));
            0
        });
        let gathering = Instant::now();
        filter.gather()?;
        let filled = filled + gathering.elapsed().as_nanos() as f64;
        let ask = |from| {
            at_once(threads, |thread| {
                filter.ask(way, &self.part(thread, threads, from))
            })
        };
        ask(0);
        let (hits, hit) = ask(0);
        let (_, miss) = ask(STRANGERS + (u64::from(row.repetition) << 32));
        let done = |operation: &str, ns: f64, dry: f64| ThreadRow {
            operation: operation.into(),
            wall_ns_per_key: ns / capacity as f64,
            dry_run_ns_per_key: dry,
            ..row.clone()
        };
        Ok(vec![
            done("insert", filled, dry_members),
            ThreadRow {
                false_negatives: capacity - hits,
                ..done("hit", hit, dry_members)
            },
            done("miss", miss, dry_strangers),
        ])
    }

    /// A thread's part of the keys from an index on.
    fn part(&self, thread: usize, threads: usize, from: u64) -> Stream {
        let capacity = u128::from(self.column.capacity);
        let cut = |at: usize| (capacity * at as u128 / threads as u128) as u64;
        Stream {
            seed: self.seed,
            from: from + cut(thread),
            count: cut(thread + 1) - cut(thread),
            end: u64::MAX,
            mixed: None,
        }
    }

    fn dry(&self, threads: u32, from: u64) -> f64 {
        let threads = threads as usize;
        let make = |thread| dry_run(self.column.kind, &self.part(thread, threads, from));
        at_once(threads, make);
        middle_of_three(|| at_once(threads, make).1) / self.column.capacity as f64
    }
}

/// Runs the work on so many threads that begin together: the sum of what they
/// give, and the nanoseconds from the first one's start to the last one's end.
fn at_once(threads: usize, work: impl Fn(usize) -> u64 + Sync) -> (u64, f64) {
    let barrier = Barrier::new(threads);
    let each = |thread| {
        barrier.wait();
        let start = Instant::now();
        let given = work(thread);
        (given, start, Instant::now())
    };
    let done: Vec<_> = thread::scope(|scope| {
        let each = &each;
        let running: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(move || each(thread)))
            .collect();
        let joined = running.into_iter().map(|one| match one.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect()
    });
    let sum = done.iter().map(|(given, ..)| given).sum();
    let first = done.iter().map(|(_, start, _)| *start).min();
    let last = done.iter().map(|(.., end)| *end).max();
    let ns = first
        .zip(last)
        .map_or(0.0, |(first, last)| (last - first).as_nanos() as f64);
    (sum, ns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use crate::speed::Kind;

    #[test]
    fn all_keys_of_all_threads_are_held() {
        let sharings = registry::sharings();
        let together = Together {
            column: Column {
                kind: Kind::U64,
                capacity: 1_001,
                target_fpr: 0.01,
            },
            sharings: sharings.iter().collect(),
            repetitions: 2,
            seed: 5,
        };
        let mut rows = Vec::new();
        together
            .run(&mut |row| {
                rows.push(row);
                Ok(())
            })
            .unwrap();
        let ways: usize = sharings.iter().map(|sharing| sharing.ways.len()).sum();
        assert_eq!(rows.len(), ways * 2 * 2 * 3);
        for row in rows {
            assert_eq!(
                (row.false_negatives, row.error.as_str()),
                (0, ""),
                "{row:?}"
            );
            assert!(row.wall_ns_per_key > 0.0);
        }
    }

    #[test]
    fn parts_are_the_whole() {
        let sum = at_once(2, |thread| thread as u64 + 1);
        assert_eq!(sum.0, 3);
        assert!(sum.1 > 0.0);
    }
}
