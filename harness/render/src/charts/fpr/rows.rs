//! Ratios to theory, a row each: marks with intervals, what was made of it at
//! the right.

use std::ops::Range;

use crate::{
    palette::{Look, Marker, Pen},
    plot::{Axis, Item, Panel, Shape, Side, digits},
};

const ROW: f64 = 20.0;
const HEADING: f64 = 30.0;
/// Left of the rows, above, right and below, in pixels.
const ROOM: [f64; 4] = [260.0, 10.0, 150.0, 62.0];
/// Two marks of a row lie so far above and below its middle.
const APART: f64 = 4.0;
/// What lies beyond these is drawn at the end.
const ENDS: Range<f64> = 0.0..4.0;

/// A measured ratio, with its interval.
pub struct Spot {
    pub at: f64,
    pub ends: [f64; 2],
    pub marker: Marker,
    pub words: String,
}

/// A filter on a data set.
pub struct FilterLine {
    pub name: String,
    pub look: Look,
    pub spots: Vec<Spot>,
    /// From here on it fails.
    pub limit: Option<f64>,
    pub told: String,
    pub is_bad: bool,
}

/// Rows under a heading.
pub type Section = (String, Vec<FilterLine>);

/// How far the axis reaches: so far as usual, and farther if a mark does.
fn range(sections: &[Section], usual: Range<f64>) -> Range<f64> {
    let rows = sections.iter().flat_map(|(_, rows)| rows);
    let spots = rows.flat_map(|row| {
        let ends = row.spots.iter().flat_map(|spot| spot.ends);
        ends.chain(row.limit)
    });
    let range = spots.fold(usual, |range, at| {
        range.start.min(at - 0.02)..range.end.max(at + 0.05)
    });
    range.start.max(ENDS.start)..range.end.min(ENDS.end)
}

/// Ratios to the right, pixels down; a band around 1 of this half-width is shaded.
pub fn panel(sections: &[Section], axis: &str, usual: Range<f64>, band: Option<f64>) -> Panel {
    let heights = sections
        .iter()
        .map(|(_, rows)| HEADING + ROW * rows.len() as f64);
    let height = heights.sum();
    let x = Axis::new(axis, range(sections, usual), 8, 50.0, digits);
    let mut panel = Panel::rows(height, 1.0, ROOM, x);
    if let Some(band) = band {
        let corners = [(1.0 - band, 0.0), (1.0 + band, height)];
        panel.under.push(Item::new(Shape::Rect, corners, Pen::Band));
    }
    panel.upright(1.0, Pen::Ink, 1.0);
    let mut y = 0.0;
    for (heading, rows) in sections {
        let head = (panel.x.range.start, y + HEADING / 2.0 + 3.0);
        let heading = Item::text(head, heading, Pen::Ink, Side::Left);
        panel.add(heading.shifted(12.0 - ROOM[0], 0.0));
        y += HEADING;
        for row in rows {
            add_row(&mut panel, row, y + ROW / 2.0);
            y += ROW;
        }
    }
    panel
}

fn add_row(panel: &mut Panel, row: &FilterLine, middle: f64) {
    let Range { start, end } = panel.x.range;
    panel.row_name((start, middle), &row.name, row.look);
    panel.row_note((end, middle), &row.told, row.is_bad, 10.0);
    if let Some(limit) = row.limit {
        let line = [(limit, middle - 0.4 * ROW), (limit, middle + 0.4 * ROW)];
        panel.add(Item::line(line, Pen::Bad, 1.8));
    }
    let shift = APART * (row.spots.len() as f64 - 1.0);
    for (place, spot) in (0..).zip(&row.spots) {
        let y = middle - shift + 2.0 * APART * f64::from(place);
        let at = |x: f64| (x.clamp(start, end), y);
        panel.add(Item::line(spot.ends.map(at), row.look.pen, 1.4));
        let (pen, mark) = (row.look.pen, Shape::Mark(spot.marker));
        panel.add(Item::new(mark, [at(spot.at)], pen).saying(&spot.words));
    }
}
