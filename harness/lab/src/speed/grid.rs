//! One column of the grid: all filters on one kind of key, for one capacity and
//! target.

use anyhow::{Result, bail};

use super::{
    clock::{middle_of_three, timed},
    counted::counted,
    keys::{Kind, Mixed, STRANGERS, Stream},
    lane::{Lane, Way, dry_run},
    roofline::Roofline,
};
use crate::measure::guarded;
use crate::registry::Racer;
use crate::workload::mix;
use bouquet_ground::record::{RooflineRow, SpeedRow};
use bouquet_ground::staging::go_on;

/// From so many keys on a filter is filled once: each repetition puts in a part
/// of its keys.
const FILLED_ONCE_FROM: u64 = 10_000_000;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Column {
    pub kind: Kind,
    pub capacity: u64,
    pub target_fpr: f64,
}

/// How much is done for a figure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    pub repetitions: u32,
    /// The least of keys that are inserted in one repetition: small filters are
    /// filled several times.
    pub inserted: u64,
    /// Keys asked for in one repetition of an operation.
    pub asked: u64,
}

bouquet_ground::named! {
    /// What is asked of a full filter.
    enum Ask {
        Hit = "hit",
        Miss = "miss",
        Half = "half",
    }
}

impl Ask {
    const ALL: [Self; 3] = [Self::Hit, Self::Miss, Self::Half];
}

/// What comes of it, as it comes.
#[derive(Debug)]
pub enum Measured {
    Filter(SpeedRow),
    Roofline(RooflineRow),
}

type Emit<'a> = dyn FnMut(Measured) -> Result<()> + 'a;

/// A repetition, and where its rows go.
struct Turn<'a, 'e> {
    repetition: u32,
    emit: &'a mut Emit<'e>,
}

pub struct Race<'a> {
    pub column: Column,
    pub racers: Vec<&'a Racer>,
    pub effort: Effort,
    pub seed: u64,
}

/// A filter on its way.
struct Runner<'a> {
    racer: &'a Racer,
    lane: Option<Box<dyn Lane>>,
    /// Keys that the filter at hand rejected: which, nobody knows.
    refused: u64,
    allocated: Option<u64>,
    /// Why it is out of the race.
    error: String,
}

impl<'a> Race<'a> {
    /// Measures all filters in turn, in an order drawn anew for each repetition,
    /// so that whatever else changes on the machine meets them alike.
    ///
    /// Fails if it is interrupted, or if a row cannot be taken.
    pub fn run(&self, emit: &mut Emit<'_>) -> Result<()> {
        let runner = |racer: &&'a Racer| Runner {
            racer,
            lane: None,
            refused: 0,
            allocated: None,
            error: String::new(),
        };
        let mut runners: Vec<_> = self.racers.iter().map(runner).collect();
        let mut roofline = Roofline::new(self.column, self.effort.asked)?;
        for repetition in 0..self.effort.repetitions {
            let mut turn = Turn { repetition, emit };
            self.insert_all(&mut runners, &mut turn)?;
            if !self.filled_once() {
                self.ask_all(&mut runners, &mut roofline, &mut turn)?;
            }
        }
        if self.filled_once() {
            for repetition in 0..self.effort.repetitions {
                self.ask_all(&mut runners, &mut roofline, &mut Turn { repetition, emit })?;
            }
        }
        Ok(())
    }

    fn insert_all(&self, runners: &mut [Runner<'_>], turn: &mut Turn<'_, '_>) -> Result<()> {
        let dry = self.dry(&self.members(turn.repetition, 0, self.inserted_at_once()));
        for at in self.order(turn.repetition, runners.len()) {
            go_on()?;
            self.insert(&mut runners[at], dry, turn)?;
        }
        Ok(())
    }

    fn ask_all(
        &self,
        runners: &mut [Runner<'_>],
        roofline: &mut Roofline,
        turn: &mut Turn<'_, '_>,
    ) -> Result<()> {
        let asks = Ask::ALL.map(|ask| (ask, self.dry(&self.stream(ask, turn.repetition, 0))));
        roofline.measure(turn.repetition, |row| (turn.emit)(Measured::Roofline(row)))?;
        for at in self.order(turn.repetition, runners.len()) {
            for (ask, dry) in asks {
                go_on()?;
                self.ask(&mut runners[at], ask, dry, turn)?;
            }
        }
        Ok(())
    }

    /// A permutation of so many, by Fisher and Yates.
    fn order(&self, repetition: u32, many: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..many).collect();
        for last in (1..many).rev() {
            let word = mix(mix(self.seed ^ u64::from(repetition)) ^ last as u64);
            order.swap(last, (word % (last as u64 + 1)) as usize);
        }
        order
    }

    /// The making of keys alone, a key.
    fn dry(&self, stream: &Stream) -> f64 {
        let kind = self.column.kind;
        dry_run(kind, &stream.warm());
        let whole = || timed(|| dry_run(kind, stream)).1;
        middle_of_three(whole) / stream.count as f64
    }

    /// Other keys in every repetition where each fills filters of its own: the FPR
    /// is then that of many filters, and nothing rests on one draw.
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

    /// Other strangers and other coins in every pass: a processor remembers
    /// thousands of branches.
    fn stream(&self, ask: Ask, repetition: u32, pass: u64) -> Stream {
        let pass = u64::from(repetition) * 16 + pass;
        let word = mix(self.seed ^ mix(pass));
        let members = self.members(repetition, word % self.column.capacity, self.effort.asked);
        match ask {
            Ask::Hit => members,
            Ask::Miss => Stream {
                from: STRANGERS + (pass << 32),
                end: u64::MAX,
                ..members
            },
            Ask::Half => Stream {
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

    fn insert(&self, runner: &mut Runner<'_>, dry: f64, turn: &mut Turn<'_, '_>) -> Result<()> {
        let repetition = turn.repetition;
        let is_static = runner.racer.is_static();
        if !runner.error.is_empty() || (is_static && self.filled_once() && repetition > 0) {
            return Ok(());
        }
        let done = guarded(|| match self.filled_once() && !is_static {
            true => self.fill_a_part(runner, repetition),
            false => self.fill_whole(runner, repetition),
        });
        match done {
            Ok(fillings) => fillings.into_iter().try_for_each(|filling| {
                let row = SpeedRow {
                    operations: filling.keys,
                    gross_ns_per_key: filling.ns / filling.keys as f64,
                    refused: filling.keys - filling.accepted,
                    ..self.row(runner, filling.way, "insert", repetition, dry)
                };
                (turn.emit)(Measured::Filter(row))
            }),
            Err(error) => self.fail(runner, "insert", error, turn),
        }
    }

    /// Fills fresh filters, each way as many, and keeps the last.
    fn fill_whole(&self, runner: &mut Runner<'_>, repetition: u32) -> Result<Vec<Filling>> {
        let capacity = self.column.capacity;
        let fillings = if self.filled_once() {
            1
        } else {
            self.effort.inserted.div_ceil(capacity)
        };
        let mut done: Vec<Filling> = Vec::new();
        for turn in 0.. {
            let ways = match &runner.lane {
                Some(lane) => lane.ways(),
                None => self.fresh(runner)?.ways(),
            };
            if turn >= fillings * ways.len() as u64 {
                return Ok(done);
            }
            let way = ways[((turn + u64::from(repetition)) % ways.len() as u64) as usize];
            runner.lane = None;
            let (filled, bytes) = grown(|| -> Result<_> {
                let mut lane = self.fresh(runner)?;
                let (accepted, ns) = timed(|| {
                    let accepted = lane.insert(way, &self.members(repetition, 0, capacity));
                    lane.finish().map(|()| accepted)
                });
                Ok((accepted?, ns, lane))
            });
            let (accepted, ns, lane) = filled?;
            runner.allocated = self.allocated(runner.racer, bytes)?;
            runner.lane = Some(lane);
            runner.refused = capacity - accepted;
            Filling::add(&mut done, way, [capacity, accepted], ns);
        }
        Ok(done)
    }

    /// Puts the next part of the keys into the one filter: each way as many, in
    /// the order there and back, so that all meet it equally full.
    fn fill_a_part(&self, runner: &mut Runner<'_>, repetition: u32) -> Result<Vec<Filling>> {
        let mut bytes = 0;
        if repetition == 0 {
            let (lane, made) = grown(|| self.fresh(runner));
            (runner.lane, bytes) = (Some(lane?), made);
        }
        let Some(lane) = &mut runner.lane else {
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
        let turns: Vec<Way> = lane
            .ways()
            .iter()
            .chain(lane.ways().iter().rev())
            .copied()
            .collect();
        let mut done = Vec::new();
        for (turn, way) in turns.iter().enumerate() {
            let keys = (end - from) / (turns.len() - turn) as u64;
            let stream = self.members(repetition, from, keys);
            let ((accepted, ns), more) = grown(|| timed(|| lane.insert(*way, &stream)));
            bytes += more;
            from += keys;
            runner.refused += keys - accepted;
            Filling::add(&mut done, *way, [keys, accepted], ns);
        }
        let before = runner.allocated.unwrap_or(0) as i64;
        runner.allocated = self.allocated(runner.racer, before + bytes)?;
        Ok(done)
    }

    fn fresh(&self, runner: &Runner<'_>) -> Result<Box<dyn Lane>> {
        let of = self.column;
        (runner.racer.make)(of.kind, of.capacity, of.target_fpr)
    }

    fn ask(
        &self,
        runner: &mut Runner<'_>,
        ask: Ask,
        dry: f64,
        turn: &mut Turn<'_, '_>,
    ) -> Result<()> {
        let repetition = turn.repetition;
        let Some(lane) = runner.lane.as_deref().filter(|_| runner.error.is_empty()) else {
            return Ok(());
        };
        let mut ways: Vec<Way> = lane.ways().to_vec();
        if repetition % 2 == 1 {
            ways.reverse();
        }
        for (pass, way) in (0..).zip(ways) {
            let asked = guarded(|| {
                let warm = self.stream(ask, repetition, 2 * pass + 1);
                lane.ask(way, &warm.warm());
                let stream = self.stream(ask, repetition, 2 * pass);
                Ok(timed(|| lane.ask(way, &stream)))
            });
            let (held, ns) = match asked {
                Ok(asked) => asked,
                Err(error) => return self.fail(runner, ask.name(), error, turn),
            };
            let asked = self.effort.asked;
            (turn.emit)(Measured::Filter(SpeedRow {
                operations: asked,
                gross_ns_per_key: ns / asked as f64,
                // A key that it rejected it may deny.
                false_negatives: match ask {
                    Ask::Hit if runner.refused == 0 => asked - held,
                    _ => 0,
                },
                false_positives: if ask == Ask::Miss { held } else { 0 },
                ..self.row(runner, way, ask.name(), repetition, dry)
            }))?;
        }
        Ok(())
    }

    fn fail(
        &self,
        runner: &mut Runner<'_>,
        operation: &str,
        error: String,
        turn: &mut Turn<'_, '_>,
    ) -> Result<()> {
        runner.error = error;
        runner.lane = None;
        let row = self.row(runner, Way::OneByOne, operation, turn.repetition, 0.0);
        (turn.emit)(Measured::Filter(row))
    }

    /// What the allocator counted; the filter's own word where none does.
    fn allocated(&self, racer: &Racer, counted: i64) -> Result<Option<u64>> {
        if cfg!(feature = "peers") {
            return Ok(Some(counted.max(0) as u64));
        }
        let of = self.column;
        let told = racer.memory_bytes;
        told.map(|told| told(of.capacity, of.target_fpr))
            .transpose()
    }

    fn row(
        &self,
        runner: &Runner<'_>,
        way: Way,
        operation: &str,
        repetition: u32,
        dry: f64,
    ) -> SpeedRow {
        let racer = runner.racer;
        SpeedRow {
            filter: racer.name.into(),
            way: way.name().into(),
            role: racer.role.into(),
            release: racer.release.clone(),
            family: racer.family.name().into(),
            keys: self.column.kind.name().into(),
            capacity: self.column.capacity,
            target_fpr: self.column.target_fpr,
            operation: operation.into(),
            repetition,
            dry_run_ns_per_key: dry,
            allocated_bytes: runner.allocated,
            threads: 1,
            error: runner.error.clone(),
            ..SpeedRow::default()
        }
    }
}

/// Keys that were put in one way, in one repetition.
struct Filling {
    way: Way,
    keys: u64,
    accepted: u64,
    ns: f64,
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

/// By how much what is held on the heap has grown; 0 where nobody counts.
fn grown<T>(work: impl FnOnce() -> T) -> (T, i64) {
    let (made, bytes) = counted(work);
    (made, bytes.unwrap_or(0))
}

#[cfg(test)]
mod tests;
