//! Where locations lie, a panel a filter and a scheme: for the curious, no
//! verdict rests on it.

use crate::{
    document::{Figure, Table},
    levels::CONFIDENCE,
    number,
    palette::{Paint, Stroke, style},
    plot::{self, Axis, Item, Shape, Side},
};
use bouquet_ground::record::{HistogramRow, Records};
use bouquet_stats::{bin_deviation, z_two_sided};

/// Of a panel, in pixels.
const HEIGHT: f64 = 178.0;
/// With fewer locations a range there is nothing to be seen.
const LEAST: u64 = 20;
/// In fewer slots a range, one slot more or less is seen.
const LEAST_SLOTS: u128 = 16;
/// Standard deviations that the axes reach up and down; what lies beyond is drawn at their end.
const MOST: f64 = 6.0;

/// The locations of one subject on one data set.
struct Panel<'a> {
    row: &'a HistogramRow,
    paint: Paint,
    /// Of each range its count over the expected one, and how many standard deviations it is off.
    ranges: Vec<(f64, f64)>,
}

impl<'a> Panel<'a> {
    fn new(records: &Records, row: &'a HistogramRow) -> Option<Self> {
        let counts = row.counts();
        let (ranges, slots) = (counts.len() as u128, u128::from(row.slots));
        let all: u64 = counts.iter().sum();
        if all < LEAST * ranges as u64 || ranges < 2 || slots < LEAST_SLOTS * ranges {
            return None;
        }
        let is_filter = |row: &HistogramRow| {
            let subject = records.subject(&row.subject);
            subject.is_some_and(|s| s.kind == "filter")
        };
        let mean = all as f64 / ranges as f64;
        let deviation = bin_deviation(row.keys, row.probes, ranges as u64, row.pairs_together);
        let due: Vec<f64> = row.due().iter().map(|share| all as f64 * share).collect();
        // Else shares have no end.
        if deviation <= 0.0 || due.iter().any(|due| *due < 1.0) {
            return None;
        }
        // What varies as a count does, varies with the root of what is due.
        let range = |(n, due): (&u64, f64)| {
            let n = *n as f64;
            (n / due, (n - due) / (deviation * (due / mean).sqrt()))
        };
        Some(Self {
            row,
            paint: match is_filter(row) {
                true => style(&row.subject).paint,
                false => Paint::Ink,
            },
            ranges: counts.iter().zip(due).map(range).collect(),
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
    let rows = records.histograms.iter();
    let all: Vec<Panel<'_>> = rows.filter_map(|row| Panel::new(records, row)).collect();
    // Where most keys were located least is left to chance.
    let HistogramRow { dataset, keys, .. } = all.iter().rev().max_by_key(|one| one.row.keys)?.row;
    let panels = all.iter().filter(|p| p.row.dataset == *dataset);
    let drawn: Vec<_> = (0..)
        .zip(panels)
        .map(|(at, panel)| draw(at, panel))
        .collect();
    let reading = format!(
        "For the curious: how far the locations of {} keys of {dataset} in each range of slots, all \
         probes together, are above or below the expected count, in standard deviations. The \
         shaded range holds {} % of the bars if keys fall by chance; beyond {MOST} a bar ends with \
         the axis. No verdict rests on this: bars show the crudest faults only, the tests above \
         look at one probe at a time.",
        number::count(*keys),
        number::significant(CONFIDENCE * 100.0, 2)
    );
    let (title, source) = (
        "Locations in equal ranges of slots",
        "records/histogram.csv",
    );
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
    let (subject, paint) = (&panel.row.subject, panel.paint);
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
    Table::of(panels)
        .column("Filter or scheme", |panel| &panel.row.subject)
        .column("Data set", |panel| &panel.row.dataset)
        .column("#Slots", |panel| panel.row.slots)
        .column("#Keys", |panel| panel.row.keys)
        .column("#Locations", |panel| panel.row.counts().iter().sum::<u64>())
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
