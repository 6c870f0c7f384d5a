//! Charts of rows from top to bottom, with names on the left.

use super::{Axis, Datum, NOTE, Panel, Shape, Side, WIDTH};
use crate::palette::{Paint, Stroke, Style};

/// The height of a heading in rows, and of a row in pixels.
const HEADING: f64 = 1.6;
const PIXELS: f64 = 21.0;

/// A value in a row.
pub struct Mark {
    pub at: String,
    pub x: f64,
    pub ends: Option<[f64; 2]>,
    pub expected: Option<f64>,
    pub is_bad: bool,
}

pub struct Row {
    /// The filter or scheme.
    pub of: String,
    /// The name on the left of the row.
    pub name: String,
    pub style: Style,
    pub marks: Vec<Mark>,
    /// The text on the right of the row.
    pub note: String,
}

/// Rows under a heading, with a vertical line at a value and words above it.
pub struct Group {
    pub heading: String,
    pub line: (f64, String),
    pub rows: Vec<Row>,
}

impl Panel {
    /// A panel of rows with marks, or with bars that begin at 0.
    pub fn rows(x: Axis, are_bars: bool, groups: &[Group]) -> Self {
        let rows = |group: &Group| HEADING + group.rows.len() as f64;
        let all: f64 = groups.iter().map(rows).sum();
        let down = Axis::new("", all..0.0, 0);
        let room = [226.0, 10.0, 150.0, 62.0];
        let size = (WIDTH, all * PIXELS + room[1] + room[3]);
        let mut panel = Self::new((0.0, 0.0), size, room, (x, down));
        let mut y = 0.0;
        for group in groups {
            let (left, at) = (panel.x.range.start, &group.line);
            let from = (left, y + 0.6 * HEADING);
            panel.note(
                from,
                (12.0 - room[0], 0.0),
                &group.heading,
                Paint::Ink,
                Side::Left,
            );
            panel.note((at.0, from.1), (0.0, 0.0), &at.1, Paint::Soft, Side::Center);
            let path = [(at.0, y + HEADING), (at.0, y + rows(group))];
            y += HEADING;
            for row in &group.rows {
                panel.row(y + 0.5, row, are_bars);
                y += 1.0;
            }
            panel.line(&path, (Paint::Ink, Stroke::Solid), 1.4);
        }
        panel
    }

    fn row(&mut self, y: f64, row: &Row, are_bars: bool) {
        let (start, end, style) = ((self.x.range.start, y), (self.x.range.end, y), row.style);
        self.note(start, (-26.0, 0.0), &row.name, style.paint, Side::Right);
        if matches!(style.paint, Paint::Filter(_)) {
            self.add(Shape::Mark(style.marker), &[start], style.paint)
                .shift = (-13.0, 0.0);
        }
        let is_bad = row.marks.iter().any(|mark| mark.is_bad);
        let paint = if is_bad { Paint::Bad } else { Paint::Soft };
        let note = Shape::Text(row.note.clone(), NOTE, Side::Left);
        self.add(note, &[end], paint).shift = (10.0, 0.0);
        for mark in &row.marks {
            let datum = Datum {
                quantity: self.x.name.to_owned(),
                of: row.of.clone(),
                at: mark.at.clone(),
                value: mark.x,
                ends: mark.ends,
                expected: mark.expected,
                words: self.x.words,
            };
            let (says, is_plain) = (datum.says(), !matches!(style.paint, Paint::Filter(_)));
            self.data.push(datum);
            if let Some(ends) = mark.ends {
                let ends = ends.map(|x| (x, y));
                self.line(&ends, (style.paint, Stroke::Solid), 1.4);
            }
            let paint = match mark.is_bad && is_plain {
                true => Paint::Bad,
                false => style.paint,
            };
            let (shape, places) = match are_bars {
                true => (Shape::Rect, vec![(0.0, y - 0.38), (mark.x, y + 0.38)]),
                false => (Shape::Mark(style.marker), vec![(mark.x, y)]),
            };
            self.add(shape, &places, paint).says = says;
        }
    }
}
