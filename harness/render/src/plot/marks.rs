//! Draws an item at its places.

use super::{Item, Pair, Shape};
use crate::{
    palette::{Marker, Paint, Stroke},
    svg::{Drawing, Lettering, Place, px},
};

impl Item {
    /// `place` says where on the chart a pair of values lies.
    pub fn draw(&self, drawing: &mut Drawing, place: impl Fn(Pair) -> Place) {
        let (right, down) = (px(self.shift.0), px(self.shift.1));
        let places = self.at.iter().map(|at| place(*at));
        let places: Vec<Place> = places.map(|(x, y)| (x + right, y + down)).collect();
        drawing.saying(&self.says, &places, |drawing| self.shape(&places, drawing));
    }

    fn shape(&self, places: &[Place], drawing: &mut Drawing) {
        let paint = self.paint;
        match (&self.shape, places) {
            (Shape::Line { stroke, width }, path) => {
                drawing.polyline(path, (paint, *stroke), *width)
            }
            (Shape::Rect, [a, b]) => drawing.rect([*a, *b], paint),
            (Shape::Mark(kind), [at]) => marker(drawing, *at, *kind, paint),
            (Shape::Ring(radius), [at]) => drawing.circle(*at, *radius, paint, Some(1.4)),
            (Shape::Down, [at]) => outline(drawing, *at, &DOWN, paint, 1.2),
            (Shape::Text { words, size, side }, [at]) => {
                drawing.text(words, Lettering::new(*size, paint, *side), *at);
            }
            _ => {}
        }
    }
}

const SQUARE: [Pair; 4] = [(-3.3, -3.3), (3.3, -3.3), (3.3, 3.3), (-3.3, 3.3)];
const DIAMOND: [Pair; 4] = [(0.0, -4.8), (4.2, 0.0), (0.0, 4.8), (-4.2, 0.0)];
const FLAT: [Pair; 4] = [(-5.2, -1.7), (5.2, -1.7), (5.2, 1.7), (-5.2, 1.7)];
const TRIANGLE: [Pair; 3] = [(0.0, -4.5), (4.2, 3.3), (-4.2, 3.3)];
const DOWN: [Pair; 4] = [(-3.8, 0.0), (3.8, 0.0), (0.0, 6.0), (-3.8, 0.0)];

pub fn marker(drawing: &mut Drawing, at: Place, kind: Marker, paint: Paint) {
    /// A path that is closed with its corners drawn whole.
    fn closed(corners: &[Pair; 4]) -> Vec<Pair> {
        corners.iter().chain(&corners[..2]).copied().collect()
    }
    match kind {
        Marker::Circle => drawing.circle(at, 3.8, paint, None),
        Marker::Ring => drawing.circle(at, 3.8, paint, Some(1.6)),
        Marker::Square => drawing.polygon(&around(at, &SQUARE), paint),
        Marker::Flat => drawing.polygon(&around(at, &FLAT), paint),
        Marker::Triangle => drawing.polygon(&around(at, &TRIANGLE), paint),
        Marker::Diamond => drawing.polygon(&around(at, &DIAMOND), paint),
        Marker::OpenSquare => outline(drawing, at, &closed(&SQUARE), paint, 1.5),
        Marker::OpenDiamond => outline(drawing, at, &closed(&DIAMOND), paint, 1.5),
        Marker::Plus => strokes(drawing, at, &[(4.2, 0.0), (0.0, 4.2)], paint, 1.8),
        Marker::Cross => strokes(drawing, at, &[(3.3, 3.3), (3.3, -3.3)], paint, 1.8),
        Marker::Star => {
            let ends = [(0.0, 4.5), (3.9, 2.2), (3.9, -2.2)];
            strokes(drawing, at, &ends, paint, 1.8);
        }
    }
}

/// Places so many pixels from one.
fn around((x, y): Place, path: &[Pair]) -> Vec<Place> {
    path.iter()
        .map(|(dx, dy)| (x + px(*dx), y + px(*dy)))
        .collect()
}

fn outline(drawing: &mut Drawing, at: Place, path: &[Pair], paint: Paint, width: f64) {
    drawing.polyline(&around(at, path), (paint, Stroke::Solid), width);
}

/// Lines through the centre, each by one of its ends.
fn strokes(drawing: &mut Drawing, at: Place, ends: &[Pair], paint: Paint, width: f64) {
    for (dx, dy) in ends {
        outline(drawing, at, &[(-dx, -dy), (*dx, *dy)], paint, width);
    }
}
