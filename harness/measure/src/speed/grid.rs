//! Measures one column: all filters with one kind of key, one capacity and one target FPR.

use anyhow::{Context, Result};

use super::{
    definition::{Column, Effort},
    middle_of_three,
    roofline::Roofline,
    timed,
};
use crate::cells::guarded;
use crate::registry::Entry;
use crate::workload::{mix, shuffle};
use bouquet_catalogue::{BenchLoop, Family, Mixed, NON_MEMBERS, Stream, dry_run};
use bouquet_record::groups::grouped;
use bouquet_record::{DROPPED, TimingRow, Way};

/// From this capacity on, a filter is filled only once: each repetition inserts a part of its keys.
pub const FILLED_ONCE_FROM: u64 = 10_000_000;

/// The keys that are looked up in a full filter.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    Members,
    Others,
    Both,
}

/// The lookups in a full filter: the name of the operation, the keys to look up, and whether each
/// lookup depends on the previous answer, which measures latency.
const REQUESTS: [(&str, Asked, bool); 6] = [
    ("hit", Asked::Members, false),
    ("miss", Asked::Others, false),
    ("half", Asked::Both, false),
    ("hit in turn", Asked::Members, true),
    ("miss in turn", Asked::Others, true),
    ("half in turn", Asked::Both, true),
];

pub struct GridRun<'a> {
    pub column: Column,
    pub contestants: Vec<&'a Entry>,
    pub effort: Effort,
    pub seed: u64,
}

/// The state of one filter during the run.
struct Runner<'a> {
    of: &'a GridRun<'a>,
    contestant: &'a Entry,
    bench_loop: Option<Box<dyn BenchLoop>>,
    /// The number of keys that the current filter rejected; it is not known which keys.
    rejected: u64,
    allocated: Option<u64>,
    /// The error because of which the filter is left out; empty if there is none.
    error: String,
}

/// A way to insert, and the operation's name in the records.
type Calls = (Way, &'static str);

/// One timed fill of a filter: by which calls, the number of keys, how many were accepted, and the
/// time in ns.
type Filling = (Calls, u64, u64, f64);

impl GridRun<'_> {
    /// Measures all filters interleaved, in a new random order for each repetition, so that changes
    /// of the machine's speed affect all alike.
    ///
    /// Fails if `emit` does.
    pub fn run(&self, emit: &mut dyn FnMut(TimingRow) -> Result<()>) -> Result<()> {
        let runner = |contestant| Runner {
            of: self,
            contestant,
            bench_loop: None,
            rejected: 0,
            allocated: None,
            error: String::new(),
        };
        let mut runners: Vec<_> = self.contestants.iter().copied().map(runner).collect();
        let roofline = Roofline::new(self.column, self.effort.asked)?;
        let repetitions = self.effort.repetitions;
        // A filter that is filled only once is full only at the end, so lookups come last.
        let mut rounds: Vec<_> = (0..repetitions)
            .flat_map(|at| [(at, true), (at, false)])
            .collect();
        if self.filled_once() {
            rounds.sort_by_key(|(_, is_insert)| !is_insert);
        }
        for (repetition, is_insert) in rounds {
            let mut order: Vec<usize> = (0..runners.len()).collect();
            shuffle(&mut order, self.seed ^ u64::from(repetition));
            if is_insert {
                let parts = if self.filled_once() { repetitions } else { 1 };
                let count = self.column.capacity / u64::from(parts);
                let dry = self.dry(false, &self.members(repetition, 0, count));
                for at in order {
                    let rows = runners[at].insert(dry, repetition);
                    rows.into_iter().try_for_each(&mut *emit)?;
                }
                continue;
            }
            let dry = REQUESTS
                .map(|(_, asked, in_turn)| self.dry(in_turn, &self.stream(asked, repetition, 0)));
            roofline.measure(repetition, &mut *emit)?;
            for at in order {
                runners[at].warm_up(repetition);
                for (request, dry) in REQUESTS.into_iter().zip(dry) {
                    let rows = runners[at].look_up(request, dry, repetition);
                    rows.into_iter().try_for_each(&mut *emit)?;
                }
            }
        }
        Ok(())
    }

    /// The time per key to generate the keys, without a filter.
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

    /// The keys of a lookup pass. Every pass has other non-members and mixes them with members in
    /// another random order; otherwise branch prediction would profit from the previous pass.
    fn stream(&self, asked: Asked, repetition: u32, pass: u64) -> Stream {
        let pass = u64::from(repetition) * 16 + pass;
        let word = mix(self.seed ^ mix(pass));
        let mut stream = self.members(repetition, word % self.column.capacity, self.effort.asked);
        match asked {
            Asked::Members => {}
            Asked::Others => {
                (stream.from, stream.end) = (NON_MEMBERS + (pass << 32), u64::MAX);
            }
            Asked::Both => {
                let away = (1 << 62) + (pass << 32);
                let coins = mix(word);
                stream.mixed = Some(Mixed { coins, away });
            }
        }
        stream
    }

    fn filled_once(&self) -> bool {
        self.column.capacity >= FILLED_ONCE_FROM
    }
}

impl Runner<'_> {
    fn insert(&mut self, dry: f64, repetition: u32) -> Vec<TimingRow> {
        let is_full = self.is_static() && self.of.filled_once() && repetition > 0;
        if !self.error.is_empty() || is_full {
            return Vec::new();
        }
        let done = guarded(|| self.fill(repetition));
        let row = |((way, operation), own): (Calls, Vec<Filling>)| {
            let keys: u64 = own.iter().map(|(_, keys, ..)| keys).sum();
            let accepted: u64 = own.iter().map(|(.., accepted, _)| accepted).sum();
            TimingRow {
                operations: keys,
                ns_per_key: own.iter().map(|(.., ns)| ns).sum::<f64>() / keys as f64,
                rejected: keys - accepted,
                ..self.row(way, operation, repetition, dry)
            }
        };
        match done {
            Ok(done) => grouped(done, |one| one.0).into_iter().map(row).collect(),
            Err(error) => vec![self.failed("insert", error, repetition)],
        }
    }

    fn is_static(&self) -> bool {
        self.contestant.family == Family::Static
    }

    /// The ranges of keys to insert in a repetition, each by single calls or in batches. A range
    /// that begins with key 0 is inserted into a new filter.
    fn turns(&self, repetition: u32, ways: &[Calls]) -> Vec<(Calls, u64, u64)> {
        let (of, many) = (self.of, ways.len() as u64);
        let Column { capacity, .. } = of.column;
        if of.filled_once() && !self.is_static() {
            // All ways take turns and insert equally many keys. Their order is then
            // reversed, so that the filter is on average equally full for both.
            let turns = u64::from(of.effort.repetitions) * 2 * many;
            let first = u64::from(repetition) * 2 * many;
            let cut = move |turn| capacity * (first + turn) / turns;
            let ways = ways.iter().chain(ways.iter().rev());
            let turns = (0..).zip(ways);
            return turns
                .map(|(turn, way)| (*way, cut(turn), cut(turn + 1)))
                .collect();
        }
        // Fills new filters, as many in each way; keeps the last for lookups.
        let fillings = match of.filled_once() {
            true => 1,
            false => of.effort.inserted.div_ceil(capacity),
        };
        let way = |turn| ways[((turn + u64::from(repetition)) % many) as usize];
        (0..fillings * many)
            .map(|turn| (way(turn), 0, capacity))
            .collect()
    }

    fn fill(&mut self, repetition: u32) -> Result<Vec<Filling>> {
        let ways = match &self.bench_loop {
            Some(bench_loop) => bench_loop.ways(),
            None => self.fresh()?.ways(),
        };
        let mut calls: Vec<Calls> = ways.iter().map(|way| (*way, "insert")).collect();
        if !self.is_static() {
            calls.push((Way::Single, DROPPED));
        }
        let mut done = Vec::new();
        for (calls, from, end) in self.turns(repetition, &calls) {
            if from == 0 {
                (self.bench_loop, self.rejected, self.allocated) = (None, 0, None);
            }
            let members = self.of.members(repetition, from, end - from);
            let made = self.bench_loop.take();
            let (filled, bytes) = grown(|| -> Result<_> {
                let mut bench_loop = made.map_or_else(|| self.fresh(), Ok)?;
                let (accepted, ns) = timed(|| {
                    let accepted = match calls {
                        (_, DROPPED) => bench_loop.insert_dropped(&members),
                        (way, _) => bench_loop.insert(way, &members),
                    };
                    bench_loop.finish().map(|()| accepted)
                });
                Ok((accepted?, ns, bench_loop))
            });
            let (accepted, ns, bench_loop) = filled?;
            // The allocator counts the bytes or, if it is not compiled in, the filter reports them.
            self.allocated = match cfg!(feature = "peers") {
                true => self.allocated.unwrap_or(0).checked_add_signed(bytes),
                false => bench_loop.bytes().map(|bytes| bytes.allocated),
            };
            self.bench_loop = Some(bench_loop);
            self.rejected += end - from - accepted;
            done.push((calls, end - from, accepted, ns));
        }
        Ok(done)
    }

    fn fresh(&self) -> Result<Box<dyn BenchLoop>> {
        let of = self.of.column;
        let make = self.contestant.make_loop.as_ref();
        make.context("it is not timed")?(of.kind, of.capacity, of.target_fpr)
    }

    /// Brings the filter into the caches that it fits into, from which other filters have displaced
    /// it; else only the first lookups would find it outside.
    fn warm_up(&self, repetition: u32) {
        let stream = self.of.stream(Asked::Others, repetition, 15);
        let bench_loop = self.bench_loop.as_ref();
        // A panic comes again in the lookups that are recorded.
        let _ = guarded(|| Ok(bench_loop.map(|one| one.look_up(Way::Single, &stream))));
    }

    fn look_up(
        &mut self,
        (operation, whom, in_turn): (&str, Asked, bool),
        dry: f64,
        repetition: u32,
    ) -> Vec<TimingRow> {
        let Some(bench_loop) = &self.bench_loop else {
            return Vec::new();
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
        let asked = self.of.effort.asked;
        let row = |(pass, way)| {
            run(way, &self.of.stream(whom, repetition, 2 * pass + 1).warm());
            let stream = self.of.stream(whom, repetition, 2 * pass);
            let (found, ns) = timed(|| run(way, &stream));
            // If keys were rejected, false negatives cannot be counted: it is not known which keys.
            let must_find_all = whom == Asked::Members && self.rejected == 0;
            TimingRow {
                operations: asked,
                ns_per_key: ns / asked as f64,
                false_negatives: if must_find_all { asked - found } else { 0 },
                false_positives: if whom == Asked::Others { found } else { 0 },
                ..self.row(way, operation, repetition, dry)
            }
        };
        let rows = guarded(|| Ok((0_u64..).zip(ways).map(row).collect()));
        rows.unwrap_or_else(|error| vec![self.failed(operation, error, repetition)])
    }

    /// Records the error; the filter is left out from here on.
    fn failed(&mut self, operation: &str, error: String, repetition: u32) -> TimingRow {
        self.error = error;
        self.bench_loop = None;
        self.row(Way::Single, operation, repetition, 0.0)
    }

    fn row(&self, way: Way, operation: &str, repetition: u32, dry: f64) -> TimingRow {
        TimingRow {
            repetition,
            dry_run_ns_per_key: dry,
            bytes: self.allocated,
            error: self.error.clone(),
            ..self.of.column.row(self.contestant.name, way, operation)
        }
    }
}

/// The result of `work`, and the growth of the heap in bytes; 0 if no counting allocator is
/// compiled in. A panic of `work` is caught, and resumed after the counting has ended.
fn grown<T>(work: impl FnOnce() -> T) -> (T, i64) {
    #[cfg(feature = "peers")]
    {
        use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
        let mut made = None;
        let info =
            allocation_counter::measure(|| made = Some(catch_unwind(AssertUnwindSafe(work))));
        match made {
            Some(Ok(made)) => (made, info.bytes_current),
            Some(Err(panic)) => resume_unwind(panic),
            None => unreachable!("what is measured is run"),
        }
    }
    #[cfg(not(feature = "peers"))]
    (work(), 0)
}

#[cfg(test)]
mod tests;
