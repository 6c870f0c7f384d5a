//! What the pictures share: axes, markers, intervals, labels. Scales and
//! their ticks are those of plotters.

use std::ops::Range;

use plotters::{
    coord::{
        ranged1d::{BoldPoints, Ranged},
        types::RangedCoordf64,
    },
    prelude::{IntoLogRange, LogCoord},
};

use crate::render::{
    palette::{Look, Marker, Pen},
    svg::{Anchor, Canvas, Place},
};

/// Text sizes: of axes and labels, and of small notes.
pub const TEXT: f64 = 14.0;
pub const NOTE: f64 = 12.5;
/// The least distance of two labels at the ends of lines.
const LABEL_STEP: f64 = 17.5;
/// Plotters counts in whole pixels; it is given hundredths.
const FINE: f64 = 100.0;

/// From values to places along one axis.
pub enum Scale {
    Linear(RangedCoordf64),
    Log(LogCoord<f64>),
}

impl Scale {
    pub fn linear(range: Range<f64>) -> Self {
        Self::Linear(range.into())
    }

    /// Widened a little, or rounding would cost the ticks at the ends.
    pub fn log(range: Range<f64>) -> Self {
        Self::Log((range.start * 0.999..range.end * 1.001).log_scale().into())
    }

    fn ends(&self) -> Range<f64> {
        match self {
            Self::Linear(scale) => scale.range(),
            Self::Log(scale) => scale.range(),
        }
    }

    fn ticks(&self, most: usize) -> Vec<f64> {
        match self {
            Self::Linear(scale) => scale.key_points(BoldPoints(most)),
            Self::Log(scale) => scale.key_points(BoldPoints(most)),
        }
    }

    /// Values off the axis land on its end.
    fn map(&self, value: f64, from: f64, to: f64) -> f64 {
        let ends = self.ends();
        let value = value.clamp(ends.start, ends.end);
        let limit = ((from * FINE) as i32, (to * FINE) as i32);
        let place = match self {
            Self::Linear(scale) => scale.map(&value, limit),
            Self::Log(scale) => scale.map(&value, limit),
        };
        f64::from(place) / FINE
    }
}

/// A pair of axes on a picture.
pub struct Axes {
    pub x: Scale,
    pub y: Scale,
    /// Left, top, right and bottom of what lies between the axes.
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

/// The words and ticks of one axis.
pub struct Ticks<'a> {
    /// Empty for none.
    pub name: &'a str,
    pub most: usize,
    pub format: &'a dyn Fn(f64) -> String,
}

impl Axes {
    /// Where a pair of values lies.
    pub fn at(&self, x: f64, y: f64) -> Place {
        (
            self.x.map(x, self.left, self.right),
            self.y.map(y, self.bottom, self.top),
        )
    }

    /// Both ends of the horizontal axis.
    pub fn x_ends(&self) -> Range<f64> {
        self.x.ends()
    }

    /// Draws grid, ticks and names.
    pub fn draw(&self, canvas: &mut Canvas, x: &Ticks<'_>, y: &Ticks<'_>) {
        let (x_low, y_low) = (self.x.ends().start, self.y.ends().start);
        for tick in self.y.ticks(y.most) {
            let (_, at) = self.at(x_low, tick);
            canvas.line(&[(self.left, at), (self.right, at)], Pen::Grid.line(0.8));
            let words = (y.format)(tick);
            canvas.text(&words, (self.left - 8.0, at), TEXT, Pen::Soft, Anchor::End);
        }
        for tick in self.x.ticks(x.most) {
            let (at, _) = self.at(tick, y_low);
            canvas.line(&[(at, self.top), (at, self.bottom)], Pen::Grid.line(0.8));
            let words = (x.format)(tick);
            canvas.text(
                &words,
                (at, self.bottom + 14.0),
                TEXT,
                Pen::Soft,
                Anchor::Middle,
            );
        }
        canvas.line(
            &[(self.left, self.bottom), (self.right, self.bottom)],
            Pen::Soft.line(1.0),
        );
        let middle = (self.left + self.right) / 2.0;
        canvas.text(
            x.name,
            (middle, self.bottom + 38.0),
            TEXT,
            Pen::Ink,
            Anchor::Middle,
        );
        let middle = (self.top + self.bottom) / 2.0;
        let left = self.left - 20.0 - self.widest(y);
        canvas.upward_text(y.name, (left, middle), TEXT, Pen::Ink);
    }

    fn widest(&self, y: &Ticks<'_>) -> f64 {
        let widths = self.y.ticks(y.most).into_iter();
        widths
            .map(|tick| crate::render::svg::width(&(y.format)(tick), TEXT))
            .fold(0.0, f64::max)
    }
}

/// An upright bar for an interval, without caps: they only make ink.
pub fn interval(canvas: &mut Canvas, x: f64, low: f64, high: f64, pen: Pen) {
    canvas.line(&[(x, low), (x, high)], pen.line(1.4));
}

/// A measured point.
pub fn marker(canvas: &mut Canvas, (x, y): Place, look: Look) {
    const R: f64 = 3.8;
    let pen = look.pen;
    let polygon = |canvas: &mut Canvas, points: &[Place]| {
        let path: Vec<Place> = points.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
        canvas.polygon(&path, pen);
    };
    let strokes = |canvas: &mut Canvas, ends: &[Place]| {
        for (dx, dy) in ends {
            canvas.line(&[(x - dx, y - dy), (x + dx, y + dy)], pen.line(1.8));
        }
    };
    match look.marker {
        Marker::Circle => canvas.dot((x, y), R, pen),
        Marker::Ring => canvas.ring((x, y), R, pen.line(1.6)),
        Marker::Square => polygon(
            canvas,
            &[(-3.3, -3.3), (3.3, -3.3), (3.3, 3.3), (-3.3, 3.3)],
        ),
        Marker::Triangle => polygon(canvas, &[(0.0, -4.5), (4.2, 3.3), (-4.2, 3.3)]),
        Marker::Diamond => polygon(canvas, &[(0.0, -4.8), (4.2, 0.0), (0.0, 4.8), (-4.2, 0.0)]),
        Marker::Plus => strokes(canvas, &[(4.2, 0.0), (0.0, 4.2)]),
        Marker::Cross => strokes(canvas, &[(3.3, 3.3), (3.3, -3.3)]),
        Marker::Star => strokes(canvas, &[(0.0, 4.5), (3.9, 2.2), (3.9, -2.2)]),
    }
}

/// A label at the end of a line.
pub struct EndLabel {
    pub y: f64,
    pub words: String,
    pub pen: Pen,
}

/// Writes labels right of `x`, each as near to its line's end as the others
/// let it, within `y`.
pub fn end_labels(canvas: &mut Canvas, x: f64, y: Range<f64>, mut labels: Vec<EndLabel>) {
    labels.sort_by(|a, b| a.y.total_cmp(&b.y).then_with(|| a.words.cmp(&b.words)));
    let mut least = y.start;
    for label in &mut labels {
        label.y = label.y.max(least);
        least = label.y + LABEL_STEP;
    }
    let mut most = y.end;
    for label in labels.iter_mut().rev() {
        label.y = label.y.min(most);
        most = label.y - LABEL_STEP;
    }
    for label in labels {
        canvas.text(&label.words, (x, label.y), TEXT, label.pen, Anchor::Start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_distance() {
        let mut canvas = Canvas::default();
        let label = |y: f64| EndLabel {
            y,
            words: format!("at {y}"),
            pen: Pen::Ink,
        };
        end_labels(
            &mut canvas,
            0.0,
            0.0..100.0,
            vec![label(95.0), label(99.0), label(97.0)],
        );
        let text = format!("{canvas:?}");
        for y in ["y=\\\"100.00", "y=\\\"82.50", "y=\\\"65.00"] {
            assert!(text.contains(y), "{y} in {text}");
        }
    }

    #[test]
    fn scales_map_and_clamp() {
        let axes = Axes {
            x: Scale::linear(0.0..10.0),
            y: Scale::log(1e-4..1.0),
            left: 100.0,
            top: 0.0,
            right: 200.0,
            bottom: 80.0,
        };
        let (x, y) = axes.at(5.0, 1e-2);
        assert!(
            (x - 150.0).abs() < 0.02 && (y - 40.0).abs() < 0.02,
            "{x} {y}"
        );
        assert_eq!(axes.at(20.0, 0.0), (200.0, 80.0));
        assert_eq!(axes.y.ticks(8).len(), 5);
    }
}
