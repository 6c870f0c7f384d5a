//! A chart as data: panels with axes, their elements in drawing order, and their values. The table
//! below the chart and the tooltips are made from these values. plotters draws the chart.

use std::ops::Range;

use plotters::{
    chart::ChartBuilder,
    coord::{
        Shift,
        cartesian::Cartesian2d,
        combinators::{IntoLogRange, LogCoord},
        ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter},
        types::RangedCoordf64,
    },
    drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea},
    element::{
        Circle, DynElement, EmptyElement, IntoDynElement, PathElement, Polygon, Rectangle, Text,
    },
    style::{Color, IntoFont, TRANSPARENT, TextStyle},
};
use plotters_backend::{
    BackendCoord as At,
    text_anchor::{HPos, Pos, VPos},
};

use crate::{
    document::{Figure, Table},
    looks::{Marker, Paint, Stroke, Style},
    number::{self, Estimate},
    svg::{self, Svg, pixels},
};

/// An x and a y value.
pub type Pair = (f64, f64);
type Element<Place> = DynElement<'static, Svg, Place>;
type Canvas = DrawingArea<Svg, Shift>;
type Error = DrawingAreaErrorKind<std::convert::Infallible>;

// All lengths are in tenths of a pixel.

/// The text size of axes and headings, and the text size of small notes.
const TEXT: i32 = 140;
const NOTE: i32 = 125;
/// The width of a chart.
const WIDTH: i32 = 9600;
/// The smallest distance between the labels of two lines.
const LABEL_STEP: i32 = 175;
/// The distance of a label from its line, and of the name of an axis from the edge.
const BESIDE: i32 = 80;

/// An axis, and how its values are formatted.
#[derive(Clone)]
pub struct Axis {
    /// The name at the axis; empty for none.
    name: &'static str,
    pub range: Range<f64>,
    is_log: bool,
    /// The largest number of ticks. With 0, there are neither ticks nor grid lines.
    most_ticks: usize,
    /// Formats a tick; an empty string omits it.
    tick: fn(f64) -> String,
    /// Formats a value for the table and the tooltip.
    words: fn(f64) -> String,
}

impl Axis {
    pub fn new(name: &'static str, range: Range<f64>, most_ticks: usize) -> Self {
        let words = |v| number::significant(v, 4);
        Self {
            name,
            range,
            is_log: false,
            most_ticks,
            tick: words,
            words,
        }
    }

    /// Makes the axis logarithmic, and a little longer: rounding could otherwise drop the ticks at
    /// its ends.
    pub fn log(mut self) -> Self {
        self.is_log = true;
        self.range = self.range.start * 0.999..self.range.end * 1.001;
        self
    }

    pub fn ticks(self, tick: fn(f64) -> String) -> Self {
        Self { tick, ..self }
    }

    pub fn words(self, words: fn(f64) -> String) -> Self {
        Self { words, ..self }
    }

    fn datum(&self, of: &str, at: &str, value: Estimate, expected: Option<f64>) -> Datum {
        Datum {
            quantity: self.name.to_owned(),
            of: of.to_owned(),
            at: at.to_owned(),
            value,
            expected,
            words: self.words,
        }
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

/// Formats a tick if it is a whole number; omits other ticks.
pub fn whole(v: f64) -> String {
    match v.fract().abs() < 1e-9 {
        true => number::decimal(v, 0),
        false => String::new(),
    }
}

/// Places values, on a linear or logarithmic axis. A value beyond the axis is placed at its end.
impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let Range { start, end } = self.range;
        let value = value.max(start.min(end)).min(start.max(end));
        match self.is_log {
            true => LogCoord::from((start..end).log_scale()).map(&value, limit),
            false => RangedCoordf64::from(start..end).map(&value, limit),
        }
    }

    /// The places of ticks, without finer grid lines between them. If an end of the axis is not
    /// finite, or its ends are nearly equal, there are no ticks: plotters would search for them
    /// without end. Such axes can come from edited records.
    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let Range { start, end } = self.range;
        let is_log_range = !self.is_log || start > 0.0 && (end / start).is_finite();
        let has_steps = (end - start).is_finite() && end - start > 1e-9 * end.max(-start);
        match self.is_log {
            _ if !has_steps || !is_log_range || hint.weight().allow_light_points() => Vec::new(),
            true => LogCoord::from((start..end).log_scale()).key_points(hint),
            false => RangedCoordf64::from(start..end).key_points(hint),
        }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        (self.tick)(*value)
    }
}

/// A point of a filter: x, the measured value, and the expected value.
pub type Place = (f64, Estimate, Option<f64>);

/// A value that a chart shows.
#[derive(Clone, Debug)]
pub struct Datum {
    pub quantity: String,
    /// The name of the filter or scheme.
    pub of: String,
    pub at: String,
    pub value: Estimate,
    expected: Option<f64>,
    words: fn(f64) -> String,
}

impl Datum {
    fn tip(&self) -> String {
        let value = self.value.words(self.words);
        let expected = self.expected.map(self.words);
        let expected = expected.map_or_else(String::new, |words| format!("\texpected {words}"));
        format!(
            "{}, {}\t{} {value}{expected}",
            self.of, self.at, self.quantity
        )
    }
}

fn table(data: &[Datum]) -> Table {
    Table::of(data)
        .column("Quantity", |datum| &datum.quantity)
        .column("Of", |datum| &datum.of)
        .column("At", |datum| &datum.at)
        .column("#Value (95 % interval)", |datum| {
            datum.value.words(datum.words)
        })
        .column("#Expected", |datum| datum.expected.map(datum.words))
        .table()
}

/// A label right of the axes: the height of its line's end, the text, the colour, and the marker of
/// a filter. The marker stands in front of the text; a thin line leads from it to the line's end.
type Label = (f64, String, Paint, Option<&'static Marker>);

/// A pair of axes and the elements on them.
pub struct Panel {
    /// The upper left corner of the panel on the chart, and its size.
    corner: At,
    size: At,
    /// The margins left of, above, right of and below the axes.
    room: [i32; 4],
    pub x: Axis,
    pub y: Axis,
    elements: Vec<Element<Pair>>,
    labels: Vec<Label>,
    pub data: Vec<Datum>,
    /// The tooltips, each with two opposite corners of the element that shows it.
    tips: Vec<([Pair; 2], String)>,
}

fn marks<P: Clone + 'static>(at: &P, marker: &Marker, paint: Paint) -> Vec<Element<P>> {
    let (width, paths) = (marker.1, marker.2);
    let style = width.map_or(paint.fill(), |width| paint.line(Stroke::Solid, width));
    let centre = || EmptyElement::at(at.clone());
    let path = |path: &&[At]| match width {
        None => (centre() + Polygon::new(*path, style)).into_dyn(),
        Some(_) => (centre() + PathElement::new(*path, style)).into_dyn(),
    };
    match paths {
        [] => vec![(centre() + Circle::new((0, 0), 38, style)).into_dyn()],
        paths => paths.iter().map(path).collect(),
    }
}

fn font(size: i32, paint: Paint) -> TextStyle<'static> {
    let mut style = TextStyle::from(("sans-serif", size).into_font());
    style.color = paint.fill().color.to_backend_color();
    style
}

/// A text; `side` says whether its left end, its centre or its right end is at the place `at`.
fn text(words: &str, at: At, (size, paint): (i32, Paint), side: HPos) -> Text<'static, At, String> {
    let style = font(size, paint).pos(Pos::new(side, VPos::Center));
    Text::new(words.to_owned(), at, style)
}

impl Panel {
    fn new(corner: At, size: At, room: [i32; 4], (x, y): (Axis, Axis)) -> Self {
        Self {
            corner,
            size,
            room,
            x,
            y,
            elements: Vec::new(),
            labels: Vec::new(),
            data: Vec::new(),
            tips: Vec::new(),
        }
    }

    /// A panel with rows from top to bottom, and room for their names on the left.
    pub fn rows(x: Axis, rows: usize) -> Self {
        let (room, down) = ([2260, 350, 1500, 620], Axis::new("", rows as f64..0.0, 0));
        let height = 210 * rows as i32 + room[1] + room[3];
        Self::new((0, 0), (WIDTH, height), room, (x, down))
    }

    /// Adds a row named after a filter or scheme. Each value in the row has a name and a colour.
    pub fn row(&mut self, at: usize, of: &str, values: &[(String, f64, Paint)]) {
        let (left, y) = (self.x.range.start, at as f64 + 0.5);
        self.write((left, y), (-120, 0), of, (NOTE, Paint::INK), HPos::Right);
        for (name, x, paint) in values {
            let datum = self.x.datum(of, name, Estimate::exact(*x), None);
            self.mark((*x, y), Marker::RING, *paint, datum.tip());
            self.data.push(datum);
        }
    }

    /// A panel over the whole width of the chart. `right` is the room for labels right of the axes.
    pub fn wide(top: i32, height: i32, right: i32, axes: (Axis, Axis)) -> Self {
        Self::new((0, top), (WIDTH, height), [1120, 140, right, 580], axes)
    }

    /// The panel with index `at` of several panels of this size, side by side in rows. `top` is the
    /// upper edge of the first row of panels.
    pub fn beside(at: usize, size: At, top: i32, room: [i32; 4], axes: (Axis, Axis)) -> Self {
        let (at, columns) = (at as i32, (WIDTH + size.0 / 2) / size.0);
        let corner = (size.0 * (at % columns), top + size.1 * (at / columns));
        Self::new(corner, size, room, axes)
    }

    /// Adds a text at `at`, shifted to the right and down by `shift`.
    fn write(&mut self, at: Pair, shift: At, words: &str, look: (i32, Paint), side: HPos) {
        let words = EmptyElement::at(at) + text(words, shift, look, side);
        self.elements.push(words.into_dyn());
    }

    /// Adds a heading at the height `up` above the axes.
    pub fn heading(&mut self, words: &str, paint: Paint, up: i32) {
        let corner = (self.x.range.start, self.y.range.end);
        self.write(corner, (0, -up), words, (TEXT, paint), HPos::Left);
    }

    pub fn line(&mut self, path: &[Pair], (paint, stroke): (Paint, Stroke), width: u32) {
        let line = PathElement::new(path, paint.line(stroke, width));
        self.elements.push(line.into_dyn());
    }

    /// Adds a horizontal line over the whole width, with its name at the end.
    pub fn level(&mut self, y: f64, words: &str, look: (Paint, Stroke)) {
        let Range { start, end } = self.x.range;
        self.line(&[(start, y), (end, y)], look, 12);
        self.label(words, y, look.0, None);
    }

    /// Adds a vertical line over the whole height, with words above it.
    pub fn upright(&mut self, x: f64, words: &str, paint: Paint) {
        let Range { start, end } = self.y.range;
        self.line(&[(x, start), (x, end)], (paint, Stroke::Solid), 10);
        self.write((x, end), (0, -90), words, (NOTE, paint), HPos::Center);
    }

    /// Adds the name of a line that ends at the height `y`.
    pub fn label(&mut self, words: &str, y: f64, paint: Paint, marker: Option<&'static Marker>) {
        self.labels.push((y, words.to_owned(), paint, marker));
    }

    /// Adds a red circle around a failed point.
    pub fn ring(&mut self, at: Pair) {
        let ring = Circle::new(at, 50, Paint::BAD.line(Stroke::Solid, 14));
        self.elements.push(ring.into_dyn());
    }

    /// Adds a filled rectangle between two corners. An empty `tip` means no tooltip.
    pub fn bar(&mut self, corners: [Pair; 2], paint: Paint, tip: String) {
        let bar = Rectangle::new(corners, paint.fill());
        self.elements.push(bar.into_dyn());
        if !tip.is_empty() {
            self.tips.push((corners, tip));
        }
    }

    fn mark(&mut self, at: Pair, marker: &Marker, paint: Paint, tip: String) {
        self.elements.extend(marks(&at, marker, paint));
        self.tips.push(([at, at], tip));
    }

    /// Adds measured points of a filter. Their intervals are lines without caps. On a logarithmic
    /// axis, a value of 0 is shown as an open triangle at its upper bound.
    pub fn points(&mut self, of: &str, style: Style, points: &[Place]) {
        for (x, y, _) in points {
            if let Some(ends) = y.ends() {
                let ends = ends.map(|y| (*x, y));
                self.line(&ends, (style.paint, Stroke::Solid), 14);
            }
        }
        for (x, y, expected) in points {
            let at = format!("{} {}", (self.x.words)(*x), self.x.name);
            let datum = self.y.datum(of, at.trim_end(), *y, *expected);
            let (marker, y) = match self.y.is_log && y.value <= 0.0 && y.high > 0.0 {
                true => (Marker::DOWN, y.high),
                false => (style.marker, y.value),
            };
            let Range { start, end } = self.y.range;
            if (start..=end).contains(&y) || self.y.is_log {
                self.mark((*x, y), marker, style.paint, datum.tip());
            }
            self.data.push(datum);
        }
    }

    /// Adds measured points of a filter, and a line through the expected values, or through the
    /// measured values if none are expected. The filter's name stands at the end of the line.
    pub fn series(&mut self, of: &str, style: Style, points: &[Place]) {
        let line = points.iter();
        let line = line.map(|(x, y, expected)| (*x, expected.unwrap_or(y.value)));
        let path: Vec<Pair> = line.collect();
        self.line(&path, (style.paint, style.stroke), 13);
        self.points(of, style, points);
        if let Some((_, y)) = path.last() {
            self.label(of, *y, style.paint, Some(style.marker));
        }
    }

    /// Draws the panel: grid, ticks and names, then the elements. Returns the tooltips, each with
    /// its place before its text.
    fn draw(self, canvas: &Canvas) -> Result<Vec<String>, Error> {
        let (Self { x, y, .. }, [left, above, right, below]) = (&self, self.room);
        let area = canvas.clone().shrink(self.corner, self.size);
        let mut chart = ChartBuilder::on(&area)
            .margin_left(BESIDE)
            .margin_top(above)
            .margin_right(right)
            .margin_bottom(BESIDE)
            .y_label_area_size(left - BESIDE)
            .x_label_area_size(below - BESIDE)
            .build_cartesian_2d(x.clone(), y.clone())?;
        let size = if self.size.0 < WIDTH { NOTE } else { TEXT };
        // The grid lines show where ticks are, so the axes need no lines of their own.
        chart
            .configure_mesh()
            .x_labels(x.most_ticks)
            .y_labels(y.most_ticks)
            .bold_line_style(Paint::GRID.line(Stroke::Solid, 8))
            .axis_style(TRANSPARENT)
            .set_all_tick_mark_size(BESIDE / 2)
            .label_style(font(size, Paint::SOFT))
            .axis_desc_style(font(size, Paint::INK))
            .x_desc(x.name)
            .y_desc(y.name)
            .draw()?;
        if y.most_ticks > 0 {
            let foot = [x.range.start, x.range.end].map(|x| (x, y.range.start));
            let style = Paint::SOFT.line(Stroke::Solid, 10);
            chart.draw_series([PathElement::new(foot, style)])?;
        }
        chart.draw_series(self.elements)?;
        let mut labels = self.labels;
        for label in &mut labels {
            label.0 = chart.backend_coord(&(0.0, label.0)).1.into();
        }
        draw_labels(canvas, labels, chart.plotting_area())?;
        let tip = |(corners, words): ([Pair; 2], String)| {
            let [a, b] = corners.map(|at| chart.backend_coord(&at));
            let ends = [a.0.min(b.0), a.1.min(b.1), a.0.max(b.0), a.1.max(b.1)];
            let [left, top, right, bottom] = ends.map(pixels);
            format!("{left} {top} {right} {bottom}\t{words}")
        };
        Ok(self.tips.into_iter().map(tip).collect())
    }
}

/// Writes the names of lines right of the axes, each as near to the end of its line as the other
/// names allow. If not all names fit, the last label says how many more there are.
fn draw_labels(
    canvas: &Canvas,
    mut labels: Vec<Label>,
    axes: &DrawingArea<Svg, Cartesian2d<Axis, Axis>>,
) -> Result<(), Error> {
    let right = axes.get_x_axis_pixel_range().end;
    let up = axes.get_y_axis_pixel_range();
    let room = ((up.end - up.start) / LABEL_STEP) as usize + 1;
    let all = labels.len();
    labels.truncate(if all > room { room - 1 } else { all });
    labels.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    if all > room {
        let words = format!("and {} more", all - labels.len());
        labels.push((up.end.into(), words, Paint::SOFT, None));
    }
    let wanted: Vec<f64> = labels.iter().map(|label| label.0).collect();
    let heights = apart(&wanted, LABEL_STEP.into(), up.start.into()..up.end.into());
    for ((end, words, paint, marker), y) in labels.iter().zip(heights) {
        let mut at = (right + BESIDE, y.round() as i32);
        if let Some(marker) = marker {
            let thread = [(right + 20, *end as i32), (at.0 + 120, at.1)];
            canvas.draw(&PathElement::new(thread, paint.line(Stroke::Solid, 7)))?;
            for mark in marks(&(at.0 + 180, at.1), marker, *paint) {
                canvas.draw(&mark)?;
            }
            at.0 += 260;
        }
        canvas.draw(&text(words, at, (NOTE, *paint), HPos::Left))?;
    }
    Ok(())
}

/// Moves heights, given in ascending order, until they are at least `step` apart: first down as far
/// as necessary, then up again if they would leave the range.
fn apart(wanted: &[f64], step: f64, range: Range<f64>) -> Vec<f64> {
    let mut heights: Vec<f64> = Vec::new();
    for y in wanted {
        let least = heights.last().map_or(range.start, |last| last + step);
        heights.push(y.max(least));
    }
    let mut most = range.end;
    for y in heights.iter_mut().rev() {
        *y = y.min(most);
        most = *y - step;
    }
    heights
}

/// Draws panels as a figure with a name, a title, the result in a sentence, and how to read it.
pub fn figure(panels: Vec<Panel>, [name, title, finding, reading]: [&str; 4]) -> Figure {
    let end = |of: fn(&Panel) -> i32| panels.iter().map(of).fold(0, i32::max);
    let size = (
        end(|one| one.corner.0 + one.size.0),
        end(|one| one.corner.1 + one.size.1),
    );
    let data: Vec<Datum> = panels.iter().flat_map(|panel| panel.data.clone()).collect();
    let (back_end, elements) = Svg::new(size);
    let canvas = back_end.into_drawing_area();
    let draw = || {
        let tips = panels.into_iter().map(|panel| panel.draw(&canvas));
        let tips: Result<Vec<_>, Error> = tips.collect();
        canvas.present().and(tips)
    };
    // The back end writes into memory, so drawing cannot fail.
    let tips = draw().unwrap_or_default().concat();
    // This becomes a file name. It may contain an experiment's name, which can have any characters.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let name = name.replace(|c| !is_plain(c), "-");
    let words = [&*name, title, &format!("{title}. {reading}")];
    Figure {
        svg: svg::document(words, size, &elements.borrow(), &tips),
        table: table(&data),
        title: title.to_owned(),
        finding: finding.to_owned(),
        reading: reading.to_owned(),
        name,
        data,
    }
}

#[cfg(test)]
mod tests;
