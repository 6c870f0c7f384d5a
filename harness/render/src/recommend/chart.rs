//! The overhead of a lookup over the cost of the work behind it.

use anyhow::Result;
use plotters::{chart::ChartBuilder, coord::combinators::IntoLogRange};

use crate::{
    charts::{
        frame::{self, EndLabel, NOTE, TEXT, Ticks},
        marks::{Line, Pair},
    },
    document::{Figure, Table, Text},
    number,
    palette::{Pen, Stroke, look},
    svg::{Area, Drawn, picture, px},
};
use bouquet_ground::record::{LineRow, Recommendation};
use bouquet_ground::units::time;

const SIZE: (f64, f64) = (960.0, 600.0);
const RIGHT: f64 = 170.0;
/// Work costs: nine decades.
const FROM: f64 = 1.0;
const TO: f64 = 1e9;
const STEPS: i32 = 90;

/// Overheads below this are drawn as this.
const LEAST: f64 = 0.5;

/// Of every candidate the best of its sizes at each work cost.
pub fn figure(answer: &Recommendation) -> Result<Figure> {
    let courses = courses(answer);
    let title = finding(answer);
    let reading =
        "Each line is a candidate at the best of its sizes: what a lookup takes in it, and \
        the needless work that it lets through; building it is shared out over the lookups. The \
        work that hits need anyway is in none of them. The lowest line wins; where a line is shaded, \
        it is closer to the lowest than 5 % or than their intervals: too close to call. The upright \
        line is the work cost asked for."
            .to_owned();
    let name = "cost-over-work-cost".to_owned();
    let description = format!("{title}. {reading}");
    let svg = picture(&name, &title, &description, SIZE, |area| {
        draw(area, &courses, answer)
    })?;
    Ok(Figure {
        name,
        title,
        svg,
        reading,
        table: table(&courses),
        source: "records/lines.csv".to_owned(),
    })
}

struct Course<'a> {
    candidate: &'a str,
    path: Vec<Pair>,
    /// The parts of it that are too close to the lowest line.
    shaded: Vec<Vec<Pair>>,
    is_choice: bool,
}

fn courses(answer: &Recommendation) -> Vec<Course<'_>> {
    let mut names: Vec<&str> = Vec::new();
    for line in &answer.lines {
        if !names.contains(&line.candidate.as_str()) {
            names.push(&line.candidate);
        }
    }
    names
        .into_iter()
        .map(|candidate| {
            let own: Vec<&LineRow> = answer
                .lines
                .iter()
                .filter(|line| line.candidate == candidate)
                .collect();
            let least = |work: f64| {
                let costs = own.iter().map(|line| line.base_ns + line.slope * work);
                costs.fold(f64::INFINITY, f64::min).max(LEAST)
            };
            let bands = answer
                .bands
                .iter()
                .filter(|band| band.candidate == candidate);
            let shaded = bands.map(|band| {
                let (from, to) = (band.from_ns, band.to_ns);
                let inside = works().filter(|work| (from..to).contains(work));
                let all = [from].into_iter().chain(inside).chain([to]);
                all.map(|work| (work, least(work))).collect()
            });
            Course {
                candidate,
                shaded: shaded.collect(),
                path: works().map(|work| (work, least(work))).collect(),
                is_choice: candidate == answer.choice,
            }
        })
        .collect()
}

fn works() -> impl Iterator<Item = f64> {
    (0..=STEPS).map(|i| FROM * (TO / FROM).powf(f64::from(i) / f64::from(STEPS)))
}

fn finding(answer: &Recommendation) -> String {
    let pieces: Vec<String> = answer
        .envelope
        .iter()
        .map(|row| {
            let to = time(row.to_ns);
            format!("{} up to {to}", row.candidate)
        })
        .collect();
    format!("Least cost: {}", pieces.join(", "))
}

fn draw(area: &Area, courses: &[Course<'_>], answer: &Recommendation) -> Drawn {
    let most = courses
        .iter()
        .flat_map(|course| &course.path)
        .map(|point| point.1)
        .fold(10.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .margin_top(px(14.0))
        .margin_right(px(RIGHT))
        .margin_left(px(8.0))
        .margin_bottom(px(8.0))
        .x_label_area_size(px(50.0))
        .y_label_area_size(px(80.0))
        .build_cartesian_2d(
            frame::widened(FROM..TO).log_scale(),
            frame::widened(LEAST..most).log_scale(),
        )?;
    let tick = |ns: &f64| time(*ns);
    let across = Ticks {
        name: "cost of the work behind",
        most: 10,
        size: TEXT,
        format: &tick,
    };
    let up = Ticks {
        name: "a lookup loses",
        most: 10,
        size: TEXT,
        format: &tick,
    };
    frame::mesh(&mut chart, &across, Some(&up))?;
    let asked = answer.work_cost_ns.clamp(FROM, TO);
    chart.draw_series([Line {
        path: vec![(asked, LEAST), (asked, most)],
        stroke: Stroke::Dotted,
        style: Pen::Soft.line(1.2),
    }])?;
    for course in courses {
        chart.draw_series(course.shaded.iter().map(|path| Line {
            path: path.clone(),
            stroke: Stroke::Solid,
            style: Pen::Band.line(12.0),
        }))?;
    }
    let mut labels = Vec::new();
    for course in courses {
        let look = look(course.candidate);
        chart.draw_series([Line {
            path: course.path.clone(),
            stroke: look.stroke,
            style: look.pen.line(if course.is_choice { 2.6 } else { 1.2 }),
        }])?;
        if let Some(end) = course.path.last() {
            let (_, y) = chart.backend_coord(end);
            labels.push(EndLabel::filter(course.candidate, y));
        }
    }
    let place = chart.plotting_area().get_pixel_range();
    frame::end_labels(area, place, NOTE, labels)
}

fn table(courses: &[Course<'_>]) -> Table {
    let mut table = Table::new(&["Candidate", "#Work", "#A lookup loses, ns"]);
    for course in courses {
        for (work, cost) in course.path.iter().step_by(10) {
            table.row([
                Text::from(course.candidate),
                time(*work).into(),
                number::significant(*cost, 3).into(),
            ]);
        }
    }
    table
}
