//! Where locations lie, a panel a filter and a scheme: for the curious, no
//! verdict rests on it.

use crate::{
    document::{Figure, Table},
    levels::CONFIDENCE,
    number,
    palette::{Paint, Stroke, style},
    plot::{self, Axis, Item, Shape, Side},
};
use bouquet_ground::record::{Records, TestRow};
use bouquet_stats::z_two_sided;

/// Of a panel, in pixels.
const HEIGHT: f64 = 178.0;
/// Standard deviations that the axes reach up and down; what lies beyond is drawn at their end.
const MOST: f64 = 6.0;

/// The locations of one subject on one key set.
struct Panel<'a> {
    rows: &'a [TestRow],
    paint: Paint,
    /// Of each range its count over the expected one, and how many standard deviations it is off.
    ranges: Vec<(f64, f64)>,
}

impl<'a> Panel<'a> {
    fn new(records: &Records, rows: &'a [TestRow]) -> Option<Self> {
        let name = &rows[0].subject;
        let is_filter = records.subject(name).is_some_and(|s| s.kind == "filter");
        let range = |row: &TestRow| {
            let [mean, variance] = [row.mean?, row.variance?];
            let (share, off) = (row.statistic / mean, row.statistic - mean);
            (mean > 0.0 && variance > 0.0).then(|| (share, off / variance.sqrt()))
        };
        Some(Self {
            rows,
            paint: match is_filter {
                true => style(name).paint,
                false => Paint::Ink,
            },
            ranges: rows.iter().map(range).collect::<Option<_>>()?,
        })
    }

    fn fold(&self, from: f64, with: fn(f64, f64) -> f64) -> f64 {
        self.ranges.iter().map(|(share, _)| *share).fold(from, with)
    }

    /// How many standard deviations the farthest range lies off.
    fn worst(&self) -> f64 {
        self.ranges.iter().map(|(_, z)| z.abs()).fold(0.0, f64::max)
    }
}

/// The chart; `None` without a histogram.
pub fn figure(records: &Records) -> Option<Figure> {
    let all = records.histograms.chunk_by(TestRow::is_beside);
    let all: Vec<_> = all.filter_map(|rows| Panel::new(records, rows)).collect();
    // Where most keys were located least is left to chance.
    let most = all.iter().rev().max_by_key(|panel| panel.rows[0].keys)?;
    let TestRow { key_set, keys, .. } = &most.rows[0];
    let panels = all.iter().filter(|panel| panel.rows[0].key_set == *key_set);
    let drawn: Vec<_> = (0..)
        .zip(panels)
        .map(|(at, panel)| draw(at, panel))
        .collect();
    let reading = format!(
        "For the curious: how far the locations of {} keys of {key_set} in each range of slots, all \
         probes together, are above or below the expected count, in standard deviations. The \
         shaded range holds {} % of the bars if keys fall by chance; beyond {MOST} a bar ends with \
         the axis. No verdict rests on this: bars show the crudest faults only, the tests above \
         look at one probe at a time.",
        number::count(*keys),
        number::significant(CONFIDENCE * 100.0, 2)
    );
    let (title, source) = ("Locations in equal ranges of slots", "records/tests.csv");
    Some(plot::figure(
        &drawn,
        "locations",
        title,
        reading,
        table(&all),
        source,
    ))
}

fn draw(at: usize, panel: &Panel<'_>) -> plot::Panel {
    let across = Axis::new("place among the slots", 0.0..1.0, 3, 40.0, plot::digits);
    let up = Axis::new("", -MOST..MOST, 7, 56.0, |v| number::decimal(v, 0));
    let axes = (across.small(), up.small());
    let mut drawn = plot::Panel::small(at, HEIGHT, [60.0, 28.0, 12.0, 46.0], axes);
    let (subject, paint) = (&panel.rows[0].subject, panel.paint);
    let heading = Item::text(drawn.corner(), subject, paint, Side::Left).shifted(-2.0, -13.0);
    let band = z_two_sided(CONFIDENCE);
    let band = [(0.0, -band), (1.0, band)];
    drawn.under = vec![heading, Item::new(Shape::Rect, band, Paint::Band)];
    drawn.level(0.0, (Paint::Soft, Stroke::Solid), 1.0);
    let width = 1.0 / panel.ranges.len() as f64;
    for (range, (share, z)) in (0..).zip(&panel.ranges) {
        let left = f64::from(range) * width;
        // Exactly what is due would be a bar without height, which no pointer finds.
        let top = if z.abs() < 0.03 { 0.03 } else { *z };
        let corners = [(left + 0.1 * width, 0.0), (left + 0.9 * width, top)];
        let share = number::percent(*share, 4);
        let says = format!("range {}: {share} of the expected count", range + 1);
        drawn.add(Item::new(Shape::Rect, corners, paint).saying(says));
    }
    drawn
}

fn table(panels: &[Panel<'_>]) -> Table {
    let locations = |rows: &[TestRow]| rows.iter().map(|row| row.statistic).sum::<f64>() as u64;
    Table::of(panels)
        .column("Filter or scheme", |panel| &panel.rows[0].subject)
        .column("Data set", |panel| &panel.rows[0].key_set)
        .column("#Slots", |panel| panel.rows[0].slots)
        .column("#Keys", |panel| panel.rows[0].keys)
        .column("#Locations", |panel| locations(panel.rows))
        .column("#Emptiest range, of expected", |panel| {
            number::percent(panel.fold(f64::MAX, f64::min), 4)
        })
        .column("#Fullest", |panel| {
            number::percent(panel.fold(0.0, f64::max), 4)
        })
        .column("#Farthest, standard deviations", |panel| {
            number::decimal(panel.worst(), 1)
        })
        .table()
}

#[cfg(test)]
mod tests;
