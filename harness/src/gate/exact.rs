//! The exact tier: what is the same on every machine and in every run. Its keys
//! and seeds are fixed.

use std::sync::Arc;

use anyhow::Result;
use sha2::{Digest, Sha256};

use super::{
    Guarded,
    definition::{Definition, Located},
};
use crate::{
    measure::{GROWN, PhasesCell, guarded},
    record::GateExactRow,
    registry::{Ask, Entry, Size, Subject},
    workload::{KeySet, Workload},
};

/// Of the filters and of the split of the keys.
const SEED: u64 = 7;
/// Strangers whose answers are recorded; most are "no".
const STRANGERS: u64 = 50_000;
/// Keys whose locations are recorded.
const LOCATED: u64 = 2_000;
/// A filter's life is gone through with so many keys at most.
const LIFE_CAPACITY: u64 = 5_000;

/// All rows of this tier.
///
/// Fails if a filter of the definition cannot be made.
pub fn exact(definition: &Definition) -> Result<Vec<GateExactRow>> {
    let mut rows = Vec::new();
    for filter in &definition.filters {
        match guarded(|| configured(filter)) {
            Ok(own) => rows.extend(own),
            Err(error) => rows.push(row(filter, "measurement", "error", error)),
        }
    }
    for (entry, capacity, fpr) in &definition.memory {
        rows.push(memory(entry, *capacity, *fpr)?);
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
    let (mut denied, answers) = ask(&*subject, &workload, &accepted);
    if filter.entry.reproducible_by_seed {
        if let Some(bytes) = subject.encoded() {
            rows.push(row(filter, "stored bytes", "sha256", sha256(&bytes)));
        }
        rows.push(row(filter, "answers", "sha256", sha256(&answers)));
    }
    if let Some(read) = subject.reload() {
        read?;
        denied += ask(&*subject, &workload, &accepted).0;
    }
    if filter.entry.promises_no_false_negatives {
        denied += life(filter)?;
        rows.push(row(filter, "false negatives", "keys", denied));
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

/// Members denied, and all answers: a byte a key.
fn ask(subject: &dyn Subject, workload: &Workload<'_>, accepted: &[bool]) -> (u64, Vec<u8>) {
    let (mut denied, mut answers) = (0, Vec::new());
    let mut taken = accepted.iter();
    workload.members(|key| {
        let (held, taken) = (subject.contains(key), taken.next());
        denied += u64::from(!held && taken == Some(&true));
        answers.push(held.into());
    });
    workload.strangers(STRANGERS, |key| {
        answers.push(subject.contains(key).into());
        true
    });
    (denied, answers)
}

/// Members denied in a life: after filling, removing, growing, union, storing
/// and inserts from threads, each as far as the filter can.
fn life(filter: &Guarded) -> Result<u64> {
    let keys = if filter.keys.is_generated() {
        LIFE_CAPACITY
    } else {
        (filter.keys.len() / GROWN).min(LIFE_CAPACITY)
    };
    if keys == 0 {
        return Ok(0);
    }
    let cell = PhasesCell {
        experiment: "gate".into(),
        filter: filter.entry.clone(),
        keys: filter.keys.clone(),
        capacity: keys.min(filter.capacity),
        size: filter.size,
        replicate: 0,
        seed: SEED,
    };
    let rows = cell.measure();
    if let Some(row) = rows.iter().find(|row| !row.error.is_empty()) {
        anyhow::bail!("{}: {}", row.phase, row.error);
    }
    Ok(rows.iter().map(|row| row.false_negatives).sum())
}

fn memory(entry: &Arc<Entry>, capacity: u64, fpr: f64) -> Result<GateExactRow> {
    let ask = Ask {
        capacity,
        size: Size::TargetFpr(fpr),
        seed: SEED,
    };
    Ok(GateExactRow {
        subject: entry.name.into(),
        what: format!("memory for {capacity} keys at {fpr}"),
        setting: "empty".into(),
        unit: "bytes".into(),
        value: (entry.build)(&ask)?.state(0).memory_bytes.to_string(),
    })
}

/// Where keys go. A size that a layout does not have is recorded as refused.
fn locations(at: &Located, keys: &KeySet) -> GateExactRow {
    let value = match (at.make)(at.slots, at.probes, SEED) {
        Err(_) => sha256(b"refused"),
        Ok(locator) => {
            let mut hash = Sha256::new();
            let count = if keys.is_generated() {
                LOCATED
            } else {
                LOCATED.min(keys.len())
            };
            keys.for_each(count, |key| {
                locator.locate(key, &mut |slot| hash.update(slot.to_le_bytes()));
            });
            hex(&hash.finalize())
        }
    };
    GateExactRow {
        subject: at.name.clone(),
        what: format!("locations in {} slots", at.slots),
        setting: format!("{} slots, k = {}", at.slots, at.probes),
        unit: "sha256".into(),
        value,
    }
}

fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
