//! Draws growth.

use std::ops::Range;

use plotters::{
    chart::ChartBuilder, coord::types::RangedCoordf64, series::LineSeries, style::text_anchor::HPos,
};

use super::{super::words, Growth};
use crate::{
    charts::{
        frame::{self, Chart, EndLabel, NOTE, TEXT, Ticks},
        marks::{Bar, Line, Mark, Pair, tell},
    },
    judge::Point,
    number,
    palette::{Pen, Stroke, look},
    svg::{Area, Drawn, px},
};

/// Width and height in pixels.
pub const SIZE: (f64, f64) = (960.0, 700.0);
const LOWER: f64 = 370.0;
const ROOM: f64 = 8.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 190.0;
/// The axis ends at so many times the target: who is beyond has broken it.
const MOST_TARGETS: f64 = 2.5;

type Rates<'a> = Chart<'a, RangedCoordf64, RangedCoordf64>;

/// Draws rates above and bits per key below.
pub fn draw(area: &Area, growth: &Growth<'_>) -> Drawn {
    let points = growth.sweep.lines.iter().flat_map(|(_, line)| line);
    let x = 0.0..1.02 * points.map(|p| p.x).fold(1.0, f64::max);
    let (upper, lower) = area.split_vertically(px(LOWER));
    draw_rates(&upper, growth, x.clone())?;
    draw_bits(area, &lower, growth, x)
}

fn axes<'a>(panel: &Area, x: Range<f64>, most: f64, labels: f64) -> Drawn<Rates<'a>> {
    ChartBuilder::on(panel)
        .margin_top(px(14.0))
        .margin_right(px(RIGHT))
        .margin_left(px(ROOM))
        .margin_bottom(px(ROOM))
        .x_label_area_size(px(labels))
        .y_label_area_size(px(LEFT))
        .build_cartesian_2d(x, 0.0..most)
}

fn across(name: &str) -> Ticks<'_> {
    Ticks {
        name,
        most: 12,
        size: TEXT,
        format: &|v| number::significant(*v, 3),
    }
}

fn draw_rates(panel: &Area, growth: &Growth<'_>, x: Range<f64>) -> Drawn {
    let most = most_rate(growth);
    let mut chart = axes(panel, x, most, 26.0)?;
    let up = Ticks {
        name: "false-positive rate",
        most: 8,
        size: TEXT,
        format: &|v| number::percent(*v, 2),
    };
    frame::mesh(&mut chart, &across(""), Some(&up))?;
    let mut labels = Vec::new();
    if let Some(target) = growth.target {
        let ends = chart.x_range();
        let path = [(ends.start, target), (ends.end, target)];
        chart.draw_series(LineSeries::new(path, Pen::Bad.line(1.2)))?;
        let (_, y) = chart.backend_coord(&path[1]);
        labels.push(EndLabel {
            pen: Pen::Bad,
            ..EndLabel::note(format!("target {}", number::share(target, 3)), y)
        });
    }
    for (filter, line) in &growth.sweep.lines {
        let (x, y) = draw_line(&mut chart, filter, line, most)?;
        if line.iter().all(|p| p.expected_fpr <= most) {
            labels.push(EndLabel::filter(filter, y));
        } else {
            // It goes on above the picture: its name stands where it leaves.
            let style = frame::words(NOTE, look(filter).pen, HPos::Left);
            let place = (x + px(8.0), y + px(10.0));
            panel.draw_text(&format!("{filter} ↑"), &style, place)?;
        }
    }
    let place = chart.plotting_area().get_pixel_range();
    frame::end_labels(panel, place, TEXT, labels)
}

/// Where the axis of rates ends.
fn most_rate(growth: &Growth<'_>) -> f64 {
    let points = growth.sweep.lines.iter().flat_map(|(_, line)| line);
    let highest = points
        .map(|p| p.interval.high.max(p.expected_fpr))
        .fold(0.0, f64::max);
    growth.target.map_or(1.1 * highest, |target| {
        (1.1 * highest).clamp(1.15 * target, MOST_TARGETS * target)
    })
}

/// Theory as a line, measurements as points; gives the place of the line's end.
fn draw_line(chart: &mut Rates<'_>, filter: &str, line: &[Point], most: f64) -> Drawn<(i32, i32)> {
    let look = look(filter);
    let path = clipped(line.iter().map(|p| (p.x, p.expected_fpr)), most);
    let end = path.last().copied().unwrap_or_default();
    chart.draw_series([Line {
        path,
        stroke: look.stroke,
        style: look.pen.line(1.2),
    }])?;
    let shown = || line.iter().filter(|p| p.measured() <= most);
    chart.draw_series(shown().map(|p| Bar {
        ends: [(p.x, p.interval.low), (p.x, p.interval.high)],
        aside: 0.0,
        pen: look.pen,
    }))?;
    let mark = |p: &Point| Mark {
        at: (p.x, p.measured()),
        aside: 0.0,
        look,
    };
    tell(chart, shown().map(|p| (mark(p), words("load", p))))?;
    Ok(chart.backend_coord(&end))
}

/// A line as far as it stays below a height.
fn clipped(path: impl Iterator<Item = Pair>, most: f64) -> Vec<Pair> {
    let mut kept: Vec<Pair> = Vec::new();
    for (x, y) in path {
        if y > most {
            if let Some(&(from, low)) = kept.last() {
                kept.push((from + (x - from) * (most - low) / (y - low), most));
            }
            break;
        }
        kept.push((x, y));
    }
    kept
}

fn draw_bits(area: &Area, panel: &Area, growth: &Growth<'_>, x: Range<f64>) -> Drawn {
    let all = growth.bits.iter().flatten();
    let highest = all.map(|(_, bits)| *bits).fold(1.0, f64::max);
    let mut chart = axes(panel, x, 1.1 * highest, 50.0)?;
    let up = Ticks {
        name: "bits per key",
        most: 8,
        size: TEXT,
        format: &|v| number::significant(*v, 3),
    };
    frame::mesh(&mut chart, &across("keys / first capacity"), Some(&up))?;
    let mut labels = Vec::new();
    if let Some(target) = growth.target {
        let least = std::f64::consts::LOG2_E * -target.log2();
        let ends = chart.x_range();
        let path = vec![(ends.start, least), (ends.end, least)];
        let (_, y) = chart.backend_coord(&(ends.end, least));
        chart.draw_series([Line {
            path,
            stroke: Stroke::Dotted,
            style: Pen::Soft.line(1.2),
        }])?;
        labels.push(EndLabel::note("made for the keys", y));
    }
    for ((filter, _), line) in growth.sweep.lines.iter().zip(&growth.bits) {
        let look = look(filter);
        chart.draw_series([Line {
            path: line.clone(),
            stroke: look.stroke,
            style: look.pen.line(0.8),
        }])?;
        let bits = |&at: &Pair| {
            let mark = Mark {
                at,
                aside: 0.0,
                look,
            };
            let (load, bits) = (number::significant(at.0, 4), number::decimal(at.1, 2));
            (
                mark,
                format!("{filter} at load {load}\n{bits} bits per key"),
            )
        };
        tell(&mut chart, line.iter().map(bits))?;
        let ends = line.last().map(|end| chart.backend_coord(end));
        labels.extend(ends.map(|(_, y)| EndLabel::filter(filter, y)));
    }
    let place = chart.plotting_area().get_pixel_range();
    frame::end_labels(area, place, TEXT, labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_where_it_leaves_the_picture() {
        let path = [(0.0, 1.0), (2.0, 3.0), (3.0, 9.0)];
        assert_eq!(clipped(path.into_iter(), 2.0), [(0.0, 1.0), (1.0, 2.0)]);
        assert_eq!(clipped(path.into_iter(), 10.0), path);
        assert_eq!(clipped(path.into_iter(), 0.5), []);
    }
}
