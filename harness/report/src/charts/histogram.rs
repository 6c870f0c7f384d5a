//! Histograms of locations, one panel per filter or scheme. No verdict depends on them.

use crate::{
    document::Figure,
    levels::CONFIDENCE,
    number,
    palette::{Paint, Stroke, style},
    plot::{self, Axis, Panel},
};
use bouquet_record::{Records, TestRow};
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
    let panels = drawn.enumerate();
    let panels: Vec<Panel> = panels
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
    Some(plot::figure(
        panels,
        ["locations", title, &finding, &reading],
    ))
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
    let paint = match records.subject(name).map(|subject| subject.kind.as_str()) {
        Some("filter") => style(records, name).paint,
        _ => Paint::INK,
    };
    let across = Axis::new("place among the slots", 0.0..1.0, 3);
    let axes = (across, Axis::new("", -MOST..MOST, 7));
    let room = [400, 280, 120, 460];
    let mut panel = Panel::beside(at, (2400, 1780), 0, room, axes);
    panel.heading(name, paint, 130);
    let band = z_two_sided(CONFIDENCE);
    panel.bar([(0.0, -band), (1.0, band)], Paint::BAND, String::new());
    panel.level(0.0, "", (Paint::SOFT, Stroke::Solid));
    let width = 1.0 / ranges.len() as f64;
    for (range, z) in (0..).zip(ranges) {
        let left = f64::from(range) * width;
        // A bar of height 0 could not be pointed at.
        let top = if z.abs() < 0.03 { 0.03 } else { *z };
        let z = number::decimal(*z, 1);
        let tip = format!("{name}, range {}\t{z} standard deviations", range + 1);
        let corners = [(left + 0.1 * width, 0.0), (left + 0.9 * width, top)];
        panel.bar(corners, paint, tip);
    }
    panel
}

#[cfg(test)]
mod tests;
