//! A figure as data: panels of axes, and what stands on each in the order in
//! which it is drawn.

mod draw;
mod figure;
mod kinds;
mod marks;

use std::ops::Range;

pub use self::figure::figure;
pub use crate::svg::Side;
use crate::{
    number,
    palette::{Marker, Paint, Stroke, Style, style},
};
use bouquet_stats::Interval;

/// A pair of values.
pub type Pair = (f64, f64);

/// Text sizes in pixels: of axes and labels, and of small notes.
pub const TEXT: f64 = 14.0;
pub const NOTE: f64 = 12.5;

/// The words and ticks of one axis.
#[derive(Clone)]
pub struct Axis {
    /// Empty for none.
    pub name: String,
    pub range: Range<f64>,
    is_log: bool,
    /// With none there is no grid either.
    pub most_ticks: usize,
    pub format: fn(f64) -> String,
    /// Of the text, in pixels.
    pub size: f64,
    /// For ticks and name, in pixels.
    pub room: f64,
}

impl Axis {
    pub fn new(
        name: impl Into<String>,
        range: Range<f64>,
        most_ticks: usize,
        room: f64,
        format: fn(f64) -> String,
    ) -> Self {
        Self {
            name: name.into(),
            range,
            is_log: false,
            most_ticks,
            format,
            size: TEXT,
            room,
        }
    }

    /// A logarithmic one.
    pub fn log(self) -> Self {
        Self {
            is_log: true,
            ..self
        }
    }

    /// With small text.
    pub fn small(self) -> Self {
        Self { size: NOTE, ..self }
    }
}

/// The range of a logarithmic axis, widened a little, or rounding would cost
/// the ticks at its ends.
pub fn widened(range: Range<f64>) -> Range<f64> {
    range.start * 0.999..range.end * 1.001
}

/// A tick of three digits.
pub fn digits(v: f64) -> String {
    number::significant(v, 3)
}

/// A tick in percent.
pub fn percent(v: f64) -> String {
    number::percent(v, 2)
}

/// A tick at a whole number; at any other none.
pub fn whole(v: f64) -> String {
    if v.fract().abs() < 1e-9 {
        number::decimal(v, 0)
    } else {
        String::new()
    }
}

/// What an item looks like at its places.
#[derive(Clone)]
pub enum Shape {
    Line {
        stroke: Stroke,
        width: f64,
    },
    /// Between two corners.
    Rect,
    Mark(Marker),
    /// An open circle of this radius in pixels.
    Ring(f64),
    /// An open triangle that points down from a bound.
    Down,
    Text {
        words: String,
        size: f64,
        side: Side,
    },
}

/// Something on a panel.
#[derive(Clone)]
pub struct Item {
    shape: Shape,
    paint: Paint,
    /// Values on the axes; what lies beyond them is drawn at their end.
    at: Vec<Pair>,
    /// Pixels from there, to the right and down.
    shift: Pair,
    /// What it says to whoever points at it, if anything.
    says: String,
}

impl Item {
    pub fn new(shape: Shape, at: impl Into<Vec<Pair>>, paint: Paint) -> Self {
        Self {
            shape,
            paint,
            at: at.into(),
            shift: (0.0, 0.0),
            says: String::new(),
        }
    }

    /// A line of this width in pixels through these places.
    pub fn line(at: impl Into<Vec<Pair>>, paint: Paint, width: f64) -> Self {
        Self::stroked(at, (paint, Stroke::Solid), width)
    }

    pub fn stroked(at: impl Into<Vec<Pair>>, (paint, stroke): (Paint, Stroke), width: f64) -> Self {
        Self::new(Shape::Line { stroke, width }, at, paint)
    }

    /// A measured point.
    pub fn mark(at: Pair, style: Style) -> Self {
        Self::new(Shape::Mark(style.marker), [at], style.paint)
    }

    pub fn text(at: Pair, words: impl Into<String>, paint: Paint, side: Side) -> Self {
        Self::sized(TEXT, at, words.into(), paint, side)
    }

    /// Small text.
    pub fn note(at: Pair, words: impl Into<String>, paint: Paint, side: Side) -> Self {
        Self::sized(NOTE, at, words.into(), paint, side)
    }

    fn sized(size: f64, at: Pair, words: String, paint: Paint, side: Side) -> Self {
        Self::new(Shape::Text { words, size, side }, [at], paint)
    }

    pub fn shifted(self, x: f64, y: f64) -> Self {
        Self {
            shift: (x, y),
            ..self
        }
    }

    pub fn saying(self, says: impl Into<String>) -> Self {
        Self {
            says: says.into(),
            ..self
        }
    }
}

/// A measured point with its interval.
pub struct Point {
    pub at: Pair,
    pub ends: [f64; 2],
    pub says: String,
}

impl Point {
    pub fn new(at: Pair, interval: Interval, says: String) -> Self {
        let ends = [interval.low, interval.high];
        Self { at, ends, says }
    }
}

/// A label right of the axes, at the end of a line.
#[derive(Clone)]
pub struct Label {
    pub at: Pair,
    pub words: String,
    pub paint: Paint,
    /// Of a filter: its marker stands before its name, with a thread to where
    /// its line ends.
    pub style: Option<Style>,
    /// Pixels from there downwards: what would lie on another stays apart.
    pub down: f64,
}

impl Label {
    /// The label of a filter.
    pub fn filter(name: &str, at: Pair) -> Self {
        Self::of(name, at, style(name))
    }

    /// With this look.
    pub fn of(words: impl Into<String>, at: Pair, style: Style) -> Self {
        Self {
            style: Some(style),
            ..Self::note(words, at, style.paint)
        }
    }

    pub fn note(words: impl Into<String>, at: Pair, paint: Paint) -> Self {
        Self {
            at,
            words: words.into(),
            paint,
            style: None,
            down: 0.0,
        }
    }
}

/// A pair of axes and what stands on them.
#[derive(Clone)]
pub struct Panel {
    /// Its place in a grid of so many columns.
    grid: (usize, usize),
    /// Of a cell of the grid, in pixels.
    size: Pair,
    /// Left, above, right and below the axes.
    room: [f64; 4],
    /// How much farther down it lies.
    lower: f64,
    pub x: Axis,
    pub y: Axis,
    /// Below the grid.
    pub under: Vec<Item>,
    pub items: Vec<Item>,
    pub labels: Vec<Label>,
    /// Of the labels' text, in pixels.
    pub label_size: f64,
}

impl Panel {
    /// The axes in the so manieth cell of a grid of cells of this size, this far
    /// from its left, top, right and bottom.
    pub fn new(grid: (usize, usize), size: Pair, room: [f64; 4], (x, y): (Axis, Axis)) -> Self {
        Self {
            grid,
            size,
            room,
            lower: 0.0,
            x,
            y,
            under: Vec::new(),
            items: Vec::new(),
            labels: Vec::new(),
            label_size: TEXT,
        }
    }

    /// So many pixels farther down.
    pub fn lower(mut self, by: f64) -> Self {
        self.lower += by;
        self
    }

    /// Left, top, right and bottom of the axes.
    fn place(&self) -> [f64; 4] {
        let ((at, columns), [left, above, right, below]) = (self.grid, self.room);
        let x = self.size.0 * (at % columns) as f64;
        let y = self.size.1 * (at / columns) as f64 + self.lower;
        let (end, foot) = (x + self.size.0, y + self.size.1);
        [x + left, y + above, end - right, foot - below]
    }

    pub fn add(&mut self, item: Item) {
        self.items.push(item);
    }

    /// The upper left corner of the axes.
    pub fn corner(&self) -> Pair {
        (self.x.range.start, self.y.range.end)
    }

    /// A line from end to end at this height.
    pub fn level(&mut self, y: f64, (paint, stroke): (Paint, Stroke), width: f64) -> Pair {
        let Range { start, end } = self.x.range;
        self.add(Item::stroked(
            [(start, y), (end, y)],
            (paint, stroke),
            width,
        ));
        (end, y)
    }

    /// A line from below to above, or down all rows.
    pub fn upright(&mut self, x: f64, paint: Paint, width: f64) {
        let Range { start, end } = self.y.range;
        let path = [(x, start.min(end)), (x, start.max(end))];
        self.add(Item::line(path, paint, width));
    }

    /// A line through measured points with its name at the end; without a look it
    /// is no filter's and has no marks.
    pub fn series(&mut self, words: &str, style: Option<Style>, points: Vec<Point>) {
        let (paint, stroke) = style.map_or((Paint::Ink, Stroke::Solid), |l| (l.paint, l.stroke));
        let path: Vec<Pair> = points.iter().map(|point| point.at).collect();
        self.labels.extend(path.last().map(|end| Label {
            style,
            ..Label::note(words, *end, paint)
        }));
        self.add(Item::stroked(path, (paint, stroke), 1.3));
        self.bars(paint, &points);
        if let Some(style) = style {
            self.marks(style, &points);
        }
    }

    /// Intervals, without caps: they only make ink.
    fn bars(&mut self, paint: Paint, points: &[Point]) {
        for point in points {
            let ends = point.ends.map(|y| (point.at.0, y));
            self.add(Item::line(ends, paint, 1.4));
        }
    }

    /// The points that lie within the axes.
    pub fn marks(&mut self, style: Style, points: &[Point]) {
        for Point { at, says, .. } in points {
            if self.y.range.contains(&at.1) {
                self.add(Item::mark(*at, style).saying(says));
            }
        }
    }

    /// Intervals, and over them the points.
    pub fn points(&mut self, style: Style, points: impl IntoIterator<Item = Point>) {
        let points: Vec<Point> = points.into_iter().collect();
        self.bars(style.paint, &points);
        self.marks(style, &points);
    }
}
