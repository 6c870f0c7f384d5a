//! Measures the exact tier of the gate: what is the same on every machine and in every run, because
//! keys and seeds are fixed.

use std::{collections::BTreeMap, sync::Arc};

use anyhow::{Result, ensure};
use sha2::{Digest, Sha256};

use super::{Guarded, OTHERS, SEED, definition::Definition};
use crate::answers::Answers;
use crate::cells::{Fitted, FprCell, guarded};
use crate::registry::{Size, Subject};
use crate::workload::{KeySet, Workload};
use bouquet_record::{
    FALSE_NEGATIVES, Figure, GateRow, KEYS_PER_CAPACITY, Observation, Sweep, Tier,
};
use bouquet_record::{
    room,
    units::{hex, sha256},
};
use bouquet_stats::proportion;

/// The allowed relative rounding error of an expected FPR.
const ROUNDING: f64 = 1e-5;
/// The number of keys whose locations are recorded as a digest.
const LOCATED: u64 = 2_000;
/// The suffix of the names of rows about batch lookups.
const IN_BATCHES: &str = ", inserted singly, asked in batches";

/// All rows of the exact tier. A filter that cannot be built gets a row with the error.
pub fn exact(definition: &Definition) -> Vec<GateRow> {
    let rows = |filter: &Guarded| {
        let rows = guarded(|| configured(filter));
        rows.unwrap_or_else(|error| vec![row(filter, "measurement").error(&error)])
    };
    definition.filters.iter().flat_map(rows).collect()
}

/// For each filter, a row of the exact tier says whether its capacity is enough for all of its
/// keys. If it is not, and if the filter cannot grow, a row of the statistical tier has the FPR,
/// measured with all keys inserted.
pub fn loads(definition: &Definition) -> Vec<GateRow> {
    definition.filters.iter().flat_map(load).collect()
}

fn load(filter: &Guarded) -> Vec<GateRow> {
    let setting = match filter.growth {
        1.0 => filter.setting("keys"),
        growth => filter.setting(&format!("{growth} times the keys")),
    };
    let new = |tier, what| GateRow::new(tier, &filter.name, what, setting.clone());
    let exact = new(Tier::Exact, KEYS_PER_CAPACITY);
    let (keys, capacity) = (filter.keys_in_the_end(), filter.of.capacity);
    let of = match guarded(|| loaded(filter, keys)) {
        Ok(of) if of.error.is_empty() => of,
        Ok(Observation { error, .. }) | Err(error) => return vec![exact.error(&error)],
    };
    let exact = exact.has(Figure::Load {
        keys,
        capacity,
        load: keys as f64 / capacity.max(1) as f64,
        expected_fpr: of.expected_fpr,
    });
    if keys <= capacity || filter.of.filter.grows || filter.of.filter.forgets {
        return vec![exact];
    }
    let (hits, asked) = (of.false_positives, of.non_members);
    let interval = proportion(hits, asked, 0.95);
    let measured = new(Tier::Statistical, "FPR with all keys").has(Figure::Rate {
        rate: hits as f64 / asked.max(1) as f64,
        low: interval.low,
        high: interval.high,
        hits,
        asked,
        expected: of.expected_fpr,
    });
    let rejected = match of.rejected {
        0 => String::new(),
        rejected => format!(", of which it rejected {rejected}"),
    };
    let note =
        format!("more keys than its capacity{rejected}: give it a larger capacity or fewer keys");
    [exact, measured].map(|row| row.failed(&note)).into()
}

/// Measures the FPR with `keys` keys if that is more than the capacity. Otherwise only computes the
/// expected FPR.
fn loaded(filter: &Guarded, keys: u64) -> Result<Observation> {
    let mut of = filter.of.clone();
    let capacity = of.capacity;
    if keys <= capacity {
        return Ok(Observation {
            expected_fpr: of.make()?.state(keys).agreed()?.expected_fpr,
            ..Observation::default()
        });
    }
    if keys > of.keys.len() {
        // The key file does not have that many keys yet, so generated keys are used.
        of.keys = Arc::new(KeySet::generated("keys to come", "random-u64", SEED)?);
    }
    let overfull = FprCell {
        of,
        sweep: Sweep::Load,
        x: keys as f64 / capacity as f64,
        hits: f64::INFINITY,
        low_hits: f64::INFINITY,
        max_non_members: OTHERS,
    };
    Ok(overfull.measure())
}

/// Fails if a filter cannot fit into the available memory.
pub fn check_room(definition: &Definition) -> Result<()> {
    for filter in &definition.filters {
        // Per key: one byte for whether it was accepted, the filter's bits, and the same bits again
        // when encoded. In addition, two answers for each key that is looked up.
        let bits = filter.of.size.least_bits(&filter.of.filter);
        let keys = filter.members() as f64;
        let bytes = keys * (3.0 + 2.0 * bits / 8.0) + 2.0 * OTHERS as f64;
        room::check(&format!("the filter {}", filter.name), bytes)?;
    }
    Ok(())
}

fn row(filter: &Guarded, what: &str) -> GateRow {
    let (members, capacity) = (filter.members(), filter.of.capacity);
    let setting = filter.setting(&format!("{members} of {capacity} keys"));
    GateRow::new(Tier::Exact, &filter.name, what, setting)
}

fn count(count: u64, unit: &str) -> Figure {
    let unit = unit.into();
    Figure::Count { count, unit }
}

fn digest(bytes: &[u8]) -> Figure {
    let sha256 = sha256(bytes);
    Figure::Digest { sha256 }
}

/// The rows of one filter. A filter with keys from a file is measured with these keys and again
/// with generated keys. Of the rows with the file's keys only errors are kept, because the others
/// change when the file grows. False negatives are counted in both measurements.
fn configured(filter: &Guarded) -> Result<Vec<GateRow>> {
    let mut missing = BTreeMap::new();
    let mut rows = full(filter, &mut missing)?;
    if !filter.of.keys.is_generated() {
        rows.retain(|row| matches!(row.value, Some(Figure::Error { .. })));
        rows.extend(full(&filter.of_made_up_keys()?, &mut missing)?);
    }
    if filter.of.filter.promises_no_false_negatives {
        rows.extend(missing.into_iter().map(|(how, missing)| {
            let row = row(filter, &format!("{FALSE_NEGATIVES}{how}")).has(count(missing, "keys"));
            match missing {
                0 => row,
                _ => row.failed("a filter may have no false negatives"),
            }
        }));
    }
    Ok(rows)
}

/// Fills the filter with its keys and returns its rows. Adds the number of false negatives to
/// `missing`, under the name of the kind of lookup; the empty string stands for single calls.
fn full(guarded: &Guarded, missing: &mut BTreeMap<&str, u64>) -> Result<Vec<GateRow>> {
    let row = |what: &str| row(guarded, what);
    let Fitted { keys, seed, .. } = &guarded.of;
    let entry = &guarded.of.filter;
    let workload = Workload::new(keys, SEED, guarded.members())?;
    let mut filter = guarded.of.make()?;
    if let (Size::TargetFpr(target), "ours") = (guarded.of.size, entry.role) {
        let expected = filter.state(guarded.of.capacity).agreed()?.expected_fpr;
        ensure!(
            expected <= target * (1.0 + ROUNDING),
            "expects an FPR of {expected:e} at capacity"
        );
    }
    let mut accepted = Vec::new();
    workload.members(|key| accepted.push(filter.insert(key)));
    let rejected = accepted.iter().filter(|taken| !**taken).count() as u64;
    let state = filter.state(guarded.members() - rejected);
    let mut rows = vec![
        row("memory").has(count(state.memory_bytes, "bytes")),
        row("keys rejected").has(count(rejected, "keys")),
    ];
    if let Some(bytes) = filter.encoded().filter(|_| entry.reproducible_by_seed) {
        rows.push(row("stored bytes").has(digest(&bytes)));
    }
    // Looks up members and non-members by single calls and in batches. Adds rows for the answers,
    // and an error row if single calls and batches differ.
    let mut answered = |filter: &dyn Subject, accepted: &[bool], after, rows: &mut Vec<_>| {
        let answers = Answers::of(filter, |give| {
            workload.members(&mut *give);
            workload.non_members(OTHERS, give);
        });
        let paths = [
            ("", "", Some(&answers.singly)),
            (IN_BATCHES, ", asked in batches", answers.batches.as_ref()),
        ];
        for (how, asked, found) in paths {
            let Some(found) = found else { continue };
            let members = accepted.iter().zip(found);
            let lost = members.filter(|(is_member, found)| **is_member && !**found);
            *missing.entry(asked).or_default() += lost.count() as u64;
            if entry.reproducible_by_seed {
                // One byte per key.
                let bytes: Vec<u8> = found.iter().map(|answer| u8::from(*answer)).collect();
                rows.push(row(&format!("answers{after}{how}")).has(digest(&bytes)));
            }
        }
        let (differ, asked) = (answers.otherwise(), answers.singly.len());
        if differ > 0 {
            let words = format!("{differ} of {asked} keys answered otherwise than by single calls");
            rows.push(row(&format!("API paths{after}{IN_BATCHES}")).error(&words));
        }
    };
    answered(&*filter, &accepted, "", &mut rows);
    if entry.locate.is_some() {
        let cell = guarded.of.locations(LOCATED, *seed)?;
        let locator = cell.locator()?;
        let mut hash = Sha256::new();
        keys.for_each(cell.count, |key| {
            locator.locate(key, &mut |slot| hash.update(slot.to_le_bytes()));
        });
        let sha256 = hex(&hash.finalize());
        rows.push(row("locations").has(Figure::Digest { sha256 }));
    }
    if entry.removes {
        let (mut rejected, mut buffer) = (0, Vec::new());
        for i in (0..accepted.len()).step_by(2) {
            if std::mem::take(&mut accepted[i]) {
                let key = workload.member(i as u64, &mut buffer);
                rejected += u64::from(!filter.remove(key));
            }
        }
        rows.push(row("removals rejected").has(count(rejected, "keys")));
        let after = " after half of the keys were removed";
        answered(&*filter, &accepted, after, &mut rows);
    }
    Ok(rows)
}
