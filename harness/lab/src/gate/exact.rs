//! The exact tier: what is the same on every machine and in every run. Its keys
//! and seeds are fixed.

use std::sync::Arc;

use anyhow::{Result, ensure};
use sha2::{Digest, Sha256};

use super::{
    Guarded,
    definition::{Definition, Located},
    row::{OTHERS, SEED, row_of, sha256_of_answers},
};
use crate::answers::Answers;
use crate::measure::guarded;
use crate::registry::{Entry, Request, Subject};
use crate::schemes::Wanted;
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
        // What was taken of each key, the answers, and the filter, once more as it is stored.
        let answers = 2 * (keys + OTHERS);
        let filled = 1.0 + 2.0 * size.least_bits(&filter.entry) / 8.0;
        let bytes = keys as f64 * filled + answers as f64;
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
    let mut missing = Missing::default();
    let mut rows = if filter.keys.is_generated() {
        full(filter, &mut missing)?
    } else {
        let mut rows = own_keys(filter, &mut missing)?;
        rows.extend(full(&filter.of_made_up_keys()?, &mut missing)?);
        rows
    };
    if filter.entry.promises_no_false_negatives {
        rows.push(row(filter, FALSE_NEGATIVES, "keys", missing.singly));
        if let Some(count) = missing.batches {
            let what = format!("{FALSE_NEGATIVES}, asked in batches");
            rows.push(row(filter, &what, "keys", count));
        }
    }
    Ok(rows)
}

/// False negatives of a filter.
#[derive(Default)]
struct Missing {
    singly: u64,
    batches: Option<u64>,
}

impl Missing {
    /// Of these members, by the answers that begin with theirs.
    fn add(&mut self, members: &[bool], answers: &Answers) {
        let missing = |answers: &[bool]| {
            let pairs = members.iter().zip(answers);
            pairs
                .filter(|(is_member, found)| **is_member && !**found)
                .count() as u64
        };
        self.singly += missing(&answers.singly);
        if let Some(batches) = &answers.batches {
            *self.batches.get_or_insert_default() += missing(batches);
        }
    }
}

/// A filter that was given its members.
struct Filled<'a> {
    filter: Box<dyn Subject>,
    workload: Workload<'a>,
    /// Which of them it took.
    accepted: Vec<bool>,
}

impl<'a> Filled<'a> {
    fn of(guarded: &'a Guarded) -> Result<Self> {
        let workload = Workload::new(&guarded.keys, SEED, guarded.members())?;
        let mut filter = guarded.fixed(guarded.capacity).make()?;
        let mut accepted = Vec::new();
        workload.members(|key| accepted.push(filter.insert(key)));
        Ok(Self {
            filter,
            workload,
            accepted,
        })
    }

    /// For all members, then for the others.
    fn answers(&self) -> Answers {
        Answers::of(&*self.filter, |give| {
            self.workload.members(&mut *give);
            self.workload.non_members(OTHERS, |key| {
                give(key);
                true
            });
        })
    }

    /// Removes every second key that was accepted; returns how many removals were rejected.
    fn remove_half(&mut self) -> u64 {
        let (mut rejected, mut buffer) = (0, Vec::new());
        for i in (0..self.accepted.len()).step_by(2) {
            if std::mem::take(&mut self.accepted[i]) {
                let key = self.workload.member(i as u64, &mut buffer);
                rejected += u64::from(!self.filter.remove(key));
            }
        }
        rejected
    }
}

/// What goes wrong with a filter's own keys.
fn own_keys(filter: &Guarded, missing: &mut Missing) -> Result<Vec<GateExactRow>> {
    let filled = Filled::of(filter)?;
    let mut rows = answered(filter, &filled, "", missing);
    rows.retain(|row| row.unit == "error");
    Ok(rows)
}

/// A filter full of its keys.
fn full(filter: &Guarded, missing: &mut Missing) -> Result<Vec<GateExactRow>> {
    let mut filled = Filled::of(filter)?;
    let rejected = filled.accepted.iter().filter(|taken| !**taken).count() as u64;
    let state = filled.filter.state(filter.members() - rejected);
    let mut rows = vec![
        row(filter, "memory", "bytes", state.memory_bytes),
        row(filter, "keys rejected", "keys", rejected),
    ];
    if let Some(bytes) = filled
        .filter
        .encoded()
        .filter(|_| filter.entry.reproducible_by_seed)
    {
        rows.push(row(filter, "stored bytes", "sha256", sha256(&bytes)));
    }
    rows.extend(answered(filter, &filled, "", missing));
    if let Some(make) = filter.entry.locate {
        let at = Located {
            name: filter.name.clone(),
            make,
            at: Wanted {
                slots: filled.filter.slots().unwrap_or(state.size_bits),
                probes: state.hashes.max(1),
                seed: filter.fixed(filter.capacity).request().seed,
                options: filter.options,
            },
        };
        rows.push(GateExactRow {
            what: "locations".into(),
            ..locations(&at, &filter.keys)
        });
    }
    if filter.entry.removes {
        let after = " after half of the keys were removed";
        let rejected = filled.remove_half();
        rows.push(row(filter, "removals rejected", "keys", rejected));
        rows.extend(answered(filter, &filled, after, missing));
    }
    Ok(rows)
}

/// The answers, by single calls and in batches, and how they differ.
fn answered(
    filter: &Guarded,
    filled: &Filled<'_>,
    after: &str,
    missing: &mut Missing,
) -> Vec<GateExactRow> {
    let answers = filled.answers();
    missing.add(&filled.accepted, &answers);
    let in_batches = "inserted singly, asked in batches";
    let mut rows = Vec::new();
    if filter.entry.reproducible_by_seed {
        let mut add = |what: &str, answers: &[bool]| {
            rows.push(row(filter, what, "sha256", sha256_of_answers(answers)));
        };
        add(&format!("answers{after}"), &answers.singly);
        if let Some(batches) = &answers.batches {
            add(&format!("answers{after}, {in_batches}"), batches);
        }
    }
    let (differ, asked) = (answers.otherwise(), answers.singly.len());
    if differ > 0 {
        let what = format!("ways{after}, {in_batches}");
        let words = format!("{differ} of {asked} keys answered otherwise than by single calls");
        rows.push(row(filter, &what, "error", words));
    }
    rows
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
