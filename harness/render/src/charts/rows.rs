//! Charts with one row per filter or scheme.

use crate::{
    battery::{Judgement, Tested},
    document::Figure,
    groups::{grouped, span},
    judge::{Check, Outcome, Point},
    number,
    palette::{Marker, Paint, Stroke, Style, style},
    plot::{self, Axis, Group, Mark, Panel, Row},
};
use bouquet_ground::record::{Observation, Records};

/// The FPR relative to theory of filters sized for target FPRs, with one row per filter and data
/// set, the highest target first.
pub fn by_target(points: &[&Point], name: &str, title: &str, finding: &str) -> Figure {
    let reading = "Each mark is the measured FPR over the one that the bits of these filters give, \
                   or of filters that do not give it over theory's; bars are intervals at 95 %. In \
                   brackets the deviation that would have been found with probability 0.999.";
    let row = |point: &Point| {
        let check = point.given_bits;
        let theory = check.map_or(point.of.expected_fpr, |check| check.theory);
        let ratio = point.rate.over(theory);
        let mark = Mark {
            at: format!(
                "target {}, {}",
                number::share(point.of.x, 3),
                point.of.key_set
            ),
            x: ratio.value,
            ends: Some(ratio.ends()),
            expected: Some(1.0),
            is_bad: check.is_some_and(|check| check.outcome == Outcome::Fail),
        };
        Row {
            of: point.of.filter.clone(),
            name: format!("{}, {}", point.of.filter, point.of.key_set),
            style: style(&point.of.filter),
            marks: vec![mark],
            note: Check::in_short(check),
        }
    };
    let mut targets = grouped(points.iter().copied(), |p| p.of.x);
    targets.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let groups = targets.into_iter().map(|(target, own)| Group {
        heading: format!("sized for {}", number::share(target, 3)),
        line: (1.0, String::new()),
        rows: own.into_iter().map(row).collect(),
    });
    let groups: Vec<Group> = groups.collect();
    let marks = groups.iter().flat_map(|group| &group.rows);
    let ends = marks.flat_map(|row| row.marks[0].ends.into_iter().flatten());
    let (least, most) = span((0.85, 1.15), ends);
    let x = Axis::new("measured / theory", least.max(0.0)..most.min(4.0), 8);
    plot::figure(
        &[Panel::rows(x, false, &groups)],
        name,
        title,
        finding,
        reading,
    )
}

/// The bits per key that each filter needs for a target FPR, against the information bound. `None`
/// if there are no rows.
pub fn bits_needed(records: &Records) -> Option<Figure> {
    let usable = |row: &&Observation| {
        let is_sized = row.error.is_empty() && row.note.is_empty() && row.capacity > 0;
        is_sized && row.x > 0.0 && row.x < 1.0
    };
    let mut targets = grouped(records.memory.iter().filter(usable), |row| row.x);
    targets.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    // The row with the most keys of each filter, where the constant overhead weighs least.
    let sized = targets.into_iter().map(|(target, own)| {
        let filters = grouped(own, |row| row.filter.as_str()).into_iter();
        let largest = filters.filter_map(|(_, own)| own.into_iter().max_by_key(|r| r.capacity));
        let mut rows: Vec<&Observation> = largest.collect();
        rows.sort_by(|a, b| a.bits_per_key().total_cmp(&b.bits_per_key()));
        (target, rows)
    });
    let sized: Vec<(f64, Vec<&Observation>)> = sized.collect();
    let (target, rows) = sized.first()?;
    let smallest = rows.first()?;
    let finding = format!(
        "{} takes the fewest bits per key for {}: {}, {} times the bound.",
        smallest.filter,
        number::share(*target, 3),
        number::decimal(smallest.bits_per_key(), 2),
        number::decimal(smallest.bits_per_key() / -target.log2(), 2)
    );
    let row = |row: &&Observation| Row {
        of: row.filter.clone(),
        name: row.filter.clone(),
        style: style(&row.filter),
        marks: vec![Mark {
            at: format!("FPR {}", number::share(row.x, 3)),
            x: row.bits_per_key(),
            ends: None,
            expected: None,
            is_bad: false,
        }],
        note: number::decimal(row.bits_per_key(), 2),
    };
    let groups = sized.iter().map(|(target, rows)| Group {
        heading: format!("FPR {}", number::share(*target, 3)),
        line: (
            -target.log2(),
            format!("bound {}", number::decimal(-target.log2(), 2)),
        ),
        rows: rows.iter().map(row).collect(),
    });
    let groups: Vec<Group> = groups.collect();
    let all = sized.iter().flat_map(|(_, rows)| rows);
    let most = all.map(|row| row.bits_per_key().max(-row.x.log2()));
    let x = Axis::new("bits per key", 0.0..most.fold(1.0, f64::max), 12);
    let reading = "Bars are bits per key really allocated, the value itself included, when each \
                   filter is built for the target by its own sizing; the line in each group is \
                   the least that any structure can do, log2(1/FPR).";
    let title = "Bits per key for a target FPR";
    let panel = Panel::rows(x, true, &groups);
    Some(plot::figure(
        &[panel],
        "bits-needed",
        title,
        finding,
        reading,
    ))
}

/// The axis of p-values ends at 10^-30; smaller values are drawn at its end.
const DECADES: f64 = 30.0;

/// The smallest p-value of every cell of the battery, with the threshold. `None` if there is none.
pub fn p_values(judgement: &Judgement) -> Option<Figure> {
    let subjects = grouped(judgement.tested(), |cell| &*cell.first.subject);
    if subjects.is_empty() {
        return None;
    }
    let threshold = number::significant(judgement.threshold, 2);
    let mark = |cell: &Tested| {
        let first = &cell.first;
        Mark {
            at: format!("{}, m {}", first.key_set, number::count(first.slots)),
            x: cell.nearest_miss.log10(),
            ends: None,
            expected: None,
            is_bad: cell.outcome != Outcome::Pass,
        }
    };
    let look = Style {
        paint: Paint::Ink,
        marker: Marker::Ring,
        stroke: Stroke::Solid,
    };
    let rows = subjects.iter().map(|(name, cells)| Row {
        of: (*name).to_owned(),
        name: (*name).to_owned(),
        style: look,
        marks: cells.iter().copied().map(mark).collect(),
        note: String::new(),
    });
    let group = Group {
        heading: String::new(),
        line: (
            judgement.threshold.log10(),
            format!("flagged below {threshold}"),
        ),
        rows: rows.collect(),
    };
    let wrong = subjects.iter().filter(|(_, cells)| {
        let mut cells = cells.iter();
        cells.any(|cell| cell.outcome != Outcome::Pass)
    });
    let finding = match number::listed(wrong.map(|(name, _)| *name)).as_str() {
        "" => "Every scheme is on the side of the line where it must be.".to_owned(),
        names => format!("On the wrong side of the line: {names}."),
    };
    let reading = format!(
        "Each point is one scheme on one key set at one m. Of a scheme that must pass it is the \
         smallest p-value of all tests, and a point left of the line at {threshold} is a finding. \
         Of one with a known fault it is, among the tests that must find it, the p-value nearest \
         to missing it: it must lie left of the line, or the run is invalid. Points below \
         1e-{DECADES} are drawn at the left end."
    );
    // The axis shows exponents: on a linear axis, ticks of such small values would be left out.
    let x = Axis::new("p-value", -DECADES..0.0, 7).ticks(decade);
    let panel = Panel::rows(
        x.words(|power| number::p_value(10_f64.powf(power))),
        false,
        &[group],
    );
    let title = "Smallest p-value of each scheme";
    Some(plot::figure(&[panel], "p-values", title, finding, reading))
}

fn decade(power: f64) -> String {
    match power.round() {
        0.0 => "1".to_owned(),
        power if power == -DECADES => format!("≤ 1e{power}"),
        power => format!("1e{power}"),
    }
}
