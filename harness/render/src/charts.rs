//! The charts of an evaluation.

mod histogram;
mod sweeps;

use super::{
    battery,
    document::Figure,
    groups::grouped,
    judge::{Judgement, Outcome},
    number,
    palette::{Marker, Paint, Stroke, Style, style},
    plot::{self, Axis, Group, Panel, Row, Value},
};
use bouquet_ground::record::{Observation, Records};

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
        rows.sort_by_key(|row| std::cmp::Reverse(row.capacity));
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
    let row = |row: &&Observation| {
        let (needed, at) = (
            row.bits_per_key(),
            format!("FPR {}", number::share(row.x, 3)),
        );
        Row {
            of: row.filter.clone(),
            style: style(records, &row.filter),
            marks: vec![(at, Value(needed, None, None), false)],
            note: bits(needed),
        }
    };
    let group = |(target, rows): &(f64, Vec<&Observation>)| Group {
        heading: format!("FPR {}", number::share(*target, 3)),
        line: (-target.log2(), format!("bound {}", bits(-target.log2()))),
        rows: rows.iter().map(row).collect(),
    };
    let groups: Vec<Group> = targets.iter().map(group).collect();
    let all = targets.iter().flat_map(|(_, rows)| rows);
    let most = all.map(|row| row.bits_per_key().max(-row.x.log2()));
    let x = Axis::new("bits per key", 0.0..most.fold(1.0, f64::max), 12);
    let reading = "Bars are bits per key really allocated, the value itself included, when each \
                   filter is built for the target by its own sizing; the line in each group is \
                   the least that any structure can do, log2(1/FPR).";
    let title = "Bits per key for a target FPR";
    let panel = Panel::rows(x, true, &groups);
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
        let value = Value(cell.nearest_miss.log10(), None, None);
        (at, value, cell.outcome != Outcome::Pass)
    };
    let (paint, marker, stroke) = (Paint::INK, Marker::RING, Stroke::Solid);
    let row = |(name, cells): &(&str, Vec<&battery::Tested>)| Row {
        of: (*name).to_owned(),
        style: Style {
            paint,
            marker,
            stroke,
        },
        marks: cells.iter().map(mark).collect(),
        note: String::new(),
    };
    let rows: Vec<Row> = subjects.iter().map(row).collect();
    let is_wrong = |row: &&Row| row.marks.iter().any(|(_, _, is_bad)| *is_bad);
    let wrong = rows.iter().filter(is_wrong).map(|row| &row.of);
    let finding = match number::listed(wrong).as_str() {
        "" => "Every scheme is on the side of the line where it must be.".to_owned(),
        names => format!("On the wrong side of the line: {names}."),
    };
    let threshold = number::significant(judgement.threshold, 2);
    let line = (
        judgement.threshold.log10(),
        format!("flagged below {threshold}"),
    );
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
    let panel = Panel::rows(
        x,
        false,
        &[Group {
            heading: String::new(),
            line,
            rows,
        }],
    );
    let title = "Smallest p-value of each scheme";
    Some(plot::figure(
        vec![panel],
        ["p-values", title, &finding, &reading],
    ))
}
