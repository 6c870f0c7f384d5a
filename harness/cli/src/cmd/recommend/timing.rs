//! Where the times of candidates come from: measured now, kept from an earlier
//! run, or those that came with the program.

mod whose;

use anyhow::Result;

use self::whose::{of_committed, scaled, whose};
use super::Args;
use crate::output::{in_words, say};
use bouquet_advise::recommend::{
    Cache, Candidate, Class, INSERTED, Measuring, Operations, Own, Sample, Times, Workload,
    anchors, candidate_targets, is_built_in, measure, sizes, sizing,
};
use bouquet_ground::record::TimeRow;

/// Times, and a sentence on whose they are.
pub struct Timing {
    pub times: Times,
    pub words: String,
}

pub fn timing(args: &Args, workload: &Workload, own: Option<&Own>) -> Result<Timing> {
    let kind = workload.key_kind.name();
    let committed = Times::committed(kind, workload.hostile)?.grown(workload.grown());
    if args.no_measure {
        return Ok(Timing {
            words: of_committed(workload, &committed, own.is_some()),
            times: committed,
        });
    }
    let most = if args.tiny { 300 } else { u64::MAX };
    let sample = Sample::new(workload, own, args.run.seed, most)?;
    let keys = sample.members.len() as u64;
    let cache = Cache::find(&format!("{} {} {}", sample.name, sample.below, args.tiny));
    let (mut rows, measured_now) = rows(args, workload, &sample, &cache)?;
    let mut words = whose(&cache, measured_now, keys);
    if keys < workload.final_keys() {
        words += &scaled(workload, &committed);
    }
    let of = |rows| Times::new(rows, &sample.name, workload.hostile).grown(workload.grown());
    let borrowed = borrowed(workload, &committed, &of(rows.clone()), &sample);
    if !borrowed.is_empty() {
        rows.extend(borrowed);
        words += " Those of xorf came with the program, scaled by the standard filter's here: build \
                  with --features peers to measure them too.";
    }
    Ok(Timing {
        times: of(rows).continued(committed),
        words,
    })
}

/// Rows of the sample, kept and fresh, and whether some are fresh.
fn rows(
    args: &Args,
    workload: &Workload,
    sample: &Sample,
    cache: &Cache,
) -> Result<(Vec<TimeRow>, bool)> {
    let keys = sample.members.len() as u64;
    let mut kept = if args.measure_again {
        Vec::new()
    } else {
        cache.read()
    };
    let of_these = |rows: &[TimeRow]| -> Vec<TimeRow> {
        let rows = rows.iter().filter(|row| row.capacity == keys);
        rows.cloned().collect()
    };
    let missing = missing(workload, &of_these(&kept));
    let measured_now = !missing.is_empty();
    if measured_now {
        say(&format!(
            "measuring with {keys} keys, seed {}",
            args.run.seed
        ));
        kept.extend(measure(&Measuring {
            wanted: missing,
            sample,
            keyed: workload.hostile,
            grown: workload.grown(),
            inserted: if args.tiny { 1 } else { INSERTED },
        })?);
        // The next run measures again: no reason to keep this one's answer back.
        if let Err(error) = cache.write(&kept) {
            say(&format!("warning: {}", in_words(&error)));
        }
    }
    Ok((of_these(&kept), measured_now))
}

/// Candidates that can do it, with the targets at which there is no time yet.
fn missing(workload: &Workload, rows: &[TimeRow]) -> Vec<(Candidate, Vec<f64>)> {
    let targets = candidate_targets(workload);
    let hash = if workload.hostile { "keyed" } else { "default" };
    let able = |candidate: &Candidate| {
        *candidate != Candidate::None
            && is_built_in(*candidate)
            && sizes(*candidate, workload).is_ok()
    };
    let mut able: Vec<Candidate> = workload.candidates().filter(able).collect();
    if statics_to_borrow(workload).next().is_some() && !able.contains(&Candidate::PLAIN) {
        // Theirs are scaled by its times.
        able.push(Candidate::PLAIN);
    }
    let wanted = able.into_iter().map(|candidate| {
        let has = |target: &f64| {
            rows.iter().any(|row| {
                row.candidate == candidate.name()
                    && row.target_fpr == *target
                    && (candidate.class() != Class::Ours || row.hash == hash)
                    && (!candidate.begins_small() || row.grown == workload.grown())
            })
        };
        // Below some target a filter is no longer made.
        let is_had = |target: &f64| sizing(candidate, workload, *target).is_ok();
        let own = targets.iter().copied().filter(is_had);
        let mut targets = anchors(candidate, &own.collect::<Vec<_>>());
        targets.retain(|target| !has(target));
        (candidate, targets)
    });
    wanted.filter(|(_, targets)| !targets.is_empty()).collect()
}

/// Static filters of others that could do it, and that this program was built
/// without.
fn statics_to_borrow(workload: &Workload) -> impl Iterator<Item = Candidate> {
    let possible = |one: &Candidate| {
        one.class() == Class::Other && !is_built_in(*one) && sizes(*one, workload).is_ok()
    };
    workload.candidates().filter(possible)
}

/// Their times: those that came with the program, scaled.
fn borrowed(workload: &Workload, committed: &Times, here: &Times, sample: &Sample) -> Vec<TimeRow> {
    let keys = sample.members.len() as u64;
    let scaled = |candidate| {
        let there = committed.of(Candidate::PLAIN, keys, 0.01)?;
        let own = here.of(Candidate::PLAIN, keys, 0.01)?;
        committed.of(candidate, keys, 0.0)?.scaled(&there, &own)
    };
    let mut rows = Vec::new();
    for candidate in statics_to_borrow(workload) {
        let Some(times) = scaled(candidate) else {
            continue;
        };
        rows.extend(Operations::ALL.map(|(operation, pick)| TimeRow {
            candidate: candidate.name().into(),
            hash: "default".into(),
            keys: sample.name.clone(),
            capacity: keys,
            grown: 1.0,
            target_fpr: 0.0,
            operation: operation.into(),
            net_ns_per_key: pick(&times).median,
            low: pick(&times).low,
            high: pick(&times).high,
            source: String::new(),
        }));
    }
    rows
}
