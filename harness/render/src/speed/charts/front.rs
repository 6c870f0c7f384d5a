//! Nanoseconds against bits per key: who pays for time with memory.

use anyhow::Result;
use plotters::{chart::ChartBuilder, coord::combinators::IntoLogRange};

use super::{axis, half, look_of, on_axis};
use crate::{
    charts::{
        frame::{self, EndLabel, NOTE, TEXT, Ticks},
        marks::{Bar, Line, Mark, Pair, tell},
    },
    document::{Figure, Table, Text},
    number,
    palette::{Pen, Stroke},
    speed::score::{Column, Score},
    svg::{Area, Drawn, picture, px},
};

const SIZE: (f64, f64) = (960.0, 560.0);
const RIGHT: f64 = 260.0;

/// A filter at its place.
struct Point<'a> {
    score: &'a Score<'a>,
    at: Pair,
    ends: [f64; 2],
    is_front: bool,
}

impl Point<'_> {
    fn place(&self) -> Pair {
        (self.at.0, on_axis(self.at.1))
    }
}

/// Of the highest target, at the most keys that most filters were measured with.
pub fn figure(keys: &str, columns: &[&Column<'_>]) -> Result<Option<Figure>> {
    let highest = columns
        .iter()
        .map(|column| column.target_fpr)
        .fold(0.0, f64::max);
    let at_highest = columns.iter().filter(|column| column.target_fpr == highest);
    let Some(column) = at_highest.max_by_key(|column| (column.scores.len(), column.capacity))
    else {
        return Ok(None);
    };
    let points = points(column);
    if points.len() < 2 {
        return Ok(None);
    }
    let title = finding(column, &points);
    let reading = "Left is smaller, low is faster, by a logarithmic axis. Half of the keys asked \
        for are members, at random. The dashed line joins those that no other filter beats in \
        both. Only filters are drawn that can be updated, refused no key and keep the target; \
        upright bars are intervals of the median at 95 %."
        .to_owned();
    let name = format!("time-and-bits-{keys}");
    let description = format!("{title}. {reading}");
    let svg = picture(&name, &title, &description, SIZE, |area| {
        draw(area, &points)
    })?;
    Ok(Some(Figure {
        name,
        title,
        svg,
        reading,
        table: table(&points),
        source: "records/speed.csv".to_owned(),
    }))
}

fn points<'a>(column: &'a Column<'a>) -> Vec<Point<'a>> {
    let competing = column
        .scores
        .iter()
        .filter(|score| score.competes(column.target_fpr));
    let mut points: Vec<Point<'_>> = competing
        .filter_map(|score| {
            let middle = half(score)?;
            Some(Point {
                score,
                at: (score.bits_per_key?, middle.median),
                ends: [middle.interval.low, middle.interval.high],
                is_front: false,
            })
        })
        .collect();
    points.sort_by(|a, b| a.at.0.total_cmp(&b.at.0).then(a.at.1.total_cmp(&b.at.1)));
    let mut fastest = f64::INFINITY;
    for point in &mut points {
        if point.at.1 < fastest {
            (fastest, point.is_front) = (point.at.1, true);
        }
    }
    points
}

fn finding(column: &Column<'_>, points: &[Point<'_>]) -> String {
    let front: Vec<String> = points
        .iter()
        .filter(|point| point.is_front)
        .map(|point| point.score.in_words())
        .collect();
    let front: Vec<&str> = front.iter().map(String::as_str).collect();
    format!(
        "No filter is both smaller and faster than {} ({} keys of kind {}, target {})",
        number::listed(&front),
        number::count(column.capacity),
        column.keys,
        number::share(column.target_fpr, 3)
    )
}

fn draw(area: &Area, points: &[Point<'_>]) -> Drawn {
    let bits = points.iter().map(|point| point.at.0);
    let (least, most) = (
        bits.clone().fold(f64::INFINITY, f64::min),
        bits.fold(0.0, f64::max),
    );
    let room = 0.05 * (most - least).max(1.0);
    let ns = axis(points.iter().flat_map(|point| point.ends));
    let mut chart = ChartBuilder::on(area)
        .margin_top(px(14.0))
        .margin_right(px(RIGHT))
        .margin_left(px(8.0))
        .margin_bottom(px(8.0))
        .x_label_area_size(px(50.0))
        .y_label_area_size(px(80.0))
        .build_cartesian_2d(least - room..most + room, ns.log_scale())?;
    let across = Ticks {
        name: "bits per key",
        most: 10,
        size: TEXT,
        format: &|v| number::significant(*v, 4),
    };
    let up = Ticks {
        name: "net ns a key, half-half",
        most: 8,
        size: TEXT,
        format: &|v| number::significant(*v, 4),
    };
    frame::mesh(&mut chart, &across, Some(&up))?;
    let front = points
        .iter()
        .filter(|point| point.is_front)
        .map(Point::place);
    chart.draw_series([Line {
        path: front.collect(),
        stroke: Stroke::Dashed,
        style: Pen::Ink.line(1.2),
    }])?;
    let mut labels = Vec::new();
    for point in points {
        let (look, (x, y)) = (look_of(point.score), point.place());
        chart.draw_series([Bar {
            ends: point.ends.map(|ns| (x, on_axis(ns))),
            aside: 0.0,
            pen: look.pen,
        }])?;
        let mark = Mark {
            at: (x, y),
            aside: 0.0,
            look,
        };
        tell(&mut chart, [(mark, words(point))])?;
        let (_, y) = chart.backend_coord(&(x, y));
        labels.push(EndLabel {
            y,
            words: format!(
                "{}: {}",
                point.score.label(),
                number::decimal(point.at.0, 1)
            ),
            pen: look.pen,
            look: Some(look),
        });
    }
    let place = chart.plotting_area().get_pixel_range();
    frame::end_labels(area, place, NOTE, labels)
}

fn words(point: &Point<'_>) -> String {
    format!(
        "{}\n{} ns ({} to {})\n{} bits per key",
        point.score.label(),
        number::decimal(point.at.1, 1),
        number::decimal(point.ends[0], 1),
        number::decimal(point.ends[1], 1),
        number::decimal(point.at.0, 2)
    )
}

fn table(points: &[Point<'_>]) -> Table {
    let mut table = Table::new(&["Filter", "#Bits per key", "#Net, ns", "Beaten in both"]);
    for point in points {
        table.row([
            Text::from(point.score.label()),
            number::decimal(point.at.0, 2).into(),
            number::decimal(point.at.1, 2).into(),
            if point.is_front { "no" } else { "yes" }.into(),
        ]);
    }
    table
}
