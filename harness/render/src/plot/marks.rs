//! Draws an item at its places.

use plotters::{
    element::{Drawable, PointCollection},
    style::Color,
};
use plotters_backend::{BackendCoord, DrawingBackend};

use super::{Item, Pair, Shape, draw::words};
use crate::{
    palette::{Marker, Pen},
    svg::{SvgBackend, Written, px},
};

/// On axes its places are values.
impl<'a> PointCollection<'a, Pair> for &'a Item {
    type Point = &'a Pair;
    type IntoIter = &'a [Pair];

    fn point_iter(self) -> Self::IntoIter {
        &self.at
    }
}

/// On a whole figure its places are pixels.
impl<'a> PointCollection<'a, BackendCoord> for &'a Item {
    type Point = BackendCoord;
    type IntoIter = Vec<BackendCoord>;

    fn point_iter(self) -> Self::IntoIter {
        self.at.iter().map(|(x, y)| (px(*x), px(*y))).collect()
    }
}

impl Drawable<SvgBackend> for Item {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        places: I,
        backend: &mut SvgBackend,
        _: (u32, u32),
    ) -> Written {
        let (right, down) = (px(self.shift.0), px(self.shift.1));
        let places: Vec<BackendCoord> = places.map(|(x, y)| (x + right, y + down)).collect();
        if self.says.is_empty() {
            return self.shape(&places, backend);
        }
        backend.begin_mark(&self.says);
        self.shape(&places, backend)?;
        backend.end_mark();
        Ok(())
    }
}

impl Item {
    fn shape(&self, places: &[BackendCoord], backend: &mut SvgBackend) -> Written {
        let pen = self.pen;
        match (&self.shape, places) {
            (Shape::Line { stroke, width }, path) => {
                backend.stroked_path(*stroke, path.iter().copied(), &pen.line(*width));
                Ok(())
            }
            (Shape::Polygon, path) => backend.fill_polygon(path.iter().copied(), &pen.filled()),
            (Shape::Rect, [a, b]) => backend.draw_rect(*a, *b, &pen.filled(), true),
            (Shape::Mark(kind), [at]) => marker(backend, *at, *kind, pen),
            (Shape::Dot, [at]) => circle(backend, *at, 1.8, pen, None),
            (Shape::Ring(radius), [at]) => circle(backend, *at, *radius, pen, Some(1.4)),
            (Shape::Down, [at]) => outline(backend, *at, &DOWN, pen, 1.2),
            (Shape::Tick(half), [at]) => strokes(backend, *at, &[(0.0, *half)], pen, 1.6),
            (
                Shape::Text {
                    words: text,
                    size,
                    side,
                },
                [at],
            ) => backend.draw_text(text, &words(*size, pen, *side), *at),
            _ => Ok(()),
        }
    }
}

const SQUARE: [Pair; 4] = [(-3.3, -3.3), (3.3, -3.3), (3.3, 3.3), (-3.3, 3.3)];
const DIAMOND: [Pair; 4] = [(0.0, -4.8), (4.2, 0.0), (0.0, 4.8), (-4.2, 0.0)];
const FLAT: [Pair; 4] = [(-5.2, -1.7), (5.2, -1.7), (5.2, 1.7), (-5.2, 1.7)];
const TRIANGLE: [Pair; 3] = [(0.0, -4.5), (4.2, 3.3), (-4.2, 3.3)];
const DOWN: [Pair; 4] = [(-3.8, 0.0), (3.8, 0.0), (0.0, 6.0), (-3.8, 0.0)];

fn marker(backend: &mut SvgBackend, at: BackendCoord, kind: Marker, pen: Pen) -> Written {
    /// A path that is closed with its corners drawn whole.
    fn closed(corners: &[Pair; 4]) -> Vec<Pair> {
        corners.iter().chain(&corners[..2]).copied().collect()
    }
    match kind {
        Marker::Circle => circle(backend, at, 3.8, pen, None),
        Marker::Ring => circle(backend, at, 3.8, pen, Some(1.6)),
        Marker::Square => backend.fill_polygon(around(at, &SQUARE), &pen.filled()),
        Marker::Flat => backend.fill_polygon(around(at, &FLAT), &pen.filled()),
        Marker::Triangle => backend.fill_polygon(around(at, &TRIANGLE), &pen.filled()),
        Marker::Diamond => backend.fill_polygon(around(at, &DIAMOND), &pen.filled()),
        Marker::OpenSquare => outline(backend, at, &closed(&SQUARE), pen, 1.5),
        Marker::OpenDiamond => outline(backend, at, &closed(&DIAMOND), pen, 1.5),
        Marker::Plus => strokes(backend, at, &[(4.2, 0.0), (0.0, 4.2)], pen, 1.8),
        Marker::Cross => strokes(backend, at, &[(3.3, 3.3), (3.3, -3.3)], pen, 1.8),
        Marker::Star => {
            let ends = [(0.0, 4.5), (3.9, 2.2), (3.9, -2.2)];
            strokes(backend, at, &ends, pen, 1.8)
        }
    }
}

/// Filled, or a line of this width.
fn circle(
    backend: &mut SvgBackend,
    at: BackendCoord,
    radius: f64,
    pen: Pen,
    width: Option<f64>,
) -> Written {
    let style = width.map_or(pen.filled(), |width| pen.line(width));
    backend.draw_circle(at, px(radius).unsigned_abs(), &style, width.is_none())
}

/// Places so many pixels from one.
fn around((x, y): BackendCoord, path: &[Pair]) -> impl Iterator<Item = BackendCoord> {
    path.iter().map(move |(dx, dy)| (x + px(*dx), y + px(*dy)))
}

fn outline(
    backend: &mut SvgBackend,
    at: BackendCoord,
    path: &[Pair],
    pen: Pen,
    width: f64,
) -> Written {
    backend.draw_path(around(at, path), &pen.line(width))
}

/// Lines through the centre, each by one of its ends.
fn strokes(
    backend: &mut SvgBackend,
    at: BackendCoord,
    ends: &[Pair],
    pen: Pen,
    width: f64,
) -> Written {
    ends.iter()
        .try_for_each(|(dx, dy)| outline(backend, at, &[(-dx, -dy), (*dx, *dy)], pen, width))
}
