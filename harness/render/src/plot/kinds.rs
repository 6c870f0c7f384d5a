//! The kinds of panels that figures are made of: one over the whole width, one of
//! four in a row, and rows with names left of them.

use super::{Axis, Item, Pair, Panel, Side};
use crate::palette::{Paint, Style};

/// How wide a figure is, in pixels.
const WIDTH: f64 = 960.0;
/// Small panels stand side by side.
const COLUMNS: usize = 4;

impl Panel {
    /// Over the whole width, with this room left, above, right and below.
    pub fn wide(height: f64, room: [f64; 4], axes: (Axis, Axis)) -> Self {
        Self::new((0, 1), (WIDTH, height), room, axes)
    }

    /// The so manieth of small ones.
    pub fn small(at: usize, height: f64, room: [f64; 4], axes: (Axis, Axis)) -> Self {
        let size = (WIDTH / COLUMNS as f64, height);
        Self::new((at, COLUMNS), size, room, axes)
    }

    /// Rows from the top down, each of so many pixels.
    pub fn rows(rows: f64, pixels: f64, room: [f64; 4], x: Axis) -> Self {
        let down = Axis::new("", rows..0.0, 0, 0.0, |_| String::new());
        Self::wide(room[1] + pixels * rows + room[3], room, (x, down))
    }

    /// The name of a filter and its mark, left of its row.
    pub fn row_name(&mut self, start: Pair, name: &str, style: Style) {
        self.add(Item::note(start, name, style.paint, Side::Right).shifted(-26.0, 0.0));
        self.add(Item::mark(start, style).shifted(-13.0, 0.0));
    }

    /// A note right of a row.
    pub fn row_note(&mut self, end: Pair, words: &str, is_bad: bool, beside: f64) {
        let note = Item::note(end, words, note_paint(is_bad), Side::Left);
        self.add(note.shifted(beside, 0.0));
    }
}

/// Of a note: red if it tells of a fault.
fn note_paint(is_bad: bool) -> Paint {
    if is_bad { Paint::Bad } else { Paint::Soft }
}
