//! Is the FPR what theory says?

mod check;
mod point;

pub use check::Check;
pub use point::{Point, pool};

use super::{Bench, DELTA, FAMILY_ALPHA, Judged, Outcome};
use crate::render::number;

/// A fill so many standard deviations off its mean is wrong.
const FILL_Z_LIMIT: f64 = 5.0;

/// Judges every point, in the order of the records.
pub(super) fn judge(bench: &mut Bench<'_>) -> Vec<Point> {
    let groups = point::groups(&bench.records.fpr);
    // Two rate checks a point share the family's alpha: Bonferroni.
    let strict = 1.0 - FAMILY_ALPHA / (2 * groups.len()).max(1) as f64;
    let points: Vec<Point> = groups
        .iter()
        .map(|rows| point::point(rows, strict))
        .collect();
    for point in &points {
        if !point.error.is_empty() {
            add(
                bench,
                point,
                "measurement",
                Outcome::Fail,
                format!("error: {}", point.error),
            );
        }
        for (name, check) in [
            ("FPR given the bits", point.given_bits),
            ("mean FPR over seeds", point.over_seeds),
        ] {
            if let Some(check) = check {
                add(bench, point, name, check.outcome, by_how_much(&check));
            }
        }
        if let Some(z) = point.fill_z {
            let outcome = if z.abs() > FILL_Z_LIMIT {
                Outcome::Fail
            } else {
                Outcome::Pass
            };
            let by = format!("{} standard deviations off", number::decimal(z, 1));
            add(bench, point, "fill", outcome, by);
        }
        members(bench, point);
    }
    points
}

/// A false negative fails those that promise none; of others it is a number.
fn members(bench: &mut Bench<'_>, point: &Point) {
    let promises = super::subject(bench.records, &point.filter)
        .is_some_and(|subject| subject.promises_no_false_negatives);
    if !promises || point.members_asked == 0 {
        return;
    }
    let outcome = if point.false_negatives > 0 {
        Outcome::Fail
    } else {
        Outcome::Pass
    };
    let by = format!(
        "{} of {} members denied, 0 allowed",
        number::count(point.false_negatives),
        number::count(point.members_asked)
    );
    add(bench, point, "members", outcome, by);
}

fn add(bench: &mut Bench<'_>, point: &Point, name: &str, outcome: Outcome, by: String) {
    let x = number::significant(point.x, 4);
    let at = match point.sweep.as_str() {
        "bits-per-key" => format!("at {x} bits per key"),
        "load" => format!("at load {x}"),
        sweep => format!("at {sweep} {x}"),
    };
    bench.add(Judged {
        outcome,
        subject: &point.filter,
        dataset: &point.dataset,
        flag: "--filters",
        what: format!("{name} of {} on {} {at}", point.filter, point.dataset),
        by,
    });
}

fn by_how_much(check: &Check) -> String {
    let off = (check.measured / check.theory - 1.0) * 100.0;
    let power = match check.outcome {
        Outcome::Inconclusive => format!(
            "; a sample like this passes a right filter with probability {}",
            number::decimal(check.power, 2)
        ),
        _ => String::new(),
    };
    format!(
        "{} measured, {} by theory: {}{} %, ±{} % allowed{power}",
        number::measured_with_interval(check.measured, check.interval),
        number::share(check.theory, 4),
        if off > 0.0 { "+" } else { "" },
        number::decimal(off, 1),
        number::significant(DELTA * 100.0, 2),
    )
}
