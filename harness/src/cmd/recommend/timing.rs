//! Where the times of candidates come from: measured now, kept from an earlier
//! run, or those that came with the program.

use std::{fs, path::Path};

use anyhow::{Context, Result};

use super::Args;
use crate::{
    machine,
    recommend::{
        Cache, Candidate, Class, Count, INSERTED, KeyKind, Measuring, Operations, Own, Sample,
        Times, Wishes, Workload, anchors, candidate_targets, is_built_in, measure, objections,
    },
    record::TimeRow,
};

/// Times, and a sentence on whose they are.
pub struct Timing {
    pub times: Times,
    pub words: String,
}

pub fn timing(args: &Args, workload: &Workload, own: Option<&Own>) -> Result<Timing> {
    let kind = workload.key_kind.name();
    let committed = Times::committed(kind, workload.hostile)?;
    if args.no_measure {
        return Ok(Timing {
            words: of_committed(workload, &committed, own.is_some()),
            times: committed,
        });
    }
    let most = if args.tiny { 300 } else { u64::MAX };
    let sample = Sample::new(workload, own, args.seed, most)?;
    let keys = sample.members.len() as u64;
    let cache = Cache::find(&format!("{} {} {}", sample.name, sample.below, args.tiny));
    let kept = if args.measure_again {
        Vec::new()
    } else {
        cache.read()
    };
    let hash = if workload.hostile { "keyed" } else { "default" };
    let mut rows: Vec<TimeRow> = kept
        .iter()
        .filter(|row| row.capacity == keys)
        .cloned()
        .collect();
    let missing = missing(workload, &rows, hash);
    let measured_now = !missing.is_empty();
    if measured_now {
        super::say(
            args,
            &format!("measuring with {keys} keys, seed {}", args.seed),
        );
        let fresh = measure(&Measuring {
            wanted: missing,
            sample: &sample,
            keyed: workload.hostile,
            inserted: if args.tiny { 1 } else { INSERTED },
        })?;
        let mut all = kept;
        all.extend(fresh.iter().cloned());
        cache.write(&all)?;
        rows.extend(fresh);
    }
    let borrowed = borrow_statics(&mut rows, workload, &committed, &sample.name, keys);
    let mut words = whose(&cache, measured_now, keys, workload);
    if borrowed {
        words += " Those of xorf came with the program, scaled by the standard filter's here: build \
                  with --features peers to measure them too.";
    }
    Ok(Timing {
        times: Times::new(rows, &sample.name, workload.hostile),
        words,
    })
}

fn of_committed(workload: &Workload, times: &Times, has_keys: bool) -> String {
    let mut words =
        "Times came with the program (reports/recommend): they are of another machine, \
                     and of made keys."
            .to_owned();
    let most = times.most_keys();
    if workload.final_keys() > most {
        words += &format!(
            " They end at {most} keys; out of the caches a lookup takes longer than they say."
        );
    }
    if has_keys {
        words += " Your keys were counted, and not measured with.";
    }
    words
}

fn whose(cache: &Cache, now: bool, keys: u64, workload: &Workload) -> String {
    let mut words = if now {
        format!("Times were measured now, on this machine, with {keys} keys")
    } else {
        format!("Times were measured on this machine by an earlier run, with {keys} keys")
    };
    if keys < workload.final_keys() {
        words += &format!(
            " in place of {}: more would take too long, and out of the caches a lookup takes longer",
            workload.final_keys()
        );
    }
    words += ".";
    if !now && let Some(path) = cache.path() {
        words += &format!(
            " They are kept in {}; --measure-again forgets them.",
            path.display()
        );
    }
    words
}

/// Candidates that can do it, with the targets at which there is no time yet.
fn missing(workload: &Workload, rows: &[TimeRow], hash: &str) -> Vec<(Candidate, Vec<f64>)> {
    let targets = candidate_targets(workload);
    let able = workload.candidates().filter(|candidate| {
        *candidate != Candidate::None
            && is_built_in(*candidate)
            && objections(*candidate, workload).is_empty()
    });
    let wanted = able.map(|candidate| {
        let has = |target: &f64| {
            rows.iter().any(|row| {
                row.candidate == candidate.name()
                    && row.target_fpr == *target
                    && (candidate.class() != Class::Ours || row.hash == hash)
            })
        };
        let mut targets = anchors(candidate, &targets);
        targets.retain(|target| !has(target));
        (candidate, targets)
    });
    wanted.filter(|(_, targets)| !targets.is_empty()).collect()
}

/// Static filters of others that this program was built without: the times that
/// came with it, scaled.
fn borrow_statics(
    rows: &mut Vec<TimeRow>,
    workload: &Workload,
    committed: &Times,
    name: &str,
    keys: u64,
) -> bool {
    let here = Times::new(rows.clone(), name, workload.hostile);
    let mut borrowed = false;
    for candidate in [Candidate::Fuse8, Candidate::Fuse16] {
        if is_built_in(candidate) || !objections(candidate, workload).is_empty() {
            continue;
        }
        let (Some(theirs), Some(there), Some(own)) = (
            committed.of(candidate, keys, 0.0),
            committed.of(Candidate::Standard, keys, 0.01),
            here.of(Candidate::Standard, keys, 0.01),
        ) else {
            continue;
        };
        borrowed = true;
        for (operation, pick) in Operations::ALL {
            let factor = pick(&own).median / pick(&there).median;
            let time = pick(&theirs);
            rows.push(TimeRow {
                candidate: candidate.name().into(),
                hash: "default".into(),
                keys: name.into(),
                capacity: keys,
                target_fpr: 0.0,
                operation: operation.into(),
                net_ns_per_key: time.median * factor,
                low: time.low * factor,
                high: time.high * factor,
            });
        }
    }
    borrowed
}

/// Measures what comes with the program: made keys of either kind, both hashes,
/// some capacities.
pub fn record(path: &Path, seed: u64, tiny: bool) -> Result<()> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    for (kind, capacities) in [
        (KeyKind::U64, &[1_000, 30_000, 1_000_000, 4_000_000][..]),
        (KeyKind::Url, &[1_000, 30_000, 1_000_000][..]),
    ] {
        for &capacity in capacities {
            for keyed in [false, true] {
                let most = if tiny { 300 } else { capacity };
                for row in recorded(kind, capacity.min(most), keyed, seed)? {
                    csv.serialize(row)?;
                }
            }
        }
    }
    fs::write(path, csv.into_inner()?)
        .with_context(|| format!("cannot write {}", path.display()))?;
    let facts = machine::facts().into_iter().chain(machine::memory());
    let text: String = facts
        .map(|(name, value)| format!("{name}: {value}\n"))
        .collect();
    let about = path.with_file_name("machine.txt");
    fs::write(&about, text).with_context(|| format!("cannot write {}", about.display()))
}

fn recorded(kind: KeyKind, capacity: u64, keyed: bool, seed: u64) -> Result<Vec<TimeRow>> {
    let mut rows = Vec::new();
    for integers in [false, true] {
        if integers && (keyed || kind == KeyKind::Url) {
            continue;
        }
        let wishes = Wishes {
            capacity: Some(Count(capacity)),
            key_kind: Some(kind),
            integers_below: integers.then_some(Count(16 * capacity)),
            ..Wishes::default()
        };
        let workload = Workload::new(&wishes, None, None)?;
        let sample = Sample::with_keys(&workload, capacity, seed);
        let wanted = Candidate::ALL.into_iter().filter(|candidate| {
            let facts = candidate.facts();
            *candidate != Candidate::None
                && is_built_in(*candidate)
                && facts.integers_only == integers
                && (!keyed || facts.class == Class::Ours)
        });
        let wanted = wanted.map(|candidate| (candidate, anchors(candidate, &[0.1, 1e-3, 1e-5])));
        rows.extend(measure(&Measuring {
            wanted: wanted.collect(),
            sample: &sample,
            keyed,
            inserted: INSERTED,
        })?);
    }
    Ok(rows)
}
