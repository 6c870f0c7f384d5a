//! The exact tier: equal or not.

use super::{Run, before, change, unknown};
use bouquet_ground::Outcome;
use bouquet_ground::record::{FALSE_NEGATIVES, Figure, GateRow};

pub fn rows(run: &Run<'_>) -> Vec<GateRow> {
    let rows = run.records.exact.iter();
    rows.map(|row| judged(run, row.clone())).collect()
}

fn judged(run: &Run<'_>, row: GateRow) -> GateRow {
    let old = before(run, &row);
    let (standing, note) = match (&row.value, &old) {
        (Some(Figure::Error { error }), _) => (Outcome::Fail, error.clone()),
        (Some(Figure::Count { count: 1.., .. }), _) if row.what.starts_with(FALSE_NEGATIVES) => {
            (Outcome::Fail, "a filter may have no false negatives".into())
        }
        (Some(value), Some(old)) if value != old => (Outcome::Fail, change(old, value)),
        (_, Some(_)) => (Outcome::Pass, String::new()),
        (_, None) => unknown(run),
    };
    GateRow {
        changed: run.baseline.is_some() && old != row.value,
        baseline: old,
        standing,
        note,
        ..row
    }
}
