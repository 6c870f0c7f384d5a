//! Inserts keys into filters and records time and memory.

use anyhow::{Context, Result};

use super::{GridRun, Runner};
use crate::speed::{BenchLoop, clock::timed};
use bouquet_record::Way;

impl GridRun<'_> {
    /// Fills new filters, equally many in each way, and keeps the last.
    pub(super) fn fill_whole(
        &self,
        runner: &mut Runner<'_>,
        repetition: u32,
    ) -> Result<Vec<Filling>> {
        let capacity = self.column.capacity;
        let fillings = match self.filled_once() {
            true => 1,
            false => self.effort.inserted.div_ceil(capacity),
        };
        let mut done: Vec<Filling> = Vec::new();
        for turn in 0.. {
            let ways = match &runner.bench_loop {
                Some(bench_loop) => bench_loop.ways(),
                None => self.fresh(runner)?.ways(),
            };
            if turn >= fillings * ways.len() as u64 {
                break;
            }
            let way = ways[((turn + u64::from(repetition)) % ways.len() as u64) as usize];
            runner.bench_loop = None;
            let (filled, bytes) = grown(|| -> Result<_> {
                let mut bench_loop = self.fresh(runner)?;
                let (accepted, ns) = timed(|| {
                    let accepted = bench_loop.insert(way, &self.members(repetition, 0, capacity));
                    bench_loop.finish().map(|()| accepted)
                });
                Ok((accepted?, ns, bench_loop))
            });
            let (accepted, ns, bench_loop) = filled?;
            runner.allocated = allocated(&*bench_loop, bytes);
            runner.bench_loop = Some(bench_loop);
            runner.rejected = capacity - accepted;
            Filling::add(&mut done, way, [capacity, accepted], ns);
        }
        Ok(done)
    }

    /// Inserts the next part of the keys into the one filter. Each way inserts equally many keys,
    /// first in one order of the ways and then in the reverse order, so that the filter is equally
    /// full on average.
    pub(super) fn fill_a_part(
        &self,
        runner: &mut Runner<'_>,
        repetition: u32,
    ) -> Result<Vec<Filling>> {
        let mut bytes = runner.allocated.unwrap_or(0) as i64;
        if repetition == 0 {
            let (bench_loop, made) = grown(|| self.fresh(runner));
            (runner.bench_loop, bytes) = (Some(bench_loop?), made);
        }
        let bench_loop = runner.bench_loop.as_mut().context("it was not made")?;
        let part = self.inserted_at_once();
        let mut from = part * u64::from(repetition);
        let is_last = repetition + 1 == self.effort.repetitions;
        let end = if is_last {
            self.column.capacity
        } else {
            from + part
        };
        let ways = bench_loop.ways();
        let turns = ways.iter().chain(ways.iter().rev());
        let mut done = Vec::new();
        for (left, way) in (1..=2 * ways.len() as u64).rev().zip(turns) {
            let keys = (end - from) / left;
            let stream = self.members(repetition, from, keys);
            let ((accepted, ns), more) = grown(|| timed(|| bench_loop.insert(*way, &stream)));
            bytes += more;
            from += keys;
            runner.rejected += keys - accepted;
            Filling::add(&mut done, *way, [keys, accepted], ns);
        }
        runner.allocated = allocated(&**bench_loop, bytes);
        Ok(done)
    }

    fn fresh(&self, runner: &Runner<'_>) -> Result<Box<dyn BenchLoop>> {
        let of = self.column;
        let make = runner.contestant.make_loop.as_ref();
        make.context("it is not timed")?(of.kind, of.capacity, of.target_fpr)
    }
}

/// The keys that were inserted in one way in one repetition.
pub struct Filling {
    pub way: Way,
    pub keys: u64,
    pub accepted: u64,
    pub ns: f64,
}

impl Filling {
    /// Adds these numbers to the earlier ones of the same way.
    fn add(all: &mut Vec<Self>, way: Way, [keys, accepted]: [u64; 2], ns: f64) {
        match all.iter_mut().find(|other| other.way == way) {
            Some(other) => {
                other.keys += keys;
                other.accepted += accepted;
                other.ns += ns;
            }
            None => all.push(Self {
                way,
                keys,
                accepted,
                ns,
            }),
        }
    }
}

/// The allocated memory: counted by the allocator or, if that is not compiled in, reported by the
/// filter.
fn allocated(bench_loop: &dyn BenchLoop, counted: i64) -> Option<u64> {
    match cfg!(feature = "peers") {
        true => Some(counted.max(0) as u64),
        false => bench_loop.bytes().map(|bytes| bytes.allocated),
    }
}

/// The result of `work`, and the growth of the heap in bytes; 0 if no counting allocator is
/// compiled in. A panic is caught and resumed outside, so that counting ends properly.
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
