//! Draws a panel: the axes, the items on them, and names at the ends of lines.

use std::ops::Range;

use plotters::coord::{
    combinators::{IntoLogRange, LogCoord},
    ranged1d::Ranged,
    types::RangedCoordf64,
};

use super::{Axis, Item, Label, NOTE, Pair, Panel, Shape};
use crate::{
    palette::{Marker, Paint, Stroke},
    svg::{Drawing, Place, Side, Stand},
};

/// The smallest distance between two labels at the ends of lines, in pixels.
const LABEL_STEP: f64 = 17.5;
/// The distance of a label from what it names, and of axis names from the edge, in pixels.
const BESIDE: f64 = 8.0;
/// The length of the connection between a line's end and its label, in pixels.
const THREAD: f64 = 12.0;

impl Axis {
    /// The position of a value on an axis between `from` and `to`; values out of range are at an
    /// end.
    fn place(&self, value: f64, from: f64, to: f64) -> f64 {
        let Range { start, end } = self.range;
        let share = match self.is_log {
            true => (value.max(f64::MIN_POSITIVE) / start).ln() / (end / start).ln(),
            false => (value - start) / (end - start),
        };
        match share.is_nan() {
            true => from,
            false => from + (to - from) * share.clamp(0.0, 1.0),
        }
    }

    fn ticks_of(&self) -> Vec<f64> {
        let range = self.range.clone();
        match self.most_ticks {
            0 => Vec::new(),
            _ if !self.has_steps() => Vec::new(),
            most if self.is_log => LogCoord::from(range.log_scale()).key_points(most),
            most => RangedCoordf64::from(range).key_points(most),
        }
    }

    /// Whether a search for ticks ends. The ends of an axis come from records, which may have been
    /// edited: if they are no numbers, nearly equal, or too far apart for a number, the search
    /// would not end.
    fn has_steps(&self) -> bool {
        let Range { start, end } = self.range;
        if self.is_log && !(start > 0.0 && (end / start).is_finite()) {
            return false;
        }
        (end - start).is_finite() && end - start > 1e-9 * end.max(-start)
    }
}

/// A panel, and the position of its axes on the chart.
struct Frame<'a> {
    panel: &'a Panel,
    x: Range<f64>,
    y: Range<f64>,
}

impl Frame<'_> {
    fn across(&self, x: f64) -> f64 {
        self.panel.x.place(x, self.x.start, self.x.end)
    }

    fn up(&self, y: f64) -> f64 {
        self.panel.y.place(y, self.y.end, self.y.start)
    }

    fn place(&self, (x, y): Pair) -> Place {
        (self.across(x), self.up(y))
    }
}

pub fn draw(drawing: &mut Drawing, panel: &Panel) {
    let Panel {
        corner, size, room, ..
    } = panel;
    let [left, above, right, below] = *room;
    let x = corner.0 + left..corner.0 + size.0 - right;
    let y = corner.1 + above..corner.1 + size.1 - below;
    let frame = Frame { panel, x, y };
    if let Some([low, high]) = panel.band {
        let Range { start, end } = panel.x.range;
        let corners = [(start, low), (end, high)].map(|at| frame.place(at));
        drawing.rect(corners, Paint::Band);
    }
    mesh(drawing, &frame);
    for item in &panel.items {
        item.draw(drawing, &frame);
    }
    end_labels(drawing, &frame);
}

impl Item {
    fn draw(&self, drawing: &mut Drawing, frame: &Frame<'_>) {
        let places = self.at.iter().map(|at| frame.place(*at));
        let places = places.map(|(x, y)| (x + self.shift.0, y + self.shift.1));
        let places: Vec<Place> = places.collect();
        let paint = self.paint;
        drawing.say(&self.says, &places);
        match (&self.shape, places.as_slice()) {
            (Shape::Line(stroke, width), path) => {
                drawing.polyline(path, (paint, *stroke), *width);
            }
            (Shape::Rect, [a, b]) => drawing.rect([*a, *b], paint),
            (Shape::Mark(kind), [at]) => marker(drawing, *at, *kind, paint),
            (Shape::Ring, [at]) => drawing.circle(*at, 5.0, paint, Some(1.4)),
            (Shape::Down, [at]) => drawing.polygon(&around(*at, &DOWN), paint, Some(1.2)),
            (Shape::Text(words, size, side), [at]) => {
                drawing.text(words, *size, paint, (*side, Stand::Middle), *at);
            }
            _ => {}
        }
    }
}

const SQUARE: [Pair; 4] = [(-3.3, -3.3), (3.3, -3.3), (3.3, 3.3), (-3.3, 3.3)];
const DIAMOND: [Pair; 4] = [(0.0, -4.8), (4.2, 0.0), (0.0, 4.8), (-4.2, 0.0)];
const FLAT: [Pair; 4] = [(-5.2, -1.7), (5.2, -1.7), (5.2, 1.7), (-5.2, 1.7)];
const TRIANGLE: [Pair; 3] = [(0.0, -4.5), (4.2, 3.3), (-4.2, 3.3)];
const DOWN: [Pair; 3] = [(-3.8, 0.0), (3.8, 0.0), (0.0, 6.0)];

fn marker(drawing: &mut Drawing, at: Place, kind: Marker, paint: Paint) {
    // Lines through the centre; each is given by one of its ends.
    let mut strokes = |ends: &[Pair]| {
        for (x, y) in ends {
            let path = around(at, &[(-x, -y), (*x, *y)]);
            drawing.polyline(&path, (paint, Stroke::Solid), 1.8);
        }
    };
    match kind {
        Marker::Plus => strokes(&[(4.2, 0.0), (0.0, 4.2)]),
        Marker::Cross => strokes(&[(3.3, 3.3), (3.3, -3.3)]),
        Marker::Star => strokes(&[(0.0, 4.5), (3.9, 2.2), (3.9, -2.2)]),
        Marker::Circle => drawing.circle(at, 3.8, paint, None),
        Marker::Ring => drawing.circle(at, 3.8, paint, Some(1.6)),
        Marker::Square => drawing.polygon(&around(at, &SQUARE), paint, None),
        Marker::Flat => drawing.polygon(&around(at, &FLAT), paint, None),
        Marker::Triangle => drawing.polygon(&around(at, &TRIANGLE), paint, None),
        Marker::Diamond => drawing.polygon(&around(at, &DIAMOND), paint, None),
        Marker::OpenSquare => drawing.polygon(&around(at, &SQUARE), paint, Some(1.5)),
        Marker::OpenDiamond => drawing.polygon(&around(at, &DIAMOND), paint, Some(1.5)),
    }
}

/// Places at these offsets, in pixels, from a centre.
fn around((x, y): Place, path: &[Pair]) -> Vec<Place> {
    let places = path.iter().map(|(right, down)| (x + right, y + down));
    places.collect()
}

/// Draws grid, ticks and names. The grid lines show where ticks are, so the axes need no marks.
fn mesh(drawing: &mut Drawing, frame: &Frame<'_>) {
    let Frame { panel, x, y } = frame;
    let [left, _, _, below] = panel.room;
    let (across, up) = (panel.x.ticks_of(), panel.y.ticks_of());
    let grid = (Paint::Grid, Stroke::Solid);
    for at in across.iter().map(|v| frame.across(*v)) {
        drawing.polyline(&[(at, y.end), (at, y.start)], grid, 0.8);
    }
    for at in up.iter().map(|v| frame.up(*v)) {
        drawing.polyline(&[(x.start, at), (x.end, at)], grid, 0.8);
    }
    if panel.y.most_ticks > 0 {
        let foot = [(x.start, y.end), (x.end, y.end)];
        drawing.polyline(&foot, (Paint::Soft, Stroke::Solid), 1.0);
    }
    let mut write =
        |words: &str, paint, stand, at| drawing.text(words, panel.text, paint, stand, at);
    let middle = (f64::midpoint(x.start, x.end), f64::midpoint(y.start, y.end));
    let place = (x.start - left + BESIDE, middle.1);
    write(
        panel.y.name,
        Paint::Ink,
        (Side::Center, Stand::Turned),
        place,
    );
    let place = (middle.0, y.end + below - BESIDE);
    write(
        panel.x.name,
        Paint::Ink,
        (Side::Center, Stand::Above),
        place,
    );
    for v in up {
        let (words, at) = ((panel.y.tick)(v), (x.start - BESIDE, frame.up(v)));
        write(&words, Paint::Soft, (Side::Right, Stand::Middle), at);
    }
    for v in across {
        let (words, at) = ((panel.x.tick)(v), (frame.across(v), y.end + BESIDE));
        write(&words, Paint::Soft, (Side::Center, Stand::Below), at);
    }
}

/// Writes the names on the right of the axes, each as close to its line's end as the others allow.
/// If not all fit, the last label says how many more there are.
fn end_labels(drawing: &mut Drawing, frame: &Frame<'_>) {
    let (all, right, y) = (&frame.panel.labels, frame.x.end, &frame.y);
    let room = ((y.end - y.start) / LABEL_STEP) as usize + 1;
    let shown = match all.len() > room {
        true => &all[..room - 1],
        false => &all[..],
    };
    let mut labels: Vec<(f64, &Label)> = shown.iter().map(|l| (frame.up(l.at.1), l)).collect();
    labels.sort_by(|(y, a), (other, b)| y.total_cmp(other).then_with(|| a.words.cmp(&b.words)));
    let mut wanted: Vec<f64> = labels.iter().map(|(y, _)| *y).collect();
    wanted.extend((shown.len() < all.len()).then_some(y.end));
    let heights = apart(&wanted, LABEL_STEP, y.clone());
    let stand = (Side::Left, Stand::Middle);
    for ((end, label), y) in labels.iter().zip(&heights) {
        let mut left = right + BESIDE;
        if let Some(style) = label.style {
            let thread = [(right + 2.0, *end), (left + THREAD, *y)];
            drawing.polyline(&thread, (label.paint, Stroke::Solid), 0.7);
            let at = (left + THREAD + 6.0, *y);
            marker(drawing, at, style.marker, style.paint);
            left += THREAD + 14.0;
        }
        drawing.text(&label.words, NOTE, label.paint, stand, (left, *y));
    }
    if let Some(y) = heights.get(labels.len()) {
        let words = format!("and {} more", all.len() - labels.len());
        drawing.text(&words, NOTE, Paint::Soft, stand, (right + BESIDE, *y));
    }
}

/// Moves heights, given in ascending order, as little as possible so that they lie at least a step
/// apart and within a range: the isotonic regression of the heights after subtracting the steps
/// before each.
fn apart(wanted: &[f64], step: f64, range: Range<f64>) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (place, &y) in wanted.iter().enumerate() {
        blocks.push((y - place as f64 * step, 1));
        while let [.., (sum, many), (next, more)] = blocks[..]
            && sum * more as f64 > next * many as f64
        {
            blocks.truncate(blocks.len() - 2);
            blocks.push((sum + next, many + more));
        }
    }
    let most = (range.end - step * wanted.len().saturating_sub(1) as f64).max(range.start);
    let rest = blocks.iter().flat_map(|&(sum, many)| {
        let mean = (sum / many as f64).clamp(range.start, most);
        std::iter::repeat_n(mean, many)
    });
    let rest = rest.enumerate();
    rest.map(|(place, y)| y + place as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn labels_move_no_farther_than_they_must() {
        let cases: [(&[f64], f64, &[f64]); 6] = [
            (&[], 100.0, &[]),
            (&[50.0], 100.0, &[50.0]),
            (&[50.0, 50.0, 50.0], 100.0, &[40.0, 50.0, 60.0]),
            (&[10.0, 50.0, 52.0, 90.0], 100.0, &[10.0, 46.0, 56.0, 90.0]),
            (&[1.0, 1.0], 100.0, &[0.0, 10.0]),
            // Without room for all, they begin at the top and run beyond the range.
            (&[5.0, 5.0, 5.0], 10.0, &[0.0, 10.0, 20.0]),
        ];
        for (wanted, end, got) in cases {
            assert_eq!(apart(wanted, 10.0, 0.0..end), got);
        }
    }
}
