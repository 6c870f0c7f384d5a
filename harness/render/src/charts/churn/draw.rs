//! Draws the rounds.

use super::Course;
use crate::{
    judge::Round,
    number,
    palette::{Stroke, look},
    plot::{Axis, Item, Label, Pair, Panel, Point, percent, whole},
};
use bouquet_ground::record::ChurnRow;

/// Of both panels, in pixels.
const HEIGHT: f64 = 620.0;
const LOWER: f64 = 330.0;
/// More points than this on a line hide each other: some are left out.
const MOST_POINTS: usize = 26;
/// The least end of the axis of shares: one in a thousand.
const LEAST_SHARE: f64 = 0.001;

/// Rates above and shares below.
pub fn panels(courses: &[Course<'_>]) -> [Panel; 2] {
    [rates(courses), all_shares(courses)]
}

/// Ticks at whole rounds.
fn across(courses: &[Course<'_>], name: &str, room: f64) -> Axis {
    let rounds = courses.iter().flat_map(|c| &c.rounds);
    let last = f64::from(rounds.map(|r| r.of.round).max().unwrap_or(0).max(1));
    let range = -0.02 * last..last + 0.02 * last;
    let most_ticks = (range.end as usize + 1).min(12);
    Axis::new(name, range, most_ticks, room, whole)
}

/// Some of the rounds, the last among them.
fn shown(rounds: &[Round]) -> impl Iterator<Item = &Round> {
    let step = rounds.len().div_ceil(MOST_POINTS).max(1);
    let last = rounds.len().saturating_sub(1);
    let picked = move |place: usize| place % step == last % step;
    let each = rounds.iter().enumerate();
    each.filter_map(move |(place, round)| picked(place).then_some(round))
}

fn rates(courses: &[Course<'_>]) -> Panel {
    let rounds = courses.iter().flat_map(|c| &c.rounds);
    let highest = rounds
        .map(|r| r.rate.interval.high.max(r.of.expected_fpr))
        .fold(0.0, f64::max);
    let range = 0.0..1.15 * highest.max(1e-12);
    let up = Axis::new("false-positive rate", range, 8, 90.0, percent);
    let axes = (across(courses, "", 26.0), up);
    let margins = [98.0, 14.0, 250.0, 34.0];
    let mut panel = Panel::wide(LOWER, margins, axes);
    for course in courses {
        let look = look(course.filter);
        let theory = |r: &Round| (f64::from(r.of.round), r.of.expected_fpr);
        let path: Vec<Pair> = course.rounds.iter().map(theory).collect();
        panel.add(Item::stroked(path, (look.pen, look.stroke), 1.2));
        let point = |r: &Round| {
            let at = (f64::from(r.of.round), r.rate.value);
            Point::new(at, r.rate.interval, words(course.filter, r))
        };
        panel.points(look, shown(&course.rounds).map(point));
        let end = course.rounds.last().map(theory);
        let label = end.map(|end| Label::filter(course.filter, end));
        panel.labels.extend(label);
    }
    panel
}

/// What a rate says to whoever points at it.
fn words(filter: &str, round: &Round) -> String {
    format!(
        "{filter} after round {}\nmeasured {}\ntheory {}",
        round.of.round,
        round.rate.in_words(),
        number::share(round.of.expected_fpr, 4)
    )
}

/// A share over the rounds.
struct Share<'a> {
    filter: &'a str,
    what: &'static str,
    stroke: Stroke,
    some: fn(&ChurnRow) -> u64,
    whole: fn(&ChurnRow) -> u64,
}

impl Share<'_> {
    fn at(&self, round: &Round) -> f64 {
        (self.some)(&round.of) as f64 / (self.whole)(&round.of).max(1) as f64
    }

    fn words(&self, round: &Round) -> String {
        let part = number::part((self.some)(&round.of), (self.whole)(&round.of));
        let Self { filter, what, .. } = self;
        format!("{filter} after round {}\n{what}: {part}", round.of.round)
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

fn all_shares(courses: &[Course<'_>]) -> Panel {
    let each = courses.iter().map(|c| (shares(c), &c.rounds[..]));
    let each = each.flat_map(|(all, rounds)| all.into_iter().map(move |share| (share, rounds)));
    let each: Vec<(Share<'_>, &[Round])> = each.collect();
    let all = each.iter();
    let all = all.flat_map(|(share, rounds)| rounds.iter().map(|r| share.at(r)));
    let most = all.fold(LEAST_SHARE, f64::max);
    // A square root: few must still show, and none has a place too.
    let range = 0.0..(1.15 * most).sqrt();
    let up = Axis::new("share of the keys", range, 6, 90.0, |v| {
        number::percent(v * v, 2)
    });
    let name = "rounds of removing and inserting";
    let axes = (across(courses, name, 50.0), up);
    let margins = [98.0, 14.0, 250.0, 58.0];
    let mut panel = Panel::wide(HEIGHT - LOWER, margins, axes).lower(LOWER);
    for (share, rounds) in &each {
        add_share(&mut panel, share, rounds);
    }
    for course in courses.iter().filter(|c| shares(c).is_empty()) {
        let words = format!("{}: none of either", course.filter);
        let label = Label::note(words, (0.0, 0.0), look(course.filter).pen);
        panel.labels.push(label);
    }
    panel
}

fn add_share(panel: &mut Panel, share: &Share<'_>, rounds: &[Round]) {
    let look = look(share.filter);
    let at = |r: &Round| -> Pair { (f64::from(r.of.round), share.at(r).sqrt()) };
    let path: Vec<Pair> = rounds.iter().map(at).collect();
    panel.add(Item::stroked(path, (look.pen, share.stroke), 1.2));
    if share.stroke == Stroke::Solid {
        for round in shown(rounds) {
            panel.add(Item::mark(at(round), look).saying(share.words(round)));
        }
    }
    if let Some(end) = rounds.last() {
        let words = format!("{}: {}", share.filter, share.what);
        panel.labels.push(Label::note(words, at(end), look.pen));
    }
}
