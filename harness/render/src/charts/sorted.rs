//! Sorted p-values against the line they lie on if all is well: a panel a
//! subject.

use plotters::{
    chart::ChartBuilder,
    element::{Circle, Polygon},
    series::LineSeries,
    style::{Color, text_anchor::HPos},
};

use super::{
    frame::{self, NOTE, TEXT, Ticks},
    marks::tell,
};
use crate::{
    judge::CONFIDENCE,
    number,
    palette::Pen,
    svg::{Area, Drawn, px},
};
use bouquet_stats::order_statistic_band;

const COLUMNS: usize = 4;
/// Width and height of a panel in pixels.
const PANEL: (f64, f64) = (240.0, 274.0);
/// From the left of a panel to its axis: room, then ticks and their name.
const ROOM: f64 = 6.0;
const LABELS: f64 = 44.0;
/// Above the axes: the name and two lines of notes.
const HEAD: f64 = 64.0;
/// So many points are drawn in all; in a panel some are left out, but never the
/// smallest.
const MOST_POINTS: usize = 3_600;
const SMALLEST: usize = 12;

/// A subject, as it is drawn.
pub struct Panel {
    pub name: String,
    pub pen: Pen,
    /// Up to two lines below the name.
    pub notes: Vec<String>,
    /// Each p-value with what it says to whoever points at it.
    pub tests: Vec<(f64, String)>,
}

/// Width and height of all panels, in pixels.
pub fn size(panels: &[Panel]) -> (f64, f64) {
    (PANEL.0 * COLUMNS as f64, PANEL.1 * rows(panels) as f64)
}

fn rows(panels: &[Panel]) -> usize {
    panels.len().div_ceil(COLUMNS)
}

/// How many points a panel has room for.
fn most(panels: &[Panel]) -> usize {
    (MOST_POINTS / panels.len().max(1)).clamp(40, 240)
}

/// Whether a panel shows fewer points than it has tests.
pub fn thinned(panels: &[Panel]) -> bool {
    panels.iter().any(|panel| panel.tests.len() > most(panels))
}

/// Draws the panels row by row.
pub fn draw(area: &Area, panels: &[Panel]) -> Drawn {
    let places = area.split_evenly((rows(panels), COLUMNS));
    let mut each = panels.iter().zip(&places);
    each.try_for_each(|(panel, place)| draw_one(place, panel, most(panels)))
}

fn heading(place: &Area, panel: &Panel) -> Drawn {
    let left = px(ROOM + LABELS);
    let style = frame::words(TEXT, panel.pen, HPos::Left);
    place.draw_text(&panel.name, &style, (left, px(16.0)))?;
    for (line, words) in panel.notes.iter().enumerate() {
        let style = frame::words(NOTE, Pen::Soft, HPos::Left);
        place.draw_text(words, &style, (left, px(33.0 + 15.0 * line as f64)))?;
    }
    Ok(())
}

fn draw_one(place: &Area, panel: &Panel, most: usize) -> Drawn {
    heading(place, panel)?;
    let n = panel.tests.len();
    let mut chart = ChartBuilder::on(place)
        .margin_top(px(HEAD))
        .margin_right(px(14.0))
        .margin_bottom(px(8.0))
        .margin_left(px(ROOM))
        .x_label_area_size(px(47.0))
        .y_label_area_size(px(LABELS))
        .build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
    chart.draw_series([Polygon::new(band(n), Pen::Band.filled())])?;
    let ticks = |name| Ticks {
        name,
        most: 6,
        size: NOTE,
        format: &|v| number::decimal(*v, 1),
    };
    let (x, y) = (ticks("share of the tests"), ticks("p-value"));
    frame::mesh(&mut chart, &x, Some(&y))?;
    let diagonal = [(0.0, 0.0), (1.0, 1.0)];
    chart.draw_series(LineSeries::new(diagonal, Pen::Soft.line(1.0)))?;
    let mut order: Vec<&(f64, String)> = panel.tests.iter().collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let points = shown(n, most).map(|i| {
        let (p, words) = order[i];
        let at = (rank(i + 1, n), *p);
        let place = format!(
            "{} of {}",
            number::count(i as u64 + 1),
            number::count(n as u64)
        );
        let point = Circle::new(at, px(1.8), panel.pen.filled());
        (
            point,
            format!("{words}\np {}, {place}", number::p_value(*p)),
        )
    });
    tell(&mut chart, points)
}

/// Which of so many sorted points are drawn: the smallest, then every so
/// manieth.
fn shown(n: usize, most: usize) -> impl Iterator<Item = usize> {
    let step = n.div_ceil(most).max(1);
    (0..n).filter(move |i| *i < SMALLEST || i % step == 0 || i + 1 == n)
}

/// Where the i-th of n sorted p-values lies on average if all is well.
fn rank(i: usize, n: usize) -> f64 {
    i as f64 / (n + 1) as f64
}

/// The outline of where sorted p-values mostly lie if all is well.
fn band(n: usize) -> Vec<(f64, f64)> {
    // A hundred steps show the band as well as ten thousand.
    let steps: Vec<usize> = (1..=n).step_by((n / 100).max(1)).collect();
    let at = |i: usize| (rank(i, n), order_statistic_band(i, n, CONFIDENCE));
    let bands: Vec<_> = steps.into_iter().map(at).collect();
    let upper = bands.iter().map(|(x, band)| (*x, band.high));
    let lower = bands.iter().map(|(x, band)| (*x, band.low));
    upper.chain(lower.rev()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_points_are_thinned_but_never_the_ends() {
        assert_eq!(shown(0, 240).count(), 0);
        assert_eq!(shown(240, 240).count(), 240);
        let some: Vec<usize> = shown(100_000, 240).collect();
        assert!(some.len() < 300, "{}", some.len());
        assert!(some.starts_with(&[0, 1, 2, 3]) && some.ends_with(&[99_999]));
    }
}
