//! The charts of `bouquet speed`.

use super::{
    score::{
        BLOCKED, Column, Entrant, HALF, MEASURED, Score, Shared, columns, nanoseconds, shared,
    },
    usual,
};
use crate::{
    document::Figure,
    groups::{distinct, span},
    judge::is_reported,
    looks::{Marker, Paint, Stroke, Style, style},
    number::{self, Estimate},
    plot::{self, Axis, Panel, whole},
};
use bouquet_record::Records;

/// The size of a panel, and its margins left, above, right and below, in tenths of a pixel.
const PANEL: (i32, i32) = (5500, 4200);
const ROOM: [i32; 4] = [680, 480, 2050, 540];

/// All charts for which the records have data.
pub fn all(records: &Records, columns: &[Column<'_>]) -> Vec<Figure> {
    let mut figures = Vec::new();
    for keys in distinct(columns.iter().map(|column| column.keys)) {
        let own = || columns.iter().filter(|column| column.keys == keys);
        let highest = own().map(|column| column.target_fpr).fold(0.0, f64::max);
        let mut own: Vec<&Column<'_>> = own().filter(|c| c.target_fpr == highest).collect();
        own.sort_by_key(|column| column.capacity);
        figures.extend(over_keys(records, keys, &own));
    }
    let shared = shared(records);
    for capacity in distinct(shared.iter().map(|shared| shared.capacity)) {
        figures.push(threads(records, capacity, &shared));
    }
    figures
}

/// The style of a filter's line. For Bouquet's filters, the lines of single calls are dotted.
fn look(records: &Records, name: Entrant<'_>) -> Style {
    let mut style = style(records, name.filter);
    if !name.is_batch && !is_reported(records, name.filter) {
        style.stroke = Stroke::Dotted;
    }
    style
}

/// The chart of nanoseconds against the number of keys, which shows where filters become larger
/// than caches. `None` if there are fewer than two capacities.
fn over_keys(records: &Records, keys: &str, columns: &[&Column<'_>]) -> Option<Figure> {
    let (first, last) = (columns.first()?, columns.last()?);
    if first.capacity == last.capacity {
        return None;
    }
    let range = first.capacity as f64..last.capacity as f64;
    let names: Vec<_> = last.few().iter().map(|score| score.name).collect();
    let panel = |at: usize| {
        let points = |ns: &dyn Fn(&Column<'_>) -> Option<Estimate>| -> Vec<_> {
            let point = |column: &&Column<'_>| Some((column.capacity as f64, ns(column)?, None));
            columns.iter().filter_map(point).collect()
        };
        let series = names.iter().map(|name| {
            let points = points(&|column| {
                let mut scores = column.scores.iter();
                scores.find(|score| score.name == *name)?.ns(at)
            });
            (name.label(), look(records, *name), points)
        });
        let line = Style {
            paint: Paint::INK,
            marker: Marker::CIRCLE,
            stroke: Stroke::Solid,
        };
        let line = (
            "random cache-line read".to_owned(),
            line,
            points(&|column| column.roofline),
        );
        let series: Vec<_> = series.chain([line]).collect();
        let all = series.iter().flat_map(|(.., points)| points);
        // Times below 0.1 ns are too small to measure; the lower end of an interval can even be 0.
        let times = all.flat_map(|(_, y, _)| [y.low.max(0.1), y.high.max(0.1)]);
        let (least, most) = span((1.0, 1.0), times);
        let ns = Axis::new("ns", 0.8 * least..1.25 * most, 7).log();
        let across = Axis::new("keys", range.start * 0.8..range.end * 1.25, 5).log();
        let across = across.ticks(|v| format!("1e{}", number::decimal(v.log10(), 0)));
        let ns = ns.words(|ns| number::decimal(ns, 2));
        let axes = (across.words(|v| number::count(v as u64)), ns);
        let mut panel = Panel::beside(at, PANEL, 0, ROOM, axes);
        let heading = MEASURED[at].1.trim_start_matches('#').to_lowercase();
        panel.heading(&heading, Paint::INK, 280);
        for (keys, name) in caches(records, last) {
            if range.contains(&keys) {
                panel.upright(keys, name, Paint::SOFT);
            }
        }
        for (name, look, points) in &series {
            panel.series(name, *look, points);
        }
        panel
    };
    let panels = vec![panel(0), panel(1), panel(2), panel(3)];
    let reading = "Both axes are logarithmic. Upright lines mark how many keys of a blocked filter \
                   fit into each cache of a core. Bars are 95 % intervals of the median.";
    let name = format!("time-over-keys-{keys}");
    let finding = grown(keys, names.first()?, first, last).unwrap_or_default();
    let title = format!("Time over the number of {keys} keys");
    Some(plot::figure(panels, [&name, &title, &finding, reading]))
}

/// A sentence on how much longer a lookup takes with the most keys than with the fewest.
fn grown(keys: &str, name: &Entrant<'_>, first: &Column<'_>, last: &Column<'_>) -> Option<String> {
    let lookup = |column: &Column<'_>| {
        let score = column.scores.iter().find(|score| score.name == *name)?;
        Some(number::decimal(score.ns(HALF)?.value, 1))
    };
    let read = |column: &Column<'_>| Some(number::decimal(column.roofline?.value, 1));
    let [few, many] = [first, last].map(|column| number::count(column.capacity));
    Some(format!(
        "Keys of the kind {keys}: from {few} to {many} of them, a lookup in {} goes from {} to {} ns \
         per key with 50 % hits, and a random cache line, read with many others, from {} to {} ns.",
        name.label(),
        lookup(first)?,
        lookup(last)?,
        read(first)?,
        read(last)?
    ))
}

/// For each cache, the largest number of keys for which a blocked filter fits into the cache.
fn caches(records: &Records, column: &Column<'_>) -> Vec<(f64, &'static str)> {
    let of_ours = |score: &&Score<'_>| (score.role, score.family) == ("ours", BLOCKED);
    let blocked = column.scores.iter().find(of_ours);
    let bits = blocked.and_then(|score| score.bits_per_key).unwrap_or(10.0);
    let cache = |(name, words): (&str, &'static str)| {
        let bytes: f64 = records.fact(name).parse().ok()?;
        Some((bytes * 8.0 / bits, words))
    };
    let all = [("cache_l1d", "L1"), ("cache_l2", "L2"), ("cache_l3", "L3")];
    all.into_iter().filter_map(cache).collect()
}

/// The chart of the times of single lookups against bits per key. `None` if none were measured.
pub fn by_size(records: &Records) -> Option<Figure> {
    let columns = columns(records);
    let column = usual(&columns)?;
    let all = column.scores.iter();
    let all = all.filter(|score| !score.name.is_batch);
    let all: Vec<_> = all
        .filter_map(|score| Some((score.name.filter, score.bits_per_key?, score.ns(HALF)?)))
        .collect();
    let (least, most) = span((f64::MAX, 0.0), all.iter().map(|(_, bits, _)| *bits));
    let bits = Axis::new("bits per key", 0.9 * least..1.1 * most, 12).log();
    // Those from 60 to 90 would touch.
    let bits = bits.ticks(|bits| match (0.75..0.99).contains(&bits.log10().fract()) {
        true => String::new(),
        false => number::decimal(bits, 0),
    });
    let (least, most) = span((f64::MAX, 0.0), all.iter().map(|(.., ns)| ns.value));
    let ns = Axis::new("ns per key", 0.8 * least..1.25 * most, 12).log();
    let mut panel = Panel::wide(0, 6000, 2700, (bits, ns.words(nanoseconds)));
    for (filter, bits, ns) in &all {
        let style = style(records, filter);
        // A line to the name, since the marks of other crates are alike.
        let ends = [*bits, panel.x.range.end].map(|x| (x, ns.value));
        panel.line(&ends, (style.paint, Stroke::Dotted), 6);
        panel.series(filter, style, &[(*bits, *ns, None)]);
    }
    let mut fastest = column.fastest(HALF).into_iter();
    let fastest = fastest.find(|score| !score.name.is_batch)?;
    let finding = format!(
        "{}, single lookups with 50 % hits: {} is the fastest that can be updated, {} ns per key.",
        column.place(),
        fastest.name.filter,
        nanoseconds(fastest.ns(HALF)?.value)
    );
    let reading = "Both axes are logarithmic. Bars are 95 % intervals of the median; a dotted line \
                   leads from a mark to its name.";
    let title = "Time against bits per key";
    let words = ["time-by-bits-per-key", title, &finding, reading];
    Some(plot::figure(vec![panel], words))
}

/// The chart of throughput against the number of threads.
fn threads(records: &Records, capacity: u64, all: &[Shared<'_>]) -> Figure {
    let all: Vec<&Shared<'_>> = all.iter().filter(|one| one.capacity == capacity).collect();
    let panel = |at: usize| {
        let points = |shared: &Shared<'_>| -> Vec<_> {
            let rate = |threads| shared.rate(MEASURED[at].0, threads);
            let rate = |threads| Some((f64::from(threads), rate(threads)?, None));
            [1, 2].into_iter().filter_map(rate).collect()
        };
        let ends = all.iter().flat_map(|shared| points(shared));
        let highest = ends.map(|(_, rate, _)| rate.high);
        let across = Axis::new("threads", 0.8..2.2, 3).ticks(whole);
        let most = 1.08 * highest.fold(1.0, f64::max);
        let up = Axis::new("million keys per second", 0.0..most, 6);
        let axes = (across, up.words(|v| number::decimal(v, 1)));
        let mut panel = Panel::beside(at, PANEL, 0, ROOM, axes);
        panel.heading(MEASURED[at].0, Paint::INK, 130);
        for shared in &all {
            let style = look(records, shared.name);
            panel.series(&shared.name.label(), style, &points(shared));
        }
        panel
    };
    let reading = "All threads together, inserting on the left and looking up members on the right; \
                   bars are 95 % intervals of the median. \"private\" gives each thread a filter of \
                   its own and unites them at the end, which is in the time.";
    let gain = |operation| {
        let gains = all.iter().filter_map(|shared| {
            Some(shared.rate(operation, 2)?.value / shared.rate(operation, 1)?.value)
        });
        let (least, most) = span((f64::MAX, f64::MIN), gains);
        [least, most]
            .map(|gain| number::decimal(gain, 1))
            .join(" to ")
    };
    let finding = format!(
        "{} keys: two threads together insert {} times as many keys a second as one, and find {} \
         times as many members.",
        number::count(capacity),
        gain("insert"),
        gain("hit")
    );
    let name = format!("threads-{capacity}");
    let panels = vec![panel(0), panel(1)];
    plot::figure(panels, [&name, "Throughput of threads", &finding, reading])
}
