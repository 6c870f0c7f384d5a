//! One filter that threads share; measures the wall-clock time of all threads together.

use std::{sync::Barrier, thread, time::Instant};

use anyhow::Result;

use super::{clock::middle_of_three, definition::Column, grid::FILLED_ONCE_FROM};
use crate::cells::guarded;
use crate::workload::mix;
use bouquet_catalogue::{NON_MEMBERS, Shared, Sharing, Stream, dry_run};
use bouquet_record::interrupt::go_on;
use bouquet_record::{Clock, TimingRow, Way};

/// The numbers of threads that are measured.
const THREADS: [u32; 2] = [1, 2];

pub struct SharedRun<'a> {
    pub column: Column,
    pub sharings: Vec<&'a Sharing>,
    pub repetitions: u32,
    /// The smallest number of keys inserted in one repetition. Several small filters are filled one
    /// after the other to reach it; otherwise starting a thread would take most of the time.
    pub inserted: u64,
    /// Number of keys that are looked up in a filter that is filled only once.
    pub asked: u64,
    pub seed: u64,
}

type Emit<'a> = dyn FnMut(TimingRow) -> Result<()> + 'a;

/// One measurement: a filter that `threads` threads use in one way, in one repetition.
#[derive(Clone, Copy)]
struct Turn<'a> {
    sharing: &'a Sharing,
    way: Way,
    threads: u32,
    repetition: u32,
}

/// A range of key indexes, which the threads divide among them.
#[derive(Clone, Copy)]
struct Span {
    from: u64,
    count: u64,
}

impl SharedRun<'_> {
    /// Measures all ways interleaved, with one thread and with two in each repetition.
    ///
    /// Fails if it is interrupted, or if a row cannot be taken.
    pub fn run(&self, emit: &mut Emit<'_>) -> Result<()> {
        if self.column.capacity >= FILLED_ONCE_FROM {
            return self.run_filled_once(emit);
        }
        let all = self.members(0, u64::MAX);
        for repetition in 0..self.repetitions {
            let dry = self.dry_of(all);
            for turn in self.turns(&self.sharings, repetition) {
                go_on()?;
                let fill = guarded(|| self.fill_and_look_up(turn));
                self.emit(turn, fill, dry, emit)?;
            }
        }
        Ok(())
    }

    /// Fills each filter only once, a part in every repetition, way and number of threads, and then
    /// looks up keys. Subjects that have one filter per thread are left out.
    fn run_filled_once(&self, emit: &mut Emit<'_>) -> Result<()> {
        let mut filters = Vec::new();
        for sharing in self.sharings.iter().filter(|sharing| sharing.is_one) {
            match guarded(|| self.make(sharing, 1)) {
                Ok(filter) => filters.push((*sharing, filter, 0)),
                Err(error) => {
                    let turn = self.turns(&[*sharing], 0)[0];
                    self.emit(turn, Err(error), [[0.0; 2]; 2], emit)?;
                }
            }
        }
        let sharings: Vec<_> = filters.iter().map(|(sharing, ..)| *sharing).collect();
        for (is_asked, many) in [(false, self.inserted), (true, self.asked)] {
            for repetition in 0..self.repetitions {
                let dry = self.dry_of(self.members(0, many));
                for turn in self.turns(&sharings, repetition) {
                    go_on()?;
                    let of_turn = |(one, ..): &&mut (&Sharing, _, _)| {
                        one.subject.subject == turn.sharing.subject.subject
                    };
                    let Some((sharing, filter, filled)) = filters.iter_mut().find(of_turn) else {
                        continue;
                    };
                    let rows = if is_asked {
                        let word = mix(self.seed ^ u64::from(repetition) << 8 ^ turn.way as u64);
                        let from = word % (*filled - self.asked.min(*filled) + 1);
                        let members = self.members(from, self.asked);
                        guarded(|| Ok(self.look_up(&**filter, turn, members)))
                    } else {
                        let part = self.members(*filled, self.part_of(sharing));
                        *filled += part.count;
                        guarded(|| Ok(vec![self.insert(&**filter, turn, part)]))
                    };
                    self.emit(turn, rows, dry, emit)?;
                }
            }
        }
        Ok(())
    }

    /// Number of keys that one turn inserts into a filter that is filled only once.
    fn part_of(&self, sharing: &Sharing) -> u64 {
        let turns = sharing.ways.len() * THREADS.len();
        self.column.capacity / (u64::from(self.repetitions) * turns as u64)
    }

    /// At most `count` members from index `from` on.
    fn members(&self, from: u64, count: u64) -> Span {
        let count = count.min(self.column.capacity - from);
        Span { from, count }
    }

    /// All ways of these subjects, in a new random order for each repetition.
    fn turns<'a>(&self, sharings: &[&'a Sharing], repetition: u32) -> Vec<Turn<'a>> {
        let mut turns: Vec<Turn<'a>> = Vec::new();
        for sharing in sharings {
            for way in sharing.ways {
                turns.extend(THREADS.map(|threads| Turn {
                    sharing,
                    way: *way,
                    threads,
                    repetition,
                }));
            }
        }
        turns.sort_by_cached_key(|turn| {
            let bytes = turn.sharing.subject.subject.bytes();
            let name = bytes.fold(0, |sum, byte| mix(sum ^ u64::from(byte)));
            let way = u64::from(turn.threads) << 4 ^ turn.way as u64;
            mix(name ^ mix(u64::from(repetition) << 8 ^ way))
        });
        turns
    }

    fn make(&self, sharing: &Sharing, threads: usize) -> Result<Box<dyn Shared>> {
        (sharing.make)(self.column.capacity, self.column.target_fpr, threads)
    }

    fn fill_and_look_up(&self, turn: Turn<'_>) -> Result<Vec<TimingRow>> {
        let threads = turn.threads as usize;
        let all = self.members(0, u64::MAX);
        let mut rows: Vec<TimingRow> = Vec::new();
        for _ in 0..self.inserted.div_ceil(self.column.capacity) {
            let mut filter = self.make(turn.sharing, threads)?;
            let mut inserted = self.insert(&*filter, turn, all);
            let gathering = Instant::now();
            filter.gather()?;
            inserted.ns_per_key += gathering.elapsed().as_nanos() as f64;
            let answers = self.look_up(&*filter, turn, all);
            let now = std::iter::once(inserted).chain(answers);
            if rows.is_empty() {
                rows.extend(now);
                continue;
            }
            for (row, now) in rows.iter_mut().zip(now) {
                row.operations += now.operations;
                row.ns_per_key += now.ns_per_key;
                row.false_negatives += now.false_negatives;
            }
        }
        Ok(rows)
    }

    /// Inserts the keys.
    fn insert(&self, filter: &dyn Shared, turn: Turn<'_>, keys: Span) -> TimingRow {
        let threads = turn.threads as usize;
        let (_, ns) = at_once(threads, |thread| {
            filter.insert(thread, turn.way, &self.part(thread, threads, keys))
        });
        self.row(turn, "insert", keys, ns)
    }

    /// Looks up members, and as many non-members.
    fn look_up(&self, filter: &dyn Shared, turn: Turn<'_>, members: Span) -> Vec<TimingRow> {
        let threads = turn.threads as usize;
        let look_up = |keys| {
            at_once(threads, |thread| {
                filter.look_up(turn.way, &self.part(thread, threads, keys))
            })
        };
        let others = Span {
            from: NON_MEMBERS + (u64::from(turn.repetition) << 32),
            ..members
        };
        let warm = Span {
            count: members.count / 8,
            ..members
        };
        look_up(warm);
        let (hits, hit) = look_up(members);
        let (_, miss) = look_up(others);
        vec![
            TimingRow {
                false_negatives: members.count - hits,
                ..self.row(turn, "hit", members, hit)
            },
            self.row(turn, "miss", others, miss),
        ]
    }

    /// A row with the total time of all keys in `ns_per_key`; the caller divides it by their
    /// number.
    fn row(&self, turn: Turn<'_>, operation: &str, keys: Span, ns: f64) -> TimingRow {
        let subject = &turn.sharing.subject.subject;
        TimingRow {
            threads: turn.threads,
            repetition: turn.repetition,
            operations: keys.count,
            ns_per_key: ns,
            clock: Clock::Wall,
            ..self.column.row(subject, turn.way, operation)
        }
    }

    /// Emits the rows of a turn; their times, which are totals, are divided by the number of keys.
    fn emit(
        &self,
        turn: Turn<'_>,
        measured: Result<Vec<TimingRow>, String>,
        dry: [[f64; 2]; 2],
        emit: &mut Emit<'_>,
    ) -> Result<()> {
        let [dry_members, dry_others] = dry[usize::from(turn.threads > 1)];
        let failed = |error| TimingRow {
            error,
            ..self.row(turn, "", self.members(0, u64::MAX), 0.0)
        };
        let rows = measured.unwrap_or_else(|error| vec![failed(error)]);
        rows.into_iter().try_for_each(|row| {
            emit(TimingRow {
                ns_per_key: row.ns_per_key / row.operations as f64,
                dry_run_ns_per_key: match row.operation.as_str() {
                    "miss" => dry_others,
                    _ => dry_members,
                },
                ..row
            })
        })
    }

    /// The part of these keys that a thread gets.
    fn part(&self, thread: usize, threads: usize, keys: Span) -> Stream {
        let cut = |at: usize| (u128::from(keys.count) * at as u128 / threads as u128) as u64;
        Stream {
            seed: self.seed,
            from: keys.from + cut(thread),
            count: cut(thread + 1) - cut(thread),
            end: u64::MAX,
            mixed: None,
        }
    }

    /// The time per key for making the keys alone, by the number of threads, for members and for
    /// non-members.
    fn dry_of(&self, keys: Span) -> [[f64; 2]; 2] {
        let count = keys.count.max(self.inserted);
        THREADS.map(|threads| [0, NON_MEMBERS].map(|from| self.dry(threads, Span { from, count })))
    }

    fn dry(&self, threads: u32, keys: Span) -> f64 {
        let threads = threads as usize;
        let make = |thread| dry_run(self.column.kind, false, &self.part(thread, threads, keys));
        at_once(threads, make);
        middle_of_three(|| at_once(threads, make).1) / keys.count as f64
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
