//! Is the FPR what theory says?

mod point;

pub use point::{Point, point, pool};

use super::{Collector, Outcome};
use crate::{groups::grouped, levels::COMPUTED, number};
use bouquet_ground::record::FprRow;
use bouquet_stats::z_two_sided;

/// Checks of a point that share the family's alpha: of the FPR given the bits, and of the fill.
pub(super) const CHECKS: usize = 2;

/// The rows of each point of each sweep, in the order of the records. What differs most comes
/// first: of many points each is compared with all before it.
pub(super) fn groups(rows: &[FprRow]) -> Vec<Vec<&FprRow>> {
    let groups = grouped(rows, |row| {
        let FprRow {
            filter,
            experiment,
            sweep,
            dataset,
            ..
        } = row;
        let size = (row.x, row.capacity, row.target_fpr);
        (size, filter, experiment, sweep, dataset)
    });
    groups.into_iter().map(|(_, rows)| rows).collect()
}

/// Judges every point, in the order of the records.
pub(super) fn judge(collector: &mut Collector<'_>, groups: &[Vec<&FprRow>]) -> Vec<Point> {
    let (alpha, fill_limit) = (collector.alpha, z_two_sided(1.0 - collector.alpha));
    let points: Vec<Point> = groups.iter().map(|rows| point(rows, alpha)).collect();
    for point in &points {
        judge_one(collector, point, fill_limit);
    }
    points
}

fn judge_one(collector: &mut Collector<'_>, point: &Point, fill_limit: f64) {
    let set = &point.of.dataset;
    if let Some(by) = super::error([&point.of.error]) {
        add(collector, point, "measurement", set, Outcome::Fail, by);
    }
    if let Some(check) = point.given_bits {
        let (outcome, by) = (check.outcome, check.by_how_much());
        add(collector, point, "FPR given the bits", set, outcome, by);
    }
    if let Some(asked) = promised(collector, point) {
        let outcome = Outcome::fails_if(point.of.expected_fpr > asked * (1.0 + COMPUTED));
        let (expected, asked) = (
            number::share(point.of.expected_fpr, 4),
            number::share(asked, 4),
        );
        let by = format!("{expected} by theory for the size it chose, the target is {asked}");
        add(collector, point, "promised FPR", set, outcome, by);
    }
    if let Some(z) = point.fill_z {
        let outcome = Outcome::fails_if(z.abs() > fill_limit);
        let by = format!("{} standard deviations off", number::decimal(z, 1));
        add(collector, point, "fill", set, outcome, by);
    }
    members(collector, point);
    batches(collector, point);
}

/// The target that a filter of this point is to keep: up to its capacity, and
/// always if it grows.
fn promised(collector: &Collector<'_>, point: &Point) -> Option<f64> {
    let asked = point.of.target_fpr.filter(|_| point.of.error.is_empty())?;
    let grows = collector
        .records
        .subject(&point.of.filter)
        .is_some_and(|s| s.grows);
    (point.load() <= 1.0 || grows).then_some(asked)
}

/// A false negative fails those that promise none; of others it is a number.
fn members(collector: &mut Collector<'_>, point: &Point) {
    if !super::promises(collector.records, &point.of.filter) || point.of.members_asked == 0 {
        return;
    }
    let by = super::false_negatives_of(point.of.false_negatives, point.of.members_asked, "members");
    let outcome = Outcome::fails_if(point.of.false_negatives > 0);
    add(collector, point, "members", &point.of.dataset, outcome, by);
}

/// Batches must say what single calls say, of whatever filter.
fn batches(collector: &mut Collector<'_>, point: &Point) {
    let row = &point.of;
    let (Some(missing), Some(otherwise)) = (row.batch_false_negatives, row.batch_otherwise) else {
        return;
    };
    let mut wrong = Vec::new();
    if super::promises(collector.records, &row.filter) && missing > 0 {
        wrong.push(super::false_negatives_of(
            missing,
            row.members_asked,
            "members",
        ));
    }
    if otherwise > 0 {
        let whole = row.members_asked + row.non_members_asked;
        wrong.push(super::of(otherwise, whole, super::OTHERWISE));
    }
    let outcome = Outcome::fails_if(!wrong.is_empty());
    add(
        collector,
        point,
        "batches",
        &row.dataset,
        outcome,
        wrong.join("; "),
    );
}

fn add(
    collector: &mut Collector<'_>,
    point: &Point,
    name: &str,
    set: &str,
    outcome: Outcome,
    by: String,
) {
    let x = number::significant(point.of.x, 4);
    let at = match point.of.sweep.as_str() {
        "bits-per-key" => format!("at {x} bits per key"),
        "load" => format!("at load {x}"),
        "target-fpr" => format!("sized for {}", number::share(point.of.x, 4)),
        sweep => format!("at {sweep} {x}"),
    };
    let what = format!("{name} of {} on {set} {at}", point.of.filter);
    collector.add(outcome, (&point.of.filter, set), what, by);
}
