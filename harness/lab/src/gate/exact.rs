//! The exact tier: what is the same on every machine and in every run. Its keys
//! and seeds are fixed.

use std::sync::Arc;

use anyhow::{Result, ensure};
use sha2::{Digest, Sha256};

use super::{
    Guarded, OTHERS, SEED,
    definition::{Definition, Located},
};
use crate::answers::Answers;
use crate::measure::guarded;
use crate::registry::{Entry, Request, Subject};
use crate::schemes::Wanted;
use crate::workload::{KeySet, Workload};
use bouquet_ground::record::{FALSE_NEGATIVES, Figure, GateRow, Tier};
use bouquet_ground::units::{hex, sha256};
use bouquet_ground::{interrupt::go_on, room};

/// Below this not every filter has a size for a target.
const LOW: f64 = 1e-6;
/// By so much what is expected is off in the computation.
const ROUNDING: f64 = 1e-5;
/// Keys whose locations are recorded.
const LOCATED: u64 = 2_000;

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

/// Of answers, a byte a key.
fn digest_of(answers: &[bool]) -> Figure {
    let bytes: Vec<u8> = answers.iter().map(|answer| u8::from(*answer)).collect();
    digest(&bytes)
}

/// The row with a figure, or why there is none.
fn or_error(row: GateRow, figure: Result<Figure, String>) -> GateRow {
    match figure {
        Ok(figure) => row.has(figure),
        Err(error) => row.error(&error),
    }
}

/// One filter as it is configured. What is compared is of keys that are made up where its
/// own come from a file: a list that grows makes no other filter.
fn configured(filter: &Guarded) -> Result<Vec<GateRow>> {
    let mut missing = Missing::default();
    let mut rows = if filter.keys.is_generated() {
        full(filter, &mut missing)?
    } else {
        let mut rows = own_keys(filter, &mut missing)?;
        rows.extend(full(&filter.of_made_up_keys()?, &mut missing)?);
        rows
    };
    if filter.entry.promises_no_false_negatives {
        rows.push(row(filter, FALSE_NEGATIVES).has(count(missing.singly, "keys")));
        if let Some(batches) = missing.batches {
            let what = format!("{FALSE_NEGATIVES}, asked in batches");
            rows.push(row(filter, &what).has(count(batches, "keys")));
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
fn own_keys(filter: &Guarded, missing: &mut Missing) -> Result<Vec<GateRow>> {
    let filled = Filled::of(filter)?;
    let mut rows = answered(filter, &filled, "", missing);
    rows.retain(|row| matches!(row.value, Some(Figure::Error { .. })));
    Ok(rows)
}

/// A filter full of its keys.
fn full(filter: &Guarded, missing: &mut Missing) -> Result<Vec<GateRow>> {
    let mut filled = Filled::of(filter)?;
    let rejected = filled.accepted.iter().filter(|taken| !**taken).count() as u64;
    let state = filled.filter.state(filter.members() - rejected);
    let mut rows = vec![
        row(filter, "memory").has(count(state.memory_bytes, "bytes")),
        row(filter, "keys rejected").has(count(rejected, "keys")),
    ];
    if let Some(bytes) = filled
        .filter
        .encoded()
        .filter(|_| filter.entry.reproducible_by_seed)
    {
        rows.push(row(filter, "stored bytes").has(digest(&bytes)));
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
        rows.push(GateRow {
            what: "locations".into(),
            ..locations(&at, &filter.keys)
        });
    }
    if filter.entry.removes {
        let after = " after half of the keys were removed";
        let rejected = filled.remove_half();
        rows.push(row(filter, "removals rejected").has(count(rejected, "keys")));
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
) -> Vec<GateRow> {
    let answers = filled.answers();
    missing.add(&filled.accepted, &answers);
    let in_batches = "inserted singly, asked in batches";
    let mut rows = Vec::new();
    if filter.entry.reproducible_by_seed {
        let mut add = |what: &str, answers: &[bool]| {
            rows.push(row(filter, what).has(digest_of(answers)));
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
        rows.push(row(filter, &what).error(&words));
    }
    rows
}

fn memory(entry: &Arc<Entry>, capacity: u64, fpr: f64) -> GateRow {
    let request = Request::of_target(capacity, fpr, SEED);
    let value = guarded(|| match entry.sized(&request) {
        Ok(filter) => sized(&*filter, capacity, fpr),
        // So low a target is no size of it, and is to stay none.
        Err(_) if fpr < LOW => Ok(digest(b"rejected")),
        Err(error) => Err(error),
    });
    let what = format!("memory for {capacity} keys at {fpr}");
    or_error(
        GateRow::new(Tier::Exact, entry.name, &what, "empty".into()),
        value,
    )
}

/// What an empty filter takes, if it will keep its target at its capacity.
fn sized(filter: &dyn Subject, capacity: u64, target_fpr: f64) -> Result<Figure> {
    let state = filter.state(capacity).agreed()?;
    let expected = state.expected_fpr;
    ensure!(
        expected <= target_fpr * (1.0 + ROUNDING),
        "expects an FPR of {expected:e} at capacity"
    );
    Ok(count(state.memory_bytes, "bytes"))
}

/// Where keys go. A size that a layout does not have is recorded as rejected.
fn locations(of: &Located, keys: &KeySet) -> GateRow {
    let at = of.at;
    let located = guarded(|| {
        let Ok(locator) = (of.make)(at) else {
            return Ok(digest(b"rejected"));
        };
        let mut hash = Sha256::new();
        keys.for_each(keys.up_to(LOCATED), |key| {
            locator.locate(key, &mut |slot| hash.update(slot.to_le_bytes()));
        });
        Ok(Figure::Digest {
            sha256: hex(&hash.finalize()),
        })
    });
    let what = format!("locations in {} slots", at.slots);
    let setting = format!("{} slots, k = {}", at.slots, at.probes);
    or_error(GateRow::new(Tier::Exact, &of.name, &what, setting), located)
}
