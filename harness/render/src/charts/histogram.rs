//! Histograms of locations, one panel per filter or scheme. No verdict depends on them.

use crate::{
    document::Figure,
    levels::CONFIDENCE,
    number,
    palette::{Paint, Stroke, style},
    plot::{self, Axis, Panel},
};
use bouquet_ground::record::{Records, TestRow};
use bouquet_stats::z_two_sided;

/// The range of the axes, in standard deviations; larger deviations are drawn at the end.
const MOST: f64 = 6.0;

/// The chart for the largest key set, where chance has the least effect; `None` if there is no
/// histogram.
pub fn figure(records: &Records) -> Option<Figure> {
    let all: Vec<&[TestRow]> = records.histograms.chunk_by(TestRow::is_beside).collect();
    let most = all.iter().rev().max_by_key(|rows| rows[0].keys)?;
    let TestRow { key_set, keys, .. } = &most[0];
    let own = all.iter().filter(|rows| rows[0].key_set == *key_set);
    let drawn = own.filter_map(|rows| Some((&rows[0].subject, off(rows)?)));
    let panels: Vec<Panel> = (0..)
        .zip(drawn)
        .map(|(at, (name, ranges))| panel(records, at, name, &ranges))
        .collect();
    if panels.is_empty() {
        return None;
    }
    let finding = format!(
        "How far the locations of {} keys of {key_set} in each range of slots are above or below the \
         expected count, in standard deviations.",
        number::count(*keys)
    );
    let reading = format!(
        "The shaded range holds {} % of the bars if keys fall by chance; beyond {MOST} a bar ends \
         with the axis. No verdict rests on this: bars show the crudest faults only, the tests above \
         look at one probe at a time.",
        number::significant(CONFIDENCE * 100.0, 2)
    );
    let title = "Locations in equal ranges of slots";
    Some(plot::figure(&panels, "locations", title, finding, reading))
}

/// The deviation of each range from its expectation, in standard deviations; `None` if a row lacks
/// the mean or the variance.
fn off(rows: &[TestRow]) -> Option<Vec<f64>> {
    let range = |row: &TestRow| {
        let [mean, variance] = [row.mean?, row.variance?];
        (mean > 0.0 && variance > 0.0).then(|| (row.statistic - mean) / variance.sqrt())
    };
    rows.iter().map(range).collect()
}

fn panel(records: &Records, at: usize, name: &str, ranges: &[f64]) -> Panel {
    let is_filter = records.subject(name).is_some_and(|s| s.kind == "filter");
    let paint = match is_filter {
        true => style(name).paint,
        false => Paint::Ink,
    };
    let across = Axis::new("place among the slots", 0.0..1.0, 3);
    let axes = (across, Axis::new("", -MOST..MOST, 7));
    let room = [40.0, 28.0, 12.0, 46.0];
    let mut panel = Panel::beside(at, (240.0, 178.0), 0.0, room, axes);
    panel.heading(name, paint, None, 13.0);
    let band = z_two_sided(CONFIDENCE);
    panel.band = Some([-band, band]);
    panel.line(&[(0.0, 0.0), (1.0, 0.0)], (Paint::Soft, Stroke::Solid), 1.0);
    let width = 1.0 / ranges.len() as f64;
    for (range, z) in (0..).zip(ranges) {
        let left = f64::from(range) * width;
        // A bar of height 0 could not be pointed at.
        let top = if z.abs() < 0.03 { 0.03 } else { *z };
        let z = number::decimal(*z, 1);
        let says = format!("{name}, range {}\n{z} standard deviations", range + 1);
        panel.bar(left + 0.1 * width..left + 0.9 * width, top, paint, says);
    }
    panel
}

#[cfg(test)]
mod tests;
