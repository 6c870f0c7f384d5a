//! Pools the replicates of a point, and checks the point.

use super::{
    Outcome,
    check::{Check, given_bits, weighted},
    of,
};
use crate::{estimate::Estimate, levels::COMPUTED, number};
use bouquet_record::{Observation, SubjectRow, Sweep};
use bouquet_stats::fill_z;

/// The number of checks per point that share the family's alpha: the FPR given the bits, and the
/// fill ratio.
pub(super) const CHECKS: usize = 2;

/// How a message describes batch lookups that disagree with single calls.
pub(super) const OTHERWISE: &str = "keys answered otherwise than by single calls";
const MISSING: &str = "members are false negatives, 0 allowed";

/// The replicates of one point of a sweep, pooled.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// The first replicate, with the counts of all and the means of the expected values.
    pub of: Observation,
    pub replicates: usize,
    /// The false-positive rate.
    pub rate: Estimate,
    /// The check of the hits against the FPR that the measured bits give.
    pub given_bits: Option<Check>,
    pub fill_z: Option<f64>,
}

/// The point at which a filter was observed, in words.
pub(super) fn place(row: &Observation) -> String {
    let x = number::significant(row.x, 4);
    match row.sweep {
        Sweep::BitsPerKey => format!("at {x} bits per key"),
        Sweep::Load => format!("at load {x}"),
        Sweep::TargetFpr | Sweep::Memory => format!("sized for {}", number::share(row.x, 4)),
        Sweep::Churn => format!("after {x} rounds of removals"),
    }
}

impl Point {
    /// Pools these rows, which must not be errors; without rows, uses `first`. Makes no checks.
    fn pooled(rows: &[&Observation], first: &Observation, replicates: usize) -> Self {
        let sum = |of: fn(&Observation) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
        // `None` if any replicate has none.
        let each = |of: fn(&Observation) -> Option<u64>| {
            let counts = rows.iter().map(|row| of(row));
            counts.reduce(|sum, count| Some(sum? + count?)).flatten()
        };
        let (hits, asked) = (sum(|r| r.false_positives), sum(|r| r.non_members));
        Self {
            of: Observation {
                removed: sum(|r| r.removed),
                removals_rejected: sum(|r| r.removals_rejected),
                keys: sum(|r| r.keys),
                rejected: sum(|r| r.rejected),
                members: sum(|r| r.members),
                false_negatives: sum(|r| r.false_negatives),
                non_members: asked,
                false_positives: hits,
                batch_false_negatives: each(|r| r.batch_false_negatives),
                batch_differ: each(|r| r.batch_differ),
                expected_fpr: weighted(rows, |row| row.expected_fpr),
                ..first.clone()
            },
            replicates,
            rate: Estimate::share(hits, asked),
            given_bits: None,
            fill_z: None,
        }
    }

    /// Whether the filters are sized for a target FPR and filled to capacity.
    pub fn is_full(&self) -> bool {
        self.of.sweep == Sweep::Load && (self.of.x - 1.0).abs() < 1e-9
    }

    /// The checks of this point: name, outcome, and by how much it missed. A filter that promises no
    /// false negatives must have none; of others they are only counted.
    pub(super) fn checks(
        &self,
        subject: Option<&SubjectRow>,
        fill_limit: f64,
    ) -> Vec<(&'static str, Outcome, String)> {
        let row = &self.of;
        let promises = subject.is_some_and(|subject| subject.promises_no_false_negatives);
        let grows = subject.is_some_and(|subject| subject.grows);
        let mut checks = Vec::new();
        let mut add = |name, is_bad, by| checks.push((name, Outcome::fails_if(is_bad), by));
        if !row.error.is_empty() {
            add("measurement", true, format!("error: {}", row.error));
        }
        if let Some(check) = self.given_bits {
            let is_bad = check.outcome == Outcome::Fail;
            add("FPR given the bits", is_bad, check.by_how_much());
        }
        // A filter keeps its target up to its capacity, and always if it grows.
        let target = row.target_fpr.filter(|_| row.error.is_empty());
        if let Some(target) = target.filter(|_| grows || row.sweep.load(row.x) <= 1.0) {
            let [got, most] = [row.expected_fpr, target].map(|fpr| number::share(fpr, 4));
            let by = format!("{got} by theory for the size it chose, the target is {most}");
            let is_bad = row.expected_fpr > target * (1.0 + COMPUTED);
            add("promised FPR", is_bad, by);
        }
        if let Some(z) = self.fill_z {
            let by = format!("{} standard deviations off", number::decimal(z, 1));
            add("fill", z.abs() > fill_limit, by);
        }
        let promised = |count: u64| promises.then_some(count);
        let in_batches = row.batch_false_negatives.and_then(promised);
        let (missing, kept) = (row.false_negatives, row.removals_rejected);
        let rejected = "removals of members rejected, 0 allowed";
        let asked = row.members + row.non_members;
        for (name, count, whole, words) in [
            ("members", promised(missing), row.members, MISSING),
            ("members in batches", in_batches, row.members, MISSING),
            ("batches", row.batch_differ, asked, OTHERWISE),
            ("removals", promised(kept), row.removed, rejected),
        ] {
            if let Some(count) = count.filter(|_| whole > 0) {
                add(name, count > 0, of(count, whole, words));
            }
        }
        checks
    }
}

/// Pools the rows of a point and checks their rate at the significance level `alpha`.
pub fn point(all: &[&Observation], alpha: f64) -> Point {
    let mut rows = all.to_vec();
    rows.retain(|row| row.error.is_empty());
    let mut point = Point::pooled(&rows, rows.first().unwrap_or(&all[0]), rows.len());
    let error = all.iter().map(|row| &row.error).find(|e| !e.is_empty());
    point.of.error = error.cloned().unwrap_or_default();
    let fills = rows
        .iter()
        .filter_map(|row| Some((row.fill?, row.expected_fill?, row.expected_fill_sd?)));
    Point {
        given_bits: given_bits(&rows, alpha),
        fill_z: fill_z(&fills.collect::<Vec<_>>()),
        ..point
    }
}

/// Pools points into one, over all their key sets: hits and counts add up, checks do not. `None` if
/// there are no points.
pub fn pool<'a>(points: impl IntoIterator<Item = &'a Point>) -> Option<Point> {
    let points: Vec<&Point> = points.into_iter().collect();
    let rows: Vec<&Observation> = points.iter().map(|point| &point.of).collect();
    let replicates = points.iter().map(|point| point.replicates).sum();
    Some(Point::pooled(&rows, rows.first()?, replicates))
}
