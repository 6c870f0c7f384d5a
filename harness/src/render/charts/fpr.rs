//! FPR against bits per key and against load, and below the ratio to theory:
//! an error of 20 % cannot be seen on a logarithmic axis.

use std::ops::Range;

use super::frame::{self, Axes, EndLabel, Scale, Ticks};
use crate::{
    record::Records,
    render::{
        document::{Figure, Table, Text},
        judge::{Check, DELTA, Judgement, Outcome, Point, pool, subject},
        number,
        palette::{Pen, look},
        svg::{Anchor, Canvas, Place, picture},
    },
};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 640.0;
const LEFT: f64 = 118.0;
const RIGHT: f64 = 800.0;

/// The range of the ratio's axis.
const RATIO: Range<f64> = 0.7..1.3;

/// A sweep as it is drawn: the points of each filter, pooled over data sets.
struct Sweep<'a> {
    kind: &'a str,
    lines: Vec<(&'a str, Vec<Point>)>,
    /// Points on one data set that failed: pooling must not hide them.
    failed: Vec<&'a Point>,
}

/// A picture for each sweep of each experiment.
pub fn figures(records: &Records, judgement: &Judgement) -> Vec<Figure> {
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for point in judgement.points.iter().filter(|point| point.asked > 0) {
        let of = (point.sweep.as_str(), point.experiment.as_str());
        if !seen.contains(&of) {
            seen.push(of);
        }
    }
    seen.sort();
    let mut figures = Vec::new();
    for (place, &(kind, experiment)) in seen.iter().enumerate() {
        let points: Vec<&Point> = judgement
            .points
            .iter()
            .filter(|p| p.sweep == kind && p.experiment == experiment && p.asked > 0)
            .collect();
        let again = place > 0 && seen[place - 1].0 == kind;
        let suffix = if again {
            format!("-{experiment}")
        } else {
            String::new()
        };
        figures.push(figure(
            records,
            kind,
            &format!("fpr-by-{kind}{suffix}"),
            &points,
        ));
    }
    figures
}

fn figure(records: &Records, kind: &str, name: &str, points: &[&Point]) -> Figure {
    let failed = points.iter().copied().filter(|p| failed(p)).collect();
    let sweep = Sweep {
        kind,
        lines: lines(points),
        failed,
    };
    let title = match kind {
        "load" => load_finding(&sweep),
        _ => theory_finding(records, &sweep),
    };
    let reading = reading(kind);
    let description = format!("{title}. {reading}");
    let svg = picture(name, &title, &description, (WIDTH, HEIGHT), |canvas| {
        draw(canvas, &sweep);
    });
    Figure {
        name: name.to_owned(),
        title,
        svg,
        reading,
        table: table(kind, points),
        source: "records/fpr.csv".to_owned(),
    }
}

/// The points of each filter in the order of x, pooled over data sets.
fn lines<'a>(points: &[&'a Point]) -> Vec<(&'a str, Vec<Point>)> {
    let mut filters: Vec<&str> = Vec::new();
    for point in points {
        if !filters.contains(&point.filter.as_str()) {
            filters.push(&point.filter);
        }
    }
    let line = |filter| {
        let mut own: Vec<&Point> = points
            .iter()
            .copied()
            .filter(|p| p.filter == filter)
            .collect();
        own.sort_by(|a, b| a.x.total_cmp(&b.x));
        let at_x = own.chunk_by(|a, b| a.x == b.x);
        (
            filter,
            at_x.filter_map(|chunk| pool(chunk.iter().copied()))
                .collect(),
        )
    };
    filters.into_iter().map(line).collect()
}

fn failed(point: &Point) -> bool {
    let checks = [point.given_bits, point.over_seeds];
    checks
        .iter()
        .flatten()
        .any(|check| check.outcome == Outcome::Fail)
}

/// The finding on a filter of which points failed.
fn departure(filter: &str, sweep: &Sweep<'_>) -> Option<String> {
    let own: Vec<&&Point> = sweep.failed.iter().filter(|p| p.filter == filter).collect();
    let mut datasets: Vec<&str> = Vec::new();
    for point in &own {
        if !datasets.contains(&point.dataset.as_str()) {
            datasets.push(&point.dataset);
        }
    }
    let (many, datasets) = (own.len(), datasets.join(", "));
    let points = if many == 1 { "point" } else { "points" };
    (many > 0).then(|| format!("{filter} departs from theory at {many} {points} on {datasets}"))
}

/// How far the measured rates of a line lie from theory, at most, and between
/// which x; only points whose interval is narrow enough to say so.
fn farthest(line: &[Point]) -> Option<(f64, f64, f64)> {
    let told: Vec<&Point> = line
        .iter()
        .filter(|p| p.hits > 0 && p.interval.half_width() < DELTA * p.expected_fpr)
        .collect();
    let off = told
        .iter()
        .map(|p| (p.measured() / p.expected_fpr - 1.0).abs())
        .fold(0.0, f64::max);
    Some((off, told.first()?.x, told.last()?.x))
}

fn theory_finding(records: &Records, sweep: &Sweep<'_>) -> String {
    let ours = |name: &str| subject(records, name).is_none_or(|s| s.role != "baseline");
    let mut sentences = Vec::new();
    for (filter, line) in sweep.lines.iter().filter(|(name, _)| ours(name)) {
        if let Some(departure) = departure(filter, sweep) {
            sentences.push(departure);
            continue;
        }
        sentences.push(match farthest(line) {
            Some((off, from, to)) => format!(
                "{filter} follows theory within {} % from {} to {} {}",
                number::significant((off * 1000.0).ceil() / 10.0, 2),
                number::significant(from, 3),
                number::significant(to, 3),
                unit(sweep.kind)
            ),
            None => format!("{filter} had too few hits to be held against theory"),
        });
    }
    if sentences.is_empty() {
        "FPR of the baselines".to_owned()
    } else {
        sentences.join("; ")
    }
}

fn load_finding(sweep: &Sweep<'_>) -> String {
    let mut sentences = Vec::new();
    for (filter, line) in &sweep.lines {
        sentences.extend(departure(filter, sweep));
        let full = line.iter().find(|p| (p.x - 1.0).abs() < 1e-9);
        if let (Some(full), Some(last)) = (full, line.last().filter(|p| p.x > 1.0)) {
            sentences.push(format!(
                "{filter} goes from {} at capacity to {} at load {}",
                number::share(full.measured(), 3),
                number::share(last.measured(), 2),
                number::significant(last.x, 3)
            ));
        }
    }
    if sentences.is_empty() {
        "FPR below capacity".to_owned()
    } else {
        sentences.join("; ")
    }
}

fn unit(kind: &str) -> &str {
    match kind {
        "bits-per-key" => "bits per key",
        "load" => "times capacity",
        kind => kind,
    }
}

fn reading(kind: &str) -> String {
    let own = match kind {
        "load" => {
            "Load 1 is the capacity that was asked for. Beyond it a Bloom filter gets worse \
             gradually, while a cuckoo filter refuses keys: its points beyond 1 are for the keys \
             it took."
        }
        _ => {
            "The information bound is the least FPR that any structure can have in so many bits; a \
             filter lower on the picture is not better if it allocates more than it is charged \
             for here: the table at a glance has the bits really allocated."
        }
    };
    format!(
        "Lines are theory, points are measured and pooled over the data sets, bars are 95 % \
         intervals; an open triangle is the upper bound where nothing was hit; a red ring is one \
         data set that failed by itself. {own} The lower panel divides measured by theory; the \
         band is the ±{} % that the verdict allows. A point outside the band whose bar reaches \
         into it says too few hits, not a fault.",
        number::significant(DELTA * 100.0, 2)
    )
}

fn draw(canvas: &mut Canvas, sweep: &Sweep<'_>) {
    let points = sweep.lines.iter().flat_map(|(_, line)| line);
    let x = x_range(sweep.kind, points);
    let y = y_range(sweep, &x);
    // All ticks of one kind: per cent as long as that can be read.
    let plain = y.start > 1e-8;
    let rate = |v: f64| {
        if plain {
            number::percent(v, 2)
        } else {
            format!("{v:.0e}")
        }
    };
    let x_format = |v: f64| number::significant(v, 3);
    let name = if sweep.kind == "load" {
        "keys / capacity"
    } else {
        unit(sweep.kind)
    };
    let named = |name| Ticks {
        name,
        most: 18,
        format: &x_format,
    };
    let axes = |y, top, bottom| Axes {
        x: Scale::linear(x.clone()),
        y,
        left: LEFT,
        top,
        right: RIGHT,
        bottom,
    };
    let upper = axes(Scale::log(y), 14.0, 370.0);
    let ticks = Ticks {
        name: "false-positive rate",
        most: 12,
        format: &rate,
    };
    upper.draw(canvas, &named(""), &ticks);
    draw_rates(canvas, &upper, sweep);
    let lower = axes(Scale::linear(RATIO), 420.0, 585.0);
    let ratio = |v: f64| number::decimal(v, 1);
    let ticks = Ticks {
        name: "measured / theory",
        most: 7,
        format: &ratio,
    };
    draw_band(canvas, &lower);
    lower.draw(canvas, &named(name), &ticks);
    draw_ratios(canvas, &lower, sweep);
}

fn x_range<'a>(kind: &str, points: impl Iterator<Item = &'a Point>) -> Range<f64> {
    let (low, high) = points.fold((f64::MAX, f64::MIN), |(low, high), p| {
        (low.min(p.x), high.max(p.x))
    });
    let room = ((high - low) * 0.03).max(0.05);
    let low = if kind == "load" { 0.0 } else { low - room };
    low..high + room
}

/// Whole powers of ten around everything that is drawn.
fn y_range(sweep: &Sweep<'_>, x: &Range<f64>) -> Range<f64> {
    let mut least: f64 = 0.1;
    for point in sweep.lines.iter().flat_map(|(_, line)| line) {
        let measured = if point.hits > 0 {
            point.measured()
        } else {
            point.interval.high
        };
        for rate in [measured, point.expected_fpr] {
            if rate > 0.0 {
                least = least.min(rate);
            }
        }
    }
    if sweep.kind == "bits-per-key" {
        least = least.min(2_f64.powf(-x.end));
    }
    10_f64.powf(least.log10().floor().max(-12.0))..1.0
}

fn draw_rates(canvas: &mut Canvas, axes: &Axes, sweep: &Sweep<'_>) {
    let mut labels = Vec::new();
    if sweep.kind == "bits-per-key" {
        let ends = axes.x_ends();
        let bound = |x: f64| axes.at(x, 2_f64.powf(-x));
        let path = [bound(ends.start.max(0.0)), bound(ends.end)];
        canvas.line(&path, Pen::Soft.dashes(1.0));
        let words = "information bound".to_owned();
        labels.push(EndLabel {
            y: path[1].1,
            words,
            pen: Pen::Soft,
        });
    }
    for (filter, line) in &sweep.lines {
        let look = look(filter);
        let stroke = if look.dashed {
            look.pen.dashes(1.2)
        } else {
            look.pen.line(1.2)
        };
        let path: Vec<Place> = line.iter().map(|p| axes.at(p.x, p.expected_fpr)).collect();
        canvas.line(&path, stroke);
        for point in line {
            let high = axes.at(point.x, point.interval.high);
            if point.hits > 0 {
                let low = axes.at(point.x, point.interval.low);
                frame::interval(canvas, low.0, low.1, high.1, look.pen);
                frame::marker(canvas, axes.at(point.x, point.measured()), look);
            } else {
                at_most(canvas, high, look.pen);
            }
        }
        if let Some(&(_, y)) = path.last() {
            labels.push(EndLabel {
                y,
                words: (*filter).to_owned(),
                pen: look.pen,
            });
        }
    }
    frame::end_labels(canvas, axes.right + 8.0, axes.top..axes.bottom, labels);
}

/// Nothing was hit: an open triangle that points down from the bound.
fn at_most(canvas: &mut Canvas, (x, y): Place, pen: Pen) {
    let path = [(x - 3.8, y), (x + 3.8, y), (x, y + 6.0), (x - 3.8, y)];
    canvas.line(&path, pen.line(1.2));
}

/// What the verdict allows, below everything else.
fn draw_band(canvas: &mut Canvas, axes: &Axes) {
    let ends = axes.x_ends();
    let (above, below) = (
        axes.at(ends.start, 1.0 + DELTA),
        axes.at(ends.end, 1.0 - DELTA),
    );
    canvas.rectangle(above, below, Pen::Band);
    let delta = number::significant(DELTA * 100.0, 2);
    for (y, words) in [
        (axes.at(ends.end, 1.0).1, "theory".to_owned()),
        (above.1, format!("+{delta} %")),
        (below.1, format!("\u{2212}{delta} %")),
    ] {
        canvas.text(
            &words,
            (axes.right + 8.0, y),
            frame::NOTE,
            Pen::Soft,
            Anchor::Start,
        );
    }
}

fn draw_ratios(canvas: &mut Canvas, axes: &Axes, sweep: &Sweep<'_>) {
    let ends = axes.x_ends();
    canvas.line(
        &[axes.at(ends.start, 1.0), axes.at(ends.end, 1.0)],
        Pen::Soft.line(1.0),
    );
    let middle = (sweep.lines.len() as f64 - 1.0) / 2.0;
    for (place, (filter, line)) in sweep.lines.iter().enumerate() {
        // Side by side, so that the bars of one do not hide another's.
        let aside = (place as f64 - middle) * 8.0;
        for point in line.iter().filter(|p| p.hits > 0 && p.expected_fpr > 0.0) {
            let ratio = |rate: f64| axes.at(point.x, rate / point.expected_fpr);
            let (x, y) = ratio(point.measured());
            let (low, high) = (ratio(point.interval.low).1, ratio(point.interval.high).1);
            frame::interval(canvas, x + aside, low, high, look(filter).pen);
            if RATIO.contains(&(point.measured() / point.expected_fpr)) {
                frame::marker(canvas, (x + aside, y), look(filter));
            }
        }
    }
    for point in &sweep.failed {
        let at = axes.at(point.x, point.measured() / point.expected_fpr);
        canvas.ring(at, 5.0, Pen::Bad.line(1.4));
    }
}

fn table(kind: &str, points: &[&Point]) -> Table {
    let x = if kind == "load" {
        "#Load"
    } else {
        "#Bits per key"
    };
    let mut table = Table::new(&[
        "Filter",
        "Data set",
        x,
        "#k",
        "#Capacity, keys",
        "#Replicates",
        "#Strangers asked",
        "#False positives",
        "#FPR measured (95 % interval)",
        "#FPR expected",
        "#Measured / expected",
        "#z given the bits",
        "#z of the fill",
        "#Keys refused",
        "Given the bits (power)",
        "Over seeds (power)",
    ]);
    for point in points {
        let word = |check: Option<Check>| {
            check.map_or("–".to_owned(), |check| {
                format!(
                    "{} ({})",
                    check.outcome.word(),
                    number::decimal(check.power, 2)
                )
            })
        };
        let z = |z: Option<f64>| z.map_or("–".to_owned(), |z| number::decimal(z, 1));
        let ratio = point.measured() / point.expected_fpr;
        let off = point.interval.half_width() / point.expected_fpr;
        let ratio = if point.hits == 0 {
            "–".to_owned()
        } else {
            number::decimal(ratio, if off < 0.02 { 3 } else { 2 })
        };
        let cells = [
            point.filter.clone(),
            point.dataset.clone(),
            number::significant(point.x, 4),
            if point.hashes == 0 {
                "–".to_owned()
            } else {
                point.hashes.to_string()
            },
            number::count(point.capacity),
            point.replicates.to_string(),
            number::count(point.asked),
            number::count(point.hits),
            number::measured_with_interval(point.measured(), point.interval),
            number::share(point.expected_fpr, 4),
            ratio,
            z(point.given_bits_z),
            z(point.fill_z),
            number::count(point.refused),
            word(point.given_bits),
            word(point.over_seeds),
        ];
        table.row(cells.map(Text::from));
    }
    table
}
