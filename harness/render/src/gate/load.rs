//! Whether filters are sized for as many keys as they are given. No baseline is asked
//! for that: a filter that its keys have outgrown was no better before.

use super::{Run, before, rate};
use crate::{estimate::Estimate, number, number::plural};
use bouquet_ground::Outcome;
use bouquet_ground::record::{Figure, GateLoadRow, GateRow, KEYS_PER_CAPACITY, Tier};

/// The row of a rate that is far from what the filter was sized for.
const MEASURED: &str = "FPR with all keys";

/// In the exact tier a row a filter.
pub fn exact(run: &Run<'_>) -> Vec<GateRow> {
    let loads = run.records.loads.iter();
    loads.map(|raw| keys_per_capacity(run, raw)).collect()
}

/// In the statistical tier what is measured of filters that their keys have outgrown.
pub fn measured(run: &Run<'_>) -> Vec<GateRow> {
    let loads = run.records.loads.iter();
    let overfull = loads.filter(|raw| raw.error.is_empty() && raw.is_overfull());
    overfull.map(all_keys).collect()
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
    GateRow {
        standing: Outcome::fails_if(raw.is_overfull()),
        note: note(raw),
        ..GateRow::new(tier, &raw.subject, what, raw.setting.clone())
    }
}

/// By how much, what comes of it, and what to do.
fn note(raw: &GateLoadRow) -> String {
    let more = raw.keys.saturating_sub(raw.capacity);
    let capacity = number::count(raw.capacity);
    match (raw.is_overfull(), more) {
        (_, 0) => String::new(),
        (false, more) => format!(
            "{} more than its capacity of {capacity}: it grows for them",
            plural(more, "key")
        ),
        (true, more) => {
            let rejected = match raw.rejected {
                0 => String::new(),
                rejected => format!("{} rejected, and with the others ", plural(rejected, "key")),
            };
            format!(
                "{} more than its capacity of {capacity}: {rejected}an FPR of {} by theory and {} \
                 measured; give it a capacity of {} or fewer keys",
                plural(more, "key"),
                number::share(raw.expected_fpr, 3),
                measured_fpr(raw).in_words(),
                number::count(raw.keys),
            )
        }
    }
}

fn measured_fpr(raw: &GateLoadRow) -> Estimate {
    Estimate::share(raw.false_positives, raw.non_members_asked)
}

fn all_keys(raw: &GateLoadRow) -> GateRow {
    let counts = (raw.false_positives, raw.non_members_asked);
    let value = rate(measured_fpr(raw), counts, raw.expected_fpr);
    GateRow {
        value: Some(value),
        ..row(Tier::Statistical, raw, MEASURED)
    }
}
