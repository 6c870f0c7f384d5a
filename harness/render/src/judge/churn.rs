//! Checks the guarantees of filters while keys are removed and inserted.

use super::{Collector, Outcome, Point, Rows, check, fpr::place, sum};
use crate::groups::grouped;
use bouquet_ground::record::Observation;

type Count = fn(&Observation) -> u64;

/// A filter on one data set, from which keys were removed.
#[derive(Clone, PartialEq, Debug)]
pub struct Lifecycle {
    /// The first of its rows; its `error` is the first error among all rows.
    pub of: Observation,
    /// The rounds in order, each pooled over its replicates; round 0 is the initial filling.
    pub rounds: Vec<Point>,
}

impl Lifecycle {
    fn new(mut rows: Rows<'_>) -> Self {
        let error = rows.iter().find(|row| !row.error.is_empty());
        let error = error.map_or_else(String::new, |row| row.error.clone());
        let of = Observation {
            error,
            ..rows[0].clone()
        };
        rows.retain(|row| row.error.is_empty());
        rows.sort_by_key(|row| row.step);
        let rounds = rows.chunk_by(|a, b| a.step == b.step);
        Self {
            of,
            rounds: rounds
                .map(|rows| Point::pooled(rows, rows[0], rows.len()))
                .collect(),
        }
    }
}

/// The rows of each filter, over all data sets.
pub(super) fn groups(rows: &[Observation]) -> Vec<Rows<'_>> {
    let groups = grouped(rows, |row| (&row.experiment, &row.filter, row.capacity));
    groups.into_iter().map(|(_, rows)| rows).collect()
}

/// Judges every filter, in the order of the records.
pub(super) fn judge(collector: &mut Collector<'_>, groups: &[Rows<'_>]) -> Vec<Lifecycle> {
    let mut lifecycles = Vec::new();
    for rows in groups {
        let sets = grouped(rows.iter().copied(), |row| &row.key_set).into_iter();
        let own: Vec<Lifecycle> = sets.map(|(_, rows)| Lifecycle::new(rows)).collect();
        let levels = [collector.alpha, collector.overall_alpha];
        for (name, check) in check::both(&last_round(rows), levels) {
            let check = (name, check.outcome, check.by_how_much());
            add(collector, &own[0], "", check);
        }
        for lifecycle in &own {
            judge_one(collector, lifecycle);
        }
        lifecycles.extend(own);
    }
    lifecycles
}

/// The rows after the last round. The rounds of one filter share keys, bits and non-members, so
/// they are not independent samples, and a drift is largest at the end.
fn last_round<'a>(rows: &[&'a Observation]) -> Rows<'a> {
    let mut last = rows.to_vec();
    last.retain(|row| row.error.is_empty());
    let end = last.iter().map(|row| row.step).max();
    last.retain(|row| Some(row.step) == end);
    last
}

/// Checks that a filter that promises no false negatives has none and rejects no removal of a
/// member. For other filters these are only counted.
fn judge_one(collector: &mut Collector<'_>, lifecycle: &Lifecycle) {
    let set = &lifecycle.of.key_set;
    if let Some(by) = super::error([&lifecycle.of.error]) {
        let check = ("measurement", Outcome::Fail, by);
        add(collector, lifecycle, set, check);
    }
    if !super::promises(collector.records, &lifecycle.of.filter) {
        return;
    }
    let missing: (Count, Count) = (|r| r.false_negatives, |r| r.members);
    let kept: (Count, Count) = (|r| r.removals_rejected, |r| r.removed);
    for (name, of, (count, whole)) in [
        ("members", "members are false negatives", missing),
        ("removals", "removals of members rejected", kept),
    ] {
        let (all, whole) = (sum(&lifecycle.rounds, count), sum(&lifecycle.rounds, whole));
        if whole > 0 {
            let first = lifecycle.rounds.iter().find(|round| count(&round.of) > 0);
            let since = first.map(|round| format!(", first in round {}", round.of.step));
            let by = super::of(all, whole, &format!("{of}, 0 allowed"));
            let by = by + &since.unwrap_or_default();
            let check = (name, Outcome::fails_if(all > 0), by);
            add(collector, lifecycle, set, check);
        }
    }
}

fn add(
    collector: &mut Collector<'_>,
    lifecycle: &Lifecycle,
    set: &str,
    (name, outcome, by): (&str, Outcome, String),
) {
    let after = lifecycle.rounds.last();
    let after = after.map_or_else(String::new, |last| format!(" {}", place(&last.of)));
    let on = if set.is_empty() { "all data sets" } else { set };
    let filter = &lifecycle.of.filter;
    let what = format!("{name} of {filter} on {on}{after}");
    collector.add(outcome, (filter, set), what, by);
}
