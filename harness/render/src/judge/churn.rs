//! Does a filter keep its promises while keys come and go?

use super::{Bench, CONFIDENCE, Check, Outcome, check};
use crate::groups::grouped;
use bouquet_ground::record::{ChurnRow, FprRow};
use bouquet_stats::{Interval, proportion};

/// Checks of a filter's life that share the family's alpha: of the FPR given the
/// bits, and of its mean over seeds.
pub(super) const CHECKS: usize = 2;

/// A filter on one data set of which keys were removed, its replicates pooled.
#[derive(Clone, PartialEq, Debug)]
pub struct Life {
    pub experiment: String,
    pub filter: String,
    pub dataset: String,
    pub capacity: u64,
    pub target_fpr: Option<f64>,
    pub replicates: usize,
    /// In order, the first filling being round 0.
    pub rounds: Vec<Round>,
    /// Hits of the last round against the FPR that the bits give, over all data
    /// sets.
    pub given_bits: Option<Check>,
    /// The mean over seeds after the last round against theory, over all data
    /// sets.
    pub over_seeds: Option<Check>,
    /// Of its replicates that could not be had.
    pub error: String,
}

/// The state of a filter after a round, its replicates pooled.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Round {
    pub round: u32,
    pub removed: u64,
    pub removals_denied: u64,
    pub inserted: u64,
    pub refused: u64,
    pub members_asked: u64,
    pub false_negatives: u64,
    pub asked: u64,
    pub hits: u64,
    /// Of hits / asked.
    pub interval: Interval,
    pub expected_fpr: f64,
}

impl Round {
    /// The measured FPR.
    pub fn measured(&self) -> f64 {
        self.hits as f64 / self.asked.max(1) as f64
    }

    /// The same round of several filters or data sets, pooled; `None` for none.
    pub fn pool<'a>(rounds: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        let mut rounds = rounds.into_iter();
        let mut whole = *rounds.next()?;
        let mut expected = whole.expected_fpr * whole.asked as f64;
        for round in rounds {
            expected += round.expected_fpr * round.asked as f64;
            whole.removed += round.removed;
            whole.removals_denied += round.removals_denied;
            whole.inserted += round.inserted;
            whole.refused += round.refused;
            whole.members_asked += round.members_asked;
            whole.false_negatives += round.false_negatives;
            whole.asked += round.asked;
            whole.hits += round.hits;
        }
        if whole.asked > 0 {
            whole.expected_fpr = expected / whole.asked as f64;
        }
        whole.interval = proportion(whole.hits, whole.asked, CONFIDENCE);
        Some(whole)
    }
}

impl From<&ChurnRow> for Round {
    fn from(row: &ChurnRow) -> Self {
        Self {
            round: row.round,
            removed: row.removed,
            removals_denied: row.removals_denied,
            inserted: row.inserted,
            refused: row.refused,
            members_asked: row.members_asked,
            false_negatives: row.false_negatives,
            asked: row.strangers_asked,
            hits: row.false_positives,
            interval: proportion(row.false_positives, row.strangers_asked, CONFIDENCE),
            expected_fpr: row.expected_fpr,
        }
    }
}

impl Life {
    /// The sum over its rounds.
    pub fn sum(&self, of: fn(&Round) -> u64) -> u64 {
        self.rounds.iter().map(of).sum()
    }
}

/// The rows of each filter, whatever the data set.
pub(super) fn groups(rows: &[ChurnRow]) -> Vec<Vec<&ChurnRow>> {
    let groups = grouped(rows, |row| (&row.experiment, &row.filter, row.capacity));
    groups.into_iter().map(|(_, rows)| rows).collect()
}

/// Judges every filter, in the order of the records.
pub(super) fn judge(bench: &mut Bench<'_>, groups: &[Vec<&ChurnRow>]) -> Vec<Life> {
    let mut lives = Vec::new();
    for rows in groups {
        let last = last_round(rows);
        let last: Vec<&FprRow> = last.iter().collect();
        let given_bits = check::given_bits(&last, bench.strict);
        let over_seeds = check::over_seeds(&last, bench.strict);
        let sets = grouped(rows.iter().copied(), |row| &row.dataset).into_iter();
        let own: Vec<Life> = sets
            .map(|(_, rows)| Life {
                given_bits,
                over_seeds,
                ..life(rows)
            })
            .collect();
        for (name, check) in [
            ("FPR given the bits", given_bits),
            ("mean FPR over seeds", over_seeds),
        ] {
            if let Some(check) = check {
                let by = check.by_how_much();
                add(bench, &own[0], name, "", check.outcome, by);
            }
        }
        for life in &own {
            judge_one(bench, life);
        }
        lives.extend(own);
    }
    lives
}

/// The filters after their last round. The rounds of one filter share keys,
/// bits and strangers: they are no independent samples, and what drifts is
/// farthest off at the end.
fn last_round(rows: &[&ChurnRow]) -> Vec<FprRow> {
    let sound = || rows.iter().filter(|row| row.error.is_empty());
    let last = sound().map(|row| row.round).max();
    sound()
        .filter(|row| Some(row.round) == last)
        .map(|row| FprRow {
            strangers_asked: row.strangers_asked,
            false_positives: row.false_positives,
            expected_fpr: row.expected_fpr,
            fpr_given_bits: row.fpr_given_bits,
            ..FprRow::default()
        })
        .collect()
}

fn life(mut rows: Vec<&ChurnRow>) -> Life {
    let error = rows.iter().find(|row| !row.error.is_empty());
    let error = error.map(|row| row.error.clone()).unwrap_or_default();
    let first = rows[0];
    rows.retain(|row| row.error.is_empty());
    rows.sort_by_key(|row| row.round);
    let rounds = rows.chunk_by(|a, b| a.round == b.round);
    Life {
        experiment: first.experiment.clone(),
        filter: first.filter.clone(),
        dataset: first.dataset.clone(),
        capacity: first.capacity,
        target_fpr: first.target_fpr,
        replicates: rows.iter().filter(|row| row.round == 0).count(),
        rounds: rounds
            .filter_map(|rows| {
                let each: Vec<Round> = rows.iter().map(|row| Round::from(*row)).collect();
                Round::pool(&each)
            })
            .collect(),
        given_bits: None,
        over_seeds: None,
        error,
    }
}

/// What must never happen to those that promise no false negatives; of others
/// it is a number.
fn judge_one(bench: &mut Bench<'_>, life: &Life) {
    let set = &life.dataset;
    if let Some(by) = super::error([&life.error]) {
        add(bench, life, "measurement", set, Outcome::Fail, by);
    }
    if !super::promises(bench.records, &life.filter) {
        return;
    }
    type Count = fn(&Round) -> u64;
    let contracts: [(&str, &str, Count, Count); 2] = [
        (
            "members",
            "members",
            |r| r.false_negatives,
            |r| r.members_asked,
        ),
        (
            "removals",
            "removals of members",
            |r| r.removals_denied,
            |r| r.removed,
        ),
    ];
    for (name, of, count, whole) in contracts {
        let (count_all, whole) = (life.sum(count), life.sum(whole));
        if whole == 0 {
            continue;
        }
        let first = life.rounds.iter().find(|round| count(round) > 0);
        let since = first.map_or(String::new(), |r| format!(", first in round {}", r.round));
        let by = super::denied(count_all, whole, of) + &since;
        add(bench, life, name, set, Outcome::fails_if(count_all > 0), by);
    }
}

fn add(bench: &mut Bench<'_>, life: &Life, name: &str, set: &str, outcome: Outcome, by: String) {
    let after = match life.rounds.last() {
        Some(last) => format!(" after {} rounds of removals", last.round),
        None => String::new(),
    };
    let on = if set.is_empty() { "all data sets" } else { set };
    let what = format!("{name} of {} on {on}{after}", life.filter);
    bench.add(outcome, (&life.filter, set), what, by);
}
