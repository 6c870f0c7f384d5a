//! Does a filter keep its promises while keys come and go?

use super::{Check, Collector, Outcome, check};
use crate::{estimate::Estimate, groups::grouped};
use bouquet_ground::record::{ChurnRow, FprRow};

/// A filter on one data set of which keys were removed, its replicates pooled.
#[derive(Clone, PartialEq, Debug)]
pub struct Lifecycle {
    pub experiment: String,
    pub filter: String,
    pub dataset: String,
    pub capacity: u64,
    pub replicates: usize,
    /// In order, the first filling being round 0.
    pub rounds: Vec<Round>,
    /// Hits of the last round against the FPR that the bits give, over all data
    /// sets.
    pub given_bits: Option<Check>,
    /// The mean over seeds after the last round against theory, over all data
    /// sets.
    pub over_seeds: Option<Check>,
    /// Of its replicates that could not be measured.
    pub error: String,
}

/// The state of a filter after a round, its replicates pooled.
#[derive(Clone, PartialEq, Debug)]
pub struct Round {
    /// The first of them, with the counts of all and the mean of what is expected.
    pub of: ChurnRow,
    /// Of false positives.
    pub rate: Estimate,
}

impl Round {
    /// The same round of several filters or data sets, pooled; `None` for none.
    pub fn pool<'a>(rounds: impl IntoIterator<Item = &'a ChurnRow>) -> Option<Self> {
        let rounds: Vec<&ChurnRow> = rounds.into_iter().collect();
        let first = *rounds.first()?;
        let sum = |of: fn(&ChurnRow) -> u64| rounds.iter().map(|row| of(row)).sum::<u64>();
        let (hits, asked) = (sum(|r| r.false_positives), sum(|r| r.non_members_asked));
        let weighted = rounds
            .iter()
            .map(|r| r.expected_fpr * r.non_members_asked as f64);
        let expected_fpr = match asked {
            0 => first.expected_fpr,
            asked => weighted.sum::<f64>() / asked as f64,
        };
        let of = ChurnRow {
            removed: sum(|r| r.removed),
            removals_rejected: sum(|r| r.removals_rejected),
            inserted: sum(|r| r.inserted),
            rejected: sum(|r| r.rejected),
            members_asked: sum(|r| r.members_asked),
            false_negatives: sum(|r| r.false_negatives),
            non_members_asked: asked,
            false_positives: hits,
            expected_fpr,
            ..first.clone()
        };
        let rate = Estimate::share(hits, asked);
        Some(Self { of, rate })
    }
}

impl Lifecycle {
    /// The sum over its rounds.
    pub fn sum(&self, of: fn(&ChurnRow) -> u64) -> u64 {
        self.rounds.iter().map(|round| of(&round.of)).sum()
    }
}

/// The rows of each filter, whatever the data set.
pub(super) fn groups(rows: &[ChurnRow]) -> Vec<Vec<&ChurnRow>> {
    let groups = grouped(rows, |row| (&row.experiment, &row.filter, row.capacity));
    groups.into_iter().map(|(_, rows)| rows).collect()
}

/// Judges every filter, in the order of the records.
pub(super) fn judge(collector: &mut Collector<'_>, groups: &[Vec<&ChurnRow>]) -> Vec<Lifecycle> {
    let mut lifecycles = Vec::new();
    for rows in groups {
        let last = last_round(rows);
        let last: Vec<&FprRow> = last.iter().collect();
        let given_bits = check::given_bits(&last, collector.alpha);
        let over_seeds = check::overall(&last, collector.overall_alpha).map(|(check, _)| check);
        let sets = grouped(rows.iter().copied(), |row| &row.dataset).into_iter();
        let own: Vec<Lifecycle> = sets
            .map(|(_, rows)| Lifecycle {
                given_bits,
                over_seeds,
                ..lifecycle(rows)
            })
            .collect();
        for (name, check) in [
            ("FPR given the bits", given_bits),
            ("mean FPR over seeds", over_seeds),
        ] {
            if let Some(check) = check {
                let by = check.by_how_much();
                add(collector, &own[0], name, "", check.outcome, by);
            }
        }
        for lifecycle in &own {
            judge_one(collector, lifecycle);
        }
        lifecycles.extend(own);
    }
    lifecycles
}

/// The filters after their last round. The rounds of one filter share keys,
/// bits and non-members: they are no independent samples, and what drifts is
/// farthest off at the end.
fn last_round(rows: &[&ChurnRow]) -> Vec<FprRow> {
    let sound = || rows.iter().filter(|row| row.error.is_empty());
    let last = sound().map(|row| row.round).max();
    sound()
        .filter(|row| Some(row.round) == last)
        .map(|row| FprRow {
            non_members_asked: row.non_members_asked,
            false_positives: row.false_positives,
            expected_fpr: row.expected_fpr,
            expected_fpr_sd: row.expected_fpr_sd,
            fpr_given_bits: row.fpr_given_bits,
            ..FprRow::default()
        })
        .collect()
}

fn lifecycle(mut rows: Vec<&ChurnRow>) -> Lifecycle {
    let error = rows.iter().find(|row| !row.error.is_empty());
    let error = error.map(|row| row.error.clone()).unwrap_or_default();
    let first = rows[0];
    rows.retain(|row| row.error.is_empty());
    rows.sort_by_key(|row| row.round);
    let rounds = rows.chunk_by(|a, b| a.round == b.round);
    Lifecycle {
        experiment: first.experiment.clone(),
        filter: first.filter.clone(),
        dataset: first.dataset.clone(),
        capacity: first.capacity,
        replicates: rows.iter().filter(|row| row.round == 0).count(),
        rounds: rounds
            .filter_map(|rows| Round::pool(rows.iter().copied()))
            .collect(),
        given_bits: None,
        over_seeds: None,
        error,
    }
}

/// What must never happen to those that promise no false negatives; of others
/// it is a number.
fn judge_one(collector: &mut Collector<'_>, lifecycle: &Lifecycle) {
    let set = &lifecycle.dataset;
    if let Some(by) = super::error([&lifecycle.error]) {
        add(collector, lifecycle, "measurement", set, Outcome::Fail, by);
    }
    if !super::promises(collector.records, &lifecycle.filter) {
        return;
    }
    type Count = fn(&ChurnRow) -> u64;
    let contracts: [(&str, &str, Count, Count); 2] = [
        (
            "members",
            "members are false negatives",
            |r| r.false_negatives,
            |r| r.members_asked,
        ),
        (
            "removals",
            "removals of members rejected",
            |r| r.removals_rejected,
            |r| r.removed,
        ),
    ];
    for (name, of, count, whole) in contracts {
        let (all, whole) = (lifecycle.sum(count), lifecycle.sum(whole));
        if whole > 0 {
            let first = lifecycle.rounds.iter().find(|round| count(&round.of) > 0);
            let since = first.map(|round| format!(", first in round {}", round.of.round));
            let by = super::not_allowed(all, whole, of) + &since.unwrap_or_default();
            add(
                collector,
                lifecycle,
                name,
                set,
                Outcome::fails_if(all > 0),
                by,
            );
        }
    }
}

fn add(
    collector: &mut Collector<'_>,
    lifecycle: &Lifecycle,
    name: &str,
    set: &str,
    outcome: Outcome,
    by: String,
) {
    let after = match lifecycle.rounds.last() {
        Some(last) => format!(" after {} rounds of removals", last.of.round),
        None => String::new(),
    };
    let on = if set.is_empty() { "all data sets" } else { set };
    let what = format!("{name} of {} on {on}{after}", lifecycle.filter);
    collector.add(outcome, (&lifecycle.filter, set), what, by);
}
