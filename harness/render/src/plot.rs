//! A chart as data: panels with axes, the items on each in drawing order, and the values shown.
//! From the values the table below a chart and the tooltips are made.

mod draw;
mod rows;

use std::ops::Range;

pub use self::rows::{Group, Mark, Row};
pub use crate::svg::Side;
use crate::{
    document::{Figure, Table},
    number,
    palette::{Marker, Paint, Stroke, Style},
    svg::Drawing,
};

/// An x and a y value.
pub type Pair = (f64, f64);

/// Text sizes in pixels: of axes and labels, and of small notes.
const TEXT: f64 = 14.0;
const NOTE: f64 = 12.5;
/// The width of a chart in pixels.
const WIDTH: f64 = 960.0;

/// An axis, and how its values are formatted.
#[derive(Clone)]
pub struct Axis {
    /// The name at the axis; empty for none.
    name: &'static str,
    pub range: Range<f64>,
    is_log: bool,
    /// The largest number of ticks. With 0 there are no grid lines either.
    most_ticks: usize,
    /// Formats a tick; an empty string omits it.
    tick: fn(f64) -> String,
    /// Formats a value for the table and the tooltip.
    words: fn(f64) -> String,
}

impl Axis {
    pub fn new(name: &'static str, range: Range<f64>, most_ticks: usize) -> Self {
        Self {
            name,
            range,
            is_log: false,
            most_ticks,
            tick: |v| number::significant(v, 4),
            words: |v| number::significant(v, 4),
        }
    }

    /// Makes the axis logarithmic, and widens it a little, since rounding could drop the ticks at
    /// its ends.
    pub fn log(self) -> Self {
        Self {
            is_log: true,
            range: self.range.start * 0.999..self.range.end * 1.001,
            ..self
        }
    }

    pub fn fewer_ticks(self, most_ticks: usize) -> Self {
        Self { most_ticks, ..self }
    }

    pub fn ticks(self, tick: fn(f64) -> String) -> Self {
        Self { tick, ..self }
    }

    pub fn words(self, words: fn(f64) -> String) -> Self {
        Self { words, ..self }
    }

    /// An axis of rates: ticks are in percent, or in scientific notation if the range begins below
    /// 1e-8.
    pub fn rates(name: &'static str, range: Range<f64>, most_ticks: usize) -> Self {
        let tick: fn(f64) -> String = match 0.0 < range.start && range.start < 1e-8 {
            true => |v| format!("{v:.0e}"),
            false => |v| number::percent(v, 2),
        };
        let axis = Self::new(name, range, most_ticks).ticks(tick);
        axis.words(|v| number::share(v, 4))
    }
}

/// Formats a tick at a whole number; omits others.
pub fn whole(v: f64) -> String {
    match v.fract().abs() < 1e-9 {
        true => number::decimal(v, 0),
        false => String::new(),
    }
}

/// The shape of an item.
#[derive(Clone)]
enum Shape {
    Line(Stroke, f64),
    /// A rectangle between two corners.
    Rect,
    Mark(Marker),
    /// An open circle around a mark.
    Ring,
    /// An open triangle that points down from a bound.
    Down,
    Text(String, f64, Side),
}

/// An item on a panel.
#[derive(Clone)]
struct Item {
    shape: Shape,
    paint: Paint,
    /// Values on the axes; those beyond the range are drawn at its end.
    at: Vec<Pair>,
    /// The offset from there in pixels, to the right and down.
    shift: Pair,
    /// The tooltip; empty for none.
    says: String,
}

/// A value that a chart shows.
#[derive(Clone, Debug)]
pub struct Datum {
    pub quantity: String,
    /// The filter or scheme.
    pub of: String,
    pub at: String,
    pub value: f64,
    /// The ends of its 95 % interval.
    pub ends: Option<[f64; 2]>,
    expected: Option<f64>,
    words: fn(f64) -> String,
}

impl Datum {
    fn value(&self) -> String {
        let value = (self.words)(self.value);
        match self.ends.map(|ends| ends.map(self.words)) {
            Some([low, high]) => format!("{value} ({low} to {high})"),
            None => value,
        }
    }

    fn says(&self) -> String {
        let Self {
            quantity, of, at, ..
        } = self;
        let expected = self.expected.map(self.words);
        let expected = expected.map(|words| format!("\nexpected {words}"));
        let expected = expected.unwrap_or_default();
        format!("{of}, {at}\n{quantity} {}{expected}", self.value())
    }
}

fn table(data: &[Datum]) -> Table {
    Table::of(data)
        .column("Quantity", |datum| &datum.quantity)
        .column("Of", |datum| &datum.of)
        .column("At", |datum| &datum.at)
        .column("#Value (95 % interval)", Datum::value)
        .column("#Expected", |datum| datum.expected.map(datum.words))
        .table()
}

/// A measured point.
pub struct Point {
    pub at: Pair,
    /// The ends of its 95 % interval.
    pub ends: Option<[f64; 2]>,
    pub expected: Option<f64>,
}

/// A name on the right of the axes, at the end of a line.
#[derive(Clone)]
struct Label {
    at: Pair,
    words: String,
    paint: Paint,
    /// For a filter: its marker stands in front of the name, and a thin line leads to the end of
    /// the filter's line.
    style: Option<Style>,
}

/// A pair of axes and the items on them.
#[derive(Clone)]
pub struct Panel {
    /// Its upper left corner on the chart, and its size, in pixels.
    corner: Pair,
    size: Pair,
    /// The margins left of, above, right of and below the axes, in pixels.
    room: [f64; 4],
    pub x: Axis,
    pub y: Axis,
    /// The size of the text on the axes, in pixels.
    text: f64,
    /// A shaded range of y values, below the grid.
    pub band: Option<[f64; 2]>,
    items: Vec<Item>,
    labels: Vec<Label>,
    data: Vec<Datum>,
}

impl Panel {
    fn new(corner: Pair, size: Pair, room: [f64; 4], (x, y): (Axis, Axis)) -> Self {
        Self {
            corner,
            size,
            room,
            x,
            y,
            text: TEXT,
            band: None,
            items: Vec::new(),
            labels: Vec::new(),
            data: Vec::new(),
        }
    }

    /// A panel over the whole width, with its top, its height and the room for labels on the right
    /// in pixels.
    pub fn wide(top: f64, height: f64, right: f64, axes: (Axis, Axis)) -> Self {
        let room = [112.0, 14.0, right, 58.0];
        Self::new((0.0, top), (WIDTH, height), room, axes)
    }

    /// The panel with index `at` of several side by side, each with a heading and of this size.
    /// `top` is the upper edge of the first row.
    pub fn beside(at: usize, size: Pair, top: f64, room: [f64; 4], axes: (Axis, Axis)) -> Self {
        let columns = (WIDTH / size.0).round() as usize;
        let (column, row) = (at % columns, at / columns);
        let corner = (size.0 * column as f64, top + size.1 * row as f64);
        let panel = Self::new(corner, size, room, axes);
        Self {
            text: NOTE,
            ..panel
        }
    }

    fn add(&mut self, shape: Shape, at: &[Pair], paint: Paint) -> &mut Item {
        self.items.push(Item {
            shape,
            paint,
            at: at.to_vec(),
            shift: (0.0, 0.0),
            says: String::new(),
        });
        let last = self.items.len() - 1;
        &mut self.items[last]
    }

    /// Adds a text at `at`, shifted to the right and down by `shift` pixels.
    pub fn note(&mut self, at: Pair, shift: Pair, words: &str, paint: Paint, side: Side) {
        let shape = Shape::Text(words.to_owned(), NOTE, side);
        self.add(shape, &[at], paint).shift = shift;
    }

    /// Adds a heading above the axes, preceded by the marker of a filter if given.
    pub fn heading(&mut self, words: &str, paint: Paint, style: Option<Style>, up: f64) {
        let corner = (self.x.range.start, self.y.range.end);
        let right = if style.is_some() { 20.0 } else { 0.0 };
        if let Some(style) = style {
            let mark = self.add(Shape::Mark(style.marker), &[corner], paint);
            mark.shift = (10.0, -up);
        }
        let shape = Shape::Text(words.to_owned(), TEXT, Side::Left);
        self.add(shape, &[corner], paint).shift = (right, -up);
    }

    pub fn line(&mut self, path: &[Pair], (paint, stroke): (Paint, Stroke), width: f64) {
        self.add(Shape::Line(stroke, width), path, paint);
    }

    /// Adds a horizontal line over the whole width, with its name at the end.
    pub fn level(&mut self, y: f64, words: &str, (paint, stroke): (Paint, Stroke)) {
        let Range { start, end } = self.x.range;
        self.line(&[(start, y), (end, y)], (paint, stroke), 1.2);
        self.label(words, (end, y), paint, None);
    }

    /// Adds a vertical line over the whole height, with words above it.
    pub fn upright(&mut self, x: f64, words: &str, paint: Paint) {
        let Range { start, end } = self.y.range;
        let (stroke, path) = (Stroke::Solid, [(x, start), (x, end)]);
        self.line(&path, (paint, stroke), 1.0);
        self.note((x, end), (0.0, -9.0), words, paint, Side::Center);
    }

    pub fn label(&mut self, words: &str, at: Pair, paint: Paint, style: Option<Style>) {
        let words = words.to_owned();
        self.labels.push(Label {
            at,
            words,
            paint,
            style,
        });
    }

    /// Adds a red circle around a failed point.
    pub fn ring(&mut self, at: Pair) {
        self.add(Shape::Ring, &[at], Paint::Bad);
    }

    /// Adds a bar from 0 to `y` over the range `x`, with a tooltip.
    pub fn bar(&mut self, x: Range<f64>, y: f64, paint: Paint, says: String) {
        let corners = [(x.start, 0.0), (x.end, y)];
        self.add(Shape::Rect, &corners, paint).says = says;
    }

    /// Adds measured points of a filter with their intervals, drawn without caps to save ink. On a
    /// logarithmic axis, a value of 0 is shown as an open triangle at its upper bound.
    pub fn points(&mut self, of: &str, style: Style, points: &[Point]) {
        for Point { at, ends, .. } in points {
            if let Some(ends) = ends {
                let ends = ends.map(|y| (at.0, y));
                self.line(&ends, (style.paint, Stroke::Solid), 1.4);
            }
        }
        let Range { start, end } = self.y.range;
        for Point { at, ends, expected } in points {
            let (x, name) = ((self.x.words)(at.0), self.x.name);
            let datum = Datum {
                quantity: self.y.name.to_owned(),
                of: of.to_owned(),
                at: format!("{x} {name}").trim_end().to_owned(),
                value: at.1,
                ends: *ends,
                expected: *expected,
                words: self.y.words,
            };
            let says = datum.says();
            self.data.push(datum);
            let (shape, y) = match ends {
                Some([_, high]) if self.y.is_log && at.1 <= 0.0 => (Shape::Down, *high),
                _ => (Shape::Mark(style.marker), at.1),
            };
            if (start..=end).contains(&y) || self.y.is_log {
                self.add(shape, &[(at.0, y)], style.paint).says = says;
            }
        }
    }

    /// Removes the data, if another panel shows them as well.
    pub fn without_data(self) -> Self {
        Self {
            data: Vec::new(),
            ..self
        }
    }

    /// Adds a line through measured points, with its name at the end.
    pub fn series(&mut self, of: &str, style: Style, points: &[Point]) {
        let path: Vec<Pair> = points.iter().map(|point| point.at).collect();
        self.line(&path, (style.paint, style.stroke), 1.3);
        self.points(of, style, points);
        if let Some(end) = path.last() {
            self.label(of, *end, style.paint, Some(style));
        }
    }
}

/// Draws panels as a figure with this name, a sentence about its result, and how to read it.
pub fn figure(
    panels: &[Panel],
    name: &str,
    title: impl Into<String>,
    finding: impl Into<String>,
    reading: impl Into<String>,
) -> Figure {
    let (name, title, reading) = (file_name(name), title.into(), reading.into());
    let mut drawing = Drawing::default();
    let mut size: Pair = (0.0, 0.0);
    for panel in panels {
        let (x, y) = (panel.corner.0 + panel.size.0, panel.corner.1 + panel.size.1);
        size = (size.0.max(x), size.1.max(y));
        draw::draw(&mut drawing, panel);
    }
    let data: Vec<Datum> = panels.iter().flat_map(|panel| panel.data.clone()).collect();
    Figure {
        svg: drawing.document(&name, &title, &format!("{title}. {reading}"), size),
        name,
        title,
        finding: finding.into(),
        reading,
        table: table(&data),
        data,
    }
}

/// A file name in the folder of charts. The name may contain that of an experiment, which the
/// author of the records chose freely.
fn file_name(name: &str) -> String {
    let plain = |c: char| match c {
        '-' | '_' | '.' => c,
        c if c.is_ascii_alphanumeric() => c,
        _ => '-',
    };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests;
