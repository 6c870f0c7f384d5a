//! How far below a threshold p-values lie: a row a subject, on a logarithmic
//! axis.

use crate::{
    number,
    palette::Pen,
    plot::{Axis, Item, Panel, Shape, Side},
};

/// Powers of ten that the axis reaches down to; what lies below is drawn at
/// its end.
pub const DECADES: f64 = 30.0;
const ROW: f64 = 34.0;
/// Left of the rows, above, right and below, in pixels.
const ROOM: [f64; 4] = [220.0, 30.0, 60.0, 70.0];

/// A p-value with what it says to whoever points at it.
pub struct Spot {
    pub p: f64,
    /// It lies where it must.
    pub kept: bool,
    pub words: String,
}

/// A subject and its p-values.
pub struct SubjectLine<'a> {
    pub name: &'a str,
    pub spots: Vec<Spot>,
}

/// Rows of p-values of this name, and the threshold.
pub fn panel(axis: &str, threshold: f64, all: &[SubjectLine<'_>]) -> Panel {
    // Powers, not values: of so small values ticks would be left out.
    let x = Axis::new(axis, -DECADES..0.0, 7, 52.0, decade);
    let mut panel = Panel::rows(all.len() as f64, ROW, ROOM, x);
    let limit = threshold.log10();
    panel.upright(limit, Pen::Bad, 1.4);
    let words = format!("flagged below {}", number::significant(threshold, 2));
    let words = Item::note((limit, 0.0), words, Pen::Bad, Side::Center);
    panel.add(words.shifted(0.0, -13.0));
    for (place, row) in all.iter().enumerate() {
        let y = place as f64 + 0.5;
        let name = Item::text((-DECADES, y), row.name, Pen::Ink, Side::Right);
        panel.add(name.shifted(-14.0, 0.0));
        for spot in &row.spots {
            let pen = if spot.kept { Pen::Ink } else { Pen::Bad };
            let ring = Item::new(Shape::Ring(4.2), [(spot.p.log10(), y)], pen);
            panel.add(ring.saying(&spot.words));
        }
    }
    panel
}

fn decade(power: f64) -> String {
    match power.round() {
        0.0 => "1".to_owned(),
        power if power == -DECADES => format!("≤ 1e{power}"),
        power => format!("1e{power}"),
    }
}
