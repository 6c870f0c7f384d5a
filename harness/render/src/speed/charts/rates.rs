//! What a second thread brings.

use anyhow::Result;
use plotters::chart::ChartBuilder;

use crate::{
    charts::{
        frame::{self, EndLabel, NOTE, TEXT, Ticks},
        marks::{Bar, Line, Mark, tell},
    },
    document::Figure,
    number,
    palette::{self, Look, Stroke, look},
    speed::{
        score::Middle,
        threads::{Shared, shared, table},
    },
    svg::{Area, Drawn, picture, px},
};
use bouquet_ground::record::SpeedRecords;

const PANEL: f64 = 400.0;
const WIDTH: f64 = 1_100.0;
const RIGHT: f64 = 230.0;
const PANELS: [&str; 2] = ["insert", "hit"];

pub fn figure(records: &SpeedRecords) -> Result<Option<Figure>> {
    let all = shared(records);
    if all.is_empty() {
        return Ok(None);
    }
    let title = finding(&all);
    let reading = "Millions of keys a second of all threads together, on one thread and on two, \
        inserting on the left and asking for members on the right. A line that doubles from left to \
        right shares nothing that hurts. Upright bars are intervals of the median at 95 %."
        .to_owned();
    let description = format!("{title}. {reading}");
    let svg = picture("threads", &title, &description, (WIDTH, PANEL), |area| {
        for (panel, operation) in area.split_evenly((1, 2)).iter().zip(PANELS) {
            draw(area, panel, &all, operation)?;
        }
        Ok(())
    })?;
    Ok(Some(Figure {
        name: "threads".to_owned(),
        title,
        svg,
        reading,
        table: table(&all),
        source: "records/threads.csv".to_owned(),
    }))
}

fn finding(all: &[Shared<'_>]) -> String {
    let fastest = |operation: &str| {
        let rates = all
            .iter()
            .filter_map(|shared| Some((shared.rate(operation, 2)?.median, shared)));
        let fastest = rates.max_by(|a, b| a.0.total_cmp(&b.0));
        fastest.map_or(String::new(), |(rate, shared)| {
            format!(
                "{} ({} million a second)",
                shared.label(),
                number::decimal(rate, 0)
            )
        })
    };
    format!(
        "On two threads {} inserts fastest, {} answers fastest",
        fastest("insert"),
        fastest("hit")
    )
}

fn draw(area: &Area, panel: &Area, all: &[Shared<'_>], operation: &str) -> Drawn {
    let rates = |shared: &Shared<'_>| -> Vec<(f64, Middle)> {
        let rate = |threads: u32| Some((f64::from(threads), shared.rate(operation, threads)?));
        [1, 2].into_iter().filter_map(rate).collect()
    };
    let middles = all.iter().flat_map(rates);
    let most = middles
        .map(|(_, rate)| rate.interval.high)
        .fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(panel)
        .margin_top(px(14.0))
        .margin_right(px(RIGHT))
        .margin_left(px(8.0))
        .margin_bottom(px(8.0))
        .x_label_area_size(px(46.0))
        .y_label_area_size(px(60.0))
        .build_cartesian_2d(0.8..2.2, 0.0..1.08 * most)?;
    let name = format!("threads, {operation}");
    let across = Ticks {
        name: &name,
        most: 3,
        size: TEXT,
        format: &|v| {
            if v.fract().abs() < 1e-9 {
                number::decimal(*v, 0)
            } else {
                String::new()
            }
        },
    };
    let up = Ticks {
        name: "million keys a second",
        most: 6,
        size: NOTE,
        format: &|v| number::significant(*v, 3),
    };
    frame::mesh(&mut chart, &across, Some(&up))?;
    let mut labels = Vec::new();
    for shared in all {
        let (look, points) = (look_of(shared.filter), rates(shared));
        chart.draw_series([Line {
            path: points
                .iter()
                .map(|(threads, rate)| (*threads, rate.median))
                .collect(),
            stroke: look.stroke,
            style: look.pen.line(1.3),
        }])?;
        chart.draw_series(points.iter().map(|(threads, rate)| Bar {
            ends: [
                (*threads, rate.interval.low),
                (*threads, rate.interval.high),
            ],
            aside: 0.0,
            pen: look.pen,
        }))?;
        let marks = points.iter().map(|(threads, rate)| {
            let mark = Mark {
                at: (*threads, rate.median),
                aside: 0.0,
                look,
            };
            let rate = number::decimal(rate.median, 1);
            (
                mark,
                format!(
                    "{} on {threads}\n{rate} million keys a second",
                    shared.label()
                ),
            )
        });
        tell(&mut chart, marks)?;
        let end = points
            .last()
            .map(|(threads, rate)| chart.backend_coord(&(*threads, rate.median)));
        labels.extend(end.map(|(_, y)| EndLabel {
            y,
            words: shared.label(),
            pen: look.pen,
            look: Some(look),
        }));
    }
    let place = chart.plotting_area().get_pixel_range();
    frame::end_labels(area, place, NOTE, labels)
}

/// What shares a standard filter without a type of its own has its colour.
fn look_of(filter: &str) -> Look {
    match filter {
        "private" => palette::plain(),
        "mutex" => Look {
            stroke: Stroke::Dotted,
            ..palette::plain()
        },
        _ => look(filter),
    }
}
