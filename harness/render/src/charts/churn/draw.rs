//! Draws the rounds.

use std::ops::Range;

use plotters::{chart::ChartBuilder, coord::types::RangedCoordf64};

use super::Course;
use crate::{
    charts::{
        frame::{self, Chart, EndLabel, TEXT, Ticks},
        marks::{Bar, Line, Mark, Pair, tell},
    },
    judge::Round,
    number,
    palette::{Look, Pen, Stroke, look},
    svg::{Area, Drawn, px},
};

/// Width and height in pixels.
pub const SIZE: (f64, f64) = (960.0, 620.0);
const LOWER: f64 = 330.0;
const ROOM: f64 = 8.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 250.0;
/// More points than this on a line hide each other: some are left out.
const MOST_POINTS: usize = 26;
/// The least end of the axis of shares: one in a thousand.
const LEAST_SHARE: f64 = 0.001;

type Rounds<'a> = Chart<'a, RangedCoordf64, RangedCoordf64>;

/// Draws rates above and shares below.
pub fn draw(area: &Area, courses: &[Course<'_>]) -> Drawn {
    let rounds = courses.iter().flat_map(|c| &c.rounds);
    let last = rounds.map(|r| r.round).max().unwrap_or(0).max(1);
    let room = 0.02 * f64::from(last);
    let x = -room..f64::from(last) + room;
    let (upper, lower) = area.split_vertically(px(LOWER));
    draw_rates(&upper, courses, x.clone())?;
    draw_shares(area, &lower, courses, x)
}

fn axes<'a>(panel: &Area, x: Range<f64>, most: f64, labels: f64) -> Drawn<Rounds<'a>> {
    ChartBuilder::on(panel)
        .margin_top(px(14.0))
        .margin_right(px(RIGHT))
        .margin_left(px(ROOM))
        .margin_bottom(px(ROOM))
        .x_label_area_size(px(labels))
        .y_label_area_size(px(LEFT))
        .build_cartesian_2d(x, 0.0..most)
}

/// Ticks at whole rounds.
fn across<'a>(name: &'a str, x: &Range<f64>) -> Ticks<'a> {
    Ticks {
        name,
        most: (x.end as usize + 1).min(12),
        size: TEXT,
        format: &|v| {
            if v.fract().abs() < 1e-9 {
                number::decimal(*v, 0)
            } else {
                String::new()
            }
        },
    }
}

/// Some of the rounds, the last among them.
fn shown(rounds: &[Round]) -> impl Iterator<Item = &Round> {
    let step = rounds.len().div_ceil(MOST_POINTS).max(1);
    let last = rounds.len().saturating_sub(1);
    let picked = move |place: usize| place % step == last % step;
    rounds
        .iter()
        .enumerate()
        .filter(move |(place, _)| picked(*place))
        .map(|(_, round)| round)
}

fn draw_rates(panel: &Area, courses: &[Course<'_>], x: Range<f64>) -> Drawn {
    let rounds = courses.iter().flat_map(|c| &c.rounds);
    let highest = rounds
        .map(|r| r.interval.high.max(r.expected_fpr))
        .fold(0.0, f64::max);
    let rounds = across("", &x);
    let mut chart = axes(panel, x, 1.15 * highest.max(1e-12), 26.0)?;
    let up = Ticks {
        name: "false-positive rate",
        most: 8,
        size: TEXT,
        format: &|v| number::percent(*v, 2),
    };
    frame::mesh(&mut chart, &rounds, Some(&up))?;
    let mut labels = Vec::new();
    for course in courses {
        let (look, x) = (look(course.filter), |r: &Round| f64::from(r.round));
        chart.draw_series([Line {
            path: course
                .rounds
                .iter()
                .map(|r| (x(r), r.expected_fpr))
                .collect(),
            stroke: look.stroke,
            style: look.pen.line(1.2),
        }])?;
        chart.draw_series(shown(&course.rounds).map(|r| Bar {
            ends: [(x(r), r.interval.low), (x(r), r.interval.high)],
            aside: 0.0,
            pen: look.pen,
        }))?;
        let mark = |r: &Round| Mark {
            at: (x(r), r.measured()),
            aside: 0.0,
            look,
        };
        let each = shown(&course.rounds).map(|r| (mark(r), words(course.filter, r)));
        tell(&mut chart, each)?;
        let end = course.rounds.last().map(|r| (x(r), r.expected_fpr));
        let ends = end.map(|end| chart.backend_coord(&end));
        labels.extend(ends.map(|(_, y)| EndLabel::filter(course.filter, y)));
    }
    let place = chart.plotting_area().get_pixel_range();
    frame::end_labels(panel, place, TEXT, labels)
}

/// What a rate says to whoever points at it.
fn words(filter: &str, round: &Round) -> String {
    format!(
        "{filter} after round {}\nmeasured {}\ntheory {}",
        round.round,
        number::measured_with_interval(round.measured(), round.interval),
        number::share(round.expected_fpr, 4)
    )
}

/// A share over the rounds.
struct Share<'a> {
    filter: &'a str,
    what: &'static str,
    stroke: Stroke,
    some: fn(&Round) -> u64,
    whole: fn(&Round) -> u64,
}

impl Share<'_> {
    fn at(&self, round: &Round) -> f64 {
        (self.some)(round) as f64 / (self.whole)(round).max(1) as f64
    }

    fn words(&self, round: &Round) -> String {
        let part = number::part((self.some)(round), (self.whole)(round));
        let Self { filter, what, .. } = self;
        format!("{filter} after round {}\n{what}: {part}", round.round)
    }
}

/// The shares of a filter that are not all zero.
fn shares<'a>(course: &Course<'a>) -> Vec<Share<'a>> {
    let all = [
        Share {
            filter: course.filter,
            what: "members denied",
            stroke: Stroke::Solid,
            some: |r| r.false_negatives,
            whole: |r| r.members_asked,
        },
        Share {
            filter: course.filter,
            what: "keys refused",
            stroke: Stroke::Dotted,
            some: |r| r.refused,
            whole: |r| r.inserted,
        },
    ];
    let any = |share: &Share<'_>| course.sum(share.some) > 0;
    all.into_iter().filter(any).collect()
}

fn draw_shares(area: &Area, panel: &Area, courses: &[Course<'_>], x: Range<f64>) -> Drawn {
    let each: Vec<(Share<'_>, &[Round])> = courses
        .iter()
        .flat_map(|c| shares(c).into_iter().map(|share| (share, &c.rounds[..])))
        .collect();
    let all = each
        .iter()
        .flat_map(|(share, rounds)| rounds.iter().map(|r| share.at(r)));
    let most = all.fold(LEAST_SHARE, f64::max);
    let rounds = across("rounds of removing and inserting", &x);
    // A square root: few must still show, and none has a place too.
    let mut chart = axes(panel, x, (1.15 * most).sqrt(), 50.0)?;
    let up = Ticks {
        name: "share of the keys",
        most: 6,
        size: TEXT,
        format: &|v| number::percent(v * v, 2),
    };
    frame::mesh(&mut chart, &rounds, Some(&up))?;
    let mut labels = Vec::new();
    for (share, rounds) in &each {
        labels.extend(draw_share(&mut chart, share, rounds)?);
    }
    let (_, zero) = chart.backend_coord(&(0.0, 0.0));
    let none = courses.iter().filter(|c| shares(c).is_empty());
    labels.extend(none.map(|c| EndLabel {
        pen: look(c.filter).pen,
        ..EndLabel::note(format!("{}: none of either", c.filter), zero)
    }));
    let place = chart.plotting_area().get_pixel_range();
    frame::end_labels(area, place, TEXT, labels)
}

fn draw_share(
    chart: &mut Rounds<'_>,
    share: &Share<'_>,
    rounds: &[Round],
) -> Drawn<Option<EndLabel>> {
    let Look { pen, marker, .. } = look(share.filter);
    let look = Look {
        pen,
        marker,
        stroke: share.stroke,
    };
    let at = |r: &Round| -> Pair { (f64::from(r.round), share.at(r).sqrt()) };
    chart.draw_series([Line {
        path: rounds.iter().map(at).collect(),
        stroke: look.stroke,
        style: Pen::line(pen, 1.2),
    }])?;
    if share.stroke == Stroke::Solid {
        let mark = |r: &Round| Mark {
            at: at(r),
            aside: 0.0,
            look,
        };
        tell(chart, shown(rounds).map(|r| (mark(r), share.words(r))))?;
    }
    let end = rounds.last().map(|r| chart.backend_coord(&at(r)));
    Ok(end.map(|(_, y)| EndLabel {
        pen,
        ..EndLabel::note(format!("{}: {}", share.filter, share.what), y)
    }))
}
