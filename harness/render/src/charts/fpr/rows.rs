//! Ratios to theory, a row each: marks with intervals, what was made of it at
//! the right.

use std::ops::Range;

use crate::{
    palette::{Look, Marker, Pen},
    plot::{Axis, Item, Panel, Shape, Side, digits},
};

const WIDTH: f64 = 960.0;
const ROW: f64 = 20.0;
const HEADING: f64 = 30.0;
/// Room around the rows, in pixels.
const LEFT: f64 = 260.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 10.0;
const FOOT: f64 = 62.0;
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
pub struct Section {
    pub heading: String,
    pub rows: Vec<FilterLine>,
}

/// What is drawn.
pub struct Rows {
    pub sections: Vec<Section>,
    pub axis: &'static str,
    /// Shaded, as a share around 1.
    pub band: Option<f64>,
    /// The axis reaches so far, and farther if a mark does.
    pub usual: Range<f64>,
}

impl Rows {
    fn height(&self) -> f64 {
        let sections = self.sections.iter();
        sections.map(|s| HEADING + ROW * s.rows.len() as f64).sum()
    }

    fn range(&self) -> Range<f64> {
        let rows = self.sections.iter().flat_map(|section| &section.rows);
        let spots = rows.flat_map(|row| {
            let ends = row.spots.iter().flat_map(|spot| spot.ends);
            ends.chain(row.limit)
        });
        let range = spots.fold(self.usual.clone(), |range, at| {
            range.start.min(at - 0.02)..range.end.max(at + 0.05)
        });
        range.start.max(ENDS.start)..range.end.min(ENDS.end)
    }
}

/// Ratios to the right, pixels down.
pub fn panel(rows: &Rows) -> Panel {
    let height = rows.height();
    let size = (WIDTH, TOP + height + FOOT);
    let x = Axis::new(rows.axis, rows.range(), 8, 50.0, digits);
    let margins = [LEFT, TOP, RIGHT, FOOT];
    let mut panel = Panel::new((0, 1), size, margins, (x, Axis::down(height)));
    if let Some(band) = rows.band {
        let corners = [(1.0 - band, 0.0), (1.0 + band, height)];
        panel.under.push(Item::new(Shape::Rect, corners, Pen::Band));
    }
    panel.upright(1.0, Pen::Ink, 1.0);
    let mut y = 0.0;
    for section in &rows.sections {
        let head = (panel.x.range.start, y + HEADING / 2.0 + 3.0);
        let heading = Item::text(head, &section.heading, Pen::Ink, Side::Left);
        panel.add(heading.shifted(12.0 - LEFT, 0.0));
        y += HEADING;
        for row in &section.rows {
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
