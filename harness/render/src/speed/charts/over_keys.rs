//! Nanoseconds over the number of keys: where filters fall out of caches.

use std::ops::Range;

use anyhow::Result;
use plotters::{
    chart::ChartBuilder,
    coord::combinators::{IntoLogRange, LogCoord},
    element::PathElement,
    style::text_anchor::HPos,
};

use super::{axis, half, look_of, on_axis};
use crate::{
    charts::{
        frame::{self, Chart, EndLabel, NOTE, Ticks},
        marks::{Bar, Line, Mark, Pair, tell},
    },
    document::{Figure, Table, Text},
    number,
    palette::{Look, Pen, Stroke},
    speed::score::{Column, Middle, OPERATIONS, Times},
    svg::{Area, Drawn, picture, px},
};
use bouquet_ground::record::SpeedRecords;

const SIZE: (f64, f64) = (1_100.0, 860.0);
const RIGHT: f64 = 205.0;
/// The most peers on the picture.
const PEERS: usize = 4;
const SHOWN: [(&str, &str); 6] = [
    ("standard", "one by one"),
    ("standard", "batch"),
    ("blocked", "one by one"),
    ("blocked", "batch"),
    ("blocked-words32", "batch"),
    ("blocked-line", "batch"),
];

type Over<'a> = Chart<'a, LogCoord<f64>, LogCoord<f64>>;

/// A line of the picture: of each operation the times by capacity.
struct Course {
    label: String,
    /// Of the roofline none.
    look: Option<Look>,
    by_operation: [Vec<(u64, Middle)>; 4],
}

/// Of the highest target; it takes two capacities.
pub fn figure(
    records: &SpeedRecords,
    keys: &str,
    columns: &[&Column<'_>],
) -> Result<Option<Figure>> {
    let highest = columns
        .iter()
        .map(|column| column.target_fpr)
        .fold(0.0, f64::max);
    let mut own: Vec<&Column<'_>> = columns
        .iter()
        .filter(|column| column.target_fpr == highest)
        .copied()
        .collect();
    own.sort_by_key(|column| column.capacity);
    let (Some(first), Some(last)) = (own.first(), own.last()) else {
        return Ok(None);
    };
    if first.capacity == last.capacity {
        return Ok(None);
    }
    let courses = courses(&own);
    let caches = caches(records, last);
    let title = finding(&own, keys);
    let reading = "Net time of a key; both axes are logarithmic. Upright lines mark how many \
        keys a blocked filter holds in each cache of a core. \"a random line\" reads one line of \
        the cache from as many bytes, in the fastest way. Upright bars are intervals of the median \
        at 95 %. Capacities are few: what lies between two of them was not measured."
        .to_owned();
    let name = format!("time-over-keys-{keys}");
    let description = format!("{title}. {reading}");
    let range = first.capacity as f64..last.capacity as f64;
    let svg = picture(&name, &title, &description, SIZE, |area| {
        draw(area, &courses, &caches, &range)
    })?;
    Ok(Some(Figure {
        name,
        title,
        svg,
        reading,
        table: table(&courses),
        source: "records/speed.csv".to_owned(),
    }))
}

/// Ours of note, the fastest peers where there are most keys, the roofline.
fn courses(columns: &[&Column<'_>]) -> Vec<Course> {
    let mut names: Vec<(String, String)> = SHOWN.map(|(f, w)| (f.to_owned(), w.to_owned())).into();
    let Some(last) = columns.last() else {
        return Vec::new();
    };
    let mut peers: Vec<_> = last
        .scores
        .iter()
        .filter(|score| score.role == "peer" && score.competes(last.target_fpr))
        .filter_map(|score| Some((half(score)?.median, score)))
        .collect();
    peers.sort_by(|a, b| a.0.total_cmp(&b.0));
    let peers = peers.iter().take(PEERS);
    names.extend(peers.map(|(_, score)| (score.filter.to_owned(), score.way.to_owned())));
    let mut courses: Vec<Course> = names
        .iter()
        .filter_map(|(filter, way)| course(columns, filter, way))
        .collect();
    let line = |column: &&Column<'_>| Some((column.capacity, Middle::of_times(&column.roofline)?));
    let line: Vec<(u64, Middle)> = columns.iter().filter_map(line).collect();
    courses.push(Course {
        label: "a random line".to_owned(),
        look: None,
        by_operation: [line.clone(), line.clone(), line.clone(), line],
    });
    courses
}

fn course(columns: &[&Column<'_>], filter: &str, way: &str) -> Option<Course> {
    let found = columns.iter().filter_map(|column| {
        let mut scores = column.scores.iter();
        Some((
            column.capacity,
            scores.find(|s| (s.filter, s.way) == (filter, way))?,
        ))
    });
    let found: Vec<_> = found.collect();
    let (_, any) = found.first()?;
    let of = |operation: usize| -> Vec<(u64, Middle)> {
        let middle = |times: &Times| Middle::of_times(times);
        let each = found.iter();
        each.filter_map(|(n, score)| Some((*n, middle(&score.net[operation])?)))
            .collect()
    };
    Some(Course {
        label: any.label(),
        look: Some(look_of(any)),
        by_operation: [0, 1, 2, 3].map(of),
    })
}

/// How many keys of a blocked filter each cache holds.
fn caches(records: &SpeedRecords, column: &Column<'_>) -> Vec<(f64, &'static str)> {
    let blocked = column.scores.iter().find(|score| score.filter == "blocked");
    let bits = blocked.and_then(|score| score.bits_per_key).unwrap_or(10.0);
    let cache = |(name, words): (&str, &'static str)| {
        let bytes: f64 = records.about.fact(name).parse().ok()?;
        Some((bytes * 8.0 / bits, words))
    };
    let all = [("cache_l1d", "L1"), ("cache_l2", "L2"), ("cache_l3", "L3")];
    all.into_iter().filter_map(cache).collect()
}

fn finding(columns: &[&Column<'_>], keys: &str) -> String {
    let told = columns.iter().filter_map(|column| {
        let ours = |batch| {
            column.best(super::HALF, |score| {
                score.role == "ours" && (score.way == "batch") == batch
            })
        };
        // Single calls first: they are all that a peer has.
        let fastest = [ours(false), ours(true), column.best_peer(super::HALF)];
        let told = fastest.into_iter().flatten().filter_map(|score| {
            let ns = number::decimal(half(score)?.median, 1);
            Some(format!("{} {ns} ns", score.in_words()))
        });
        let told: Vec<String> = told.collect();
        let n = number::count(column.capacity);
        (!told.is_empty()).then(|| format!("at {n} keys {}", told.join(", ")))
    });
    let told: Vec<String> = told.collect();
    format!(
        "Members and strangers at random, kind {keys}: {}",
        told.join("; ")
    )
}

fn draw(area: &Area, courses: &[Course], caches: &[(f64, &str)], range: &Range<f64>) -> Drawn {
    for (at, panel) in area.split_evenly((2, 2)).iter().enumerate() {
        draw_panel(area, panel, at, courses, caches, range)?;
    }
    Ok(())
}

fn draw_panel(
    area: &Area,
    panel: &Area,
    operation: usize,
    courses: &[Course],
    caches: &[(f64, &str)],
    range: &Range<f64>,
) -> Drawn {
    let middles = courses
        .iter()
        .flat_map(|course| &course.by_operation[operation]);
    let ns = axis(middles.flat_map(|(_, middle)| [middle.interval.low, middle.interval.high]));
    let x = range.start * 0.8..range.end * 1.25;
    let mut chart = ChartBuilder::on(panel)
        .margin_top(px(34.0))
        .margin_right(px(RIGHT))
        .margin_left(px(8.0))
        .margin_bottom(px(8.0))
        .x_label_area_size(px(46.0))
        .y_label_area_size(px(56.0))
        .build_cartesian_2d(x.log_scale(), ns.clone().log_scale())?;
    let across = Ticks {
        name: "keys",
        most: 5,
        size: NOTE,
        format: &|v| format!("1e{}", number::decimal(v.log10(), 0)),
    };
    let up = Ticks {
        name: "ns",
        most: 6,
        size: NOTE,
        format: &|v| number::significant(*v, 3),
    };
    frame::mesh(&mut chart, &across, Some(&up))?;
    let pixels = chart.plotting_area().get_pixel_range();
    let words = frame::words(NOTE, Pen::Ink, HPos::Left);
    area.draw_text(
        OPERATIONS[operation],
        &words,
        (pixels.0.start, pixels.1.start - px(14.0)),
    )?;
    for (keys, name) in caches.iter().filter(|(keys, _)| range.contains(keys)) {
        let line = [(*keys, ns.start), (*keys, ns.end)];
        chart.draw_series([PathElement::new(line, Pen::Soft.line(0.8))])?;
        let (x, y) = chart.backend_coord(&(*keys, ns.end));
        let words = frame::words(NOTE, Pen::Soft, HPos::Center);
        area.draw_text(name, &words, (x, y - px(8.0)))?;
    }
    let mut labels = Vec::new();
    for course in courses {
        labels.extend(draw_course(&mut chart, course, operation)?);
    }
    frame::end_labels(area, pixels, NOTE, labels)
}

fn draw_course(chart: &mut Over<'_>, course: &Course, operation: usize) -> Drawn<Option<EndLabel>> {
    let points = &course.by_operation[operation];
    let at = |(n, middle): &(u64, Middle)| -> Pair { (*n as f64, on_axis(middle.median)) };
    let pen = course.look.map_or(Pen::Ink, |look| look.pen);
    let stroke = course.look.map_or(Stroke::Solid, |look| look.stroke);
    chart.draw_series([Line {
        path: points.iter().map(at).collect(),
        stroke,
        style: pen.line(1.3),
    }])?;
    chart.draw_series(points.iter().map(|(n, middle)| Bar {
        ends: [middle.interval.low, middle.interval.high].map(|ns| (*n as f64, on_axis(ns))),
        aside: 0.0,
        pen,
    }))?;
    if let Some(look) = course.look {
        let mark = |point: &(u64, Middle)| {
            let mark = Mark {
                at: at(point),
                aside: 0.0,
                look,
            };
            let ns = number::decimal(point.1.median, 2);
            (
                mark,
                format!("{}\n{} keys\n{ns} ns", course.label, number::count(point.0)),
            )
        };
        tell(chart, points.iter().map(mark))?;
    }
    let end = points.last().map(|point| chart.backend_coord(&at(point)));
    Ok(end.map(|(_, y)| EndLabel {
        y,
        words: course.label.clone(),
        pen,
        look: course.look,
    }))
}

fn table(courses: &[Course]) -> Table {
    let mut table = Table::new(&["Filter", "Operation", "#Keys", "#Net, ns", "#from", "#to"]);
    for course in courses {
        for (operation, points) in OPERATIONS.iter().zip(&course.by_operation) {
            for (n, middle) in points {
                table.row([
                    Text::from(course.label.as_str()),
                    (*operation).into(),
                    number::count(*n).into(),
                    number::decimal(middle.median, 2).into(),
                    number::decimal(middle.interval.low, 2).into(),
                    number::decimal(middle.interval.high, 2).into(),
                ]);
            }
        }
    }
    table
}
