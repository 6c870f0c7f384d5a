//! Measuring candidates: each filled once or several times, all asked in turn.

use std::ops::Range;

use anyhow::{Result, bail};

use super::{
    candidates::{Candidate, Class},
    sample::Sample,
    times::HASHES,
};
use crate::{
    record::TimeRow,
    registry::{Made, hold, holders},
    speed::{Hold, dry_walk, timed},
    staging::{Interrupted, interrupted},
    stats::median,
};

/// The interval of a median of so many leaves out the three outermost at either
/// end, so that a disturbance does not widen it.
const ROUNDS: usize = 15;
/// Fillings that are timed of small sets, and of others.
const FILLINGS: [usize; 2] = [7, 2];
/// Keys asked for in a round, at most.
const ASKED: usize = 1 << 16;
/// Keys inserted for a time, unless it is a test.
pub const INSERTED: usize = 1 << 16;
/// Sets up to this are small.
const SMALL: usize = 1 << 17;

/// What is to be measured.
pub struct Measuring<'a> {
    /// Each for each of these targets.
    pub wanted: Vec<(Candidate, Vec<f64>)>,
    pub sample: &'a Sample,
    pub keyed: bool,
    /// Keys inserted for a time, at least: small sets are filled several times.
    pub inserted: usize,
}

/// The targets that a candidate is measured at, of all that it may be made for:
/// the ends, and one between.
pub fn anchors(candidate: Candidate, targets: &[f64]) -> Vec<f64> {
    if !candidate.is_sized() {
        return vec![0.0];
    }
    let (low, high) = targets.iter().fold((1.0_f64, 0.0_f64), |(low, high), fpr| {
        (low.min(*fpr), high.max(*fpr))
    });
    if low >= high * 0.999 {
        return vec![high];
    }
    let middle = (low * high).sqrt();
    vec![high, middle, low]
}

/// A set on its way.
struct Runner {
    candidate: Candidate,
    target_fpr: f64,
    made: Made,
    set: Box<dyn Hold>,
    insert: Vec<f64>,
    hit: Vec<f64>,
    miss: Vec<f64>,
}

/// Whether this program can measure a candidate.
pub fn is_built_in(candidate: Candidate) -> bool {
    holders().iter().any(|(name, _)| *name == candidate.name())
}

/// Measures, and gives a row an operation.
///
/// # Errors
///
/// A set cannot be made, or denied a key; interrupted.
pub fn measure(measuring: &Measuring<'_>) -> Result<Vec<TimeRow>> {
    let mut runners = Vec::new();
    for (candidate, targets) in &measuring.wanted {
        for target_fpr in targets {
            if interrupted() {
                bail!(Interrupted);
            }
            runners.push(fill(measuring, *candidate, *target_fpr)?);
        }
    }
    let sample = measuring.sample;
    for round in 0..=ROUNDS {
        let (members, strangers) = (
            part(round, sample.members.len()),
            part(round, sample.strangers.len()),
        );
        let dry_member = dry(&sample.members, &members);
        let dry_stranger = dry(&sample.strangers, &strangers);
        for runner in &mut runners {
            if interrupted() {
                bail!(Interrupted);
            }
            let (held, hit) = timed(|| runner.set.ask(&sample.members, members.clone()));
            if held != members.len() as u64 {
                let denied = members.len() as u64 - held;
                bail!("{} denied {denied} of its keys", runner.candidate.name());
            }
            let (_, miss) = timed(|| runner.set.ask(&sample.strangers, strangers.clone()));
            // The first round warms up.
            if round > 0 {
                runner
                    .hit
                    .push((hit / members.len() as f64 - dry_member).max(0.05));
                runner
                    .miss
                    .push((miss / strangers.len() as f64 - dry_stranger).max(0.05));
            }
        }
    }
    Ok(runners
        .iter()
        .flat_map(|runner| rows(measuring, runner))
        .collect())
}

fn fill(measuring: &Measuring<'_>, candidate: Candidate, target_fpr: f64) -> Result<Runner> {
    let keys = &measuring.sample.members;
    let made = Made {
        capacity: keys.len() as u64,
        target_fpr: if target_fpr > 0.0 { target_fpr } else { 0.01 },
        keyed: measuring.keyed,
        below: measuring.sample.below,
    };
    let times = FILLINGS[usize::from(keys.len() > SMALL)];
    let fillings = measuring.inserted.div_ceil(keys.len());
    let walk = dry(keys, &(0..keys.len()));
    let mut insert = Vec::new();
    let mut set = hold(candidate.name(), &made)?;
    for _ in 0..times {
        let (done, ns) = timed(|| -> Result<_> {
            let mut last = None;
            for _ in 0..fillings {
                // One at a time: the memory of the one before is free again.
                drop(last.take());
                let mut set = hold(candidate.name(), &made)?;
                let accepted = set.insert(keys, 0..keys.len());
                set.finish()?;
                last = Some((set, accepted));
            }
            Ok(last)
        });
        let Some((filled, accepted)) = done? else {
            bail!("nothing was filled");
        };
        if accepted != keys.len() as u64 {
            let refused = keys.len() as u64 - accepted;
            bail!("{} refused {refused} keys", candidate.name());
        }
        set = filled;
        insert.push((ns / (fillings * keys.len()) as f64 - walk).max(0.05));
    }
    Ok(Runner {
        candidate,
        target_fpr,
        made,
        set,
        insert,
        hit: Vec::new(),
        miss: Vec::new(),
    })
}

fn dry(keys: &crate::speed::Kept, range: &Range<usize>) -> f64 {
    timed(|| std::hint::black_box(dry_walk(keys, range.clone()))).1 / range.len() as f64
}

/// Other keys in every round, where there are others.
fn part(round: usize, keys: usize) -> Range<usize> {
    let asked = keys.min(ASKED);
    let from = (round * asked) % (keys - asked + 1);
    from..from + asked
}

fn rows(measuring: &Measuring<'_>, runner: &Runner) -> Vec<TimeRow> {
    let ours = runner.candidate.class() == Class::Ours;
    let all = [
        ("insert", &runner.insert),
        ("hit", &runner.hit),
        ("miss", &runner.miss),
    ];
    let row = |(operation, values): (&str, &Vec<f64>)| {
        let (middle, interval) = median(values, 0.95)?;
        Some(TimeRow {
            candidate: runner.candidate.name().to_owned(),
            hash: HASHES[usize::from(ours && measuring.keyed)].to_owned(),
            keys: measuring.sample.name.clone(),
            capacity: runner.made.capacity,
            target_fpr: runner.target_fpr,
            operation: operation.to_owned(),
            net_ns_per_key: middle,
            low: interval.low,
            high: interval.high,
        })
    };
    all.into_iter().filter_map(row).collect()
}
