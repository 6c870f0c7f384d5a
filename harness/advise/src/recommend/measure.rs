//! Measuring candidates: each filled once or several times, all asked in turn.

use std::{hint::black_box, ops::Range};

use anyhow::{Result, bail};

use super::{
    candidates::{Candidate, Class},
    sample::Sample,
    times::HASHES,
};
use bouquet_ground::interrupt::go_on;
use bouquet_ground::record::TimeRow;
use bouquet_lab::registry::{Made, make_set, set_makers};
use bouquet_lab::speed::{SetLoops, StoredKeys, dry_walk, timed};
use bouquet_stats::{Interval, median};

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
    /// Times as many keys as a set that grows is sized for.
    pub grown: f64,
    /// Keys inserted for a time, at least: small sets are filled several times.
    pub inserted: usize,
}

/// The targets that a candidate is measured at, of all that it may be sized for:
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

/// What an operation takes that is too little to measure beside the walk: a fraction of a cycle, and
/// more than nothing, for times are divided by each other.
const LEAST_NS: f64 = 0.05;

/// An operation and the walks over the same keys, ns per key, once a repetition.
#[derive(Default)]
struct Taken {
    gross: Vec<f64>,
    walks: Vec<f64>,
}

impl Taken {
    /// Medians, net of the walk.
    fn net(&self) -> Option<(f64, Interval)> {
        let (gross, interval) = median(&self.gross, 0.95)?;
        let (walk, _) = median(&self.walks, 0.95)?;
        let less = |ns: f64| (ns - walk).max(LEAST_NS);
        let (low, high) = (less(interval.low), less(interval.high));
        Some((less(gross), Interval { low, high }))
    }
}

/// A set on its way.
struct Runner {
    candidate: Candidate,
    target_fpr: f64,
    set: Box<dyn SetLoops>,
    insert: Taken,
    hit: Taken,
    miss: Taken,
}

/// Whether this program can measure a candidate.
pub fn is_built_in(candidate: Candidate) -> bool {
    set_makers()
        .iter()
        .any(|(name, _)| *name == candidate.name())
}

/// Measures, and gives a row an operation.
///
/// # Errors
///
/// A set cannot be made, or has a false negative; interrupted.
pub fn measure(measuring: &Measuring<'_>) -> Result<Vec<TimeRow>> {
    let mut runners = Vec::new();
    for (candidate, targets) in &measuring.wanted {
        for target_fpr in targets {
            go_on()?;
            runners.push(fill(measuring, *candidate, *target_fpr)?);
        }
    }
    for round in 0..=ROUNDS {
        // The first round warms up.
        look_up(measuring.sample, &mut runners, round, round > 0)?;
    }
    let rows = runners.iter().flat_map(|runner| rows(measuring, runner));
    Ok(rows.collect())
}

/// One round through all sets.
fn look_up(sample: &Sample, runners: &mut [Runner], round: usize, kept: bool) -> Result<()> {
    let Sample {
        members,
        non_members,
        ..
    } = sample;
    let (inside, outside) = (part(round, members.len()), part(round, non_members.len()));
    let dry_members = walk(members, &inside, 1);
    let dry_non_members = walk(non_members, &outside, 1);
    for runner in runners {
        go_on()?;
        // Other keys first: the times are of a loop of lookups, not of its beginning.
        black_box(runner.set.look_up(members, part(round + 1, members.len())));
        let (found, hit) = timed(|| runner.set.look_up(members, inside.clone()));
        if found != inside.len() as u64 {
            let missing = inside.len() as u64 - found;
            bail!(
                "{}: false negatives for {missing} of its keys",
                runner.candidate.name()
            );
        }
        black_box(
            runner
                .set
                .look_up(non_members, part(round + 1, non_members.len())),
        );
        let (_, miss) = timed(|| black_box(runner.set.look_up(non_members, outside.clone())));
        if kept {
            runner.hit.gross.push(hit / inside.len() as f64);
            runner.hit.walks.push(dry_members);
            runner.miss.gross.push(miss / outside.len() as f64);
            runner.miss.walks.push(dry_non_members);
        }
    }
    Ok(())
}

fn fill(measuring: &Measuring<'_>, candidate: Candidate, target_fpr: f64) -> Result<Runner> {
    let keys = &measuring.sample.members;
    let all = keys.len();
    let made = Made {
        capacity: match candidate.begins_small() {
            true => ((all as f64 / measuring.grown).round() as u64).max(1),
            false => all as u64,
        },
        target_fpr: if target_fpr > 0.0 { target_fpr } else { 0.01 },
        keyed: measuring.keyed,
        below: measuring.sample.below,
    };
    let fillings = measuring.inserted.div_ceil(all);
    let mut insert = Taken::default();
    let mut set = make_set(candidate.name(), &made)?;
    for _ in 0..FILLINGS[usize::from(all > SMALL)] {
        insert.walks.push(walk(keys, &(0..all), fillings));
        let (done, ns) = timed(|| -> Result<_> {
            let mut last = None;
            for _ in 0..fillings {
                // One at a time: the memory of the one before is free again.
                drop(last.take());
                let mut set = make_set(candidate.name(), &made)?;
                let accepted = set.insert(keys, 0..all);
                set.finish()?;
                last = Some((set, accepted));
            }
            Ok(last)
        });
        let Some((filled, accepted)) = done? else {
            bail!("nothing was filled");
        };
        if accepted != all as u64 {
            let rejected = all as u64 - accepted;
            bail!("{} rejected {rejected} keys", candidate.name());
        }
        set = filled;
        insert.gross.push(ns / (fillings * all) as f64);
    }
    Ok(Runner {
        candidate,
        target_fpr,
        set,
        insert,
        hit: Taken::default(),
        miss: Taken::default(),
    })
}

/// What walking over the keys takes, ns per key.
fn walk(keys: &StoredKeys, range: &Range<usize>, times: usize) -> f64 {
    let ((), ns) = timed(|| {
        for _ in 0..times {
            black_box(dry_walk(black_box(keys), range.clone()));
        }
    });
    ns / (times * range.len()) as f64
}

/// Other keys in every round, where there are others.
fn part(round: usize, keys: usize) -> Range<usize> {
    let asked = keys.min(ASKED);
    let from = (round * asked) % (keys - asked + 1);
    from..from + asked
}

fn rows(measuring: &Measuring<'_>, runner: &Runner) -> Vec<TimeRow> {
    let ours = runner.candidate.class() == Class::Ours;
    let grows = runner.candidate.begins_small();
    let all = [
        ("insert", &runner.insert),
        ("hit", &runner.hit),
        ("miss", &runner.miss),
    ];
    let row = |(operation, taken): (&str, &Taken)| {
        let (middle, interval) = taken.net()?;
        Some(TimeRow {
            candidate: runner.candidate.name().to_owned(),
            hash: HASHES[usize::from(ours && measuring.keyed)].to_owned(),
            keys: measuring.sample.name.clone(),
            capacity: measuring.sample.members.len() as u64,
            grown: if grows { measuring.grown } else { 1.0 },
            target_fpr: runner.target_fpr,
            operation: operation.to_owned(),
            net_ns_per_key: middle,
            low: interval.low,
            high: interval.high,
            source: String::new(),
        })
    };
    all.into_iter().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_walk_adds_is_the_least_time() {
        let net = |gross: [f64; 3]| {
            let taken = Taken {
                gross: gross.into(),
                // One of them disturbed.
                walks: vec![1.0, 90.0, 1.0],
            };
            let (net, interval) = taken.net().unwrap();
            (net, interval.low, interval.high)
        };
        assert_eq!(net([3.0, 4.0, 0.5]), (2.0, LEAST_NS, 3.0));
        assert_eq!(net([1.0, 0.9, 7.0]), (LEAST_NS, LEAST_NS, 6.0));
        assert!(Taken::default().net().is_none());
    }
}
