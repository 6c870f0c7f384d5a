//! Nanoseconds against bits per key: who pays for time with memory.

use super::{axis, half, highest, on_axis, style_of};
use crate::{
    document::{Figure, Table},
    groups::span,
    number,
    palette::{Paint, Stroke},
    plot::{self, Axis, Item, Label, NOTE, Pair, Panel},
    speed::score::{Column, Score},
};

const SIZE: Pair = (960.0, 560.0);

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
    let reading = "Left is smaller, low is faster, by a logarithmic axis. Half of the lookups \
        are of members, at random. The dashed line joins those that no other filter beats in \
        both. Only filters are drawn that can be updated, rejected no key and keep the target; \
        upright bars are intervals of the median at 95 %.";
    let (title, table) = (finding(column, &points), table(&points));
    let name = format!("time-and-bits-{keys}");
    let source = "records/speed.csv";
    let panel = panel(&points);
    Some(plot::figure(&[panel], name, title, reading, table, source))
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

fn finding(column: &Column<'_>, points: &[Point<'_>]) -> String {
    let front = points.iter().filter(|point| point.is_front);
    let front = number::listed(front.map(|point| point.score.name.in_words()));
    format!(
        "No updatable filter that keeps the target is both smaller and faster than {front} ({} keys \
         of kind {}, target {})",
        number::count(column.capacity),
        column.keys,
        number::share(column.target_fpr, 3)
    )
}

fn panel(points: &[Point<'_>]) -> Panel {
    let bits = points.iter().map(|point| point.at.0);
    let (least, most) = span((f64::INFINITY, 0.0), bits);
    let room = 0.05 * (most - least).max(1.0);
    let ns = axis(points.iter().flat_map(|point| point.ends));
    let tick = |v| number::significant(v, 4);
    let across = Axis::new("bits per key", least - room..most + room, 10, 50.0, tick);
    let up = Axis::new("net ns per key, 50 % hits", ns, 8, 80.0, tick).log();
    let mut panel = Panel::new((0, 1), SIZE, [88.0, 14.0, 260.0, 58.0], (across, up));
    panel.label_size = NOTE;
    let front = points.iter().filter(|point| point.is_front);
    let front: Vec<Pair> = front.map(Point::place).collect();
    panel.add(Item::stroked(front, (Paint::Ink, Stroke::Dashed), 1.2));
    for point in points {
        let (style, at) = (style_of(point.score), point.place());
        let spot = plot::Point {
            at,
            ends: point.ends.map(on_axis),
            says: words(point),
        };
        panel.points(style, [spot]);
        let bits = number::decimal(point.at.0, 1);
        let words = format!("{}: {bits}", point.score.name.label());
        panel.labels.push(Label::of(words, at, style));
    }
    panel
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
