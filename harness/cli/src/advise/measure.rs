//! Measures the times of candidates: each is filled several times, then all are queried in turn.

use std::{hint::black_box, ops::Range};

use anyhow::{Result, bail};

use super::{
    advice::able,
    candidates::Candidate,
    sample::Sample,
    times::{HASHES, Operations, Times},
    workload::Workload,
};
use bouquet_measure::registry::{Made, make_set};
use bouquet_measure::speed::{BenchLoop, Kind, StoredKeys, dry_walk, timed};
use bouquet_record::TimeRow;
use bouquet_stats::median;

/// The number of rounds of lookups. The confidence interval of the median of 15 measured times
/// excludes the three lowest and the three highest, so that single disturbances do not widen it.
const ROUNDS: usize = 15;
/// How often inserting is measured, for a small set and for a larger one.
const FILLINGS: [usize; 2] = [7, 2];
/// The largest number of members, and of non-members, looked up in a round.
const ASKED: usize = 1 << 16;
/// An insert time is measured over at least this many insertions, except in tests.
pub const INSERTED: usize = 1 << 16;
/// A set with at most this many keys counts as small.
const SMALL: usize = 1 << 17;

/// The settings of a measurement.
pub struct Measuring<'a> {
    /// The candidates, each with its target FPRs.
    pub wanted: Vec<(Candidate, Vec<f64>)>,
    pub sample: &'a Sample,
    pub keyed: bool,
    /// The final number of keys divided by the capacity, for a set that grows.
    pub grown: f64,
    /// The minimum number of insertions per measured time; small sets are filled repeatedly.
    pub inserted: usize,
}

/// Measures all candidates that meet the requirements, on this machine, with the sample's keys.
///
/// # Errors
///
/// A set cannot be made or has a false negative.
pub fn measured(workload: &Workload, sample: &Sample, is_brief: bool) -> Result<Times> {
    let (able, ..) = able(workload);
    let targets = |candidate: Candidate| {
        let own = able.iter().filter(|sizing| sizing.candidate == candidate);
        let own: Vec<f64> = own.map(|sizing| sizing.target_fpr).collect();
        if !candidate.is_sized() {
            return vec![0.0; own.len()];
        }
        // Only the first, the middle and the last target FPR are measured.
        let places = [0, own.len() / 2, own.len().saturating_sub(1)];
        let chosen = own.iter().enumerate().filter(|(at, _)| places.contains(at));
        chosen.map(|(_, target)| *target).collect()
    };
    let wanted = workload.candidates().filter(|one| *one != Candidate::None);
    let rows = measure(&Measuring {
        wanted: wanted.map(|one| (one, targets(one))).collect(),
        sample,
        keyed: workload.hostile,
        grown: workload.grown(),
        inserted: if is_brief { 1 } else { INSERTED },
    })?;
    Ok(Times::new(rows, &sample.name, workload.hostile).grown(workload.grown()))
}

/// The smallest time that is recorded, a third of a cycle at 3 GHz. Shorter times cannot be
/// distinguished from the time of iterating over the keys.
const LEAST_NS: f64 = 0.1;

/// A filter or an exact set that is being measured.
struct Runner {
    candidate: Candidate,
    target_fpr: f64,
    set: Box<dyn BenchLoop>,
    /// The times of inserts, hits and misses in ns per key, without the iteration over the keys;
    /// one value per repetition.
    net: [Vec<f64>; 3],
}

/// Measures all `wanted` candidates. Returns one row per candidate, target FPR and operation.
///
/// # Errors
///
/// A set cannot be made or has a false negative.
pub fn measure(measuring: &Measuring<'_>) -> Result<Vec<TimeRow>> {
    let mut runners = Vec::new();
    for (candidate, targets) in &measuring.wanted {
        for target_fpr in targets {
            runners.push(fill(measuring, *candidate, *target_fpr)?);
        }
    }
    for round in 0..=ROUNDS {
        // The times of the first round, a warm-up, are not kept.
        look_up(measuring.sample, &mut runners, round, round > 0)?;
    }
    let rows = runners.iter().flat_map(|runner| rows(measuring, runner));
    Ok(rows.collect())
}

/// One round of lookups in all filters and exact sets.
fn look_up(sample: &Sample, runners: &mut [Runner], round: usize, kept: bool) -> Result<()> {
    let kinds = [&sample.members, &sample.non_members];
    let dry = kinds.map(|keys| walk(keys, &part(round, keys.len()), 1));
    for runner in runners {
        for (at, keys) in kinds.into_iter().enumerate() {
            let now = part(round, keys.len());
            // Other keys are looked up first without timing, to warm up for the loop that is timed.
            black_box(runner.set.look_up_stored(keys, part(round + 1, keys.len())));
            let (found, ns) = timed(|| black_box(runner.set.look_up_stored(keys, now.clone())));
            let missing = now.len() as u64 - found;
            if at == 0 && missing > 0 {
                let name = runner.candidate.name();
                bail!("{name}: false negatives for {missing} of its keys");
            }
            if kept {
                runner.net[1 + at].push((ns / now.len() as f64 - dry[at]).max(LEAST_NS));
            }
        }
    }
    Ok(())
}

fn fill(measuring: &Measuring<'_>, candidate: Candidate, target_fpr: f64) -> Result<Runner> {
    let keys = &measuring.sample.members;
    let all = keys.len();
    let first = (all as f64 / measuring.grown).round() as u64;
    let made = Made {
        kind: match keys {
            StoredKeys::Integers(_) => Kind::U64,
            StoredKeys::Bytes(..) => Kind::Url,
        },
        capacity: candidate.capacity(first.max(1), all as u64),
        target_fpr: if target_fpr > 0.0 { target_fpr } else { 0.01 },
        keyed: measuring.keyed,
        below: measuring.sample.below,
    };
    let fillings = measuring.inserted.div_ceil(all);
    let mut inserts = Vec::new();
    let mut set = make_set(candidate.name(), &made)?;
    for _ in 0..FILLINGS[usize::from(all > SMALL)] {
        let dry = walk(keys, &(0..all), fillings);
        let (accepted, ns) = timed(|| -> Result<u64> {
            let mut accepted = 0;
            for _ in 0..fillings {
                set = make_set(candidate.name(), &made)?;
                accepted = set.insert_stored(keys, 0..all);
                set.finish()?;
            }
            Ok(accepted)
        });
        let rejected = all as u64 - accepted?;
        if rejected > 0 {
            bail!("{} rejected {rejected} keys", candidate.name());
        }
        inserts.push((ns / (fillings * all) as f64 - dry).max(LEAST_NS));
    }
    let net = [inserts, Vec::new(), Vec::new()];
    Ok(Runner {
        candidate,
        target_fpr,
        set,
        net,
    })
}

/// The time of iterating over the keys, in ns per key.
fn walk(keys: &StoredKeys, range: &Range<usize>, times: usize) -> f64 {
    let ((), ns) = timed(|| {
        for _ in 0..times {
            black_box(dry_walk(black_box(keys), range.clone()));
        }
    });
    ns / (times * range.len()) as f64
}

/// The range of keys for a round: a different range in each round if there are enough keys.
fn part(round: usize, keys: usize) -> Range<usize> {
    let asked = keys.min(ASKED);
    let from = (round * asked) % (keys - asked + 1);
    from..from + asked
}

fn rows(measuring: &Measuring<'_>, runner: &Runner) -> Vec<TimeRow> {
    let candidate = runner.candidate;
    let is_keyed = measuring.keyed && candidate.is_sized();
    let begins_small = candidate.is_sized() && candidate.facts().grows;
    let row = |(operation, net): (&str, &Vec<f64>)| {
        let (middle, interval) = median(net, 0.95)?;
        Some(TimeRow {
            candidate: candidate.name().to_owned(),
            hash: HASHES[usize::from(is_keyed)].to_owned(),
            keys: measuring.sample.name.clone(),
            capacity: measuring.sample.members.len() as u64,
            grown: if begins_small { measuring.grown } else { 1.0 },
            target_fpr: runner.target_fpr,
            operation: operation.to_owned(),
            net_ns_per_key: middle,
            low: interval.low,
            high: interval.high,
            source: String::new(),
        })
    };
    let all = Operations::NAMES.into_iter().zip(&runner.net);
    all.filter_map(row).collect()
}
