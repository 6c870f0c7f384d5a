//! Draws a sweep: rates above, and below them a small panel a filter.

use std::ops::Range;

use super::{Sweep, panels};
use crate::{
    groups::span,
    judge::Point,
    palette::{Look, Pen, Stroke, look},
    plot::{Axis, Item, Label, Panel, Shape, Side, digits, percent, widened},
};

/// Where the small panels begin.
const UPPER: f64 = 470.0;

/// Rates above and ratios to theory below.
pub fn panels(sweep: &Sweep<'_>) -> Vec<Panel> {
    let x = x_range(sweep);
    let mut all = vec![rates(sweep, x.clone())];
    all.extend(panels::panels(sweep, &x, UPPER));
    all
}

fn rates(sweep: &Sweep<'_>, x: Range<f64>) -> Panel {
    let y = y_range(sweep, &x);
    // All ticks of one kind: per cent as long as that can be read.
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
    if sweep.kind == "bits-per-key" {
        add_bound(&mut panel);
    }
    for (filter, line) in &sweep.lines {
        add_line(&mut panel, sweep.kind, look(filter), line);
    }
    let last = |line: &[Point]| line.last().map(|p| (p.of.x, p.of.expected_fpr));
    let ends = sweep.lines.iter().filter_map(|(_, line)| last(line));
    let farthest = ends.map(|(x, _)| x).fold(f64::MIN, f64::max);
    for (filter, line) in &sweep.lines {
        let Some(end) = last(line) else { continue };
        if end.0 < farthest {
            // It ends before the others: its name stands where it ends.
            let name = Item::note(end, *filter, look(filter).pen, Side::Left);
            panel.add(name.shifted(9.0, 0.0));
        } else {
            panel.labels.push(Label::filter(filter, end));
        }
    }
    panel
}

fn x_range(sweep: &Sweep<'_>) -> Range<f64> {
    let points = sweep.lines.iter().flat_map(|(_, line)| line);
    let (low, high) = span((f64::MAX, f64::MIN), points.map(|p| p.of.x));
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
        for rate in [point.rate.at_most(), point.of.expected_fpr] {
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
fn add_bound(panel: &mut Panel) {
    let bound = |x: f64| (x, 2_f64.powf(-x));
    let Range { start, end } = panel.x.range;
    let ends = [bound(start.max(0.0)), bound(end)];
    let label = Label::note("information bound", ends[1], Pen::Soft);
    panel.add(Item::stroked(ends, (Pen::Soft, Stroke::Dashed), 1.0));
    panel.labels.push(label);
}

fn add_line(panel: &mut Panel, kind: &str, look: Look, line: &[Point]) {
    let theory: Vec<_> = line.iter().map(|p| (p.of.x, p.of.expected_fpr)).collect();
    panel.add(Item::stroked(theory, (look.pen, look.stroke), 1.2));
    let hit = line.iter().filter(|p| p.of.false_positives > 0);
    panel.points(look, hit.map(|p| super::point(kind, p)));
    // Nothing was hit: the bound is all that is known.
    for p in line.iter().filter(|p| p.of.false_positives == 0) {
        let bound = Item::new(Shape::Down, [(p.of.x, p.rate.interval.high)], look.pen);
        panel.add(bound.saying(super::words(kind, p)));
    }
}
