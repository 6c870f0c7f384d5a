//! The exact tier: equal or not.

use super::{Run, before, change, unknown};
use bouquet_ground::Outcome;
use bouquet_ground::record::{FALSE_NEGATIVES, Figure, GateExactRow, GateRow, Tier};

pub fn rows(run: &Run<'_>) -> Vec<GateRow> {
    run.records
        .exact
        .iter()
        .map(|row| judged(run, row))
        .collect()
}

fn judged(run: &Run<'_>, raw: &GateExactRow) -> GateRow {
    let value = value(raw);
    let row = GateRow::new(Tier::Exact, &raw.subject, &raw.what, raw.setting.clone());
    let old = before(run, &row);
    let (standing, note) = match (&value, &old) {
        (Figure::Error { error }, _) => (Outcome::Fail, error.clone()),
        (Figure::Count { count: 1.., .. }, _) if raw.what.starts_with(FALSE_NEGATIVES) => {
            (Outcome::Fail, "a filter may have no false negatives".into())
        }
        (_, None) => unknown(run),
        (value, Some(old)) if value == old => (Outcome::Pass, String::new()),
        (value, Some(old)) => (Outcome::Fail, change(old, value)),
    };
    GateRow {
        changed: run.baseline.is_some() && old.as_ref() != Some(&value),
        value: Some(value),
        baseline: old,
        standing,
        note,
        ..row
    }
}

fn value(raw: &GateExactRow) -> Figure {
    match (raw.unit.as_str(), raw.value.parse()) {
        ("sha256", _) => Figure::Digest {
            sha256: raw.value.clone(),
        },
        ("bytes" | "keys", Ok(count)) => Figure::Count {
            count,
            unit: raw.unit.clone(),
        },
        _ => Figure::Error {
            error: raw.value.clone(),
        },
    }
}
