//! Fill and FPR over the number of chosen keys, beside what keys give that nobody
//! chose.

use anyhow::Result;
use plotters::{
    chart::ChartBuilder,
    coord::{
        combinators::IntoLogRange,
        ranged1d::{Ranged, ValueFormatter},
        types::RangedCoordf64,
    },
    style::text_anchor::HPos,
};

use crate::{
    charts::{
        frame::{self, Chart, EndLabel, NOTE, TEXT, Ticks},
        marks::{Bar, Line, Mark, Pair, tell},
    },
    document::{Figure, Table, Text},
    judge::CONFIDENCE,
    number,
    palette::{self, Look, Marker, Pen, Stroke},
    svg::{Area, Drawn, picture, px},
};
use bouquet_ground::record::{KEYED, PollutionRow};
use bouquet_stats::{Interval, proportion};

const SIZE: (f64, f64) = (1_100.0, 500.0);
const RIGHT: f64 = 190.0;
const TOP: f64 = 34.0;
const FOOT: f64 = 8.0;
/// The least FPR on the axis.
const LEAST: f64 = 1e-5;

/// A filter under one hash function, as it fills.
struct Course<'a> {
    hashing: &'a str,
    rows: Vec<&'a PollutionRow>,
}

impl Course<'_> {
    fn is_keyed(&self) -> bool {
        self.hashing == KEYED
    }

    fn look(&self) -> Look {
        let (pen, marker) = if self.is_keyed() {
            (palette::plain().pen, Marker::Circle)
        } else {
            (Pen::Bad, Marker::Ring)
        };
        Look {
            pen,
            marker,
            stroke: Stroke::Solid,
        }
    }
}

fn courses(rows: &[PollutionRow]) -> Vec<Course<'_>> {
    let mut courses: Vec<Course<'_>> = Vec::new();
    for row in rows {
        match courses
            .iter_mut()
            .find(|course| course.hashing == row.hashing)
        {
            Some(course) => course.rows.push(row),
            None => courses.push(Course {
                hashing: &row.hashing,
                rows: vec![row],
            }),
        }
    }
    courses
}

/// Chosen keys over the capacity.
fn load(row: &PollutionRow) -> f64 {
    row.chosen as f64 / row.capacity.max(1) as f64
}

fn fpr(row: &PollutionRow) -> (f64, Interval) {
    let (hits, asked) = (row.false_positives, row.strangers_asked);
    let share = hits as f64 / asked.max(1) as f64;
    (share, proportion(hits, asked, CONFIDENCE))
}

/// The picture; `None` without rows.
pub fn figure(rows: &[PollutionRow]) -> Result<Option<Figure>> {
    let courses = courses(rows);
    let Some(longest) = courses.iter().max_by_key(|course| course.rows.len()) else {
        return Ok(None);
    };
    let title = finding(&courses);
    let reading = "Keys whose probes all fall on slots still empty fill n k/m of the slots (dashed) \
                   in place of 1 - e^(-n k/m) (the thin line: keys that nobody chose), and the FPR \
                   is the k-th power of either. Rings are filters whose function and seed the \
                   attacker knows; most lie on each other, whichever function it is, but not where \
                   one has fewer probes or sets slots that belong together. The table has them \
                   apart. Dots are the keyed hash, attacked under a guessed key. Bars are \
                   intervals at 95 %; an FPR without a hit is left out. A filter that is cleared or \
                   sized for more is as easily filled: the picture ends where its capacity does, \
                   not where the attack does."
        .to_owned();
    let description = format!("{title}. {reading}");
    let svg = picture("pollution", &title, &description, SIZE, |area| {
        draw(area, &courses, longest)
    })?;
    Ok(Some(Figure {
        name: "pollution".to_owned(),
        title,
        svg,
        reading,
        table: table(rows),
        source: "records/pollution.csv".to_owned(),
    }))
}

fn finding(courses: &[Course<'_>]) -> String {
    let ends = |keyed: bool| {
        let own = courses
            .iter()
            .filter(move |course| course.is_keyed() == keyed);
        own.filter_map(|course| course.rows.last())
            .filter(|row| row.chosen == row.capacity)
    };
    let range = |keyed: bool| {
        let fprs = ends(keyed).map(|row| fpr(row).0);
        fprs.fold((f64::MAX, 0.0), |(least, most): (f64, f64), x| {
            (least.min(x), most.max(x))
        })
    };
    let honest = courses.iter().find_map(|course| course.rows.last());
    let honest = honest.map_or(0.0, |row| row.expected_fpr);
    let (least, most) = range(false);
    let mut words = Vec::new();
    if most > 0.0 {
        words.push(format!(
            "At capacity, chosen keys lift the FPR from {} to between {} and {} where the function is known",
            number::share(honest, 2),
            number::share(least, 2),
            number::share(most, 2)
        ));
    }
    if ends(true).next().is_some() {
        let (_, most) = range(true);
        words.push(format!(
            "under a secret key it stays at {}",
            number::share(most, 2)
        ));
    }
    if words.is_empty() {
        return "No filter was filled with chosen keys within the trials".to_owned();
    }
    number::capital(&words.join("; "))
}

fn draw(area: &Area, courses: &[Course<'_>], longest: &Course<'_>) -> Drawn {
    let (left, right) = area.split_horizontally(px(SIZE.0 / 2.0));
    draw_fill(&left, courses, longest)?;
    draw_fpr(&right, courses, longest)
}

fn heading<X, Y>(area: &Area, chart: &Chart<'_, X, Y>, words: &str) -> Drawn
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    let (x, y) = chart.plotting_area().get_pixel_range();
    let (left, top) = area.get_base_pixel();
    let style = frame::words(TEXT, Pen::Ink, HPos::Left);
    area.draw_text(words, &style, (x.start - left, y.start - top - px(16.0)))
}

fn across() -> Ticks<'static> {
    Ticks {
        name: "chosen keys / capacity",
        most: 5,
        size: NOTE,
        format: &|v| number::significant(*v, 3),
    }
}

fn draw_fill(area: &Area, courses: &[Course<'_>], longest: &Course<'_>) -> Drawn {
    let fills = courses.iter().flat_map(|course| &course.rows);
    let most = 1.08 * fills.map(|row| row.fill_ratio).fold(0.5, f64::max);
    let mut chart = ChartBuilder::on(area)
        .margin_top(px(TOP))
        .margin_right(px(RIGHT))
        .margin_bottom(px(FOOT))
        .margin_left(px(8.0))
        .x_label_area_size(px(46.0))
        .y_label_area_size(px(64.0))
        .build_cartesian_2d(0.0..1.04, 0.0..most)?;
    let up = Ticks {
        name: "share of slots set",
        most: 6,
        size: NOTE,
        format: &|v| number::percent(*v, 2),
    };
    frame::mesh(&mut chart, &across(), Some(&up))?;
    heading(area, &chart, "Fill")?;
    let chosen = |row: &PollutionRow| polluted(row).0;
    theory(&mut chart, longest, chosen, |row| row.expected_fill, 0.0)?;
    for course in courses {
        let marks = course.rows.iter().map(|row| {
            let fill = number::percent(row.fill_ratio, 3);
            mark(course, row, row.fill_ratio, format!("fill {fill}"))
        });
        tell(&mut chart, marks)?;
    }
    let at = |row: &PollutionRow| row.fill_ratio;
    labels(
        area,
        &mut chart,
        courses,
        longest,
        (at, chosen, |row| row.expected_fill),
    )
}

fn draw_fpr(area: &Area, courses: &[Course<'_>], longest: &Course<'_>) -> Drawn {
    let mut chart = ChartBuilder::on(area)
        .margin_top(px(TOP))
        .margin_right(px(RIGHT))
        .margin_bottom(px(FOOT))
        .margin_left(px(8.0))
        .x_label_area_size(px(46.0))
        .y_label_area_size(px(64.0))
        .build_cartesian_2d(0.0..1.04, frame::widened(LEAST..1.0).log_scale())?;
    let up = Ticks {
        name: "false-positive rate",
        most: 6,
        size: NOTE,
        format: &|v| number::percent(*v, 2),
    };
    frame::mesh(&mut chart, &across(), Some(&up))?;
    heading(area, &chart, "FPR")?;
    let chosen = |row: &PollutionRow| polluted(row).1;
    theory(&mut chart, longest, chosen, |row| row.expected_fpr, LEAST)?;
    for course in courses {
        let hit = || course.rows.iter().filter(|row| fpr(row).0 >= LEAST);
        chart.draw_series(hit().map(|row| Bar {
            ends: [fpr(row).1.low, fpr(row).1.high].map(|end| (load(row), end.max(LEAST))),
            aside: 0.0,
            pen: course.look().pen,
        }))?;
        let marks = hit().map(|row| {
            let (share, interval) = fpr(row);
            let words = format!("FPR {}", number::measured_with_interval(share, interval));
            mark(course, row, share, words)
        });
        tell(&mut chart, marks)?;
    }
    let at = |row: &PollutionRow| fpr(row).0.max(LEAST);
    labels(
        area,
        &mut chart,
        courses,
        longest,
        (at, chosen, |row| row.expected_fpr),
    )
}

/// Fill and FPR where every probe of the chosen keys met an empty slot.
fn polluted(row: &PollutionRow) -> (f64, f64) {
    let throws = row.chosen as f64 * f64::from(row.hashes);
    let fill = (throws / row.size_bits.max(1) as f64).min(1.0);
    (fill, fill.powf(f64::from(row.hashes)))
}

type Of = fn(&PollutionRow) -> f64;

/// The two lines of theory, from their beginning on.
fn theory<Y>(
    chart: &mut Chart<'_, RangedCoordf64, Y>,
    longest: &Course<'_>,
    chosen: Of,
    honest: Of,
    least: f64,
) -> Drawn
where
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    for (of, stroke, pen) in [
        (chosen, Stroke::Dashed, Pen::Bad),
        (honest, Stroke::Solid, Pen::Soft),
    ] {
        let rows = longest.rows.iter().map(|row| (load(row), of(row)));
        let shown = rows.filter(|(_, y)| *y >= least);
        let start = (least == 0.0).then_some((0.0, 0.0));
        chart.draw_series([Line {
            path: start.into_iter().chain(shown).collect::<Vec<Pair>>(),
            stroke,
            style: pen.line(1.0),
        }])?;
    }
    Ok(())
}

fn mark(course: &Course<'_>, row: &PollutionRow, y: f64, words: String) -> (Mark, String) {
    let mark = Mark {
        at: (load(row), y),
        aside: 0.0,
        look: course.look(),
    };
    let (chosen, capacity) = (number::count(row.chosen), number::count(row.capacity));
    let words = format!("{}\n{chosen} keys of {capacity}\n{words}", course.hashing);
    (mark, words)
}

/// One for all public functions, whose points lie on each other.
fn labels<Y>(
    area: &Area,
    chart: &mut Chart<'_, RangedCoordf64, Y>,
    courses: &[Course<'_>],
    longest: &Course<'_>,
    (at, chosen, honest): (Of, Of, Of),
) -> Drawn
where
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let (left, top) = area.get_base_pixel();
    let (x, y) = chart.plotting_area().get_pixel_range();
    let place = |row: &PollutionRow, of: Of| chart.backend_coord(&(load(row), of(row))).1 - top;
    let mut all = Vec::new();
    if let Some(row) = longest.rows.last() {
        all.push(EndLabel::note(
            "every probe met",
            place(row, chosen) - px(1.0),
        ));
        all.push(EndLabel::note("nobody chose", place(row, honest) + px(1.0)));
    }
    let open = || courses.iter().filter(|course| !course.is_keyed());
    let keyed = courses.iter().find(|course| course.is_keyed());
    let one = open().next();
    let many = format!("{} public functions", open().count());
    for (course, words) in [(one, many), (keyed, KEYED.to_owned())] {
        let Some((course, row)) = course.and_then(|c| Some((c, *c.rows.last()?))) else {
            continue;
        };
        all.push(EndLabel {
            y: place(row, at),
            words,
            pen: course.look().pen,
            look: Some(course.look()),
        });
    }
    let range = (x.start - left..x.end - left, y.start - top..y.end - top);
    frame::end_labels(area, range, NOTE, all)
}

fn table(rows: &[PollutionRow]) -> Table {
    let mut table = Table::new(&[
        "Hashing",
        "Knows",
        "#Capacity, keys",
        "#Chosen keys",
        "#Fill",
        "#Fill, nobody chose",
        "#FPR measured (95 % interval)",
        "#FPR, nobody chose",
    ]);
    for row in rows {
        let (share, interval) = fpr(row);
        table.row([
            Text::from(row.hashing.as_str()),
            row.knows.as_str().into(),
            number::count(row.capacity).into(),
            number::count(row.chosen).into(),
            number::percent(row.fill_ratio, 3).into(),
            number::percent(row.expected_fill, 3).into(),
            number::measured_with_interval(share, interval).into(),
            number::share(row.expected_fpr, 3).into(),
        ]);
    }
    table
}
