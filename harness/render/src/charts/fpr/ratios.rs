//! Filters sized for targets: measured by theory, a row a filter and data set.
//! Rates too low to be known to a few percent are required to be below a ceiling.
//!
//! A row a point: marks with intervals, what was made of it at the right.

use std::ops::Range;

use super::{failed, table};
use crate::{
    document::Figure,
    groups::grouped,
    judge::{Check, Outcome, Point, gate_outcome},
    levels::DELTA,
    number,
    palette::{Marker, Paint, Style, style},
    plot::{self, Axis, Item, Panel, Shape, Side, digits},
};

/// The charts of a sweep over targets.
pub fn figures(points: &[&Point], name: &str) -> Vec<Figure> {
    let (low, usual): (Vec<&Point>, Vec<&Point>) = points.iter().partition(|p| p.gate.is_some());
    let usual = (!usual.is_empty()).then(|| usual_rates(name, &usual));
    let low = (!low.is_empty()).then(|| low_rates(&format!("{name}-ceilings"), &low));
    usual.into_iter().chain(low).collect()
}

fn usual_rates(name: &str, points: &[&Point]) -> Figure {
    let reading = format!(
        "The filled mark is the measured FPR over the one that the bits of these filters give, the \
         ring beside it the mean over their seeds over the formula; bars are intervals at 95 %, the \
         shaded range is ±{} %, within which a whole interval must lie to pass. In brackets the \
         chance that a right filter passes with so many non-members. One filter is one sample: that \
         the ring lies farther off than the mark is no fault.",
        number::significant(DELTA * 100.0, 2)
    );
    let rows = sections(points, usual_row);
    let panel = panel_of(&rows, "measured / theory", 0.85..1.15, Some(DELTA));
    figure(name, usual_finding(points), reading, panel, points)
}

fn low_rates(name: &str, points: &[&Point]) -> Figure {
    let reading = "Each mark is the hits among the non-members over those that theory expects, with \
                   its interval at 95 %; the red line is how many would fail, chosen such that a \
                   right filter does so once in a thousand runs. In brackets the chance to fail of a \
                   filter with twice the rate. A mark left of the line says that the rate is not \
                   grossly above theory, not that it is theory's."
        .to_owned();
    let rows = sections(points, low_row);
    let panel = panel_of(&rows, "hits / hits by theory", 0.0..2.0, None);
    figure(name, low_finding(points), reading, panel, points)
}

fn figure(name: &str, title: String, reading: String, panel: Panel, points: &[&Point]) -> Figure {
    let table = table::table("target-fpr", points);
    plot::figure(&[panel], name, title, reading, table, "records/fpr.csv")
}

/// The highest target first.
fn sections(points: &[&Point], row: fn(&Point) -> FilterLine) -> Vec<Section> {
    let mut targets = grouped(points.iter().copied(), |p| p.of.x);
    targets.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let section = |(target, own): (f64, Vec<&Point>)| {
        let heading = format!("sized for {}", number::share(target, 3));
        (heading, own.into_iter().map(row).collect())
    };
    targets.into_iter().map(section).collect()
}

fn name_of(point: &Point) -> String {
    format!("{}, {}", point.of.filter, point.of.dataset)
}

fn usual_row(point: &Point) -> FilterLine {
    let style = style(&point.of.filter);
    let spot = |check: Check, what: &str, marker| Spot {
        at: check.rate.value / check.theory,
        ends: check.rate.ends().map(|end| end / check.theory),
        marker,
        words: format!(
            "{}, {what}\nmeasured {}\ntheory {}\n{}",
            name_of(point),
            check.rate.in_words(),
            number::share(check.theory, 4),
            Check::in_short(Some(check))
        ),
    };
    let given = point
        .given_bits
        .map(|c| spot(c, "given the bits", style.marker));
    let ring = point.over_seeds.map(|c| {
        let what = if point.spread_known {
            "mean over seeds"
        } else {
            "mean over seeds of all data sets"
        };
        spot(c, what, Marker::Ring)
    });
    let checks = [point.given_bits, point.over_seeds];
    let verdict = checks.iter().flatten();
    let worst = verdict.clone().max_by_key(|check| check.outcome);
    let power = verdict.map(|check| check.power).fold(1.0, f64::min);
    FilterLine {
        name: name_of(point),
        style,
        spots: [given, ring].into_iter().flatten().collect(),
        limit: None,
        verdict: worst.map_or("not judged".to_owned(), |check| {
            format!("{} ({})", check.outcome.word(), number::decimal(power, 2))
        }),
        is_bad: worst.is_some_and(|check| check.outcome == Outcome::Fail),
    }
}

fn low_row(point: &Point) -> FilterLine {
    let style = style(&point.of.filter);
    let gate = point.gate;
    let expected = gate.map_or(f64::NAN, |gate| gate.expected);
    let theory = expected / point.of.non_members_asked as f64;
    let outcome = gate.as_ref().map_or(Outcome::Inconclusive, gate_outcome);
    let power = number::decimal(gate.map_or(0.0, |gate| gate.power), 2);
    FilterLine {
        name: name_of(point),
        style,
        spots: vec![Spot {
            at: point.of.false_positives as f64 / expected,
            ends: point.rate.ends().map(|end| end / theory),
            marker: style.marker,
            words: format!(
                "{}\n{} hits of {} non-members\n{} by theory",
                name_of(point),
                number::count(point.of.false_positives),
                number::count(point.of.non_members_asked),
                number::significant(expected, 3)
            ),
        }],
        limit: gate.map(|gate| gate.fails_from as f64 / gate.expected),
        verdict: format!("{} ({power})", outcome.word()),
        is_bad: outcome == Outcome::Fail,
    }
}

/// The checks of a point, each with the keys that it is of.
fn checks(point: &Point) -> impl Iterator<Item = (&str, Check)> {
    let own = point.of.dataset.as_str();
    let seeds = if point.spread_known {
        own
    } else {
        "all data sets"
    };
    let each = [(own, point.given_bits), (seeds, point.over_seeds)];
    each.into_iter()
        .filter_map(|(on, check)| Some((on, check?)))
}

/// The check that lies farthest from theory: of which filter, on which keys, by what.
fn farthest<'a>(points: &[&'a Point]) -> Option<(&'a Point, &'a str, f64)> {
    let each = points
        .iter()
        .flat_map(|point| checks(point).map(|(on, check)| (*point, on, check.off())));
    each.max_by(|a, b| a.2.abs().total_cmp(&b.2.abs()))
}

fn usual_finding(points: &[&Point]) -> String {
    let failed = failed(points);
    let named = |p: &&Point| {
        format!(
            "{} on {} at {}",
            p.of.filter,
            p.of.dataset,
            number::share(p.of.x, 3)
        )
    };
    if !failed.is_empty() {
        let failed = number::listed(failed.iter().map(named));
        return format!("The FPR is not what theory says: {failed}");
    }
    let Some((point, on, off)) = farthest(points) else {
        return "No rate of filters at capacity could be compared with theory".to_owned();
    };
    let off = format!(
        "; the farthest, {} on {on} at {}, by {}{} %",
        point.of.filter,
        number::share(point.of.x, 3),
        if off > 0.0 { "+" } else { "" },
        number::decimal(off * 100.0, 1)
    );
    let some =
        |what: &str, is: &dyn Fn(&Point) -> bool| match points.iter().filter(|p| is(p)).count() {
            0 => String::new(),
            some => format!(" {what} ({})", number::count(some as u64)),
        };
    let is_open = |p: &Point| checks(p).any(|(_, c)| c.outcome == Outcome::Inconclusive);
    let open = some("or have too few hits to tell", &is_open);
    let unknown = some("or could not be compared with it", &|p| {
        checks(p).next().is_none()
    });
    let (many, delta) = (points.len() as u64, number::significant(DELTA * 100.0, 2));
    format!(
        "{} rates of filters at capacity lie within {delta} % of theory{open}{unknown}{off}",
        number::capital(&all(many))
    )
}

fn all(many: u64) -> String {
    if many == 1 {
        "the one".to_owned()
    } else {
        format!("all {}", number::count(many))
    }
}

fn low_finding(points: &[&Point]) -> String {
    let outcome = |p: &&&Point| p.gate.as_ref().map(gate_outcome);
    let failed = points.iter().filter(|p| outcome(p) == Some(Outcome::Fail));
    let failed = number::listed(failed.map(|p| &p.of.filter));
    if !failed.is_empty() {
        return format!("Low rates above their ceiling: {failed}");
    }
    let power = points.iter().filter_map(|p| Some(p.gate?.power));
    // Rounded down: of 0.9999 it is not to be said that it is 1.
    let power = (power.fold(1.0, f64::min) * 100.0).floor().min(99.0) / 100.0;
    format!(
        "{} low rates are below their ceiling, which twice the rate would exceed with probability \
         {} or more",
        number::capital(&all(points.len() as u64)),
        number::decimal(power, 2)
    )
}

const ROW: f64 = 20.0;
const HEADING: f64 = 30.0;
/// Left of the rows, above, right and below, in pixels.
const ROOM: [f64; 4] = [226.0, 10.0, 142.0, 62.0];
/// Two marks of a row lie so far above and below its middle.
const APART: f64 = 4.0;
/// What lies beyond these is drawn at the end.
const ENDS: Range<f64> = 0.0..4.0;

/// A measured ratio, with its interval.
struct Spot {
    at: f64,
    ends: [f64; 2],
    marker: Marker,
    words: String,
}

/// A filter on a data set.
struct FilterLine {
    name: String,
    style: Style,
    spots: Vec<Spot>,
    /// From here on it fails.
    limit: Option<f64>,
    verdict: String,
    is_bad: bool,
}

/// Rows under a heading.
type Section = (String, Vec<FilterLine>);

/// How far the axis reaches: so far as usual, and farther if a mark does.
fn range(sections: &[Section], usual: Range<f64>) -> Range<f64> {
    let rows = sections.iter().flat_map(|(_, rows)| rows);
    let spots = rows.flat_map(|row| {
        let ends = row.spots.iter().flat_map(|spot| spot.ends);
        ends.chain(row.limit)
    });
    let range = spots.fold(usual, |range, at| {
        range.start.min(at - 0.02)..range.end.max(at + 0.05)
    });
    range.start.max(ENDS.start)..range.end.min(ENDS.end)
}

/// Ratios to the right, pixels down; a band around 1 of this half-width is shaded.
fn panel_of(sections: &[Section], axis: &str, usual: Range<f64>, band: Option<f64>) -> Panel {
    let heights = sections
        .iter()
        .map(|(_, rows)| HEADING + ROW * rows.len() as f64);
    let height = heights.sum();
    let x = Axis::new(axis, range(sections, usual), 8, 50.0, digits);
    let mut panel = Panel::rows(height, 1.0, ROOM, x);
    if let Some(band) = band {
        let corners = [(1.0 - band, 0.0), (1.0 + band, height)];
        panel
            .under
            .push(Item::new(Shape::Rect, corners, Paint::Band));
    }
    panel.upright(1.0, Paint::Ink, 1.0);
    let mut y = 0.0;
    for (heading, rows) in sections {
        let head = (panel.x.range.start, y + HEADING / 2.0 + 3.0);
        let heading = Item::text(head, heading, Paint::Ink, Side::Left);
        panel.add(heading.shifted(12.0 - ROOM[0], 0.0));
        y += HEADING;
        for row in rows {
            add_row(&mut panel, row, y + ROW / 2.0);
            y += ROW;
        }
    }
    panel
}

fn add_row(panel: &mut Panel, row: &FilterLine, middle: f64) {
    let Range { start, end } = panel.x.range;
    panel.row_name((start, middle), &row.name, row.style);
    panel.row_note((end, middle), &row.verdict, row.is_bad, 10.0);
    if let Some(limit) = row.limit {
        let line = [(limit, middle - 0.4 * ROW), (limit, middle + 0.4 * ROW)];
        panel.add(Item::line(line, Paint::Bad, 1.8));
    }
    let shift = APART * (row.spots.len() as f64 - 1.0);
    for (place, spot) in (0..).zip(&row.spots) {
        let y = middle - shift + 2.0 * APART * f64::from(place);
        let at = |x: f64| (x.clamp(start, end), y);
        panel.add(Item::line(spot.ends.map(at), row.style.paint, 1.4));
        let (paint, mark) = (row.style.paint, Shape::Mark(spot.marker));
        panel.add(Item::new(mark, [at(spot.at)], paint).saying(&spot.words));
    }
}
