//! What deleting does in the long run: FPR over rounds of removals, and below it
//! the shares of false negatives and of keys rejected.

use super::fpr::{SOURCE, lines, point};
use crate::{
    document::{Figure, Table},
    groups::grouped,
    judge::{Judgement, Point, sum},
    number,
    palette::{Stroke, style},
    plot::{self, Axis, Item, Label, Pair, Panel, percent, whole},
};
use bouquet_ground::record::{Observation, Sweep};

type Count = fn(&Observation) -> u64;

/// A filter over its rounds, all data sets pooled.
type Series<'a> = (&'a str, Vec<Point>);

/// A chart for each experiment.
pub fn figures(judgement: &Judgement) -> Vec<Figure> {
    let rounds = judgement.lifecycles.iter().flat_map(|l| &l.rounds);
    let experiments = grouped(rounds, |round| round.of.experiment.as_str());
    let each = experiments.iter().enumerate();
    each.map(|(place, (experiment, rounds))| {
        let name = match place {
            0 => "churn".to_owned(),
            _ => format!("churn-{experiment}"),
        };
        figure(name, &lines(rounds))
    })
    .collect()
}

fn figure(name: String, all_series: &[Series<'_>]) -> Figure {
    let reading = "Above, points are measured after each round and pooled over the data sets, bars \
                   are 95 % intervals, lines are theory for the keys that should be present: a filter \
                   that does not forget climbs away from its line. Below, the share of false \
                   negatives, and of all keys given the share that is rejected; the axis is that of \
                   the square root, so that few still show. Keys that were removed are looked up \
                   among the non-members: those still present count as false positives. Keys that \
                   were rejected, or whose removal was rejected, may be present or not: they are \
                   looked up no more. Rounds of one filter share keys and non-members: a wave over some rounds is no trend.";
    let missing = all_series.iter();
    let missing = missing.filter(|series| sum(&series.1, |r| r.false_negatives) > 0);
    let finding = match number::listed(missing.map(|(filter, _)| *filter)).as_str() {
        "" => "No filter has false negatives while keys are removed.".to_owned(),
        names => format!("With false negatives while keys are removed: {names}."),
    };
    let title = "FPR while keys are removed and inserted";
    let table = table(all_series);
    let panels = [rates(all_series), all_shares(all_series)];
    plot::figure(&panels, name, title, reading, table, SOURCE).finding(finding)
}

/// Of both panels, in pixels.
const HEIGHT: f64 = 620.0;
const LOWER: f64 = 330.0;
/// More points than this on a line hide each other: some are left out.
const MOST_POINTS: usize = 26;
/// The least end of the axis of shares: one in a thousand.
const LEAST_SHARE: f64 = 0.001;

/// Ticks at whole rounds.
fn across(all_series: &[Series<'_>], name: &str, room: f64) -> Axis {
    let rounds = all_series.iter().flat_map(|(_, rounds)| rounds);
    let last = rounds.map(|r| r.of.x).fold(1.0, f64::max);
    let range = -0.02 * last..last + 0.02 * last;
    let most_ticks = range.end.min(11.0) as usize + 1;
    Axis::new(name, range, most_ticks, room, whole)
}

/// Some of the rounds, the last among them.
fn shown(rounds: &[Point]) -> impl Iterator<Item = &Point> {
    let step = rounds.len().div_ceil(MOST_POINTS).max(1);
    let last = rounds.len().saturating_sub(1);
    let picked = move |place: usize| place % step == last % step;
    let each = rounds.iter().enumerate();
    each.filter_map(move |(place, round)| picked(place).then_some(round))
}

fn rates(all_series: &[Series<'_>]) -> Panel {
    let rounds = all_series.iter().flat_map(|(_, rounds)| rounds);
    let highest = rounds
        .map(|r| r.rate.interval.high.max(r.of.expected_fpr))
        .fold(0.0, f64::max);
    let range = 0.0..1.15 * highest.max(1e-12);
    let up = Axis::new("false-positive rate", range, 8, 90.0, percent);
    let axes = (across(all_series, "", 26.0), up);
    let margins = [98.0, 14.0, 250.0, 34.0];
    let mut panel = Panel::wide(LOWER, margins, axes);
    for (filter, rounds) in all_series {
        let style = style(filter);
        let theory = |r: &Point| (r.of.x, r.of.expected_fpr);
        let path: Vec<Pair> = rounds.iter().map(theory).collect();
        panel.add(Item::stroked(path, (style.paint, style.stroke), 1.2));
        panel.points(style, shown(rounds).map(|r| point(Sweep::Churn, r)));
        let end = rounds.last().map(theory);
        let label = end.map(|end| Label::filter(filter, end));
        panel.labels.extend(label);
    }
    panel
}

/// Shares over the rounds: what, how it is drawn, of what, of which whole.
const SHARES: [(&str, Stroke, Count, Count); 2] = [
    (
        "false negatives",
        Stroke::Solid,
        |r| r.false_negatives,
        |r| r.members,
    ),
    ("keys rejected", Stroke::Dotted, |r| r.rejected, |r| r.keys),
];

/// The shares of each filter that are not all zero.
fn all_shares(all_series: &[Series<'_>]) -> Panel {
    let lines = all_series.iter().flat_map(|series| {
        let any = SHARES
            .iter()
            .filter(|(.., some, _)| sum(&series.1, *some) > 0);
        any.map(move |share| (series, share))
    });
    let share = |r: &Point, (.., some, whole): &(&str, Stroke, Count, Count)| {
        some(&r.of) as f64 / whole(&r.of).max(1) as f64
    };
    let all = lines.clone();
    let all = all.flat_map(|((_, rounds), of)| rounds.iter().map(move |r| share(r, of)));
    let most = all.fold(LEAST_SHARE, f64::max);
    // A square root: few must still show, and none has a place too.
    let range = 0.0..(1.15 * most).sqrt();
    let up = Axis::new("share of the keys", range, 6, 90.0, |v| {
        number::percent(v * v, 2)
    });
    let name = "rounds of removing and inserting";
    let axes = (across(all_series, name, 50.0), up);
    let margins = [98.0, 14.0, 250.0, 58.0];
    let mut panel = Panel::wide(HEIGHT - LOWER, margins, axes).lower(LOWER);
    for ((filter, rounds), of) in lines {
        let (what, stroke, some, whole) = of;
        let style = style(filter);
        let at = |r: &Point| -> Pair { (r.of.x, share(r, of).sqrt()) };
        let path: Vec<Pair> = rounds.iter().map(at).collect();
        let end = path.last().copied().unwrap_or_default();
        panel.add(Item::stroked(path, (style.paint, *stroke), 1.2));
        for round in shown(rounds).filter(|_| *stroke == Stroke::Solid) {
            let part = number::part(some(&round.of), whole(&round.of));
            let says = format!("{filter} after round {}\n{what}: {part}", round.of.step);
            panel.add(Item::mark(at(round), style).saying(says));
        }
        let words = format!("{filter}: {what}");
        panel.labels.push(Label::note(words, end, style.paint));
    }
    let is_none = |series: &&Series<'_>| {
        SHARES
            .iter()
            .all(|(.., some, _)| sum(&series.1, *some) == 0)
    };
    for (filter, _) in all_series.iter().filter(is_none) {
        let words = format!("{filter}: none of either");
        let label = Label::note(words, (0.0, 0.0), style(filter).paint);
        panel.labels.push(label);
    }
    panel
}

/// A row a filter, over all its rounds.
fn table(all_series: &[Series<'_>]) -> Table {
    let ends = all_series
        .iter()
        .filter_map(|series| Some((series, series.1.first()?, series.1.last()?)));
    let part = |series: &Series<'_>, of: Count, whole: Count| {
        number::part(sum(&series.1, of), sum(&series.1, whole))
    };
    Table::of(ends)
        .column("Filter", |(series, ..)| series.0)
        .column("#Rounds", |(.., last)| last.of.step.to_string())
        .column("#Keys removed", |(series, ..)| {
            sum(&series.1, |r| r.removed)
        })
        .column("#Removals rejected", |(series, ..)| {
            part(series, |r| r.removals_rejected, |r| r.removed)
        })
        .column("#Keys inserted", |(series, ..)| sum(&series.1, |r| r.keys))
        .column("#Keys rejected", |(series, ..)| {
            part(series, |r| r.rejected, |r| r.keys)
        })
        .column("#False negatives", |(series, ..)| {
            part(series, |r| r.false_negatives, |r| r.members)
        })
        .column("#FPR at first (95 % interval)", |(_, first, _)| {
            first.rate.in_words()
        })
        .column("#FPR in the end (95 % interval)", |(.., last)| {
            last.rate.in_words()
        })
        .column("#FPR expected in the end", |(.., last)| {
            number::share(last.of.expected_fpr, 4)
        })
        .table()
}
