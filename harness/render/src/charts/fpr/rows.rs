//! Ratios to theory, a row each: marks with intervals, what was made of it at
//! the right.

use std::ops::Range;

use anyhow::Result;
use plotters::{
    chart::ChartBuilder,
    coord::types::RangedCoordf64,
    element::{PathElement, Rectangle},
    style::{Color, text_anchor::HPos},
};

use crate::{
    charts::{
        frame::{self, Chart, NOTE, TEXT, Ticks},
        marks::{Line, Mark, tell},
    },
    number,
    palette::{Look, Marker, Pen, Stroke},
    svg::{self, Area, Drawn, px},
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
pub struct Row {
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
    pub rows: Vec<Row>,
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

/// Ratios to the right, pixels down.
type Places<'a> = Chart<'a, RangedCoordf64, RangedCoordf64>;

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

/// The whole picture.
pub fn picture(name: &str, title: &str, reading: &str, rows: &Rows) -> Result<String> {
    let size = (WIDTH, TOP + rows.height() + FOOT);
    let description = format!("{title}. {reading}");
    svg::picture(name, title, &description, size, |area| draw(area, rows))
}

fn draw(area: &Area, rows: &Rows) -> Drawn {
    let height = rows.height();
    let mut chart = ChartBuilder::on(area)
        .margin_top(px(TOP))
        .margin_right(px(RIGHT))
        .margin_bottom(px(FOOT - 50.0))
        .margin_left(px(LEFT))
        .x_label_area_size(px(50.0))
        .build_cartesian_2d(rows.range(), height..0.0)?;
    if let Some(band) = rows.band {
        let corners = [(1.0 - band, 0.0), (1.0 + band, height)];
        chart.draw_series([Rectangle::new(corners, Pen::Band.filled())])?;
    }
    let ticks = Ticks {
        name: rows.axis,
        most: 8,
        size: TEXT,
        format: &|v| number::significant(*v, 3),
    };
    frame::mesh(&mut chart, &ticks, None)?;
    let theory = [(1.0, 0.0), (1.0, height)];
    chart.draw_series([PathElement::new(theory, Pen::Ink.line(1.0))])?;
    let mut y = 0.0;
    for section in &rows.sections {
        let (_, head) = chart.backend_coord(&(1.0, y + HEADING / 2.0 + 3.0));
        let style = frame::words(TEXT, Pen::Ink, HPos::Left);
        area.draw_text(&section.heading, &style, (px(12.0), head))?;
        y += HEADING;
        for row in &section.rows {
            draw_row(area, &mut chart, row, y + ROW / 2.0)?;
            y += ROW;
        }
    }
    Ok(())
}

fn draw_row(area: &Area, chart: &mut Places<'_>, row: &Row, middle: f64) -> Drawn {
    let range = chart.x_range();
    let (start, y) = chart.backend_coord(&(range.start, middle));
    let (end, _) = chart.backend_coord(&(range.end, middle));
    let style = frame::words(NOTE, row.look.pen, HPos::Right);
    area.draw_text(&row.name, &style, (start - px(26.0), y))?;
    area.draw(&Mark {
        at: (start - px(13.0), y),
        aside: 0.0,
        look: row.look,
    })?;
    let pen = if row.is_bad { Pen::Bad } else { Pen::Soft };
    let style = frame::words(NOTE, pen, HPos::Left);
    area.draw_text(&row.told, &style, (end + px(10.0), y))?;
    if let Some(limit) = row.limit {
        let line = [(limit, middle - 0.4 * ROW), (limit, middle + 0.4 * ROW)];
        chart.draw_series([PathElement::new(line, Pen::Bad.line(1.8))])?;
    }
    let shift = APART * (row.spots.len() as f64 - 1.0);
    for (place, spot) in (0..).zip(&row.spots) {
        let y = middle - shift + 2.0 * APART * f64::from(place);
        draw_spot(chart, row, spot, y)?;
    }
    Ok(())
}

fn draw_spot(chart: &mut Places<'_>, row: &Row, spot: &Spot, y: f64) -> Drawn {
    let range = chart.x_range();
    let inside = |x: f64| x.clamp(range.start, range.end);
    chart.draw_series([Line {
        path: spot.ends.map(|end| (inside(end), y)).into(),
        stroke: Stroke::Solid,
        style: row.look.pen.line(1.4),
    }])?;
    let mark = Mark {
        at: (inside(spot.at), y),
        aside: 0.0,
        look: Look {
            marker: spot.marker,
            ..row.look
        },
    };
    tell(chart, [(mark, spot.words.clone())])
}
