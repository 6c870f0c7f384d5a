//! Draws an item at its places.

use super::{Item, Pair, Shape};
use crate::{
    palette::{Marker, Pen, Stroke},
    svg::{Lettering, Picture, Place, px},
};

impl Item {
    /// `place` says where on the picture a pair of values lies.
    pub fn draw(&self, picture: &mut Picture, place: impl Fn(Pair) -> Place) {
        let (right, down) = (px(self.shift.0), px(self.shift.1));
        let places = self.at.iter().map(|at| place(*at));
        let places: Vec<Place> = places.map(|(x, y)| (x + right, y + down)).collect();
        picture.saying(&self.says, |picture| self.shape(&places, picture));
    }

    fn shape(&self, places: &[Place], picture: &mut Picture) {
        let pen = self.pen;
        match (&self.shape, places) {
            (Shape::Line { stroke, width }, path) => picture.polyline(path, (pen, *stroke), *width),
            (Shape::Polygon, path) => picture.polygon(path, pen),
            (Shape::Rect, [a, b]) => picture.rect([*a, *b], pen),
            (Shape::Mark(kind), [at]) => marker(picture, *at, *kind, pen),
            (Shape::Dot, [at]) => picture.circle(*at, 1.8, pen, None),
            (Shape::Ring(radius), [at]) => picture.circle(*at, *radius, pen, Some(1.4)),
            (Shape::Down, [at]) => outline(picture, *at, &DOWN, pen, 1.2),
            (Shape::Tick(half), [at]) => strokes(picture, *at, &[(0.0, *half)], pen, 1.6),
            (Shape::Text { words, size, side }, [at]) => {
                picture.text(words, Lettering::new(*size, pen, *side), *at);
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

pub fn marker(picture: &mut Picture, at: Place, kind: Marker, pen: Pen) {
    /// A path that is closed with its corners drawn whole.
    fn closed(corners: &[Pair; 4]) -> Vec<Pair> {
        corners.iter().chain(&corners[..2]).copied().collect()
    }
    match kind {
        Marker::Circle => picture.circle(at, 3.8, pen, None),
        Marker::Ring => picture.circle(at, 3.8, pen, Some(1.6)),
        Marker::Square => picture.polygon(&around(at, &SQUARE), pen),
        Marker::Flat => picture.polygon(&around(at, &FLAT), pen),
        Marker::Triangle => picture.polygon(&around(at, &TRIANGLE), pen),
        Marker::Diamond => picture.polygon(&around(at, &DIAMOND), pen),
        Marker::OpenSquare => outline(picture, at, &closed(&SQUARE), pen, 1.5),
        Marker::OpenDiamond => outline(picture, at, &closed(&DIAMOND), pen, 1.5),
        Marker::Plus => strokes(picture, at, &[(4.2, 0.0), (0.0, 4.2)], pen, 1.8),
        Marker::Cross => strokes(picture, at, &[(3.3, 3.3), (3.3, -3.3)], pen, 1.8),
        Marker::Star => {
            let ends = [(0.0, 4.5), (3.9, 2.2), (3.9, -2.2)];
            strokes(picture, at, &ends, pen, 1.8);
        }
    }
}

/// Places so many pixels from one.
fn around((x, y): Place, path: &[Pair]) -> Vec<Place> {
    path.iter()
        .map(|(dx, dy)| (x + px(*dx), y + px(*dy)))
        .collect()
}

fn outline(picture: &mut Picture, at: Place, path: &[Pair], pen: Pen, width: f64) {
    picture.polyline(&around(at, path), (pen, Stroke::Solid), width);
}

/// Lines through the centre, each by one of its ends.
fn strokes(picture: &mut Picture, at: Place, ends: &[Pair], pen: Pen, width: f64) {
    for (dx, dy) in ends {
        outline(picture, at, &[(-dx, -dy), (*dx, *dy)], pen, width);
    }
}
