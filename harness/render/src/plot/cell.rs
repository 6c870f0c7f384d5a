//! Where the axes of a panel lie on the figure, on a wide page and on a phone.

use super::Pair;

/// The width of the page that a figure is drawn for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    Full,
    /// Of a phone: there text is as large, and less of the axes.
    Narrow,
}

/// Pixels that a phone shows side by side.
const NARROW: f64 = 420.0;
/// The narrowest axes of a panel that has the width to itself, in pixels.
const LEAST: f64 = 170.0;
/// A figure wider than that is not for a phone: text would be too small to read.
const WIDEST: f64 = 560.0;

/// A cell of a grid of equal cells, in pixels.
#[derive(Clone, Copy, Debug)]
pub struct GridCell {
    pub at: usize,
    pub columns: usize,
    pub size: Pair,
    /// Left, above, right and below the axes.
    pub room: [f64; 4],
    /// How much farther down it lies.
    pub lower: f64,
}

impl GridCell {
    /// Whether it has a place on a phone.
    pub fn can_be_narrow(&self) -> bool {
        self.narrow().0 <= WIDEST
    }

    /// The width of the grid and its columns on a phone.
    fn narrow(&self) -> (f64, usize) {
        let [left, _, right, _] = self.room;
        match self.columns {
            1 | 2 => (NARROW.max(left + right + LEAST), 1),
            _ => (NARROW, 2),
        }
    }

    /// How far the figure reaches for it to the right and down; left, top, right and
    /// bottom of the axes.
    pub fn laid(&self, width: Width) -> (Pair, [f64; 4]) {
        let (full, columns) = match width {
            Width::Full => (self.size.0 * self.columns as f64, self.columns),
            Width::Narrow => self.narrow(),
        };
        let (across, height) = (full / columns as f64, self.size.1);
        let [left, top, right, bottom] = self.room;
        let from = across * (self.at % columns) as f64;
        let above = height * (self.at / columns) as f64 + self.lower;
        let (end, foot) = (from + across, above + height);
        let place = [from + left, above + top, end - right, foot - bottom];
        ((full, foot), place)
    }

    /// The share of the axes' full length that they have across.
    pub fn share(&self, width: Width) -> f64 {
        let length = |width| {
            let (_, [left, _, right, _]) = self.laid(width);
            right - left
        };
        (length(width) / length(Width::Full)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(columns: usize, at: usize, width: f64, room: [f64; 4]) -> GridCell {
        GridCell {
            at,
            columns,
            size: (width, 100.0),
            room,
            lower: 0.0,
        }
    }

    #[test]
    fn small_panels_come_in_twos_on_a_phone() {
        let cell = cell(4, 3, 240.0, [40.0, 10.0, 20.0, 30.0]);
        assert_eq!(
            cell.laid(Width::Full),
            ((960.0, 100.0), [760.0, 10.0, 940.0, 70.0])
        );
        assert_eq!(
            cell.laid(Width::Narrow),
            ((420.0, 200.0), [250.0, 110.0, 400.0, 170.0])
        );
        assert!((cell.share(Width::Narrow) - 150.0 / 180.0).abs() < 1e-12);
    }

    #[test]
    fn a_wide_panel_keeps_its_labels_or_is_not_for_a_phone() {
        let wide = cell(1, 0, 960.0, [100.0, 0.0, 150.0, 0.0]);
        assert_eq!(wide.laid(Width::Narrow).0.0, 420.0);
        assert!(wide.can_be_narrow());
        assert!(!cell(1, 0, 960.0, [200.0, 0.0, 300.0, 0.0]).can_be_narrow());
    }
}
