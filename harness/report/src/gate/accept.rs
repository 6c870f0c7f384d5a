//! Makes the next baseline from a report.

use super::time::CONTROL_SETTING;
use crate::number;
use bouquet_record::Outcome;
use bouquet_record::{
    Acceptance, FALSE_NEGATIVES, Figure, GateDocument, GateRow, GateVerdict, KEYS_PER_CAPACITY,
    Tier, TierVerdict,
};

/// The rows that no baseline may contain, whatever the reason: errors, false negatives, more keys
/// than the filter is sized for, rates that disagree with theory, flagged locations, and a control
/// that is not flagged.
pub fn unacceptable(document: &GateDocument) -> Vec<String> {
    let is_bad = |row: &&GateRow| {
        let by_itself = row.baseline.is_none()
            || row.what == KEYS_PER_CAPACITY
            || row.what.starts_with(FALSE_NEGATIVES)
            || matches!(row.value, Some(Figure::Error { .. }));
        row.value.is_some()
            && (row.standing == Outcome::Void || row.standing == Outcome::Fail && by_itself)
    };
    let bad = document.rows.iter().filter(is_bad);
    bad.map(|row| format!("{}: {}: {}", row.subject, row.what, row.note))
        .collect()
}

/// Makes a baseline from the report of a run. A row whose value changed also keeps its old value.
/// A tier that was not measured, or that may not be accepted, is copied from the old baseline with
/// the facts of its run, for those subjects whose configuration is unchanged.
pub fn accept(report: GateDocument, old: Option<&GateDocument>, reason: &str) -> GateDocument {
    let mut rows = Vec::new();
    let mut run = report.run.clone();
    run.retain(|name, _| !name.starts_with("baseline_"));
    for tier in Tier::ALL {
        let is_kept = !has_figures(&report, tier);
        if is_kept {
            let of_tier = tier.fact("");
            run.retain(|name, _| !name.starts_with(&of_tier));
            let facts = old.into_iter().flat_map(|old| &old.run);
            let facts = facts.filter(|(name, _)| name.starts_with(&of_tier));
            run.extend(facts.map(|(name, value)| (name.clone(), value.clone())));
        }
        let source = if is_kept { old } else { Some(&report) };
        // Controls, schemes and plain sizes have no configuration but their names.
        let configured = |row: &GateRow| old.and_then(|old| old.configured(&row.subject));
        let own = source.into_iter().flat_map(|source| &source.rows);
        let own = own.filter(|row| {
            let is_same = report.configured(&row.subject) == configured(row);
            row.tier == tier && row.value.is_some() && (is_same || !is_kept)
        });
        rows.extend(own.map(|row| {
            let before = row.baseline.clone();
            let before = before.filter(|_| row.changed && !is_kept);
            GateRow {
                changed: before.is_some(),
                note: String::new(),
                baseline: before,
                standing: Outcome::Pass,
                ..row.clone()
            }
        }));
    }
    let verdict = verdict(&rows, old);
    GateDocument {
        acceptance: Some(Acceptance {
            reason: reason.trim().into(),
            replaces: old.map_or(String::new(), |old| old.fact("revision").into()),
        }),
        configuration: report.configuration,
        keys: report.keys,
        ..GateDocument::new(run, verdict, rows)
    }
}

/// Whether a run has values of a tier that a baseline may contain; times of a machine that was not
/// quiet are excluded.
pub fn has_figures(report: &GateDocument, tier: Tier) -> bool {
    let mut own = report.rows.iter().filter(|row| row.tier == tier);
    let is_unquiet =
        |row: &GateRow| row.setting == CONTROL_SETTING && row.standing != Outcome::Pass;
    own.clone().next().is_some() && !own.any(is_unquiet)
}

/// The verdict of an acceptance, with a sentence that says what it did.
fn verdict(rows: &[GateRow], old: Option<&GateDocument>) -> GateVerdict {
    let tiers = Tier::ALL.map(|tier| TierVerdict::of(tier, rows));
    let figures = number::plural(rows.len() as u64, "figure");
    let what = old.map_or("the first baseline".into(), |old| {
        let is_new = |row: &&GateRow| old.row(row.id()).is_none();
        let new = rows.iter().filter(is_new).count();
        let changed = rows.iter().filter(|row| row.changed).count();
        let gone = old.rows.len() + new - rows.len();
        let [changed, new, gone] = [changed, new, gone].map(|n| number::count(n as u64));
        format!("of which {changed} changed and {new} are new; {gone} gone")
    });
    GateVerdict {
        standing: Outcome::Pass,
        sentence: format!("Accepted: {figures}, {what}."),
        tiers: tiers.into_iter().filter(|tier| tier.checks > 0).collect(),
    }
}
