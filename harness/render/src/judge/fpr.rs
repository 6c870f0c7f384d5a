//! Is the FPR what theory says?

mod point;

pub use point::{Point, point, pool};

use super::{Collector, Outcome, check};
use crate::{groups::grouped, levels::COMPUTED, number};
use bouquet_ground::record::FprRow;
use bouquet_stats::{Gate, z_two_sided};

/// Checks of a point that share the family's alpha: of the FPR given the bits,
/// of its mean over seeds, and of the fill.
pub(super) const CHECKS: usize = 3;

/// The rows of each point of each sweep, in the order of the records.
pub(super) fn groups(rows: &[FprRow]) -> Vec<Vec<&FprRow>> {
    let groups = grouped(rows, |row| (size(row), &row.dataset));
    groups.into_iter().map(|(_, rows)| rows).collect()
}

/// What points on several data sets have in common. What differs most comes first: of many
/// points each is compared with all before it.
fn size(row: &FprRow) -> impl PartialEq {
    (
        row.x,
        &row.filter,
        &row.experiment,
        &row.sweep,
        row.capacity,
        row.target_fpr,
    )
}

/// Judges every point, in the order of the records.
pub(super) fn judge(collector: &mut Collector<'_>, groups: &[Vec<&FprRow>]) -> Vec<Point> {
    let strict = collector.strict;
    let mut points: Vec<Point> = groups.iter().map(|rows| point(rows, strict)).collect();
    for at in over_sets(&mut points, groups, strict) {
        let point = &points[at];
        if let Some(check) = point.over_seeds {
            let set = "all data sets";
            let by = check.by_how_much();
            add(
                collector,
                point,
                "mean FPR over seeds",
                set,
                check.outcome,
                by,
            );
        }
    }
    let fill_limit = z_two_sided(strict);
    for point in &points {
        judge_one(collector, point, fill_limit);
    }
    points
}

/// How much one filter differs from the next has to be seen where theory does
/// not give it, and a few replicates do not show it. So the mean over seeds is
/// taken over the data sets together; what one of them alone does shows in the
/// FPR given the bits and in the locations. Gives a point of each such mean.
fn over_sets(points: &mut [Point], groups: &[Vec<&FprRow>], strict: f64) -> Vec<usize> {
    let open: Vec<usize> = (0..points.len())
        .filter(|&at| !points[at].spread_known && points[at].gate.is_none())
        .collect();
    let pooled = grouped(open, |at| size(groups[*at][0]));
    for (_, group) in &pooled {
        let rows = group.iter().flat_map(|at| groups[*at].iter().copied());
        let sound: Vec<&FprRow> = rows.filter(|row| row.error.is_empty()).collect();
        let check = check::over_seeds(&sound, strict);
        for at in group {
            points[*at].over_seeds = check;
        }
    }
    pooled.iter().map(|(_, group)| group[0]).collect()
}

fn judge_one(collector: &mut Collector<'_>, point: &Point, fill_limit: f64) {
    let set = &point.of.dataset;
    if let Some(by) = super::error([&point.of.error]) {
        add(collector, point, "measurement", set, Outcome::Fail, by);
    }
    let own_mean = point.over_seeds.filter(|_| point.spread_known);
    for (name, check) in [
        ("FPR given the bits", point.given_bits),
        ("mean FPR over seeds", own_mean),
    ] {
        if let Some(check) = check {
            add(
                collector,
                point,
                name,
                set,
                check.outcome,
                check.by_how_much(),
            );
        }
    }
    if let Some(gate) = point.gate {
        let (outcome, by) = (gate_outcome(&gate), ceiling(&gate));
        add(collector, point, "FPR below a ceiling", set, outcome, by);
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

/// The outcome of a ceiling.
pub fn gate_outcome(gate: &Gate) -> Outcome {
    Outcome::of(gate.passes())
}

fn ceiling(gate: &Gate) -> String {
    format!(
        "{} hits, {} by theory; {} fail; twice the rate would with probability {}",
        number::count(gate.hits),
        number::significant(gate.expected, 3),
        number::count(gate.fails_from),
        number::decimal(gate.power, 2)
    )
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
    // Not narrowed to one where it was judged over all.
    let own = if set == point.of.dataset { set } else { "" };
    let what = format!("{name} of {} on {set} {at}", point.of.filter);
    collector.add(outcome, (&point.of.filter, own), what, by);
}
