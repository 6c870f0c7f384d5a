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
    let overfull = loads.filter(|raw| raw.error.is_empty() && raw.is_overfull());
    let row = |raw: &GateLoadRow| {
        let counts = (raw.false_positives, raw.non_members_asked);
        let value = rate(measured_fpr(raw), counts, raw.expected_fpr);
        row(Tier::Statistical, raw, "FPR with all keys").has(value)
    };
    overfull.map(row).collect()
}

fn keys_per_capacity(run: &Run<'_>, raw: &GateLoadRow) -> GateRow {
    let row = row(Tier::Exact, raw, KEYS_PER_CAPACITY);
    if !raw.error.is_empty() {
        return row.error(&raw.error);
    }
    let old = before(run, &row);
    let is_other = |old: &Figure| {
        // The FPR, written and read again, may differ in its last digit.
        !matches!(old, Figure::Load { keys, capacity, .. }
            if (*keys, *capacity) == (raw.keys, raw.capacity))
    };
    GateRow {
        value: Some(Figure::Load {
            keys: raw.keys,
            capacity: raw.capacity,
            load: raw.keys as f64 / raw.capacity.max(1) as f64,
            expected_fpr: raw.expected_fpr,
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
        number::count(raw.keys),
        number::count(raw.capacity),
        number::share(raw.expected_fpr, 3),
        measured_fpr(raw).in_words(),
        number::count(raw.rejected),
    );
    GateRow {
        standing: Outcome::fails_if(is_overfull),
        note: if is_overfull { note } else { String::new() },
        ..GateRow::new(tier, &raw.subject, what, raw.setting.clone())
    }
}

fn measured_fpr(raw: &GateLoadRow) -> Estimate {
    Estimate::share(raw.false_positives, raw.non_members_asked)
}
