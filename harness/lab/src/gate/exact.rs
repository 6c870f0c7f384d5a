//! The exact tier: what is the same on every machine and in every run. Its keys
//! and seeds are fixed.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use super::{
    Guarded,
    definition::{Definition, Located},
    lifecycle::lifecycle,
    row::{FalseNegatives, OTHERS, READS_BACK_OTHERWISE, SEED, named, row_of, sha256_of_answers},
};
use crate::measure::guarded;
use crate::registry::{Entry, Request, Subject};
use crate::schemes::Wanted;
use crate::ways::{In, Kind, Out, Trial, transcript};
use crate::workload::{KeySet, Workload};
use bouquet_ground::record::{FALSE_NEGATIVES, GateExactRow};
use bouquet_ground::units::{hex, sha256};
use bouquet_ground::{interrupt::go_on, room};

/// Below this not every filter has a size for a target.
const LOW: f64 = 1e-6;
/// By so much what is expected is off in the computation.
const ROUNDING: f64 = 1e-5;
/// Keys whose locations are recorded.
const LOCATED: u64 = 2_000;

/// All rows of this tier. What cannot be made is a row that says why.
pub fn exact(definition: &Definition) -> Result<Vec<GateExactRow>> {
    let mut rows = Vec::new();
    for filter in &definition.filters {
        go_on()?;
        match guarded(|| configured(filter)) {
            Ok(own) => rows.extend(own),
            Err(error) => rows.push(row(filter, "measurement", "error", error)),
        }
    }
    for (entry, capacity, fpr) in &definition.memory {
        go_on()?;
        rows.push(memory(entry, *capacity, *fpr));
    }
    let keys = KeySet::generated("random-u64", "random-u64", SEED)?;
    for at in &definition.located {
        go_on()?;
        rows.push(locations(at, &keys));
    }
    for system in &definition.systems {
        go_on()?;
        rows.extend(system.rows(&definition.system_sizes));
    }
    Ok(rows)
}

/// Rejects filters that cannot fit into the memory that there is.
///
/// # Errors
///
/// One of them takes more.
pub fn check_room(definition: &Definition) -> Result<()> {
    for filter in &definition.filters {
        let (keys, size) = (filter.members(), filter.size);
        let bytes = Trial::least_bytes(&filter.entry, keys, size, OTHERS);
        room::check(&format!("the filter {}", filter.name), bytes)?;
    }
    Ok(())
}

fn row(filter: &Guarded, what: &str, unit: &str, value: impl ToString) -> GateExactRow {
    let (members, capacity) = (filter.members(), filter.capacity);
    let setting = filter.setting(&format!("{members} of {capacity} keys"));
    row_of(&filter.name, what, setting, (unit, value.to_string()))
}

/// A value in its unit, or why there is none.
fn or_error(unit: &str, value: Result<String, String>) -> (&str, String) {
    match value {
        Ok(value) => (unit, value),
        Err(error) => ("error", error),
    }
}

/// One filter as it is configured. What is compared is of keys that are made up where its
/// own come from a file: a list that grows makes no other filter.
fn configured(filter: &Guarded) -> Result<Vec<GateExactRow>> {
    let mut false_negatives_by = FalseNegatives::default();
    let mut rows = if filter.keys.is_generated() {
        full(filter, &mut false_negatives_by)?
    } else {
        let mut rows = own_keys(filter, &mut false_negatives_by)?;
        rows.extend(full(&filter.of_made_up_keys()?, &mut false_negatives_by)?);
        rows
    };
    if filter.entry.promises_no_false_negatives {
        for (way, count) in false_negatives_by.0 {
            rows.push(row(filter, &false_negatives(way), "keys", count));
        }
    }
    Ok(rows)
}

/// What goes wrong with a filter's own keys by any way in and out.
fn own_keys(
    filter: &Guarded,
    false_negatives_by: &mut FalseNegatives,
) -> Result<Vec<GateExactRow>> {
    let workload = Workload::new(&filter.keys, SEED, filter.members())?;
    let (kind, first) = singly(filter, &workload)?;
    let mut rows = by_ways(filter, &kind, &workload, &first, false_negatives_by);
    rows.retain(|row| row.unit == "error");
    Ok(rows)
}

/// A filter that is filled by single calls, which the other ways are compared with.
fn singly<'a>(filter: &'a Guarded, workload: &Workload<'_>) -> Result<(Kind<'a>, Trial)> {
    let kind = Kind {
        entry: &filter.entry,
        request: filter.fixed(filter.capacity).request(),
    };
    let first = Trial::run(&kind, In::Singly, workload, OTHERS)?;
    Ok((kind, first.context("it takes no key by a single call")?))
}

/// A filter full of its keys.
fn full(filter: &Guarded, false_negatives_by: &mut FalseNegatives) -> Result<Vec<GateExactRow>> {
    let workload = Workload::new(&filter.keys, SEED, filter.members())?;
    let (kind, mut first) = singly(filter, &workload)?;
    let rejected = first.filled.rejected();
    let state = first.filter.state(filter.members() - rejected);
    let mut rows = vec![
        row(filter, "memory", "bytes", state.memory_bytes),
        row(filter, "keys rejected", "keys", rejected),
    ];
    if let Some(bytes) = &first.bytes {
        rows.push(row(filter, "stored bytes", "sha256", sha256(bytes)));
    }
    rows.extend(by_ways(
        filter,
        &kind,
        &workload,
        &first,
        false_negatives_by,
    ));
    if let Some(read) = first.filter.reload() {
        read?;
        let again = transcript(&Out::ALL, &*first.filter, &workload, OTHERS)?;
        false_negatives_by.add(&first, &again);
        if again != first.answers {
            rows.push(row(filter, "reload", "error", READS_BACK_OTHERWISE));
        }
    }
    if filter.entry.promises_no_false_negatives {
        rows.extend(lifecycle(filter, false_negatives_by));
    }
    if let Some(make) = filter.entry.locate {
        let at = Located {
            name: filter.name.clone(),
            make,
            at: Wanted {
                slots: first.filter.slots().unwrap_or(state.size_bits),
                probes: state.hashes.max(1),
                seed: kind.request.seed,
                options: filter.options,
            },
        };
        rows.push(GateExactRow {
            what: "locations".into(),
            ..locations(&at, &filter.keys)
        });
    }
    Ok(rows)
}

/// The answers by each way in and out, and what is otherwise than by single calls.
fn by_ways(
    filter: &Guarded,
    kind: &Kind<'_>,
    workload: &Workload<'_>,
    first: &Trial,
    false_negatives_by: &mut FalseNegatives,
) -> Vec<GateExactRow> {
    let mut rows = Vec::new();
    let mut add = |what: String, unit: &str, value: String| {
        rows.push(row(filter, &what, unit, value));
    };
    let inserted = |way: In| format!("inserted {}", way.name());
    let mut compare = |trial: &Trial| {
        false_negatives_by.add(trial, &trial.answers);
        for (out, error) in trial.answers.errors() {
            add(named("ways", trial.way, *out), "error", error.clone());
        }
        for (out, answers) in trial.answers.each() {
            if filter.entry.reproducible_by_seed {
                let what = named("answers", trial.way, out);
                add(what, "sha256", sha256_of_answers(answers));
            }
            if let Some(words) = trial.otherwise_in_words(answers, first) {
                add(named("ways", trial.way, out), "error", words);
            }
        }
        if let Some(words) = trial.against(first).in_words() {
            add(inserted(trial.way), "error", words);
        }
    };
    compare(first);
    let mut failed = Vec::new();
    for way in In::ALL.into_iter().skip(1) {
        match guarded(|| Trial::run(kind, way, workload, OTHERS)) {
            Ok(Some(trial)) => compare(&trial),
            Ok(None) => {}
            Err(error) => failed.push((way, error)),
        }
    }
    for (way, error) in failed {
        add(inserted(way), "error", error);
    }
    rows
}

fn false_negatives(way: Out) -> String {
    match way {
        Out::Singly => FALSE_NEGATIVES.into(),
        _ => format!("{FALSE_NEGATIVES}, asked {}", way.name()),
    }
}

fn memory(entry: &Arc<Entry>, capacity: u64, fpr: f64) -> GateExactRow {
    let request = Request::of_target(capacity, fpr, SEED);
    let value = guarded(|| match (entry.build)(&request) {
        Ok(filter) => sized(&*filter, capacity, fpr),
        // So low a target is no size of it, and is to stay none.
        Err(_) if fpr < LOW => Ok(("sha256", sha256(b"rejected"))),
        Err(error) => Err(error),
    });
    let value = value.unwrap_or_else(|error| ("error", error));
    let what = format!("memory for {capacity} keys at {fpr}");
    row_of(entry.name, &what, "empty".into(), value)
}

/// What an empty filter takes, if it will keep its target at its capacity.
fn sized(filter: &dyn Subject, capacity: u64, target_fpr: f64) -> Result<(&'static str, String)> {
    let state = filter.state(capacity).agreed()?;
    let expected = state.expected_fpr;
    ensure!(
        expected <= target_fpr * (1.0 + ROUNDING),
        "expects an FPR of {expected:e} at capacity"
    );
    Ok(("bytes", state.memory_bytes.to_string()))
}

/// Where keys go. A size that a layout does not have is recorded as rejected.
fn locations(of: &Located, keys: &KeySet) -> GateExactRow {
    let at = of.at;
    let located = guarded(|| {
        let Ok(locator) = (of.make)(at) else {
            return Ok(sha256(b"rejected"));
        };
        let mut hash = Sha256::new();
        keys.for_each(keys.up_to(LOCATED), |key| {
            locator.locate(key, &mut |slot| hash.update(slot.to_le_bytes()));
        });
        Ok(hex(&hash.finalize()))
    });
    let what = format!("locations in {} slots", at.slots);
    let setting = format!("{} slots, k = {}", at.slots, at.probes);
    row_of(&of.name, &what, setting, or_error("sha256", located))
}
