//! One filter shared by threads: the time on the wall of all together.

use std::{sync::Barrier, thread, time::Instant};

use anyhow::Result;

use super::{
    bench_loop::dry_run,
    clock::middle_of_three,
    definition::Column,
    grid::FILLED_ONCE_FROM,
    keys::{NON_MEMBERS, Stream},
};
use crate::measure::guarded;
use crate::workload::mix;
use bouquet_ground::interrupt::go_on;
use bouquet_ground::record::{Clock, SubjectRow, TimingRow, Way};

/// A filter, or several, that threads fill and ask at the same time.
pub trait Shared: Send + Sync {
    /// How many were answered with `true`. The threads are numbered from 0.
    ///
    /// Counted, as of filters alone: an atomic write whose answer nobody reads is another
    /// instruction, and faster.
    fn insert(&self, thread: usize, way: Way, stream: &Stream) -> u64;
    /// All threads are done inserting.
    fn gather(&mut self) -> Result<()> {
        Ok(())
    }
    /// How many may be present.
    fn look_up(&self, way: Way, stream: &Stream) -> u64;
}

/// A way to share a filter.
pub struct Sharing {
    pub subject: SubjectRow,
    pub ways: &'static [Way],
    /// All threads share one filter, and not one lock.
    pub is_one: bool,
    pub make: MakeShared,
}

/// Makes it for a capacity, a target FPR and so many threads.
pub type MakeShared = Box<dyn Fn(u64, f64, usize) -> Result<Box<dyn Shared>> + Send + Sync>;

/// Threads that share a filter.
const THREADS: [u32; 2] = [1, 2];

pub struct SharedRun<'a> {
    pub column: Column,
    pub sharings: Vec<&'a Sharing>,
    pub repetitions: u32,
    /// Keys that are inserted at least in one repetition: of small filters several are
    /// filled one after the other, or the start of a thread would be most of the time.
    pub inserted: u64,
    /// Keys that a filter is asked for which is filled once.
    pub asked: u64,
    pub seed: u64,
}

type Emit<'a> = dyn FnMut(TimingRow) -> Result<()> + 'a;

/// A filter, given its keys one way by so many threads.
#[derive(Clone, Copy)]
struct Turn<'a> {
    sharing: &'a Sharing,
    way: Way,
    threads: u32,
    repetition: u32,
}

/// Keys by their indexes, which threads divide among them.
#[derive(Clone, Copy)]
struct Span {
    from: u64,
    count: u64,
}

impl SharedRun<'_> {
    /// Measures all ways in turn, one thread and two within each repetition.
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

    /// Each filter is filled once, every repetition and way a part of it, and then asked.
    /// What gives each thread a filter of its own has no part in it.
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

    /// Keys that go into the one filter at once.
    fn part_of(&self, sharing: &Sharing) -> u64 {
        let turns = sharing.ways.len() * THREADS.len();
        self.column.capacity / (u64::from(self.repetitions) * turns as u64)
    }

    /// So many at most.
    fn members(&self, from: u64, count: u64) -> Span {
        let count = count.min(self.column.capacity - from);
        Span { from, count }
    }

    /// All ways of these, in a new random order for each repetition.
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

    /// Puts keys in.
    fn insert(&self, filter: &dyn Shared, turn: Turn<'_>, keys: Span) -> TimingRow {
        let threads = turn.threads as usize;
        let (_, ns) = at_once(threads, |thread| {
            filter.insert(thread, turn.way, &self.part(thread, threads, keys))
        });
        self.row(turn, "insert", keys, ns)
    }

    /// Asks for members and for as many others.
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

    /// A row that has the time of all keys, to be divided.
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

    /// Takes what a turn gave, whose times are of all keys together.
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

    /// A thread's part of these keys.
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

    /// The making of keys alone, a key: by threads, of members and of others.
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
mod tests;
