//! The charts of an evaluation.

mod histogram;
mod sweeps;

use std::cmp::Reverse;

use super::{
    battery,
    document::Figure,
    groups::{grouped, span},
    judge::{Judgement, Outcome},
    number,
    palette::{Paint, Stroke, style},
    plot::{self, Axis, Panel, Value},
};
use bouquet_record::{Observation, Records};

/// All charts for which the records have data.
pub fn all(records: &Records, judgement: &Judgement) -> Vec<Figure> {
    let mut figures = sweeps::figures(records, judgement);
    figures.extend(bits_needed(records));
    figures.extend(p_values(&judgement.locations));
    figures.extend(histogram::figure(records));
    figures
}

/// The bits per key that each filter needs for a target FPR, against the information bound. `None`
/// if there are no rows.
fn bits_needed(records: &Records) -> Option<Figure> {
    let usable = |row: &&Observation| {
        let is_sized = row.error.is_empty() && row.note.is_empty() && row.capacity > 0;
        is_sized && row.x > 0.0 && row.x < 1.0
    };
    let mut targets = grouped(records.memory.iter().filter(usable), |row| row.x);
    targets.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    // The row with the most keys of each filter, where the constant overhead weighs least.
    for (_, rows) in &mut targets {
        rows.sort_by_key(|row| Reverse(row.capacity));
        let filters = grouped(rows.iter().copied(), |row| row.filter.as_str());
        *rows = filters.into_iter().map(|(_, own)| own[0]).collect();
        rows.sort_by(|a, b| a.bits_per_key().total_cmp(&b.bits_per_key()));
    }
    let (target, rows) = targets.first()?;
    let (smallest, bits) = (rows.first()?, |x| number::decimal(x, 2));
    let finding = format!(
        "{} takes the fewest bits per key for {}: {}, {} times the bound.",
        smallest.filter,
        number::share(*target, 3),
        bits(smallest.bits_per_key()),
        bits(smallest.bits_per_key() / -target.log2())
    );
    let all = || targets.iter().flat_map(|(_, rows)| rows.iter().copied());
    let (least, most) = span((1.0, 0.0), all().map(|row| row.x));
    let highest = all().map(|row| row.bits_per_key()).fold(1.0, f64::max);
    let x = Axis::rates("target FPR", 0.8 * least..1.25 * most, 12).log();
    let y = Axis::new("bits per key", -0.9 * most.log2()..1.1 * highest, 12).log();
    let mut panel = Panel::wide(0, 4700, 1900, (x, y));
    let bound = targets.iter().map(|(target, _)| (*target, -target.log2()));
    let bound: Vec<_> = bound.collect();
    panel.line(&bound, (Paint::SOFT, Stroke::Dashed), 10);
    panel.label("information bound", bound[0].1, Paint::SOFT, None);
    for (filter, rows) in grouped(all(), |row| row.filter.as_str()) {
        let point = |row: &&Observation| (row.x, Value(row.bits_per_key(), None, None));
        let points: Vec<_> = rows.iter().rev().map(point).collect();
        panel.series(filter, style(records, filter), &points);
    }
    let reading = "Bits per key really allocated, the value itself included, when each filter is \
                   built for the target by its own sizing. The information bound is the least that \
                   any structure can do, log2(1/FPR).";
    let title = "Bits per key for a target FPR";
    Some(plot::figure(
        vec![panel],
        ["bits-needed", title, &finding, reading],
    ))
}

/// The smallest p-value of every cell of the battery, with the threshold; `None` if there is none.
fn p_values(judgement: &battery::Judgement) -> Option<Figure> {
    let subjects = grouped(judgement.tested(), |cell| &*cell.first.subject);
    if subjects.is_empty() {
        return None;
    }
    let mark = |cell: &&battery::Tested| {
        let slots = number::count(cell.first.slots);
        let at = format!("{}, m {slots}", cell.first.key_set);
        let is_right = cell.outcome == Outcome::Pass;
        let paint = if is_right { Paint::INK } else { Paint::BAD };
        (at, cell.nearest_miss.log10(), paint)
    };
    let is_wrong = |cell: &&battery::Tested| cell.outcome != Outcome::Pass;
    let wrong = subjects
        .iter()
        .filter(|(_, cells)| cells.iter().any(is_wrong));
    let finding = match number::listed(wrong.map(|(name, _)| *name)).as_str() {
        "" => "Every scheme is on the side of the line where it must be.".to_owned(),
        names => format!("On the wrong side of the line: {names}."),
    };
    let threshold = number::significant(judgement.threshold, 2);
    let reading = format!(
        "Each point is one scheme on one key set at one m. Of a scheme that must pass it is the \
         smallest p-value of all tests, and a point left of the line at {threshold} is a finding. \
         Of one with a known fault it is, among the tests that must find it, the p-value nearest \
         to missing it: it must lie left of the line, or the run is invalid. Points below \
         1e-30 are drawn at the left end."
    );
    // The axis shows exponents: on a linear axis, ticks of such small values would be left out.
    let x = Axis::new("p-value", -30.0..0.0, 7).ticks(|power| match power.round() {
        0.0 => "1".to_owned(),
        -30.0 => "≤ 1e-30".to_owned(),
        power => format!("1e{power}"),
    });
    let x = x.words(|power| number::p_value(10_f64.powf(power)));
    let mut panel = Panel::rows(x, subjects.len());
    for (at, (name, cells)) in subjects.iter().enumerate() {
        panel.row(at, name, &cells.iter().map(mark).collect::<Vec<_>>());
    }
    let words = format!("flagged below {threshold}");
    panel.upright(judgement.threshold.log10(), &words, Paint::INK);
    let title = "Smallest p-value of each scheme";
    Some(plot::figure(
        vec![panel],
        ["p-values", title, &finding, &reading],
    ))
}
