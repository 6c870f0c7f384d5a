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

/// So many standard deviations are none of chance's in a few thousand ranges: such a panel has
/// a scale of its own.
const UNUSUAL: f64 = 5.0;

/// The locations of one subject on one data set.
struct Panel<'a> {
    row: &'a HistogramRow,
    paint: Paint,
    /// Of each range: its count over what it is due.
    shares: Vec<f64>,
    /// By chance, of such a share, on the mean.
    deviation: f64,
    /// How many standard deviations the farthest share lies off.
    worst: f64,
}

impl<'a> Panel<'a> {
    fn new(records: &Records, row: &'a HistogramRow) -> Option<Self> {
        let counts = row.counts();
        let (ranges, slots) = (counts.len() as u128, u128::from(row.slots));
        let all: u64 = counts.iter().sum();
        if all < LEAST * ranges as u64 || ranges < 2 || slots < LEAST_SLOTS * ranges {
            return None;
        }
        let filter = records
            .subject(&row.subject)
            .is_some_and(|s| s.kind == "filter");
        let mean = all as f64 / ranges as f64;
        let deviation = bin_deviation(row.keys, row.probes, ranges as u64, row.pairs_together);
        let due: Vec<f64> = row.due().iter().map(|share| all as f64 * share).collect();
        let each = || counts.iter().map(|n| *n as f64).zip(due.iter().copied());
        // Else shares have no end, and neither would the ticks of their axis.
        if deviation <= 0.0 || each().any(|(_, due)| due < 1.0) {
            return None;
        }
        // What varies as a count does, varies with the root of what is due.
        let far = each().map(|(n, due)| (n - due).abs() / (deviation * (due / mean).sqrt()));
        Some(Self {
            row,
            worst: far.fold(0.0, f64::max),
            paint: if filter {
                style(&row.subject).paint
            } else {
                Paint::Ink
            },
            shares: each().map(|(n, due)| n / due).collect(),
            deviation: deviation / mean,
        })
    }

    /// How far the farthest share lies from an equal one.
    fn farthest(&self) -> f64 {
        let far = self.shares.iter().map(|share| (share - 1.0).abs());
        far.fold(0.0, f64::max)
    }

    fn least(&self) -> f64 {
        self.shares.iter().copied().fold(f64::MAX, f64::min)
    }

    fn most(&self) -> f64 {
        self.shares.iter().copied().fold(0.0, f64::max)
    }

    /// How far its axis has to reach, unless a share lies far beyond chance.
    fn reach(&self) -> Option<f64> {
        (self.worst < UNUSUAL).then(|| {
            let band = z_two_sided(CONFIDENCE) * self.deviation;
            self.farthest().max(band)
        })
    }
}

/// The chart; `None` without a histogram.
pub fn figure(records: &Records) -> Option<Figure> {
    let rows = records.histograms.iter();
    let all: Vec<Panel<'_>> = rows.filter_map(|row| Panel::new(records, row)).collect();
    // Where most keys were located least is left to chance.
    let set = all.iter().rev().max_by_key(|panel| panel.row.keys)?;
    let set = set.row.dataset.clone();
    let panels: Vec<&Panel<'_>> = all.iter().filter(|p| p.row.dataset == set).collect();
    let most = common_range(&panels);
    let each = panels.iter().enumerate();
    let drawn: Vec<_> = each.map(|(at, panel)| draw(at, panel, most)).collect();
    let ranges = panels.first().map_or(0, |panel| panel.shares.len());
    let title = format!("Locations in {ranges} equal ranges of slots");
    let (reading, table) = (reading(&panels, &set), table(&all));
    let source = "records/histogram.csv";
    let figure = plot::figure(&drawn, "locations", title, reading, table, source);
    Some(figure)
}

fn reading(panels: &[&Panel<'_>], set: &str) -> String {
    let (slots, keys) = panels.first().map_or((0, 0), |p| (p.row.slots, p.row.keys));
    format!(
        "For the curious: how much the locations of {} keys of {set} in each range of some {} slots, \
         all probes together, are above or below what it is due. The shaded range holds {} % of the \
         bars if keys fall by chance, and is the wider the more a layout keeps the probes of a key \
         together. An uneven panel has a scale of its own. No verdict rests on this: bars show the \
         crudest faults only, the tests above look at one probe at a time.",
        number::count(keys),
        number::count(slots / panels.first().map_or(1, |p| p.shares.len().max(1) as u64)),
        number::significant(CONFIDENCE * 100.0, 2)
    )
}

/// How far from an equal share the axes of all even panels reach.
fn common_range(panels: &[&Panel<'_>]) -> f64 {
    1.15 * panels.iter().filter_map(|p| p.reach()).fold(0.0, f64::max)
}

fn draw(at: usize, panel: &Panel<'_>, common: f64) -> plot::Panel {
    let far = panel.farthest();
    let y = if far <= common {
        -common..common
    } else {
        (1.15 * (panel.least() - 1.0)).min(0.0)..(1.15 * (panel.most() - 1.0)).max(common)
    };
    let name = "place among the slots";
    let across = Axis::new(name, 0.0..1.0, 3, 40.0, |v| number::significant(v, 2));
    let axes = (across.small(), Axis::new("", y, 7, 56.0, above).small());
    let mut drawn = plot::Panel::small(at, HEIGHT, [60.0, 28.0, 12.0, 46.0], axes);
    let (subject, paint) = (&panel.row.subject, panel.paint);
    let heading = Item::text(drawn.corner(), subject, paint, Side::Left).shifted(-2.0, -13.0);
    let band = z_two_sided(CONFIDENCE) * panel.deviation;
    let band = [(0.0, -band), (1.0, band)];
    drawn.under = vec![heading, Item::new(Shape::Rect, band, Paint::Band)];
    drawn.level(0.0, (Paint::Soft, Stroke::Solid), 1.0);
    let width = 1.0 / panel.shares.len() as f64;
    // Exactly what is due would be a bar without height, which no pointer finds.
    let least = common.max(far) / 500.0;
    for (range, share) in (0..).zip(&panel.shares) {
        let left = f64::from(range) * width;
        let off = share - 1.0;
        let top = if off.abs() < least { least } else { off };
        let corners = [(left + 0.1 * width, 0.0), (left + 0.9 * width, top)];
        let due = number::percent(*share, 4);
        let says = format!("range {}: {due} of its due", range + 1);
        drawn.add(Item::new(Shape::Rect, corners, paint).saying(says));
    }
    drawn
}

/// A tick so far above or below what is due.
fn above(v: f64) -> String {
    // A tick at zero comes out a rounding error off it.
    let v = if v.abs() < 1e-9 { 0.0 } else { v };
    let sign = if v > 0.0 { "+" } else { "" };
    format!("{sign}{}", number::percent(v, 2))
}

fn table(panels: &[Panel<'_>]) -> Table {
    Table::of(panels)
        .column("Filter or scheme", |panel| &panel.row.subject)
        .column("Data set", |panel| &panel.row.dataset)
        .column("#Slots", |panel| panel.row.slots)
        .column("#Keys", |panel| panel.row.keys)
        .column("#Locations", |panel| panel.row.counts().iter().sum::<u64>())
        .column("#Emptiest range, of its due", |panel| {
            number::percent(panel.least(), 4)
        })
        .column("#Fullest", |panel| number::percent(panel.most(), 4))
        .column("#One standard deviation", |panel| {
            number::percent(panel.deviation, 2)
        })
        .column("#Farthest, standard deviations", |panel| {
            number::decimal(panel.worst, 1)
        })
        .table()
}

#[cfg(test)]
mod tests;
