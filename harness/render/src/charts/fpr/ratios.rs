//! Filters sized for targets: measured by theory, a row a filter and data set.

use std::ops::Range;

use super::{SOURCE, finding};
use crate::{
    document::{Figure, Table},
    estimate::Estimate,
    groups::grouped,
    judge::{Check, Outcome, Point, pool},
    number,
    palette::{Paint, Style, style},
    plot::{self, Axis, Item, Panel, Side, digits},
};

const READING: &str = "Each mark is the measured FPR over the one that the bits of these filters \
     give, or of filters that do not give it over theory's; bars are intervals at 95 %. In \
     brackets the deviation that would have been found with probability 0.999.";

/// The chart of a sweep over targets.
pub fn figure(points: &[&Point], name: &str) -> Figure {
    let rows = sections(points);
    let table = table(points);
    let title = "Measured FPR over theory by target";
    plot::figure(&[panel_of(&rows)], name, title, READING, table, SOURCE).finding(finding(points))
}

/// A row a filter and target, pooled over the data sets.
fn table(points: &[&Point]) -> Table {
    let groups = grouped(points.iter().copied(), |p| (&p.of.filter, p.of.x.to_bits()));
    let pooled = groups.into_iter().filter_map(|(_, own)| pool(own));
    let pooled: Vec<Point> = pooled.collect();
    Table::of(&pooled)
        .column("Filter", |p| &p.of.filter)
        .column("#Target FPR", |p| number::share(p.of.x, 4))
        .column("#FPR expected", |p| number::share(p.of.expected_fpr, 4))
        .column("#FPR measured (95 % interval)", |p| p.rate.in_words())
        .column("#Bits per key", |p| number::decimal(p.of.bits_per_key(), 2))
        .column("#k", |p| p.of.hashes)
        .column("#False negatives", |p| p.false_negatives())
        .table()
}

/// The highest target first.
fn sections(points: &[&Point]) -> Vec<Section> {
    let mut targets = grouped(points.iter().copied(), |p| p.of.x);
    targets.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let section = |(target, own): (f64, Vec<&Point>)| {
        let heading = format!("sized for {}", number::share(target, 3));
        (heading, own.into_iter().map(row).collect())
    };
    targets.into_iter().map(section).collect()
}

fn row(point: &Point) -> FilterLine {
    let name = format!("{}, {}", point.of.filter, point.of.key_set);
    let check = point.given_bits;
    let theory = check.map_or(point.of.expected_fpr, |check| check.theory);
    FilterLine {
        words: format!(
            "{name}\nmeasured {}\ntheory {}\n{}",
            point.rate.in_words(),
            number::share(theory, 4),
            Check::in_short(check)
        ),
        name,
        style: style(&point.of.filter),
        ratio: point.rate.over(theory),
        verdict: Check::in_short(check),
        is_bad: check.is_some_and(|check| check.outcome == Outcome::Fail),
    }
}

const ROW: f64 = 20.0;
const HEADING: f64 = 30.0;
/// Left of the rows, above, right and below, in pixels.
const ROOM: [f64; 4] = [226.0, 10.0, 142.0, 62.0];
/// What lies beyond these is drawn at the end.
const ENDS: Range<f64> = 0.0..4.0;

/// A filter on a data set.
struct FilterLine {
    name: String,
    style: Style,
    ratio: Estimate,
    words: String,
    verdict: String,
    is_bad: bool,
}

/// Rows under a heading.
type Section = (String, Vec<FilterLine>);

/// How far the axis reaches: so far as usual, and farther if a mark does.
fn range(sections: &[Section]) -> Range<f64> {
    let rows = sections.iter().flat_map(|(_, rows)| rows);
    let ends = rows.flat_map(|row| row.ratio.ends());
    let range = ends.fold(0.85..1.15, |range: Range<f64>, at| {
        range.start.min(at - 0.02)..range.end.max(at + 0.05)
    });
    range.start.max(ENDS.start)..range.end.min(ENDS.end)
}

/// Ratios to the right, pixels down.
fn panel_of(sections: &[Section]) -> Panel {
    let heights = sections
        .iter()
        .map(|(_, rows)| HEADING + ROW * rows.len() as f64);
    let height = heights.sum();
    let x = Axis::new("measured / theory", range(sections), 8, 50.0, digits);
    let mut panel = Panel::rows(height, 1.0, ROOM, x);
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
    let at = |x: f64| (x.clamp(start, end), middle);
    panel.add(Item::line(row.ratio.ends().map(at), row.style.paint, 1.4));
    let mark = Item::mark(at(row.ratio.value), row.style);
    panel.add(mark.saying(&row.words));
}
