//! Nanoseconds against bits per key: who pays for time with memory.

use std::ops::Range;

use super::{axis, half, highest, on_axis, style_of};
use crate::{
    document::{Figure, Table},
    groups::span,
    number,
    palette::{Paint, Stroke},
    plot::{self, Axis, Item, Pair, Panel, Side},
    speed::{
        score::{Column, Score},
        title,
    },
};

const SIZE: Pair = (960.0, 560.0);
/// Left, above, right and below the axes, in pixels.
const ROOM: [f64; 4] = [88.0, 14.0, 14.0, 58.0];
/// From a point to its name, and from one name to the next, in pixels.
const BELOW: f64 = 10.0;
const STEP: f64 = 16.0;

/// A filter at its place.
struct Point<'a> {
    score: &'a Score<'a>,
    at: Pair,
    ends: [f64; 2],
    is_front: bool,
}

impl Point<'_> {
    fn place(&self) -> Pair {
        (self.at.0, on_axis(self.at.1))
    }
}

/// Of the highest target, at the most keys that most filters were measured with.
pub fn figure(keys: &str, columns: &[&Column<'_>]) -> Option<Figure> {
    let size = |column: &&Column<'_>| (column.scores.len(), column.capacity);
    let column = highest(columns).max_by_key(size)?;
    let points = points(column);
    if points.len() < 2 {
        return None;
    }
    let across = across(column, &points);
    let reading = reading(column);
    let name = format!("time-and-bits-{keys}");
    let title = format!("Time against bits per key, {keys} keys");
    let source = "records/times.csv";
    let (panel, table) = (panel(&points, across, column.target_fpr), table(&points));
    Some(plot::figure(&[panel], name, &title, reading, table, source))
}

fn points<'a>(column: &'a Column<'a>) -> Vec<Point<'a>> {
    let scores = column.scores.iter();
    let competing = scores.filter(|score| score.competes(column.target_fpr));
    let point = |score: &'a Score<'a>| {
        let half = half(score)?;
        Some(Point {
            score,
            at: (score.bits_per_key?, half.value),
            ends: half.ends(),
            is_front: false,
        })
    };
    let mut points: Vec<Point<'_>> = competing.filter_map(point).collect();
    points.sort_by(|a, b| a.at.0.total_cmp(&b.at.0).then(a.at.1.total_cmp(&b.at.1)));
    let mut fastest = f64::INFINITY;
    for point in &mut points {
        if point.at.1 < fastest {
            (fastest, point.is_front) = (point.at.1, true);
        }
    }
    points
}

/// What is to be seen, and what is not.
fn reading(column: &Column<'_>) -> String {
    format!(
        "{}. Left is smaller, low is faster, by a logarithmic axis. Half of the lookups are of members, \
         at random. The dashed line joins those that no other filter beats in both, and they are \
         named; what the other marks are is in the table. The upright line is the least that any \
         filter can take for the target. Only filters are drawn that can be updated, rejected no key \
         and keep the target; upright bars are intervals of the median at 95 %. More bits per key \
         than the axis has are drawn at its end.",
        title(column)
    )
}

/// From below the information bound, so that names have room, to somewhat beyond the front: a filter that is slower and
/// takes twice the bits would take the axis from all others.
fn across(column: &Column<'_>, points: &[Point<'_>]) -> Range<f64> {
    let front = points.iter().filter(|point| point.is_front);
    let (least, most) = span((f64::INFINITY, 0.0), front.map(|point| point.at.0));
    0.85 * least.min(-column.target_fpr.log2())..1.4 * most
}

fn panel(points: &[Point<'_>], across: Range<f64>, target_fpr: f64) -> Panel {
    let ns = axis(points.iter().flat_map(|point| point.ends));
    let tick = |v| number::significant(v, 4);
    let across = Axis::new("bits per key", across.clone(), 14, 50.0, tick);
    let up = Axis::new("net ns per key, 50 % hits", ns, 8, 80.0, tick).log();
    let mut panel = Panel::new((0, 1), SIZE, ROOM, (across, up));
    panel.upright(-target_fpr.log2(), Paint::Soft, 1.0);
    let front: Vec<&Point<'_>> = points.iter().filter(|point| point.is_front).collect();
    let path: Vec<Pair> = front.iter().map(|point| point.place()).collect();
    panel.add(Item::stroked(path, (Paint::Ink, Stroke::Dashed), 1.2));
    for point in points {
        let (style, at) = (style_of(point.score), point.place());
        let spot = plot::Point {
            at,
            ends: point.ends.map(on_axis),
            says: words(point),
        };
        panel.points(style, [spot]);
    }
    name(&mut panel, &front);
    panel
}

/// Names below and left of the points, where nothing is: no filter beats these. One that
/// would lie on that of the point before stands lower.
fn name(panel: &mut Panel, front: &[&Point<'_>]) {
    let Range { start, end } = panel.y.range;
    let pixels = SIZE.1 - ROOM[1] - ROOM[3];
    let mut free = f64::NEG_INFINITY;
    for point in front {
        let at = point.place();
        let height = pixels * (end / at.1).ln() / (end / start).ln();
        let down = (height + BELOW).max(free);
        free = down + STEP;
        let words = point.score.name.label();
        let label = Item::note(at, words, style_of(point.score).paint, Side::Right);
        panel.add(label.shifted(-BELOW, down - height));
    }
}

fn words(point: &Point<'_>) -> String {
    format!(
        "{}\n{} ns ({} to {})\n{} bits per key",
        point.score.name.label(),
        number::decimal(point.at.1, 1),
        number::decimal(point.ends[0], 1),
        number::decimal(point.ends[1], 1),
        number::decimal(point.at.0, 2)
    )
}

fn table(points: &[Point<'_>]) -> Table {
    Table::of(points)
        .column("Filter", |point| point.score.name.label())
        .column("#Bits per key", |point| number::decimal(point.at.0, 2))
        .column("#Net, ns", |point| number::decimal(point.at.1, 2))
        .column(
            "Beaten in both",
            |point| if point.is_front { "no" } else { "yes" },
        )
        .table()
}
