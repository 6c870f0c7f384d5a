//! One column of the grid: all filters with one kind of key, one capacity and one target FPR.

mod fill;

use anyhow::Result;

use self::fill::Filling;
use super::{
    clock::{middle_of_three, timed},
    definition::{Column, Effort},
    roofline::Roofline,
};
use crate::cells::guarded;
use crate::registry::Entry;
use crate::workload::{mix, shuffle};
use bouquet_catalogue::{BenchLoop, Family, Mixed, NON_MEMBERS, Stream, dry_run};
use bouquet_record::interrupt::go_on;
use bouquet_record::{TimingRow, Way};

/// From this capacity on, a filter is filled only once: each repetition inserts a part of its keys.
pub const FILLED_ONCE_FROM: u64 = 10_000_000;

/// The keys that are looked up in a full filter.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    Members,
    Others,
    Both,
}

/// The lookups in a full filter: the name of the operation, the keys, and whether each lookup
/// depends on the answer before, which measures latency.
const REQUESTS: [(&str, Asked, bool); 6] = [
    ("hit", Asked::Members, false),
    ("miss", Asked::Others, false),
    ("half", Asked::Both, false),
    ("hit in turn", Asked::Members, true),
    ("miss in turn", Asked::Others, true),
    ("half in turn", Asked::Both, true),
];

type Emit<'a> = dyn FnMut(TimingRow) -> Result<()> + 'a;

pub struct GridRun<'a> {
    pub column: Column,
    pub contestants: Vec<&'a Entry>,
    pub effort: Effort,
    pub seed: u64,
}

/// The state of one filter during the run.
struct Runner<'a> {
    contestant: &'a Entry,
    bench_loop: Option<Box<dyn BenchLoop>>,
    /// Number of keys that the current filter rejected. Which keys they were is not recorded.
    rejected: u64,
    allocated: Option<u64>,
    /// The error because of which the filter is left out; empty if there is none.
    error: String,
}

impl<'a> GridRun<'a> {
    /// Measures all filters interleaved, in a new random order for each repetition, so that changes
    /// of the machine's speed affect all alike.
    ///
    /// Fails if it is interrupted, or if a row cannot be taken.
    pub fn run(&self, emit: &mut Emit<'_>) -> Result<()> {
        let runner = |contestant: &&'a Entry| Runner {
            contestant,
            bench_loop: None,
            rejected: 0,
            allocated: None,
            error: String::new(),
        };
        let mut runners: Vec<_> = self.contestants.iter().map(runner).collect();
        let mut roofline = Roofline::new(self.column, self.effort.asked)?;
        for repetition in 0..self.effort.repetitions {
            self.insert_all(&mut runners, repetition, emit)?;
            if !self.filled_once() {
                self.look_up_all(&mut runners, &mut roofline, repetition, emit)?;
            }
        }
        if self.filled_once() {
            for repetition in 0..self.effort.repetitions {
                self.look_up_all(&mut runners, &mut roofline, repetition, emit)?;
            }
        }
        Ok(())
    }

    fn insert_all(
        &self,
        runners: &mut [Runner<'_>],
        repetition: u32,
        emit: &mut Emit<'_>,
    ) -> Result<()> {
        let members = self.members(repetition, 0, self.inserted_at_once());
        let dry = self.dry(false, &members);
        for at in self.order(repetition, runners.len()) {
            go_on()?;
            let rows = self.insert(&mut runners[at], dry, repetition);
            rows.into_iter().try_for_each(&mut *emit)?;
        }
        Ok(())
    }

    fn look_up_all(
        &self,
        runners: &mut [Runner<'_>],
        roofline: &mut Roofline,
        repetition: u32,
        emit: &mut Emit<'_>,
    ) -> Result<()> {
        let dry = REQUESTS
            .map(|(_, asked, in_turn)| self.dry(in_turn, &self.stream(asked, repetition, 0)));
        roofline.measure(repetition, &mut *emit)?;
        for at in self.order(repetition, runners.len()) {
            for (request, dry) in REQUESTS.into_iter().zip(dry) {
                go_on()?;
                let rows = self.look_up(&mut runners[at], request, dry, repetition);
                rows.into_iter().try_for_each(&mut *emit)?;
            }
        }
        Ok(())
    }

    /// A random permutation of the numbers below `many`.
    fn order(&self, repetition: u32, many: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..many).collect();
        shuffle(&mut order, self.seed ^ u64::from(repetition));
        order
    }

    /// The time per key for making the keys alone.
    fn dry(&self, in_turn: bool, stream: &Stream) -> f64 {
        let kind = self.column.kind;
        dry_run(kind, in_turn, &stream.warm());
        middle_of_three(|| timed(|| dry_run(kind, in_turn, stream)).1) / stream.count as f64
    }

    /// The members of a repetition. If each repetition fills its own filters, the keys differ
    /// between repetitions, so that the FPR is an average over many filters.
    fn members(&self, repetition: u32, from: u64, count: u64) -> Stream {
        let draw = if self.filled_once() { 0 } else { repetition };
        Stream {
            seed: mix(self.seed ^ u64::from(draw)),
            from,
            count,
            end: self.column.capacity,
            mixed: None,
        }
    }

    /// The keys of a lookup pass. Every pass has other non-members and another random mix, because
    /// a processor remembers thousands of branches.
    fn stream(&self, asked: Asked, repetition: u32, pass: u64) -> Stream {
        let pass = u64::from(repetition) * 16 + pass;
        let word = mix(self.seed ^ mix(pass));
        let members = self.members(repetition, word % self.column.capacity, self.effort.asked);
        match asked {
            Asked::Members => members,
            Asked::Others => Stream {
                from: NON_MEMBERS + (pass << 32),
                end: u64::MAX,
                ..members
            },
            Asked::Both => Stream {
                mixed: Some(Mixed {
                    coins: mix(word),
                    away: (1 << 62) + (pass << 32),
                }),
                ..members
            },
        }
    }

    fn inserted_at_once(&self) -> u64 {
        let parts = if self.filled_once() {
            self.effort.repetitions
        } else {
            1
        };
        self.column.capacity / u64::from(parts)
    }

    fn filled_once(&self) -> bool {
        self.column.capacity >= FILLED_ONCE_FROM
    }

    fn insert(&self, runner: &mut Runner<'_>, dry: f64, repetition: u32) -> Vec<TimingRow> {
        let is_static = runner.contestant.family == Family::Static;
        if !runner.error.is_empty() || (is_static && self.filled_once() && repetition > 0) {
            return Vec::new();
        }
        let done = guarded(|| match self.filled_once() && !is_static {
            true => self.fill_a_part(runner, repetition),
            false => self.fill_whole(runner, repetition),
        });
        let row = |filling: Filling| TimingRow {
            operations: filling.keys,
            ns_per_key: filling.ns / filling.keys as f64,
            rejected: filling.keys - filling.accepted,
            ..self.row(runner, filling.way, "insert", repetition, dry)
        };
        match done {
            Ok(fillings) => fillings.into_iter().map(row).collect(),
            Err(error) => vec![self.failed(runner, "insert", error, repetition)],
        }
    }

    fn look_up(
        &self,
        runner: &mut Runner<'_>,
        (operation, whom, in_turn): (&str, Asked, bool),
        dry: f64,
        repetition: u32,
    ) -> Vec<TimingRow> {
        let mut rows = Vec::new();
        let Some(bench_loop) = &runner.bench_loop else {
            return rows;
        };
        let mut ways = bench_loop.ways().to_vec();
        if in_turn {
            ways = vec![Way::Single];
        } else if repetition % 2 == 1 {
            ways.reverse();
        }
        let run = |way, stream: &Stream| match in_turn {
            true => bench_loop.look_up_in_turn(stream),
            false => bench_loop.look_up(way, stream),
        };
        let asked = self.effort.asked;
        for (pass, way) in (0..).zip(ways) {
            let done = guarded(|| {
                run(way, &self.stream(whom, repetition, 2 * pass + 1).warm());
                let stream = self.stream(whom, repetition, 2 * pass);
                Ok(timed(|| run(way, &stream)))
            });
            let (found, ns) = match done {
                Ok(done) => done,
                Err(error) => {
                    rows.push(self.failed(runner, operation, error, repetition));
                    break;
                }
            };
            // A rejected key need not be present, and it is not recorded which keys were rejected.
            let must_find_all = whom == Asked::Members && runner.rejected == 0;
            rows.push(TimingRow {
                operations: asked,
                ns_per_key: ns / asked as f64,
                false_negatives: if must_find_all { asked - found } else { 0 },
                false_positives: if whom == Asked::Others { found } else { 0 },
                ..self.row(runner, way, operation, repetition, dry)
            });
        }
        rows
    }

    /// Records the error; the filter is left out from here on.
    fn failed(
        &self,
        runner: &mut Runner<'_>,
        operation: &str,
        error: String,
        repetition: u32,
    ) -> TimingRow {
        runner.error = error;
        runner.bench_loop = None;
        self.row(runner, Way::Single, operation, repetition, 0.0)
    }

    fn row(
        &self,
        runner: &Runner<'_>,
        way: Way,
        operation: &str,
        repetition: u32,
        dry: f64,
    ) -> TimingRow {
        TimingRow {
            repetition,
            dry_run_ns_per_key: dry,
            bytes: runner.allocated,
            error: runner.error.clone(),
            ..self.column.row(runner.contestant.name, way, operation)
        }
    }
}

#[cfg(test)]
mod tests;
