//! The exact tier: what is the same on every machine and in every run. Its keys
//! and seeds are fixed.

use std::{collections::BTreeMap, sync::Arc};

use anyhow::{Result, ensure};
use sha2::{Digest, Sha256};

use super::{Guarded, OTHERS, SEED, definition::Definition};
use crate::answers::Answers;
use crate::measure::{FprCell, guarded};
use crate::registry::{Size, Subject};
use crate::schemes::Wanted;
use crate::workload::{KeySet, Workload};
use bouquet_ground::record::{
    FALSE_NEGATIVES, Figure, GateRow, KEYS_PER_CAPACITY, Observation, Sweep, Tier,
};
use bouquet_ground::units::{hex, sha256};
use bouquet_ground::{interrupt::go_on, room};
use bouquet_stats::proportion;

/// The relative error of expected values by rounding.
const ROUNDING: f64 = 1e-5;
/// Keys whose locations are recorded.
const LOCATED: u64 = 2_000;
/// How the answers of a second row came about.
const IN_BATCHES: &str = ", inserted singly, asked in batches";

/// All rows of this tier. What cannot be made is a row that says why.
pub fn exact(definition: &Definition) -> Result<Vec<GateRow>> {
    let mut rows = Vec::new();
    for filter in &definition.filters {
        go_on()?;
        match guarded(|| configured(filter)) {
            Ok(own) => rows.extend(own),
            Err(error) => rows.push(row(filter, "measurement").error(&error)),
        }
    }
    Ok(rows)
}

/// Whether the filters are sized for as many keys as they are given: a row a filter in the
/// exact tier. One that its keys have outgrown is filled with all of them and asked, which is
/// a row of the statistical tier.
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
    let (keys, capacity) = (filter.keys_in_the_end(), filter.capacity);
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
    if keys <= capacity || filter.entry.grows {
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
    let note = format!(
        "more keys than its capacity, of which it rejected {}: give it a larger capacity or fewer \
         keys",
        of.rejected
    );
    [exact, measured].map(|row| row.failed(&note)).into()
}

/// The filter with so many keys: measured if they are more than its capacity.
fn loaded(filter: &Guarded, keys: u64) -> Result<Observation> {
    let mut of = filter.fitted(filter.capacity, 0, filter.fixed_seed());
    if keys <= filter.capacity {
        return Ok(Observation {
            expected_fpr: of.make()?.state(keys).agreed()?.expected_fpr,
            ..Observation::default()
        });
    }
    if keys > of.keys.len() {
        // Keys that are still to come are not there to be asked for.
        of.keys = Arc::new(KeySet::generated("keys to come", "random-u64", SEED)?);
    }
    let overfull = FprCell {
        of,
        sweep: Sweep::Load,
        x: keys as f64 / filter.capacity as f64,
        hits: f64::INFINITY,
        low_hits: f64::INFINITY,
        max_non_members: OTHERS,
    };
    Ok(overfull.measure())
}

/// Rejects filters that cannot fit into the memory that there is.
///
/// # Errors
///
/// One of them takes more.
pub fn check_room(definition: &Definition) -> Result<()> {
    for filter in &definition.filters {
        let (keys, size) = (filter.members(), filter.size);
        // What was taken of each key, the answers, and the filter, once more as it is stored.
        let filled = 1.0 + 2.0 * size.least_bits(&filter.entry) / 8.0;
        let bytes = keys as f64 * filled + 2.0 * (keys + OTHERS) as f64;
        room::check(&format!("the filter {}", filter.name), bytes)?;
    }
    Ok(())
}

fn row(filter: &Guarded, what: &str) -> GateRow {
    let (members, capacity) = (filter.members(), filter.capacity);
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

/// False negatives by the way to ask: nothing behind the name for single calls.
type Missing = BTreeMap<&'static str, u64>;

/// One filter as it is configured. What is compared is of made-up keys where its own come
/// from a file, because a list that grows makes no other filter; of its own keys stays what is
/// wrong by itself.
fn configured(filter: &Guarded) -> Result<Vec<GateRow>> {
    let mut missing = Missing::new();
    let mut rows = full(filter, &mut missing)?;
    if !filter.keys.is_generated() {
        rows.retain(|row| matches!(row.value, Some(Figure::Error { .. })));
        rows.extend(full(&filter.of_made_up_keys()?, &mut missing)?);
    }
    if filter.entry.promises_no_false_negatives {
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

/// A filter full of its keys.
fn full(guarded: &Guarded, missing: &mut Missing) -> Result<Vec<GateRow>> {
    let row = |what: &str| row(guarded, what);
    let workload = Workload::new(&guarded.keys, SEED, guarded.members())?;
    let mut filter = guarded.fixed()?;
    if let (Size::TargetFpr(target), "ours") = (guarded.size, guarded.entry.role) {
        let expected = filter.state(guarded.capacity).agreed()?.expected_fpr;
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
    let is_reproducible = guarded.entry.reproducible_by_seed;
    if let Some(bytes) = filter.encoded().filter(|_| is_reproducible) {
        rows.push(row("stored bytes").has(digest(&bytes)));
    }
    rows.extend(answered(
        guarded, &*filter, &workload, &accepted, "", missing,
    ));
    if let Some(make) = guarded.entry.locate {
        let slots = filter.slots().unwrap_or(state.size_bits);
        let locator = make(Wanted {
            options: guarded.options,
            ..Wanted::new(slots, state.hashes.max(1), guarded.fixed_seed())
        })?;
        let mut hash = Sha256::new();
        guarded.keys.for_each(guarded.keys.up_to(LOCATED), |key| {
            locator.locate(key, &mut |slot| hash.update(slot.to_le_bytes()));
        });
        let sha256 = hex(&hash.finalize());
        rows.push(row("locations").has(Figure::Digest { sha256 }));
    }
    if guarded.entry.removes {
        let (mut rejected, mut buffer) = (0, Vec::new());
        for i in (0..accepted.len()).step_by(2) {
            if std::mem::take(&mut accepted[i]) {
                let key = workload.member(i as u64, &mut buffer);
                rejected += u64::from(!filter.remove(key));
            }
        }
        rows.push(row("removals rejected").has(count(rejected, "keys")));
        let after = " after half of the keys were removed";
        rows.extend(answered(
            guarded, &*filter, &workload, &accepted, after, missing,
        ));
    }
    Ok(rows)
}

/// The answers for members and others, by single calls and in batches, and how they differ.
fn answered(
    guarded: &Guarded,
    filter: &dyn Subject,
    workload: &Workload<'_>,
    accepted: &[bool],
    after: &str,
    missing: &mut Missing,
) -> Vec<GateRow> {
    let answers = Answers::of(filter, |give| {
        workload.members(&mut *give);
        workload.non_members(OTHERS, |key| {
            give(key);
            true
        });
    });
    let mut rows = Vec::new();
    let ways = [
        ("", "", Some(&answers.singly)),
        (IN_BATCHES, ", asked in batches", answers.batches.as_ref()),
    ];
    for (how, asked, found) in ways {
        let Some(found) = found else { continue };
        let members = accepted.iter().zip(found);
        let lost = members.filter(|(is_member, found)| **is_member && !**found);
        *missing.entry(asked).or_default() += lost.count() as u64;
        if guarded.entry.reproducible_by_seed {
            // A byte a key.
            let bytes: Vec<u8> = found.iter().map(|answer| u8::from(*answer)).collect();
            rows.push(row(guarded, &format!("answers{after}{how}")).has(digest(&bytes)));
        }
    }
    let (differ, asked) = (answers.otherwise(), answers.singly.len());
    if differ > 0 {
        let words = format!("{differ} of {asked} keys answered otherwise than by single calls");
        rows.push(row(guarded, &format!("ways{after}{IN_BATCHES}")).error(&words));
    }
    rows
}
