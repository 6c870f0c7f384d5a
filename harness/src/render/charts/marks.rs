//! Elements that plotters has not: measured points, intervals, dashed lines.

use plotters::{
    element::{Drawable, PointCollection},
    style::{Color, ShapeStyle},
};
use plotters_backend::{BackendCoord, DrawingBackend, DrawingErrorKind};

use crate::render::{
    palette::{Look, Marker, Pen},
    svg::{SvgBackend, px},
};

/// A pair of values.
pub type Pair = (f64, f64);

type Written<DB> = Result<(), DrawingErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// A measured point.
#[derive(Debug)]
pub struct Mark {
    pub at: Pair,
    /// Pixels to the right of its place.
    pub aside: f64,
    pub look: Look,
}

impl<'a> PointCollection<'a, Pair> for &'a Mark {
    type Point = &'a Pair;
    type IntoIter = std::iter::Once<&'a Pair>;

    fn point_iter(self) -> Self::IntoIter {
        std::iter::once(&self.at)
    }
}

impl<DB: DrawingBackend> Drawable<DB> for Mark {
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
        Marker::Square => {
            let corners = [(-3.3, -3.3), (3.3, -3.3), (3.3, 3.3), (-3.3, 3.3)];
            polygon(backend, centre, &corners, pen)
        }
        Marker::Triangle => {
            let corners = [(0.0, -4.5), (4.2, 3.3), (-4.2, 3.3)];
            polygon(backend, centre, &corners, pen)
        }
        Marker::Diamond => {
            let corners = [(0.0, -4.8), (4.2, 0.0), (0.0, 4.8), (-4.2, 0.0)];
            polygon(backend, centre, &corners, pen)
        }
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

/// A dashed line. That of plotters is a line for every dash.
#[derive(Debug)]
pub struct Dashes {
    pub path: Vec<Pair>,
    pub style: ShapeStyle,
}

impl<'a> PointCollection<'a, Pair> for &'a Dashes {
    type Point = &'a Pair;
    type IntoIter = &'a [Pair];

    fn point_iter(self) -> Self::IntoIter {
        &self.path
    }
}

impl Drawable<SvgBackend> for Dashes {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        places: I,
        backend: &mut SvgBackend,
        _: (u32, u32),
    ) -> Written<SvgBackend> {
        backend.dashed_path(places, &self.style);
        Ok(())
    }
}
