//! Nanoseconds over the number of keys: where filters fall out of caches.

use std::ops::Range;

use super::{axis, highest, on_axis, style_of};
use crate::{
    document::{Figure, Table},
    estimate::Estimate,
    number,
    palette::{Paint, Style},
    plot::{self, Axis, Item, NOTE, Pair, Panel, Point, Side, digits},
    speed::score::{Column, Entrant, in_words, middle},
};
use bouquet_catalogue as catalogue;
use bouquet_ground::record::Records;

/// A panel an operation, in two columns.
const PANEL: Pair = (550.0, 430.0);
const COLUMNS: usize = 2;

/// A line of the chart: of each operation the times by capacity.
struct Series {
    label: String,
    /// Of the roofline none.
    style: Option<Style>,
    by_operation: [Vec<(u64, Estimate)>; 4],
}

/// Of the highest target; it takes two capacities.
pub fn figure(records: &Records, keys: &str, columns: &[&Column<'_>]) -> Option<Figure> {
    let mut own: Vec<&Column<'_>> = highest(columns).collect();
    own.sort_by_key(|column| column.capacity);
    let (first, last) = (own.first()?, own.last()?);
    if first.capacity == last.capacity {
        return None;
    }
    let all_series = all_series(&own);
    let caches = caches(records, last);
    let reading = "Net time per key; both axes are logarithmic. Upright lines mark how many \
        keys a blocked filter can have in each cache of a core. \"random cache-line read\" is that of \
        one line from as many bytes, in the fastest way. Upright bars are intervals of the median \
        at 95 %. Capacities are few: what lies between two of them was not measured.";
    let range = first.capacity as f64..last.capacity as f64;
    let panels = [0, 1, 2, 3].map(|at| panel(at, &all_series, &caches, &range));
    let name = format!("time-over-keys-{keys}");
    let title = format!("Time over the number of keys, {keys} keys");
    let (table, source) = (table(&all_series), "records/times.csv");
    Some(plot::figure(&panels, name, &title, reading, table, source))
}

/// Those that stand for all where there are most keys, and the roofline.
fn all_series(columns: &[&Column<'_>]) -> Vec<Series> {
    let names = columns.last().map_or_else(Vec::new, |last| last.few());
    let all_series = names.iter().filter_map(|score| series(columns, score.name));
    let mut all_series: Vec<Series> = all_series.collect();
    let line = |column: &&Column<'_>| Some((column.capacity, middle(&column.roofline)?));
    let line: Vec<(u64, Estimate)> = columns.iter().filter_map(line).collect();
    all_series.push(Series {
        label: "random cache-line read".to_owned(),
        style: None,
        by_operation: [line.clone(), line.clone(), line.clone(), line],
    });
    all_series
}

fn series(columns: &[&Column<'_>], name: Entrant<'_>) -> Option<Series> {
    let found = columns.iter().filter_map(|column| {
        let mut scores = column.scores.iter();
        Some((column.capacity, scores.find(|score| score.name == name)?))
    });
    let found: Vec<_> = found.collect();
    let (_, any) = found.first()?;
    let of = |operation: usize| -> Vec<(u64, Estimate)> {
        let each = found.iter();
        each.filter_map(|(n, score)| Some((*n, score.middle(operation)?)))
            .collect()
    };
    Some(Series {
        label: any.name.label(),
        style: Some(style_of(any)),
        by_operation: [0, 1, 2, 3].map(of),
    })
}

/// How many keys of a blocked filter each cache holds.
fn caches(records: &Records, column: &Column<'_>) -> Vec<(f64, &'static str)> {
    let name = catalogue::blocked().next();
    let mut scores = column.scores.iter();
    let blocked = scores.find(|score| Some(score.name.filter) == name);
    let bits = blocked.and_then(|score| score.bits_per_key).unwrap_or(10.0);
    let cache = |(name, words): (&str, &'static str)| {
        let bytes: f64 = records.fact(name).parse().ok()?;
        Some((bytes * 8.0 / bits, words))
    };
    let all = [("cache_l1d", "L1"), ("cache_l2", "L2"), ("cache_l3", "L3")];
    all.into_iter().filter_map(cache).collect()
}

fn panel(
    operation: usize,
    all_series: &[Series],
    caches: &[(f64, &str)],
    range: &Range<f64>,
) -> Panel {
    let middles = all_series
        .iter()
        .flat_map(|series| &series.by_operation[operation]);
    let ns = axis(middles.flat_map(|(_, middle)| middle.ends()));
    let x = range.start * 0.8..range.end * 1.25;
    let across = Axis::new("keys", x, 5, 46.0, |v| {
        format!("1e{}", number::decimal(v.log10(), 0))
    });
    let up = Axis::new("ns", ns, 6, 56.0, digits);
    let axes = (across.log().small(), up.log());
    // Above the panel the names of the caches, and above them the operation.
    let margins = [64.0, 48.0, 205.0, 54.0];
    let mut panel = Panel::new((operation, COLUMNS), PANEL, margins, axes);
    panel.label_size = NOTE;
    let heading = Item::note(panel.corner(), in_words(operation), Paint::Ink, Side::Left);
    panel.add(heading.shifted(0.0, -28.0));
    for (keys, name) in caches.iter().filter(|(keys, _)| range.contains(keys)) {
        panel.upright(*keys, Paint::Soft, 0.8);
        let name = Item::note((*keys, panel.y.range.end), *name, Paint::Soft, Side::Center);
        panel.add(name.shifted(0.0, -8.0));
    }
    for series in all_series {
        add_series(&mut panel, series, operation);
    }
    panel
}

fn add_series(panel: &mut Panel, series: &Series, operation: usize) {
    let point = |(n, middle): &(u64, Estimate)| Point {
        at: (*n as f64, on_axis(middle.value)),
        ends: middle.ends().map(on_axis),
        says: format!(
            "{}\n{} keys\n{} ns",
            series.label,
            number::count(*n),
            number::decimal(middle.value, 2)
        ),
    };
    let points = series.by_operation[operation].iter().map(point);
    panel.series(&series.label, series.style, points.collect());
}

fn table(all_series: &[Series]) -> Table {
    let mut points = Vec::new();
    for series in all_series {
        for (operation, timed) in series.by_operation.iter().enumerate() {
            let each = timed.iter();
            points.extend(each.map(|(n, middle)| (series, operation, *n, *middle)));
        }
    }
    let ns = |ns| number::decimal(ns, 2);
    Table::of(points)
        .column("Filter", |(series, ..)| &series.label)
        .column("Operation", |(_, operation, ..)| in_words(operation))
        .column("#Keys", |(.., n, _)| n)
        .column("#Net, ns", |(.., middle)| ns(middle.value))
        .column("#from", |(.., middle)| ns(middle.interval.low))
        .column("#to", |(.., middle)| ns(middle.interval.high))
        .table()
}
