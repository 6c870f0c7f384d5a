//! Checks whether the FPR agrees with theory.

use super::{
    Collector, Outcome, Rows,
    check::{Check, given_bits, weighted},
};
use crate::{estimate::Estimate, groups::grouped, levels::COMPUTED, number};
use bouquet_ground::record::{Observation, Sweep};
use bouquet_stats::{fill_z, z_two_sided};

/// The number of checks per point that share the family's alpha: the FPR given the bits, and the
/// fill ratio.
pub(super) const CHECKS: usize = 2;

/// How a message describes batch lookups that disagree with single calls.
pub(super) const OTHERWISE: &str = "keys answered otherwise than by single calls";

/// The rows of each point of each sweep, in the order of the records. The most variable parameter
/// is compared first, since each point is compared with all before it.
pub(super) fn groups(rows: &[Observation]) -> Vec<Rows<'_>> {
    let groups = grouped(rows, |row| (row.point(), &row.key_set));
    groups.into_iter().map(|(_, rows)| rows).collect()
}

/// Judges every point, in the order of the records.
pub(super) fn judge(collector: &mut Collector<'_>, groups: &[Rows<'_>]) -> Vec<Point> {
    let (alpha, fill_limit) = (collector.alpha, z_two_sided(1.0 - collector.alpha));
    let points: Vec<Point> = groups.iter().map(|rows| point(rows, alpha)).collect();
    for point in &points {
        judge_one(collector, point, fill_limit);
    }
    points
}

fn judge_one(collector: &mut Collector<'_>, point: &Point, fill_limit: f64) {
    let row = &point.of;
    let promises = super::promises(collector.records, &row.filter);
    let mut checks = Vec::new();
    if let Some(by) = super::error([&row.error]) {
        checks.push(("measurement", Outcome::Fail, by));
    }
    if let Some(check) = point.given_bits {
        checks.push(("FPR given the bits", check.outcome, check.by_how_much()));
    }
    if let Some(asked) = promised(collector, point) {
        let outcome = Outcome::fails_if(row.expected_fpr > asked * (1.0 + COMPUTED));
        let [expected, asked] = [row.expected_fpr, asked].map(|fpr| number::share(fpr, 4));
        let by = format!("{expected} by theory for the size it chose, the target is {asked}");
        checks.push(("promised FPR", outcome, by));
    }
    if let Some(z) = point.fill_z {
        let by = format!("{} standard deviations off", number::decimal(z, 1));
        checks.push(("fill", Outcome::fails_if(z.abs() > fill_limit), by));
    }
    // A false negative fails a filter that promises none; for others it is only counted.
    let missing_of = |missing| {
        super::of(
            missing,
            row.members,
            "members are false negatives, 0 allowed",
        )
    };
    if promises && row.members > 0 {
        let outcome = Outcome::fails_if(row.false_negatives > 0);
        checks.push(("members", outcome, missing_of(row.false_negatives)));
    }
    // Batch lookups of every filter must agree with single calls.
    if let (Some(missing), Some(otherwise)) = (row.batch_false_negatives, row.batch_differ) {
        let whole = row.members + row.non_members;
        let wrong = [
            (promises && missing > 0).then(|| missing_of(missing)),
            (otherwise > 0).then(|| super::of(otherwise, whole, OTHERWISE)),
        ];
        let by = number::joined(wrong.into_iter().flatten(), "; ");
        checks.push(("batches", Outcome::fails_if(!by.is_empty()), by));
    }
    for (name, outcome, by) in checks {
        let what = format!("{name} of {} on {} {}", row.filter, row.key_set, place(row));
        collector.add(outcome, (&row.filter, &row.key_set), what, by);
    }
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

/// The target FPR that a filter must keep at this point: up to its capacity, and always if it
/// grows.
fn promised(collector: &Collector<'_>, point: &Point) -> Option<f64> {
    let asked = point.of.target_fpr.filter(|_| point.of.error.is_empty())?;
    let grows = collector
        .records
        .subject(&point.of.filter)
        .is_some_and(|s| s.grows);
    (point.of.sweep.load(point.of.x) <= 1.0 || grows).then_some(asked)
}

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

impl Point {
    /// Pools these rows, which must not be errors; without rows, uses `first`. Makes no checks.
    pub fn pooled(rows: &[&Observation], first: &Observation, replicates: usize) -> Self {
        let sum = |of: fn(&Observation) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
        // `None` if any replicate has none.
        let each = |of: fn(&Observation) -> Option<u64>| {
            let counts = rows.iter().map(|row| of(row));
            counts.reduce(|sum, count| Some(sum? + count?)).flatten()
        };
        let (hits, asked) = (sum(|r| r.false_positives), sum(|r| r.non_members));
        let expected_fpr = weighted(rows, |row| row.expected_fpr);
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
                batch_false_positives: each(|r| r.batch_false_positives),
                batch_differ: each(|r| r.batch_differ),
                expected_fpr,
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
}

/// Pools the rows of a point and checks them at the significance level `alpha`.
pub fn point(all: &[&Observation], alpha: f64) -> Point {
    let rows = all.iter().copied().filter(|row| row.error.is_empty());
    let rows: Vec<&Observation> = rows.collect();
    let first = rows.first().unwrap_or(&all[0]);
    let mut point = Point::pooled(&rows, first, rows.len());
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

/// A sum over points.
pub fn sum(points: &[Point], of: fn(&Observation) -> u64) -> u64 {
    points.iter().map(|point| of(&point.of)).sum()
}

/// Pools points into one, over all their key sets: hits and counts add up, checks do not. `None` if
/// there are no points.
pub fn pool<'a>(points: impl IntoIterator<Item = &'a Point>) -> Option<Point> {
    let points: Vec<&Point> = points.into_iter().collect();
    let rows: Vec<&Observation> = points.iter().map(|point| &point.of).collect();
    let replicates = points.iter().map(|point| point.replicates).sum();
    Some(Point::pooled(&rows, rows.first()?, replicates))
}
