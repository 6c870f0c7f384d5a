//! Is the FPR what theory says?

mod point;

pub use point::{Point, point, pool, sum};

use super::{Collector, Outcome, Rows};
use crate::{groups::grouped, levels::COMPUTED, number};
use bouquet_ground::record::{Observation, Sweep};
use bouquet_stats::z_two_sided;

/// Checks of a point that share the family's alpha: of the FPR given the bits, and of the fill.
pub(super) const CHECKS: usize = 2;

/// The rows of each point of each sweep, in the order of the records. What differs most comes
/// first: of many points each is compared with all before it.
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
    // A false negative fails those that promise none; of others it is a number.
    let missing_of = |missing| super::false_negatives_of(missing, row.members, "members");
    if promises && row.members > 0 {
        let outcome = Outcome::fails_if(row.false_negatives > 0);
        checks.push(("members", outcome, missing_of(row.false_negatives)));
    }
    // Batches must say what single calls say, of whatever filter.
    if let (Some(missing), Some(otherwise)) = (row.batch_false_negatives, row.batch_differ) {
        let whole = row.members + row.non_members;
        let wrong = [
            (promises && missing > 0).then(|| missing_of(missing)),
            (otherwise > 0).then(|| super::of(otherwise, whole, super::OTHERWISE)),
        ];
        let by = number::joined(wrong.into_iter().flatten(), "; ");
        checks.push(("batches", Outcome::fails_if(!by.is_empty()), by));
    }
    for (name, outcome, by) in checks {
        let what = format!("{name} of {} on {} {}", row.filter, row.key_set, place(row));
        collector.add(outcome, (&row.filter, &row.key_set), what, by);
    }
}

/// Where a filter was observed, in words.
pub(super) fn place(row: &Observation) -> String {
    let x = number::significant(row.x, 4);
    match row.sweep {
        Sweep::BitsPerKey => format!("at {x} bits per key"),
        Sweep::Load => format!("at load {x}"),
        Sweep::TargetFpr | Sweep::Memory => format!("sized for {}", number::share(row.x, 4)),
        Sweep::Churn => format!("after {x} rounds of removals"),
    }
}

/// The target that a filter of this point is to keep: up to its capacity, and
/// always if it grows.
fn promised(collector: &Collector<'_>, point: &Point) -> Option<f64> {
    let asked = point.of.target_fpr.filter(|_| point.of.error.is_empty())?;
    let grows = collector
        .records
        .subject(&point.of.filter)
        .is_some_and(|s| s.grows);
    (point.of.sweep.load(point.of.x) <= 1.0 || grows).then_some(asked)
}
