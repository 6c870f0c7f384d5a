//! Elements that plotters has not: measured points, intervals, dashed lines.

use plotters::{
    coord::ranged1d::Ranged,
    element::{Drawable, PointCollection},
    style::{Color, ShapeStyle},
};
use plotters_backend::{BackendCoord, DrawingBackend, DrawingErrorKind};

use super::frame::Chart;
use crate::{
    palette::{Look, Marker, Pen, Stroke},
    svg::{Drawn, SvgBackend, px},
};

/// A pair of values.
pub type Pair = (f64, f64);

type Written<DB> = Result<(), DrawingErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// A measured point; `P` is a pair of values, or a place on the picture.
#[derive(Debug)]
pub struct Mark<P = Pair> {
    pub at: P,
    /// Pixels to the right of its place.
    pub aside: f64,
    pub look: Look,
}

impl<'a, P> PointCollection<'a, P> for &'a Mark<P> {
    type Point = &'a P;
    type IntoIter = std::iter::Once<&'a P>;

    fn point_iter(self) -> Self::IntoIter {
        std::iter::once(&self.at)
    }
}

impl<DB: DrawingBackend, P> Drawable<DB> for Mark<P> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        mut places: I,
        backend: &mut DB,
        _: (u32, u32),
    ) -> Written<DB> {
        places.next().map_or(Ok(()), |(x, y)| {
            marker(backend, (x + px(self.aside), y), self.look)
        })
    }
}

/// Begins a mark with its words, or ends it.
#[derive(Debug)]
enum Say {
    Begin(String),
    End,
}

impl<'a> PointCollection<'a, Pair> for &'a Say {
    type Point = &'a Pair;
    type IntoIter = std::iter::Empty<&'a Pair>;

    fn point_iter(self) -> Self::IntoIter {
        std::iter::empty()
    }
}

impl Drawable<SvgBackend> for Say {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        _: I,
        backend: &mut SvgBackend,
        _: (u32, u32),
    ) -> Written<SvgBackend> {
        match self {
            Self::Begin(words) => backend.begin_mark(words),
            Self::End => backend.end_mark(),
        }
        Ok(())
    }
}

/// Draws elements, each of which says its words to whoever points at it.
pub fn tell<X, Y, E>(
    chart: &mut Chart<'_, X, Y>,
    elements: impl IntoIterator<Item = (E, String)>,
) -> Drawn
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
    E: Drawable<SvgBackend>,
    for<'b> &'b E: PointCollection<'b, Pair>,
{
    for (element, words) in elements {
        chart.draw_series::<_, Say, _, _>([Say::Begin(words)])?;
        chart.draw_series([element])?;
        chart.draw_series::<_, Say, _, _>([Say::End])?;
    }
    Ok(())
}

const SQUARE: [Pair; 4] = [(-3.3, -3.3), (3.3, -3.3), (3.3, 3.3), (-3.3, 3.3)];
const DIAMOND: [Pair; 4] = [(0.0, -4.8), (4.2, 0.0), (0.0, 4.8), (-4.2, 0.0)];

fn marker<DB: DrawingBackend>(
    backend: &mut DB,
    centre: BackendCoord,
    Look { pen, marker, .. }: Look,
) -> Written<DB> {
    const R: f64 = 3.8;
    let radius = px(R).unsigned_abs();
    match marker {
        Marker::Circle => backend.draw_circle(centre, radius, &pen.filled(), true),
        Marker::Ring => backend.draw_circle(centre, radius, &pen.line(1.6), false),
        Marker::Square => polygon(backend, centre, &SQUARE, pen),
        Marker::OpenSquare => outline(backend, centre, &SQUARE, pen),
        Marker::Flat => {
            let corners = [(-5.2, -1.7), (5.2, -1.7), (5.2, 1.7), (-5.2, 1.7)];
            polygon(backend, centre, &corners, pen)
        }
        Marker::Triangle => {
            let corners = [(0.0, -4.5), (4.2, 3.3), (-4.2, 3.3)];
            polygon(backend, centre, &corners, pen)
        }
        Marker::Diamond => polygon(backend, centre, &DIAMOND, pen),
        Marker::OpenDiamond => outline(backend, centre, &DIAMOND, pen),
        Marker::Plus => strokes(backend, centre, &[(4.2, 0.0), (0.0, 4.2)], pen),
        Marker::Cross => strokes(backend, centre, &[(3.3, 3.3), (3.3, -3.3)], pen),
        Marker::Star => {
            let ends = [(0.0, 4.5), (3.9, 2.2), (3.9, -2.2)];
            strokes(backend, centre, &ends, pen)
        }
    }
}

fn polygon<DB: DrawingBackend>(
    backend: &mut DB,
    (x, y): BackendCoord,
    corners: &[Pair],
    pen: Pen,
) -> Written<DB> {
    let path = corners.iter().map(|(dx, dy)| (x + px(*dx), y + px(*dy)));
    backend.fill_polygon(path, &pen.filled())
}

fn outline<DB: DrawingBackend>(
    backend: &mut DB,
    (x, y): BackendCoord,
    corners: &[Pair],
    pen: Pen,
) -> Written<DB> {
    let path = corners.iter().chain(&corners[..2]);
    let path = path.map(|(dx, dy)| (x + px(*dx), y + px(*dy)));
    backend.draw_path(path, &pen.line(1.5))
}

/// Lines through the centre, each by one of its ends.
fn strokes<DB: DrawingBackend>(
    backend: &mut DB,
    (x, y): BackendCoord,
    ends: &[Pair],
    pen: Pen,
) -> Written<DB> {
    for (dx, dy) in ends {
        let (dx, dy) = (px(*dx), px(*dy));
        backend.draw_line((x - dx, y - dy), (x + dx, y + dy), &pen.line(1.8))?;
    }
    Ok(())
}

/// An upright bar for an interval, without caps: they only make ink.
#[derive(Debug)]
pub struct Bar {
    pub ends: [Pair; 2],
    /// Pixels to the right of its place.
    pub aside: f64,
    pub pen: Pen,
}

impl<'a> PointCollection<'a, Pair> for &'a Bar {
    type Point = &'a Pair;
    type IntoIter = &'a [Pair];

    fn point_iter(self) -> Self::IntoIter {
        &self.ends
    }
}

impl<DB: DrawingBackend> Drawable<DB> for Bar {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        places: I,
        backend: &mut DB,
        _: (u32, u32),
    ) -> Written<DB> {
        let path = places.map(|(x, y)| (x + px(self.aside), y));
        backend.draw_path(path, &self.pen.line(1.4))
    }
}

/// A line, dashed or not. The dashed one of plotters is a line for every dash.
#[derive(Debug)]
pub struct Line {
    pub path: Vec<Pair>,
    pub stroke: Stroke,
    pub style: ShapeStyle,
}

impl<'a> PointCollection<'a, Pair> for &'a Line {
    type Point = &'a Pair;
    type IntoIter = &'a [Pair];

    fn point_iter(self) -> Self::IntoIter {
        &self.path
    }
}

impl Drawable<SvgBackend> for Line {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        places: I,
        backend: &mut SvgBackend,
        _: (u32, u32),
    ) -> Written<SvgBackend> {
        backend.stroked_path(self.stroke, places, &self.style);
        Ok(())
    }
}
