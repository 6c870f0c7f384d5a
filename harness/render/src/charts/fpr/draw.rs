//! Draws a sweep: rates above, and below them a small panel a filter.

use std::ops::Range;

use plotters::{
    chart::ChartBuilder,
    coord::{
        combinators::{IntoLogRange, LogCoord},
        types::RangedCoordf64,
    },
    element::{EmptyElement, PathElement},
    style::text_anchor::HPos,
};

use super::{Sweep, panels};
use crate::{
    charts::{
        frame::{self, Chart, EndLabel, NOTE, TEXT, Ticks},
        marks::{Bar, Line, Mark, tell},
    },
    judge::Point,
    number,
    palette::{Look, Pen, Stroke, look},
    svg::{Area, Drawn, px},
};

const WIDTH: f64 = 960.0;
/// Where the small panels begin.
const UPPER: f64 = 470.0;
/// Around the rates: room, ticks and names on the left, labels on the right.
const ROOM: f64 = 8.0;
const LEFT: f64 = 110.0;
const RIGHT: f64 = 180.0;

type Rates<'a> = Chart<'a, RangedCoordf64, LogCoord<f64>>;

/// Width and height in pixels.
pub fn size(sweep: &Sweep<'_>) -> (f64, f64) {
    (WIDTH, UPPER + panels::height(sweep))
}

/// Draws rates above and ratios to theory below.
pub fn draw(area: &Area, sweep: &Sweep<'_>) -> Drawn {
    let x = x_range(sweep);
    let (upper, lower) = area.split_vertically(px(UPPER));
    draw_rates(&upper, sweep, x.clone())?;
    panels::draw(&lower, sweep, x)
}

fn draw_rates(panel: &Area, sweep: &Sweep<'_>, x: Range<f64>) -> Drawn {
    let y = y_range(sweep, &x);
    // All ticks of one kind: per cent as long as that can be read.
    let plain = y.start > 1e-8;
    let rate = |v: &f64| {
        if plain {
            number::percent(*v, 2)
        } else {
            format!("{v:.0e}")
        }
    };
    let mut chart = ChartBuilder::on(panel)
        .margin_top(px(14.0))
        .margin_right(px(RIGHT))
        .margin_left(px(ROOM))
        .x_label_area_size(px(50.0))
        .y_label_area_size(px(LEFT))
        .build_cartesian_2d(x, frame::widened(y).log_scale())?;
    let across = Ticks {
        name: super::axis(sweep.kind),
        most: 18,
        size: TEXT,
        format: &|v| number::significant(*v, 3),
    };
    let up = Ticks {
        name: "false-positive rate",
        most: 12,
        size: TEXT,
        format: &rate,
    };
    frame::mesh(&mut chart, &across, Some(&up))?;
    draw_lines(panel, &mut chart, sweep)
}

fn draw_lines(panel: &Area, chart: &mut Rates<'_>, sweep: &Sweep<'_>) -> Drawn {
    let mut labels = Vec::new();
    if sweep.kind == "bits-per-key" {
        labels.push(draw_bound(chart)?);
    }
    let last = |line: &[Point]| line.last().map(|p| (p.x, p.expected_fpr));
    let ends = sweep.lines.iter().filter_map(|(_, line)| last(line));
    let farthest = ends.map(|(x, _)| x).fold(f64::MIN, f64::max);
    for (filter, line) in &sweep.lines {
        draw_line(chart, sweep.kind, look(filter), line)?;
    }
    for (filter, line) in &sweep.lines {
        let Some(end) = last(line) else { continue };
        let (x, y) = chart.backend_coord(&end);
        if end.0 < farthest {
            // It ends before the others: its name stands where it ends.
            let style = frame::words(NOTE, look(filter).pen, HPos::Left);
            panel.draw_text(filter, &style, (x + px(9.0), y))?;
        } else {
            labels.push(EndLabel::filter(filter, y));
        }
    }
    let place = chart.plotting_area().get_pixel_range();
    frame::end_labels(panel, place, TEXT, labels)
}

fn x_range(sweep: &Sweep<'_>) -> Range<f64> {
    let points = sweep.lines.iter().flat_map(|(_, line)| line);
    let (low, high) = points.fold((f64::MAX, f64::MIN), |(low, high), p| {
        (low.min(p.x), high.max(p.x))
    });
    let room = ((high - low) * 0.03).max(0.05);
    let low = if sweep.kind == "load" {
        0.0
    } else {
        low - room
    };
    low..high + room
}

/// Whole powers of ten around everything that is drawn.
fn y_range(sweep: &Sweep<'_>, x: &Range<f64>) -> Range<f64> {
    let mut least: f64 = 0.1;
    for point in sweep.lines.iter().flat_map(|(_, line)| line) {
        let measured = if point.hits > 0 {
            point.measured()
        } else {
            point.interval.high
        };
        for rate in [measured, point.expected_fpr] {
            if rate > 0.0 {
                least = least.min(rate);
            }
        }
    }
    if sweep.kind == "bits-per-key" {
        least = least.min(2_f64.powf(-x.end));
    }
    10_f64.powf(least.log10().floor().max(-12.0))..1.0
}

/// The least FPR that any structure can have in so many bits.
fn draw_bound(chart: &mut Rates<'_>) -> Drawn<EndLabel> {
    let ends = chart.x_range();
    let bound = |x: f64| (x, 2_f64.powf(-x));
    let (start, end) = (bound(ends.start.max(0.0)), bound(ends.end));
    chart.draw_series([Line {
        path: vec![start, end],
        stroke: Stroke::Dashed,
        style: Pen::Soft.line(1.0),
    }])?;
    let (_, y) = chart.backend_coord(&end);
    Ok(EndLabel::note("information bound", y))
}

fn draw_line(chart: &mut Rates<'_>, kind: &str, look: Look, line: &[Point]) -> Drawn {
    let style = look.pen.line(1.2);
    chart.draw_series([Line {
        path: line.iter().map(|p| (p.x, p.expected_fpr)).collect(),
        stroke: look.stroke,
        style,
    }])?;
    let hit = || line.iter().filter(|p| p.hits > 0);
    chart.draw_series(hit().map(|p| Bar {
        ends: [(p.x, p.interval.low), (p.x, p.interval.high)],
        aside: 0.0,
        pen: look.pen,
    }))?;
    let mark = |p: &Point| Mark {
        at: (p.x, p.measured()),
        aside: 0.0,
        look,
    };
    tell(chart, hit().map(|p| (mark(p), super::words(kind, p))))?;
    // Nothing was hit: an open triangle that points down from the bound.
    let triangle = [(-3.8, 0.0), (3.8, 0.0), (0.0, 6.0), (-3.8, 0.0)];
    let triangle = triangle.map(|(x, y)| (px(x), px(y)));
    let missed = line.iter().filter(|p| p.hits == 0);
    let down =
        |p: &Point| EmptyElement::at((p.x, p.interval.high)) + PathElement::new(triangle, style);
    tell(chart, missed.map(|p| (down(p), super::words(kind, p))))
}
