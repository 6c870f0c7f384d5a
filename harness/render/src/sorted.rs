//! Sorted p-values against the line they lie on if all is well: a panel a
//! subject.

use crate::{
    levels::CONFIDENCE,
    number,
    palette::Paint,
    plot::{self, Axis, Item, Shape, Side},
};
use bouquet_stats::order_statistic_band;

/// Of a panel, in pixels.
const HEIGHT: f64 = 274.0;
/// Names begin so far left of the axes: two panels side by side on a phone have no room else.
const OVER_THE_AXIS: f64 = -42.0;
/// So many points are drawn in all; in a panel some are left out, but never the
/// smallest.
const MOST_POINTS: usize = 1_000;
const SMALLEST: usize = 12;

/// A subject, as it is drawn.
pub struct Panel {
    pub name: String,
    pub paint: Paint,
    /// Up to two lines below the name.
    pub notes: Vec<String>,
    /// Each p-value with what it says to whoever points at it.
    pub tests: Vec<(f64, String)>,
}

/// How many points a panel has room for.
fn most(panels: &[Panel]) -> usize {
    (MOST_POINTS / panels.len().max(1)).clamp(40, 120)
}

/// Whether a panel shows fewer points than it has tests.
pub fn thinned(panels: &[Panel]) -> bool {
    panels.iter().any(|panel| panel.tests.len() > most(panels))
}

/// The panels row by row.
pub fn panels(panels: &[Panel]) -> Vec<plot::Panel> {
    let (each, most) = (panels.iter().enumerate(), most(panels));
    each.map(|(at, panel)| draw(at, panel, most)).collect()
}

fn draw(at: usize, panel: &Panel, most: usize) -> plot::Panel {
    let n = panel.tests.len();
    let axis = |name, room| {
        let decimal = |v| number::decimal(v, 1);
        Axis::new(name, 0.0..1.0, 6, room, decimal).small()
    };
    let axes = (axis("share of the tests", 47.0), axis("p-value", 44.0));
    let mut drawn = plot::Panel::small(at, HEIGHT, [50.0, 64.0, 14.0, 55.0], axes);
    let corner = drawn.corner();
    let name = Item::text(corner, &panel.name, panel.paint, Side::Left);
    drawn.under.push(name.shifted(OVER_THE_AXIS, -48.0));
    for (line, words) in panel.notes.iter().enumerate() {
        let note = Item::note(corner, words, Paint::Soft, Side::Left);
        drawn
            .under
            .push(note.shifted(OVER_THE_AXIS, 15.0 * line as f64 - 31.0));
    }
    drawn
        .under
        .push(Item::new(Shape::Polygon, band(n), Paint::Band));
    drawn.add(Item::line([(0.0, 0.0), (1.0, 1.0)], Paint::Soft, 1.0));
    let mut order: Vec<&(f64, String)> = panel.tests.iter().collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    for i in shown(n, most) {
        let (p, words) = order[i];
        let dot = Item::new(Shape::Dot, [(rank(i + 1, n), *p)], panel.paint);
        // Of the others the line says all there is to know.
        let says = (i < SMALLEST).then(|| {
            let (p, rank) = (number::p_value(*p), number::count(i as u64 + 1));
            format!("{words}\np {p}, {rank} of {}", number::count(n as u64))
        });
        drawn.add(dot.saying(says.unwrap_or_default()));
    }
    drawn
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
    // Fifty steps show the band as well as ten thousand.
    let steps: Vec<usize> = (1..=n).step_by((n / 50).max(1)).collect();
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
