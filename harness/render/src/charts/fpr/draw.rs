//! Draws a sweep: rates above, and below them a small panel a filter, measured by
//! theory: a dozen filters at one x would hide each other, and an error of 20 %
//! cannot be seen on a logarithmic axis.

use std::ops::Range;

use super::{Chart, point, words};
use crate::{
    groups::span,
    judge::Point,
    number,
    palette::{Paint, Stroke, Style, style},
    plot::{self, Axis, Item, Label, Pair, Panel, Shape, Side, digits, percent, widened},
};
use bouquet_ground::record::Sweep;

/// Where the small panels begin.
const UPPER: f64 = 470.0;
/// The heading above the panels, in pixels, and a panel.
const HEADING: f64 = 40.0;
const HEIGHT: f64 = 150.0;
/// The range of the ratio's axis.
const RATIO: Range<f64> = 0.8..1.2;

/// Rates above and ratios to theory below.
pub fn panels(sweep: &Chart<'_>) -> Vec<Panel> {
    let x = x_range(sweep);
    let mut all = vec![rates(sweep, x.clone())];
    all.extend(ratios(sweep, &x));
    all
}

fn rates(sweep: &Chart<'_>, x: Range<f64>) -> Panel {
    let y = y_range(sweep, &x);
    // All ticks of one kind: percent as long as that can be read.
    let rate: fn(f64) -> String = if y.start > 1e-8 {
        percent
    } else {
        |v| format!("{v:.0e}")
    };
    let name = super::axis(sweep.kind);
    let across = Axis::new(name, x, 18, 50.0, digits);
    let up = Axis::new("false-positive rate", widened(y), 12, 110.0, rate).log();
    let margins = [118.0, 14.0, 180.0, 50.0];
    let mut panel = Panel::wide(UPPER, margins, (across, up));
    if sweep.kind == Sweep::BitsPerKey {
        add_bound(&mut panel);
    }
    for (filter, line) in &sweep.lines {
        add_line(&mut panel, sweep.kind, style(filter), line);
    }
    let last = |line: &[Point]| line.last().map(|p| (p.of.x, p.of.expected_fpr));
    let ends = sweep.lines.iter().filter_map(|(_, line)| last(line));
    let farthest = ends.map(|(x, _)| x).fold(f64::MIN, f64::max);
    let mut named: Vec<Pair> = Vec::new();
    for (filter, line) in &sweep.lines {
        let Some(end) = last(line) else { continue };
        if end.0 < farthest {
            // It ends before the others: its name stands where it ends, unless one does already.
            if named.iter().any(|other| are_near(&panel, end, *other)) {
                continue;
            }
            named.push(end);
            let name = Item::note(end, *filter, style(filter).paint, Side::Left);
            panel.add(name.shifted(9.0, 0.0));
        } else {
            panel.labels.push(Label::filter(filter, end));
        }
    }
    panel
}

fn x_range(sweep: &Chart<'_>) -> Range<f64> {
    let points = sweep.lines.iter().flat_map(|(_, line)| line);
    let (low, high) = span((f64::MAX, f64::MIN), points.map(|p| p.of.x));
    let room = ((high - low) * 0.03).max(0.05);
    let low = if sweep.kind == Sweep::Load {
        0.0
    } else {
        low - room
    };
    low..high + room
}

/// Whole powers of ten around everything that is drawn.
fn y_range(sweep: &Chart<'_>, x: &Range<f64>) -> Range<f64> {
    let mut least: f64 = 0.1;
    for point in sweep.lines.iter().flat_map(|(_, line)| line) {
        for rate in [point.rate.at_most(), point.of.expected_fpr] {
            if rate > 0.0 {
                least = least.min(rate);
            }
        }
    }
    if sweep.kind == Sweep::BitsPerKey {
        least = least.min(2_f64.powf(-x.end));
    }
    10_f64.powf(least.log10().floor().max(-12.0))..1.0
}

/// The least FPR that any structure can have in so many bits.
fn add_bound(panel: &mut Panel) {
    let bound = |x: f64| (x, 2_f64.powf(-x));
    let Range { start, end } = panel.x.range;
    let ends = [bound(start.max(0.0)), bound(end)];
    let label = Label::note("information bound", ends[1], Paint::Soft);
    panel.add(Item::stroked(ends, (Paint::Soft, Stroke::Dashed), 1.0));
    panel.labels.push(label);
}

fn add_line(panel: &mut Panel, kind: Sweep, style: Style, line: &[Point]) {
    let theory: Vec<_> = line.iter().map(|p| (p.of.x, p.of.expected_fpr)).collect();
    panel.add(Item::stroked(theory, (style.paint, style.stroke), 1.2));
    let hit = line.iter().filter(|p| p.of.false_positives > 0);
    panel.points(style, hit.map(|p| point(kind, p)));
    // Nothing was hit: the bound is all that is known.
    for p in line.iter().filter(|p| p.of.false_positives == 0) {
        let bound = Item::new(Shape::Down, [(p.of.x, p.rate.interval.high)], style.paint);
        panel.add(bound.saying(words(kind, p)));
    }
}

/// Whether names at these places would run over each other.
fn are_near(panel: &Panel, (x, y): Pair, (other_x, other_y): Pair) -> bool {
    let (across, up) = (&panel.x.range, &panel.y.range);
    let right = (x - other_x).abs() / (across.end - across.start);
    // Up the side the axis is logarithmic.
    let high = (y / other_y).ln().abs() / (up.end / up.start).ln();
    right < 0.16 && high < 0.035
}

/// A panel a filter, all with the same axes.
fn ratios(sweep: &Chart<'_>, x: &Range<f64>) -> Vec<Panel> {
    let each =
        (0..sweep.lines.len()).map(|at| ratio_panel(sweep, at, x.clone()).lower(UPPER + HEADING));
    let mut panels: Vec<Panel> = each.collect();
    let words = format!("Measured / theory against {}", super::axis(sweep.kind));
    if let Some(first) = panels.first_mut() {
        let heading = Item::text(first.corner(), words, Paint::Ink, Side::Left);
        first.under.insert(0, heading.shifted(-28.0, -47.0));
    }
    panels
}

fn ratio_panel(sweep: &Chart<'_>, at: usize, x: Range<f64>) -> Panel {
    let (filter, line) = &sweep.lines[at];
    let style = style(filter);
    let across = Axis::new("", x, 6, 20.0, digits).small();
    let up = Axis::new("", RATIO, 5, 40.0, |v| number::decimal(v, 1)).small();
    let mut panel = Panel::small(at, HEIGHT, [48.0, 27.0, 12.0, 30.0], (across, up));
    let corner = panel.corner();
    panel.under = vec![
        Item::mark(corner, style).shifted(10.0, -13.0),
        Item::text(corner, *filter, style.paint, Side::Left).shifted(20.0, -13.0),
    ];
    panel.level(1.0, (Paint::Soft, Stroke::Solid), 1.0);
    let shown = line
        .iter()
        .filter(|p| p.of.false_positives > 0 && p.of.expected_fpr > 0.0);
    let point = |p: &Point| plot::Point {
        at: (p.of.x, ratio(p)),
        ends: p.rate.ends().map(|rate| rate / p.of.expected_fpr),
        says: format!(
            "{}\nmeasured / theory {}",
            words(sweep.kind, p),
            number::decimal(ratio(p), 3)
        ),
    };
    panel.points(style, shown.map(point));
    for p in sweep.failed.iter().filter(|p| p.of.filter == *filter) {
        panel.add(Item::new(
            Shape::Ring(5.0),
            [(p.of.x, ratio(p))],
            Paint::Bad,
        ));
    }
    panel
}

fn ratio(point: &Point) -> f64 {
    point.rate.value / point.of.expected_fpr
}
