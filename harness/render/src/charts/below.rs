//! How far below a threshold p-values lie: a row a subject, on a logarithmic
//! axis.

use plotters::{
    chart::ChartBuilder,
    element::{Circle, PathElement},
    style::text_anchor::HPos,
};

use super::{
    frame::{self, NOTE, TEXT, Ticks},
    marks::tell,
};
use crate::{
    number,
    palette::Pen,
    svg::{Area, Drawn, px},
};

/// Powers of ten that the axis reaches down to; what lies below is drawn at
/// its end.
pub const DECADES: f64 = 30.0;
const WIDTH: f64 = 960.0;
const ROW: f64 = 34.0;
/// Room around the rows, in pixels.
const LEFT: f64 = 220.0;
const RIGHT: f64 = 60.0;
const TOP: f64 = 30.0;
const FOOT: f64 = 70.0;

/// A p-value with what it says to whoever points at it.
pub struct Spot {
    pub p: f64,
    /// It lies where it must.
    pub kept: bool,
    pub words: String,
}

/// A subject and its p-values.
pub struct Row<'a> {
    pub name: &'a str,
    pub spots: Vec<Spot>,
}

/// What is drawn.
pub struct Below<'a> {
    pub rows: Vec<Row<'a>>,
    /// Which p-value it is.
    pub axis: &'a str,
    pub threshold: f64,
}

/// Width and height in pixels.
pub fn size(below: &Below<'_>) -> (f64, f64) {
    (WIDTH, TOP + ROW * below.rows.len() as f64 + FOOT)
}

/// Draws the rows and the threshold.
pub fn draw(area: &Area, below: &Below<'_>) -> Drawn {
    let rows = below.rows.len() as f64;
    // Powers, not values: plotters leaves out ticks of so small values.
    let mut chart = ChartBuilder::on(area)
        .margin_top(px(TOP))
        .margin_right(px(RIGHT))
        .margin_bottom(px(FOOT - 52.0))
        .margin_left(px(LEFT))
        .x_label_area_size(px(52.0))
        .build_cartesian_2d(-DECADES..0.0, rows..0.0)?;
    let ticks = Ticks {
        name: below.axis,
        most: 7,
        size: TEXT,
        format: &decade,
    };
    frame::mesh(&mut chart, &ticks, None)?;
    let limit = [0.0, rows].map(|y| (below.threshold.log10(), y));
    chart.draw_series([PathElement::new(limit, Pen::Bad.line(1.4))])?;
    let (x, y) = chart.backend_coord(&limit[0]);
    let words = format!("flagged below {}", number::significant(below.threshold, 2));
    let style = frame::words(NOTE, Pen::Bad, HPos::Center);
    area.draw_text(&words, &style, (x, y - px(13.0)))?;
    for (place, row) in below.rows.iter().enumerate() {
        let y = place as f64 + 0.5;
        let (x, middle) = chart.backend_coord(&(-DECADES, y));
        let style = frame::words(TEXT, Pen::Ink, HPos::Right);
        area.draw_text(row.name, &style, (x - px(14.0), middle))?;
        let spots = row.spots.iter().map(|spot| {
            let pen = if spot.kept { Pen::Ink } else { Pen::Bad };
            let at = (spot.p.log10(), y);
            (Circle::new(at, px(4.2), pen.line(1.4)), spot.words.clone())
        });
        tell(&mut chart, spots)?;
    }
    Ok(())
}

fn decade(power: &f64) -> String {
    match power.round() {
        0.0 => "1".to_owned(),
        power if power == -DECADES => format!("≤ 1e{power}"),
        power => format!("1e{power}"),
    }
}
