//! Keys are put in, and what it takes is noted.

use anyhow::{Result, bail};

use super::{GridRun, Runner};
use crate::registry::Contestant;
use crate::speed::{BenchLoop, clock::timed, counted::counted};
use bouquet_ground::record::Way;

impl GridRun<'_> {
    /// Fills fresh filters, each way as many, and keeps the last.
    pub(super) fn fill_whole(
        &self,
        runner: &mut Runner<'_>,
        repetition: u32,
    ) -> Result<Vec<Filling>> {
        let capacity = self.column.capacity;
        let fillings = if self.filled_once() {
            1
        } else {
            self.effort.inserted.div_ceil(capacity)
        };
        let mut done: Vec<Filling> = Vec::new();
        for turn in 0.. {
            let ways = match &runner.bench_loop {
                Some(bench_loop) => bench_loop.ways(),
                None => self.fresh(runner)?.ways(),
            };
            if turn >= fillings * ways.len() as u64 {
                return Ok(done);
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
            runner.allocated = self.allocated(runner.contestant, bytes)?;
            runner.bench_loop = Some(bench_loop);
            runner.rejected = capacity - accepted;
            Filling::add(&mut done, way, [capacity, accepted], ns);
        }
        Ok(done)
    }

    /// Puts the next part of the keys into the one filter: each way as many, in
    /// the order there and back, so that all meet it equally full.
    pub(super) fn fill_a_part(
        &self,
        runner: &mut Runner<'_>,
        repetition: u32,
    ) -> Result<Vec<Filling>> {
        let mut bytes = 0;
        if repetition == 0 {
            let (bench_loop, made) = grown(|| self.fresh(runner));
            (runner.bench_loop, bytes) = (Some(bench_loop?), made);
        }
        let Some(bench_loop) = &mut runner.bench_loop else {
            bail!("it was not made");
        };
        let part = self.inserted_at_once();
        let mut from = part * u64::from(repetition);
        let is_last = repetition + 1 == self.effort.repetitions;
        let end = if is_last {
            self.column.capacity
        } else {
            from + part
        };
        let turns: Vec<Way> = bench_loop
            .ways()
            .iter()
            .chain(bench_loop.ways().iter().rev())
            .copied()
            .collect();
        let mut done = Vec::new();
        for (turn, way) in turns.iter().enumerate() {
            let keys = (end - from) / (turns.len() - turn) as u64;
            let stream = self.members(repetition, from, keys);
            let ((accepted, ns), more) = grown(|| timed(|| bench_loop.insert(*way, &stream)));
            bytes += more;
            from += keys;
            runner.rejected += keys - accepted;
            Filling::add(&mut done, *way, [keys, accepted], ns);
        }
        let before = runner.allocated.unwrap_or(0) as i64;
        runner.allocated = self.allocated(runner.contestant, before + bytes)?;
        Ok(done)
    }

    fn fresh(&self, runner: &Runner<'_>) -> Result<Box<dyn BenchLoop>> {
        let of = self.column;
        (runner.contestant.make)(of.kind, of.capacity, of.target_fpr)
    }

    /// What the allocator counted; the filter's own word where none does.
    fn allocated(&self, contestant: &Contestant, counted: i64) -> Result<Option<u64>> {
        if cfg!(feature = "peers") {
            return Ok(Some(counted.max(0) as u64));
        }
        let of = self.column;
        let bytes_of = contestant.memory_bytes;
        bytes_of
            .map(|bytes_of| bytes_of(of.capacity, of.target_fpr))
            .transpose()
    }
}

/// Keys that were put in one way, in one repetition.
pub struct Filling {
    pub way: Way,
    pub keys: u64,
    pub accepted: u64,
    pub ns: f64,
}

impl Filling {
    /// Adds it to what was done that way before.
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

/// By how much the heap has grown; 0 where nobody counts.
fn grown<T>(work: impl FnOnce() -> T) -> (T, i64) {
    let (made, bytes) = counted(work);
    (made, bytes.unwrap_or(0))
}
