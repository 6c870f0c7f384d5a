//! Measures filters that several threads share, by the wall time of all threads together.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    sync::Barrier,
    thread,
    time::Instant,
};

use anyhow::Result;

use super::{
    definition::{Column, Effort},
    grid::FILLED_ONCE_FROM,
    middle_of_three,
};
use crate::cells::guarded;
use crate::workload::mix;
use bouquet_catalogue::{NON_MEMBERS, Shared, Sharing, Stream, dry_run};
use bouquet_record::{Clock, TimingRow, Way};

/// The numbers of threads that are measured.
const THREADS: [usize; 2] = [1, 2];

pub struct SharedRun<'a> {
    pub column: Column,
    pub sharings: &'a [Sharing],
    /// Several small filters are filled until `inserted` keys are inserted: filling only one filter
    /// would take less time than starting the threads. `asked` is the number of keys looked up in a
    /// filter that is filled only once.
    pub effort: Effort,
    pub seed: u64,
}

type Emit<'a> = dyn FnMut(TimingRow) -> Result<()> + 'a;

/// A measurement: in one repetition, `threads` threads use a filter, by single calls or in batches.
#[derive(Clone, Copy)]
struct Turn<'a> {
    sharing: &'a Sharing,
    way: Way,
    threads: usize,
    repetition: u32,
}

/// An operation with its number of keys, their total time in nanoseconds, and the false negatives.
type Measured = (&'static str, u64, f64, u64);

impl SharedRun<'_> {
    /// Measures all filters interleaved: by single calls and in batches, with one and two threads.
    ///
    /// Fails if `emit` does.
    pub fn run(&self, emit: &mut Emit<'_>) -> Result<()> {
        if self.column.capacity >= FILLED_ONCE_FROM {
            return self.run_filled_once(emit);
        }
        for repetition in 0..self.effort.repetitions {
            let dry = self.dry(self.column.capacity);
            for turn in self.turns(repetition) {
                let done = guarded(|| self.fill_and_look_up(turn));
                self.emit(turn, done, dry, emit)?;
            }
        }
        Ok(())
    }

    /// Fills each filter only once: each measurement inserts a part of the keys. Then looks up
    /// keys. Leaves out subjects whose threads do not share one filter.
    fn run_filled_once(&self, emit: &mut Emit<'_>) -> Result<()> {
        let of = self.column;
        let Effort {
            repetitions, asked, ..
        } = self.effort;
        // The filters, and how many keys each has.
        let mut filters: BTreeMap<&str, (Box<dyn Shared>, u64)> = BTreeMap::new();
        for is_asked in [false, true] {
            for repetition in 0..repetitions {
                let dry = self.dry(if is_asked { asked } else { 0 });
                let turns = self.turns(repetition).into_iter();
                for turn in turns.filter(|turn| turn.sharing.is_one) {
                    let sharing = turn.sharing;
                    let done = guarded(|| {
                        let (filter, filled) = match filters.entry(&sharing.subject.subject) {
                            Entry::Occupied(made) => made.into_mut(),
                            Entry::Vacant(new) => {
                                new.insert(((sharing.make)(of.capacity, of.target_fpr, 1)?, 0))
                            }
                        };
                        if is_asked {
                            let asked = asked.min(*filled);
                            let word =
                                mix(self.seed ^ u64::from(repetition) << 8 ^ turn.way as u64);
                            let from = word % (*filled - asked + 1);
                            return Ok(self.look_up(&**filter, turn, from, asked).to_vec());
                        }
                        let turns = (sharing.ways.len() * THREADS.len()) as u64;
                        let part = of.capacity / (u64::from(repetitions) * turns);
                        *filled += part;
                        Ok(vec![self.insert(&**filter, turn, *filled - part, part)])
                    });
                    self.emit(turn, done, dry, emit)?;
                }
            }
        }
        Ok(())
    }

    /// All measurements of a repetition, in a random order that differs between repetitions.
    fn turns(&self, repetition: u32) -> Vec<Turn<'_>> {
        let mut turns = Vec::new();
        for sharing in self.sharings {
            for &way in sharing.ways {
                turns.extend(THREADS.map(|threads| Turn {
                    sharing,
                    way,
                    threads,
                    repetition,
                }));
            }
        }
        turns.sort_by_cached_key(|turn| {
            let bytes = turn.sharing.subject.subject.bytes();
            let name = bytes.fold(0, |sum, byte| mix(sum ^ u64::from(byte)));
            let way = (turn.threads as u64) << 4 ^ turn.way as u64;
            mix(name ^ mix(u64::from(repetition) << 8 ^ way))
        });
        turns
    }

    /// Fills new filters, and looks up members and non-members in each.
    fn fill_and_look_up(&self, turn: Turn<'_>) -> Result<Vec<Measured>> {
        let capacity = self.column.capacity;
        let mut all = [
            ("insert", 0, 0.0, 0),
            ("hit", 0, 0.0, 0),
            ("miss", 0, 0.0, 0),
        ];
        for _ in 0..self.effort.inserted.div_ceil(capacity) {
            let mut filter = (turn.sharing.make)(capacity, self.column.target_fpr, turn.threads)?;
            let mut inserted = self.insert(&*filter, turn, 0, capacity);
            let gathering = Instant::now();
            filter.gather()?;
            inserted.2 += gathering.elapsed().as_nanos() as f64;
            let [hits, misses] = self.look_up(&*filter, turn, 0, capacity);
            for (sum, (_, keys, ns, missing)) in all.iter_mut().zip([inserted, hits, misses]) {
                (sum.1, sum.2, sum.3) = (sum.1 + keys, sum.2 + ns, sum.3 + missing);
            }
        }
        Ok(all.to_vec())
    }

    /// Inserts `count` keys from index `from` on.
    fn insert(&self, filter: &dyn Shared, turn: Turn<'_>, from: u64, count: u64) -> Measured {
        let (_, ns) = at_once(turn.threads, |thread| {
            filter.insert(
                thread,
                turn.way,
                &self.part(thread, turn.threads, from, count),
            )
        });
        ("insert", count, ns, 0)
    }

    /// Looks up `count` members and as many non-members.
    fn look_up(&self, filter: &dyn Shared, turn: Turn<'_>, from: u64, count: u64) -> [Measured; 2] {
        let look_up = |from, count| {
            at_once(turn.threads, |thread| {
                filter.look_up(turn.way, &self.part(thread, turn.threads, from, count))
            })
        };
        look_up(from, count / 8);
        let (hits, hit) = look_up(from, count);
        let (_, miss) = look_up(NON_MEMBERS + (u64::from(turn.repetition) << 32), count);
        [("hit", count, hit, count - hits), ("miss", count, miss, 0)]
    }

    fn emit(
        &self,
        turn: Turn<'_>,
        measured: Result<Vec<Measured>, String>,
        dry: [[f64; 2]; 2],
        emit: &mut Emit<'_>,
    ) -> Result<()> {
        let [members, others] = dry[turn.threads - 1];
        let row = |operation| TimingRow {
            threads: turn.threads as u32,
            repetition: turn.repetition,
            clock: Clock::Wall,
            ..self
                .column
                .row(&turn.sharing.subject.subject, turn.way, operation)
        };
        match measured {
            Ok(measured) => {
                measured
                    .into_iter()
                    .try_for_each(|(operation, operations, ns, false_negatives)| {
                        emit(TimingRow {
                            operations,
                            ns_per_key: ns / operations as f64,
                            dry_run_ns_per_key: if operation == "miss" { others } else { members },
                            false_negatives,
                            ..row(operation)
                        })
                    })
            }
            Err(error) => emit(TimingRow { error, ..row("") }),
        }
    }

    /// The part of the `count` keys from index `from` on that belongs to this thread.
    fn part(&self, thread: usize, threads: usize, from: u64, count: u64) -> Stream {
        let cut = |at: usize| (u128::from(count) * at as u128 / threads as u128) as u64;
        Stream {
            seed: self.seed,
            from: from + cut(thread),
            count: cut(thread + 1) - cut(thread),
            end: u64::MAX,
            mixed: None,
        }
    }

    /// The time per key to generate `count` keys, without a filter: for each number of threads, the
    /// times for members and for non-members.
    fn dry(&self, count: u64) -> [[f64; 2]; 2] {
        let count = count.max(self.effort.inserted);
        THREADS.map(|threads| {
            [0, NON_MEMBERS].map(|from| {
                let make = |thread| {
                    dry_run(
                        self.column.kind,
                        false,
                        &self.part(thread, threads, from, count),
                    )
                };
                at_once(threads, make);
                middle_of_three(|| at_once(threads, make).1) / count as f64
            })
        })
    }
}

/// Runs `work` on `threads` threads that start together. Returns the sum of their results, and the
/// nanoseconds from the first start to the last end.
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
mod tests;
