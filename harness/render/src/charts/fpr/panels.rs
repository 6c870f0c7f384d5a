//! Measured by theory, a small panel a filter: a dozen filters at one x would
//! hide each other, and an error of 20 % cannot be seen on a logarithmic axis.

use std::ops::Range;

use super::Sweep;
use crate::{
    judge::Point,
    levels::DELTA,
    number,
    palette::{Pen, Stroke, look},
    plot::{self, Axis, Item, Panel, Shape, Side, digits},
};

/// The heading above the panels, in pixels, and a panel.
const HEADING: f64 = 40.0;
const HEIGHT: f64 = 150.0;
/// The range of the ratio's axis.
const RATIO: Range<f64> = 0.8..1.2;

/// A panel a filter, all with the same axes, from so far down on.
pub fn panels(sweep: &Sweep<'_>, x: &Range<f64>, top: f64) -> Vec<Panel> {
    let each = (0..sweep.lines.len()).map(|at| panel(sweep, at, x.clone()).lower(top + HEADING));
    let mut panels: Vec<Panel> = each.collect();
    let words = format!(
        "Measured / theory against {}; the band is ±{} %",
        super::axis(sweep.kind),
        number::significant(DELTA * 100.0, 2)
    );
    if let Some(first) = panels.first_mut() {
        let heading = Item::text(first.corner(), words, Pen::Ink, Side::Left);
        first.under.insert(0, heading.shifted(-28.0, -47.0));
    }
    panels
}

fn panel(sweep: &Sweep<'_>, at: usize, x: Range<f64>) -> Panel {
    let (filter, line) = &sweep.lines[at];
    let look = look(filter);
    let band = [(x.start, 1.0 + DELTA), (x.end, 1.0 - DELTA)];
    let across = Axis::new("", x, 6, 20.0, digits).small();
    let up = Axis::new("", RATIO, 5, 40.0, |v| number::decimal(v, 1)).small();
    let mut panel = Panel::small(at, HEIGHT, [48.0, 27.0, 12.0, 30.0], (across, up));
    let corner = panel.corner();
    panel.under = vec![
        Item::mark(corner, look).shifted(10.0, -13.0),
        Item::text(corner, *filter, look.pen, Side::Left).shifted(20.0, -13.0),
        Item::new(Shape::Rect, band, Pen::Band),
    ];
    panel.level(1.0, (Pen::Soft, Stroke::Solid), 1.0);
    let told = line
        .iter()
        .filter(|p| p.of.false_positives > 0 && p.of.expected_fpr > 0.0);
    let point = |p: &Point| plot::Point {
        at: (p.of.x, ratio(p)),
        ends: p.rate.ends().map(|rate| rate / p.of.expected_fpr),
        says: format!(
            "{}\nmeasured / theory {}",
            super::words(sweep.kind, p),
            number::decimal(ratio(p), 3)
        ),
    };
    panel.points(look, told.map(point));
    for p in sweep.failed.iter().filter(|p| p.of.filter == *filter) {
        panel.add(Item::new(Shape::Ring(5.0), [(p.of.x, ratio(p))], Pen::Bad));
    }
    panel
}

fn ratio(point: &Point) -> f64 {
    point.rate.value / point.of.expected_fpr
}
