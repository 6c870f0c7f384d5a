//! Draws a sweep.

use std::ops::Range;

use plotters::{
    chart::ChartBuilder,
    coord::{
        combinators::{IntoLogRange, LogCoord},
        types::RangedCoordf64,
    },
    element::{Circle, EmptyElement, PathElement, Rectangle},
    series::LineSeries,
    style::Color,
};

use super::{Sweep, unit};
use crate::render::{
    charts::{
        frame::{self, Chart, EndLabel, NOTE, TEXT, Ticks},
        marks::{Bar, Dashes, Mark},
    },
    judge::{DELTA, Point},
    number,
    palette::{Look, Pen, look},
    svg::{Area, Drawn, px},
};

/// Width and height in pixels.
pub const SIZE: (f64, f64) = (960.0, 640.0);
/// Where the lower panel begins.
const LOWER: f64 = 407.0;
/// Around the panels: room, ticks and names on the left, labels on the right.
const ROOM: f64 = 8.0;
const LEFT: f64 = 110.0;
const RIGHT: f64 = 160.0;

/// The range of the ratio's axis.
const RATIO: Range<f64> = 0.7..1.3;
/// So many pixels apart are the filters at one x of the lower panel, and all of
/// them so many: the bars of one must not hide another's, or leave the panel.
const APART: f64 = 8.0;
const SPREAD: f64 = 36.0;

type Rates<'a> = Chart<'a, RangedCoordf64, LogCoord<f64>>;
type Ratios<'a> = Chart<'a, RangedCoordf64, RangedCoordf64>;

/// Draws rates above and ratios to theory below.
pub fn draw(area: &Area, sweep: &Sweep<'_>) -> Drawn {
    let x = x_range(sweep);
    let (upper, lower) = area.split_vertically(px(LOWER));
    draw_upper(area, &upper, sweep, x.clone())?;
    draw_lower(area, &lower, sweep, x)
}

fn draw_upper(area: &Area, panel: &Area, sweep: &Sweep<'_>, x: Range<f64>) -> Drawn {
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
        .x_label_area_size(px(37.0))
        .y_label_area_size(px(LEFT))
        .build_cartesian_2d(x, frame::widened(y).log_scale())?;
    let ticks = Ticks {
        name: "false-positive rate",
        most: 12,
        format: &rate,
    };
    frame::mesh(&mut chart, &x_ticks(""), Some(&ticks))?;
    let mut labels = Vec::new();
    if sweep.kind == "bits-per-key" {
        labels.push(draw_bound(&mut chart)?);
    }
    for (filter, line) in &sweep.lines {
        draw_rates(&mut chart, look(filter), line)?;
        labels.extend(line.last().map(|last| EndLabel {
            y: chart.backend_coord(&(last.x, last.expected_fpr)).1,
            words: (*filter).to_owned(),
            pen: look(filter).pen,
        }));
    }
    let place = chart.plotting_area().get_pixel_range();
    frame::end_labels(area, place, TEXT, labels)
}

fn x_ticks(name: &str) -> Ticks<'_> {
    Ticks {
        name,
        most: 18,
        format: &|v| number::significant(*v, 3),
    }
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
    chart.draw_series([Dashes {
        path: vec![start, end],
        style: Pen::Soft.line(1.0),
    }])?;
    Ok(EndLabel {
        y: chart.backend_coord(&end).1,
        words: "information bound".to_owned(),
        pen: Pen::Soft,
    })
}

fn draw_rates(chart: &mut Rates<'_>, look: Look, line: &[Point]) -> Drawn {
    let theory = line.iter().map(|p| (p.x, p.expected_fpr));
    let style = look.pen.line(1.2);
    if look.dashed {
        let path = theory.collect();
        chart.draw_series([Dashes { path, style }])?;
    } else {
        chart.draw_series(LineSeries::new(theory, style))?;
    }
    let hit = || line.iter().filter(|p| p.hits > 0);
    chart.draw_series(hit().map(|p| Bar {
        ends: [(p.x, p.interval.low), (p.x, p.interval.high)],
        aside: 0.0,
        pen: look.pen,
    }))?;
    chart.draw_series(hit().map(|p| Mark {
        at: (p.x, p.measured()),
        aside: 0.0,
        look,
    }))?;
    // Nothing was hit: an open triangle that points down from the bound.
    let triangle = [(-3.8, 0.0), (3.8, 0.0), (0.0, 6.0), (-3.8, 0.0)];
    let triangle = triangle.map(|(x, y)| (px(x), px(y)));
    let missed = line.iter().filter(|p| p.hits == 0);
    chart
        .draw_series(missed.map(|p| {
            EmptyElement::at((p.x, p.interval.high)) + PathElement::new(triangle, style)
        }))?;
    Ok(())
}

fn draw_lower(area: &Area, panel: &Area, sweep: &Sweep<'_>, x: Range<f64>) -> Drawn {
    let mut chart = ChartBuilder::on(panel)
        .margin_top(px(13.0))
        .margin_right(px(RIGHT))
        .margin_bottom(px(ROOM))
        .margin_left(px(ROOM))
        .x_label_area_size(px(47.0))
        .y_label_area_size(px(LEFT))
        .build_cartesian_2d(x, RATIO)?;
    draw_band(area, &mut chart)?;
    let name = if sweep.kind == "load" {
        "keys / capacity"
    } else {
        unit(sweep.kind)
    };
    let ticks = Ticks {
        name: "measured / theory",
        most: 7,
        format: &|v| number::decimal(*v, 1),
    };
    frame::mesh(&mut chart, &x_ticks(name), Some(&ticks))?;
    frame::level(&mut chart, 1.0)?;
    draw_ratios(&mut chart, sweep)
}

/// What the verdict allows, below everything else.
fn draw_band(area: &Area, chart: &mut Ratios<'_>) -> Drawn {
    let ends = chart.x_range();
    let corners = [(ends.start, 1.0 + DELTA), (ends.end, 1.0 - DELTA)];
    chart.draw_series([Rectangle::new(corners, Pen::Band.filled())])?;
    let delta = number::significant(DELTA * 100.0, 2);
    let label = |ratio: f64, words: String| EndLabel {
        y: chart.backend_coord(&(ends.end, ratio)).1,
        words,
        pen: Pen::Soft,
    };
    let labels = vec![
        label(1.0, "theory".to_owned()),
        label(1.0 + DELTA, format!("+{delta} %")),
        label(1.0 - DELTA, format!("\u{2212}{delta} %")),
    ];
    let place = chart.plotting_area().get_pixel_range();
    frame::end_labels(area, place, NOTE, labels)
}

fn draw_ratios(chart: &mut Ratios<'_>, sweep: &Sweep<'_>) -> Drawn {
    let gaps = sweep.lines.len() as f64 - 1.0;
    let apart = APART.min(SPREAD / gaps.max(1.0));
    for (place, (filter, line)) in sweep.lines.iter().enumerate() {
        let (look, aside) = (look(filter), (place as f64 - gaps / 2.0) * apart);
        let told = || line.iter().filter(|p| p.hits > 0 && p.expected_fpr > 0.0);
        chart.draw_series(told().map(|p| Bar {
            ends: [p.interval.low, p.interval.high].map(|rate| (p.x, rate / p.expected_fpr)),
            aside,
            pen: look.pen,
        }))?;
        let marks = told().map(|p| (p.x, p.measured() / p.expected_fpr));
        let inside = marks.filter(|(_, ratio)| RATIO.contains(ratio));
        chart.draw_series(inside.map(|at| Mark { at, aside, look }))?;
        let failed = sweep.failed.iter().filter(|p| p.filter == *filter);
        chart.draw_series(failed.map(|p| {
            EmptyElement::at((p.x, p.measured() / p.expected_fpr))
                + Circle::new((px(aside), 0), px(5.0), Pen::Bad.line(1.4))
        }))?;
    }
    Ok(())
}
