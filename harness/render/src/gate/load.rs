//! Whether filters are sized for as many keys as they are given. No baseline is asked
//! for that: a filter that its keys have outgrown was no better before.

use super::{Run, before, rate};
use crate::{estimate::Estimate, number};
use bouquet_ground::Outcome;
use bouquet_ground::record::{Figure, GateLoadRow, GateRow, KEYS_PER_CAPACITY, Tier};

/// In the exact tier a row a filter.
pub fn exact(run: &Run<'_>) -> Vec<GateRow> {
    let loads = run.records.loads.iter();
    loads.map(|raw| keys_per_capacity(run, raw)).collect()
}

/// In the statistical tier what is measured of filters that their keys have outgrown.
pub fn measured(run: &Run<'_>) -> Vec<GateRow> {
    let loads = run.records.loads.iter();
    let overfull = loads.filter(|raw| raw.of.error.is_empty() && raw.is_overfull());
    let row = |raw: &GateLoadRow| {
        let counts = (raw.of.false_positives, raw.of.non_members);
        let value = rate(measured_fpr(raw), counts, raw.of.expected_fpr);
        row(Tier::Statistical, raw, "FPR with all keys").has(value)
    };
    overfull.map(row).collect()
}

fn keys_per_capacity(run: &Run<'_>, raw: &GateLoadRow) -> GateRow {
    let row = row(Tier::Exact, raw, KEYS_PER_CAPACITY);
    if !raw.of.error.is_empty() {
        return row.error(&raw.of.error);
    }
    let old = before(run, &row);
    let is_other = |old: &Figure| {
        // The FPR, written and read again, may differ in its last digit.
        !matches!(old, Figure::Load { keys, capacity, .. }
            if (*keys, *capacity) == (raw.of.keys, raw.of.capacity))
    };
    GateRow {
        value: Some(Figure::Load {
            keys: raw.of.keys,
            capacity: raw.of.capacity,
            load: raw.of.keys as f64 / raw.of.capacity.max(1) as f64,
            expected_fpr: raw.of.expected_fpr,
        }),
        changed: old.as_ref().is_some_and(is_other),
        baseline: old,
        ..row
    }
}

/// What is said of a filter in either tier.
fn row(tier: Tier, raw: &GateLoadRow, what: &str) -> GateRow {
    let is_overfull = raw.is_overfull();
    let note = format!(
        "{} keys for a capacity of {}: an FPR of {} by theory and {} measured, {} keys rejected; \
         give it a larger capacity or fewer keys",
        number::count(raw.of.keys),
        number::count(raw.of.capacity),
        number::share(raw.of.expected_fpr, 3),
        measured_fpr(raw).in_words(),
        number::count(raw.of.rejected),
    );
    GateRow {
        standing: Outcome::fails_if(is_overfull),
        note: if is_overfull { note } else { String::new() },
        ..GateRow::new(tier, &raw.of.filter, what, raw.setting.clone())
    }
}

fn measured_fpr(raw: &GateLoadRow) -> Estimate {
    Estimate::share(raw.of.false_positives, raw.of.non_members)
}
