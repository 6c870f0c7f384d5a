//! The battery in one chart: the smallest p-value of every cell, beside the threshold.

use super::{Judgement, Tested};
use crate::{
    document::{Figure, Table},
    groups::grouped,
    number,
    palette::Paint,
    plot::{self, Axis, Item, Panel, Shape, Side},
};
use bouquet_ground::Outcome;

/// Powers of ten that the axis reaches down to; what lies below is drawn at its end.
const DECADES: f64 = 30.0;
const ROW: f64 = 22.0;
/// Left of the rows, above, right and below, in pixels.
const ROOM: [f64; 4] = [220.0, 30.0, 60.0, 70.0];

pub fn figure(judgement: &Judgement) -> Option<Figure> {
    let subjects = grouped(judgement.tested(), |cell| &*cell.first.subject);
    if subjects.is_empty() {
        return None;
    }
    let threshold = number::significant(judgement.threshold, 2);
    let reading = format!(
        "Each point is one scheme on one key set at one m. Of a scheme that must pass it is the \
         smallest p-value of all tests, and a point left of the line at {threshold} is a finding. \
         Of one with a known fault it is, among the tests that must find it, the p-value nearest \
         to missing it: it must lie left of the line, or the run is invalid. Points below \
         1e-{DECADES} are drawn at the left end."
    );
    let figure = plot::figure(
        &[panel(&subjects, judgement.threshold)],
        "p-values",
        "Smallest p-value of each scheme",
        reading,
        table(&subjects),
        "records/tests.csv",
    );
    Some(figure)
}

type Subjects<'a> = [(&'a str, Vec<&'a Tested>)];

fn panel(subjects: &Subjects<'_>, threshold: f64) -> Panel {
    // Powers, not values: of so small values ticks would be left out.
    let x = Axis::new("p-value", -DECADES..0.0, 7, 52.0, decade);
    let mut panel = Panel::rows(subjects.len() as f64, ROW, ROOM, x);
    let limit = threshold.log10();
    panel.upright(limit, Paint::Bad, 1.4);
    let words = format!("flagged below {}", number::significant(threshold, 2));
    let words = Item::note((limit, 0.0), words, Paint::Bad, Side::Center);
    panel.add(words.shifted(0.0, -13.0));
    for (place, (name, cells)) in subjects.iter().enumerate() {
        let y = place as f64 + 0.5;
        let name = Item::text((-DECADES, y), *name, Paint::Ink, Side::Right);
        panel.add(name.shifted(-14.0, 0.0));
        for cell in cells {
            let is_kept = cell.outcome == Outcome::Pass;
            let paint = if is_kept { Paint::Ink } else { Paint::Bad };
            let ring = Item::new(Shape::Ring(4.2), [(cell.nearest_miss.log10(), y)], paint);
            panel.add(ring.saying(words_of(cell)));
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

fn words_of(cell: &Tested) -> String {
    let first = &cell.first;
    format!(
        "{} on {} keys of {}\nm {}\np {}, {}",
        first.subject,
        number::count(first.keys),
        first.key_set,
        number::count(first.slots),
        number::p_value(cell.nearest_miss),
        cell.observed
    )
}

fn table(subjects: &Subjects<'_>) -> Table {
    let cells = subjects.iter().flat_map(|(_, cells)| cells);
    Table::of(cells)
        .column("Scheme", |cell| &cell.first.subject)
        .column("Data set", |cell| &cell.first.key_set)
        .column("#m", |cell| cell.first.slots)
        .column("#Keys", |cell| cell.first.keys)
        .column("#Replicate", |cell| cell.first.replicate)
        .column("Expected", |cell| &cell.expected)
        .column("Observed", |cell| &cell.observed)
        .column("#p", |cell| number::p_value(cell.nearest_miss))
        .column("Verdict", |cell| cell.outcome)
        .table()
}
