//! The exact tier: what is the same on every machine and in every run. Its keys
//! and seeds are fixed.

use std::sync::Arc;

use anyhow::Result;
use sha2::{Digest, Sha256};

use super::{
    Guarded,
    definition::{Definition, Located},
    life::life,
};
use crate::{
    measure::guarded,
    record::GateExactRow,
    registry::{Ask, Entry, Size, Subject},
    workload::{KeySet, Workload},
};

/// Of the filters and of the split of the keys.
pub(super) const SEED: u64 = 7;
/// Strangers whose answers are recorded; most are "no".
const STRANGERS: u64 = 50_000;
/// Keys whose locations are recorded.
const LOCATED: u64 = 2_000;
pub(super) const READS_BACK_OTHERWISE: &str = "reads back as another filter";

/// All rows of this tier. What cannot be made is a row that says why.
pub fn exact(definition: &Definition) -> Result<Vec<GateExactRow>> {
    let mut rows = Vec::new();
    for filter in &definition.filters {
        match guarded(|| configured(filter)) {
            Ok(own) => rows.extend(own),
            Err(error) => rows.push(row(filter, "measurement", "error", error)),
        }
    }
    for (entry, capacity, fpr) in &definition.memory {
        rows.push(memory(entry, *capacity, *fpr));
    }
    let keys = KeySet::generated("random-u64", "random-u64", SEED)?;
    rows.extend(definition.located.iter().map(|at| locations(at, &keys)));
    Ok(rows)
}

fn row(filter: &Guarded, what: &str, unit: &str, value: impl ToString) -> GateExactRow {
    GateExactRow {
        subject: filter.name.clone(),
        what: what.into(),
        setting: format!(
            "{}, {} of {} keys of {}, {}",
            filter.entry.name,
            filter.members(),
            filter.capacity,
            filter.keys.name(),
            filter.size_in_words()
        ),
        unit: unit.into(),
        value: value.to_string(),
    }
}

/// One filter as it is configured, full.
fn configured(filter: &Guarded) -> Result<Vec<GateExactRow>> {
    let workload = Workload::new(&filter.keys, SEED, filter.members())?;
    let mut subject = (filter.entry.build)(&filter.ask(SEED))?;
    let mut accepted = Vec::new();
    workload.members(|key| accepted.push(subject.insert(key)));
    let refused = accepted.iter().filter(|taken| !**taken).count();
    let state = subject.state(filter.members() - refused as u64);
    let mut rows = vec![
        row(filter, "memory", "bytes", state.memory_bytes),
        row(filter, "keys refused", "keys", refused),
    ];
    let full = answers(&*subject, &workload);
    let mut lost = denied(&full, &accepted);
    if filter.entry.reproducible_by_seed {
        if let Some(bytes) = subject.encoded() {
            rows.push(row(filter, "stored bytes", "sha256", sha256(&bytes)));
        }
        rows.push(row(filter, "answers", "sha256", sha256(&full)));
    }
    if let Some(read) = subject.reload() {
        read?;
        let again = answers(&*subject, &workload);
        lost += denied(&again, &accepted);
        if again != full {
            rows.push(row(filter, "reload", "error", READS_BACK_OTHERWISE));
        }
    }
    if filter.entry.promises_no_false_negatives {
        let life = life(filter);
        rows.extend(life.rows);
        lost += life.denied;
        rows.push(row(filter, "false negatives", "keys", lost));
    }
    if let Some(make) = filter.entry.locate {
        let at = Located {
            name: filter.name.clone(),
            make,
            slots: subject.slots().unwrap_or(state.size_bits),
            probes: state.hashes.max(1),
        };
        rows.push(GateExactRow {
            what: "locations".into(),
            ..locations(&at, &filter.keys)
        });
    }
    Ok(rows)
}

/// Of all members, then of strangers: a byte a key.
pub(super) fn answers(subject: &dyn Subject, workload: &Workload<'_>) -> Vec<u8> {
    let mut answers = Vec::new();
    workload.members(|key| answers.push(subject.contains(key).into()));
    workload.strangers(STRANGERS, |key| {
        answers.push(subject.contains(key).into());
        true
    });
    answers
}

/// Members that were accepted and are not held.
fn denied(answers: &[u8], accepted: &[bool]) -> u64 {
    let members = answers.iter().zip(accepted);
    members
        .filter(|(held, taken)| **held == 0 && **taken)
        .count() as u64
}

fn memory(entry: &Arc<Entry>, capacity: u64, fpr: f64) -> GateExactRow {
    let ask = Ask {
        capacity,
        size: Size::TargetFpr(fpr),
        seed: SEED,
    };
    let bytes = guarded(|| Ok((entry.build)(&ask)?.state(0).memory_bytes));
    let (unit, value) = match bytes {
        Ok(bytes) => ("bytes", bytes.to_string()),
        Err(error) => ("error", error),
    };
    GateExactRow {
        subject: entry.name.into(),
        what: format!("memory for {capacity} keys at {fpr}"),
        setting: "empty".into(),
        unit: unit.into(),
        value,
    }
}

/// Where keys go. A size that a layout does not have is recorded as refused.
fn locations(at: &Located, keys: &KeySet) -> GateExactRow {
    let located = guarded(|| {
        let Ok(locator) = (at.make)(at.slots, at.probes, SEED) else {
            return Ok(sha256(b"refused"));
        };
        let mut hash = Sha256::new();
        let count = if keys.is_generated() {
            LOCATED
        } else {
            LOCATED.min(keys.len())
        };
        keys.for_each(count, |key| {
            locator.locate(key, &mut |slot| hash.update(slot.to_le_bytes()));
        });
        Ok(hex(&hash.finalize()))
    });
    let (unit, value) = match located {
        Ok(digest) => ("sha256", digest),
        Err(error) => ("error", error),
    };
    GateExactRow {
        subject: at.name.clone(),
        what: format!("locations in {} slots", at.slots),
        setting: format!("{} slots, k = {}", at.slots, at.probes),
        unit: unit.into(),
        value,
    }
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
