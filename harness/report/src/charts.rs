//! The charts of an evaluation.

pub(crate) mod sweeps;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use super::{
    battery,
    document::Figure,
    groups::{grouped, span},
    judge::{Judgement, Outcome},
    looks::{Paint, Stroke, style},
    number::{self, CONFIDENCE, Estimate},
    plot::{self, Axis, Panel},
};
use bouquet_record::{Observation, Records, TestRow};
use bouquet_stats::z_two_sided;

/// All charts for which the records have data.
pub fn all(records: &Records, judgement: &Judgement) -> Vec<Figure> {
    let mut figures = sweeps::figures(records, judgement);
    figures.extend(bits_needed(records));
    figures.extend(p_values(&judgement.locations));
    figures.extend(histograms(records));
    figures
}

/// The sentence "`what`: names.", or `none` if there are no names.
fn naming<T: AsRef<str>>(names: impl IntoIterator<Item = T>, what: &str, none: &str) -> String {
    match number::joined(names, ", ").as_str() {
        "" => none.to_owned(),
        names => format!("{what}: {names}."),
    }
}

/// Sizes that differ by less than this share are equal: they differ by a few words of padding.
const SAME_SIZE: f64 = 0.001;

/// The chart of the bits per key that each filter needs for a target FPR, with the information
/// bound. `None` if there are no rows.
fn bits_needed(records: &Records) -> Option<Figure> {
    let usable = |row: &&Observation| {
        let is_sized = row.error.is_empty() && row.note.is_empty() && row.capacity > 0;
        is_sized && row.x > 0.0 && row.x < 1.0
    };
    let mut targets = grouped(records.memory.iter().filter(usable), |row| row.x);
    targets.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    // For each filter, keeps only the row with the largest capacity, where constant overhead
    // matters least.
    for (_, rows) in &mut targets {
        rows.sort_by_key(|row| Reverse(row.capacity));
        let filters = grouped(rows.iter().copied(), |row| row.filter.as_str());
        *rows = filters.into_iter().map(|(_, own)| own[0]).collect();
        rows.sort_by(|a, b| a.bits_per_key().total_cmp(&b.bits_per_key()));
    }
    let (target, rows) = targets.first()?;
    let (least, bits) = (rows.first()?.bits_per_key(), |x| number::decimal(x, 2));
    let as_small = |row: &&&Observation| row.bits_per_key() <= least * (1.0 + SAME_SIZE);
    let smallest: Vec<&str> = rows
        .iter()
        .filter(as_small)
        .map(|row| &*row.filter)
        .collect();
    let verb = if smallest.len() == 1 { "takes" } else { "take" };
    let finding = format!(
        "{} {verb} the fewest bits per key for {}: {}, {} times the bound.",
        number::joined(&smallest, ", "),
        number::share(*target, 3),
        bits(least),
        bits(least / -target.log2())
    );
    let all = || targets.iter().flat_map(|(_, rows)| rows.iter().copied());
    let (least, most) = span((1.0, 0.0), all().map(|row| row.x));
    let highest = all().map(|row| row.bits_per_key()).fold(1.0, f64::max);
    let x = Axis::rates("target FPR", 0.8 * least..1.25 * most, 12).log();
    let y = Axis::new("bits per key", -0.9 * most.log2()..1.1 * highest, 12).log();
    let mut panel = Panel::wide(0, 4700, 1900, (x, y));
    let bound = targets.iter().map(|(target, _)| (*target, -target.log2()));
    let bound: Vec<_> = bound.collect();
    panel.line(&bound, (Paint::SOFT, Stroke::Dashed), 10);
    panel.label("information bound", bound[0].1, Paint::SOFT, None);
    for (filter, rows) in grouped(all(), |row| row.filter.as_str()) {
        let point = |row: &&Observation| (row.x, Estimate::exact(row.bits_per_key()), None);
        let points: Vec<_> = rows.iter().rev().map(point).collect();
        panel.series(filter, style(records, filter), &points);
    }
    let reading = "Bits per key really allocated when each filter is sized for the target by itself. \
                   The information bound is the least that any structure can do, log2(1/FPR).";
    let title = "Bits per key for a target FPR";
    let words = ["bits-needed", title, &finding, reading];
    Some(plot::figure(vec![panel], words))
}

/// The chart of the smallest p-values of every tested scheme, and the threshold below which a
/// scheme is flagged. `None` if no scheme was tested.
fn p_values(judgement: &battery::Judgement) -> Option<Figure> {
    let subjects = grouped(judgement.tested(), |cell| &*cell.first.subject);
    if subjects.is_empty() {
        return None;
    }
    let is_right = |cell: &&battery::Tested| cell.outcome == Outcome::Pass;
    let mark = |cell: &&battery::Tested| {
        let slots = number::count(cell.first.slots);
        let at = format!("{}, m {slots}", cell.first.key_set);
        let paint = if is_right(cell) {
            Paint::INK
        } else {
            Paint::BAD
        };
        (at, cell.nearest_miss.log10(), paint)
    };
    let wrong = subjects.iter();
    let wrong = wrong.filter(|(_, cells)| !cells.iter().all(is_right));
    let none = "Every scheme is on the side of the line where it must be.";
    let names = wrong.map(|(name, _)| *name);
    let finding = naming(names, "On the wrong side of the line", none);
    let threshold = number::significant(judgement.threshold, 2);
    let reading = format!(
        "Each point is one scheme on one key set at one m: its smallest p-value, or for one with a \
         known fault the largest among the tests that must find it. Points left of the line at \
         {threshold} are findings: a known fault right of it makes the run invalid."
    );
    // The axis shows log10 of p, because a linear axis of p has no ticks for values this small.
    let x = Axis::new("p-value", -30.0..0.0, 7).ticks(|power| match power.round() {
        0.0 => "1".to_owned(),
        -30.0 => "≤ 1e-30".to_owned(),
        power => format!("1e{power}"),
    });
    let x = x.words(|power| number::p_value(10_f64.powf(power)));
    let mut panel = Panel::rows(x, subjects.len());
    for (at, (name, cells)) in subjects.iter().enumerate() {
        panel.row(at, name, &cells.iter().map(mark).collect::<Vec<_>>());
    }
    let words = format!("flagged below {threshold}");
    panel.upright(judgement.threshold.log10(), &words, Paint::INK);
    let title = "Smallest p-value of each scheme";
    let words = ["p-values", title, &finding, &reading];
    Some(plot::figure(vec![panel], words))
}

/// The y axes of histograms end this many standard deviations from 0. Longer bars are cut there.
const MOST: f64 = 6.0;

/// The chart of histograms of locations for the largest key set, where chance has the least effect.
/// Each filter or scheme has a panel. No verdict depends on the chart. `None` without histograms.
fn histograms(records: &Records) -> Option<Figure> {
    let all: Vec<&[TestRow]> = records.histograms.chunk_by(TestRow::is_beside).collect();
    let most = all.iter().rev().max_by_key(|rows| rows[0].keys)?;
    let TestRow { key_set, keys, .. } = &most[0];
    let own = all.iter().filter(|rows| rows[0].key_set == *key_set);
    let drawn = own.filter_map(|rows| Some((&rows[0].subject, off(rows)?)));
    let panel =
        |(at, (name, ranges)): (usize, (&String, Vec<f64>))| histogram(records, at, name, &ranges);
    let panels: Vec<Panel> = drawn.enumerate().map(panel).collect();
    if panels.is_empty() {
        return None;
    }
    let finding = format!(
        "How far the locations of {} keys of {key_set} in each range of slots are above or below the \
         expected count, in standard deviations.",
        number::count(*keys)
    );
    let reading = format!(
        "The shaded range holds {} % of the bars if keys fall by chance. No verdict depends on \
         this: bars show only the crudest faults.",
        number::significant(CONFIDENCE * 100.0, 2)
    );
    let title = "Locations in equal ranges of slots";
    let words = ["locations", title, &finding, &reading];
    Some(plot::figure(panels, words))
}

/// How far the count in each range of slots is from the expected count, in standard deviations.
/// `None` if a row lacks the mean or the variance.
fn off(rows: &[TestRow]) -> Option<Vec<f64>> {
    let range = |row: &TestRow| {
        let [mean, variance] = [row.mean?, row.variance?];
        (mean > 0.0 && variance > 0.0).then(|| (row.statistic - mean) / variance.sqrt())
    };
    rows.iter().map(range).collect()
}

fn histogram(records: &Records, at: usize, name: &str, ranges: &[f64]) -> Panel {
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
        // A bar is at least 0.03 high, because the mouse pointer could not hit a bar of height 0.
        let top = if z.abs() < 0.03 { 0.03 } else { *z };
        let z = number::decimal(*z, 1);
        let tip = format!("range {}\t{z} standard deviations", range + 1);
        let corners = [(left + 0.1 * width, 0.0), (left + 0.9 * width, top)];
        panel.bar(corners, paint, tip);
    }
    panel
}
