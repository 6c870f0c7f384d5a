//! What deleting does in the long run: FPR over rounds of removals, and below it
//! the shares of false negatives and of keys rejected.

use crate::{
    document::{Figure, Table},
    groups::grouped,
    judge::{Check, Judgement, Lifecycle, Outcome, Round},
    number,
    palette::{Stroke, style},
    plot::{self, Axis, Item, Label, Pair, Panel, Point, percent, whole},
};
use bouquet_ground::record::{ChurnRow, Records};

/// A filter over its rounds, all data sets pooled.
struct Series<'a> {
    filter: &'a str,
    rounds: Vec<Round>,
    /// What it must not do, and did: false negatives or rejected removals.
    broken: bool,
    /// Its rate is off theory.
    off: bool,
    promises: bool,
}

impl Series<'_> {
    fn sum(&self, of: fn(&ChurnRow) -> u64) -> u64 {
        self.rounds.iter().map(|round| of(&round.of)).sum()
    }
}

/// A chart for each experiment.
pub fn figures(records: &Records, judgement: &Judgement) -> Vec<Figure> {
    let filled = judgement.lifecycles.iter().filter(|l| !l.rounds.is_empty());
    let experiments = grouped(filled, |lifecycle| lifecycle.experiment.as_str());
    let each = experiments.iter().enumerate();
    each.map(|(place, (experiment, lifecycles))| {
        let name = match place {
            0 => "churn".to_owned(),
            _ => format!("churn-{experiment}"),
        };
        figure(records, name, lifecycles)
    })
    .collect()
}

fn figure(records: &Records, name: String, lifecycles: &[&Lifecycle]) -> Figure {
    let all_series = all_series(records, lifecycles);
    let reading = "Above, points are measured after each round and pooled over the data sets, bars \
                   are 95 % intervals, lines are theory for the keys that should be present: a filter \
                   that does not forget climbs away from its line. Below, the share of false \
                   negatives, and of all keys given the share that is rejected; the axis is that of \
                   the square root, so that few still show. Keys that were removed are looked up \
                   among the non-members: those still present count as false positives. Keys that \
                   were rejected, or whose removal was rejected, may be present or not: they are \
                   looked up no more. Rounds of one filter share keys and non-members: a wave over some rounds is no trend.";
    let (title, table) = (finding(&all_series), table(lifecycles));
    let panels = [rates(&all_series), all_shares(&all_series)];
    plot::figure(&panels, name, title, reading, table, "records/churn.csv")
}

fn all_series<'a>(records: &Records, lifecycles: &[&'a Lifecycle]) -> Vec<Series<'a>> {
    let series = |(filter, own): (&'a str, Vec<&Lifecycle>)| {
        let own = || own.iter();
        let last = own()
            .filter_map(|l| l.rounds.last())
            .map(|r| r.of.round)
            .max();
        let at = |round: u32| {
            let each = own().flat_map(|l| &l.rounds).map(|r| &r.of);
            Round::pool(each.filter(|r| r.round == round))
        };
        let promises = records
            .subject(filter)
            .is_some_and(|s| s.promises_no_false_negatives);
        let has_missing = own().any(|l| l.sum(|r| r.false_negatives + r.removals_rejected) > 0);
        let checks = own().flat_map(|l| [l.given_bits, l.over_seeds]);
        let off = checks.flatten().any(|c| c.outcome == Outcome::Fail);
        Series {
            filter,
            rounds: (0..=last.unwrap_or(0)).filter_map(at).collect(),
            broken: promises && has_missing,
            off,
            promises,
        }
    };
    let filters = grouped(lifecycles.iter().copied(), |lifecycle| {
        lifecycle.filter.as_str()
    });
    filters.into_iter().map(series).collect()
}

/// What failed, then who keeps its keys, then who does not.
fn finding(all_series: &[Series<'_>]) -> String {
    let broken = all_series.iter().filter(|c| c.broken);
    let broken = broken.map(|c| {
        let (missing, whole, [of, keys]) = match c.sum(|r| r.false_negatives) {
            0 => (
                c.sum(|r| r.removals_rejected),
                c.sum(|r| r.removed),
                ["rejects", "removals of members"],
            ),
            missing => (
                missing,
                c.sum(|r| r.members_asked),
                ["has false negatives for", "members"],
            ),
        };
        let (missing, whole) = (number::count(missing), number::count(whole));
        format!("{} {of} {missing} of {whole} {keys}", c.filter)
    });
    let off = all_series
        .iter()
        .filter(|c| c.off && !c.broken && c.promises);
    let off = off.map(|c| format!("{} departs from theory", c.filter));
    let mut clauses: Vec<String> = broken.chain(off).collect();
    let sound: Vec<&Series<'_>> = all_series
        .iter()
        .filter(|c| !c.broken && !c.off && c.sum(|r| r.false_negatives + r.removals_rejected) == 0)
        .collect();
    clauses.extend(keeping(&sound));
    let unpromising = all_series.iter().filter(|c| !c.promises);
    clauses.extend(unpromising.filter_map(losses));
    clauses.join("; ")
}

fn keeping(sound: &[&Series<'_>]) -> Option<String> {
    let rounds = &sound.first()?.rounds;
    let (first, last) = (rounds.first()?, rounds.last()?);
    let names: Vec<&str> = sound.iter().map(|c| c.filter).collect();
    let (has, rate) = match names.len() {
        1 => ("has", "an FPR of"),
        _ => ("have", "FPRs of"),
    };
    let ends = sound.iter().filter_map(|c| c.rounds.last());
    let rates = ends.map(|r| r.rate.in_short());
    let replaced = 100.0 * last.of.removed as f64 / first.of.inserted.max(1) as f64;
    Some(format!(
        "After {} rounds in which {} % of the keys are replaced, {} {has} no false negatives \
         and {rate} {}",
        number::count(last.of.round.into()),
        number::significant(replaced, 2),
        number::listed(&names),
        number::listed(rates)
    ))
}

/// What a filter is like that does not promise to keep its keys.
fn losses(series: &Series<'_>) -> Option<String> {
    let (first, last) = (series.rounds.first()?, series.rounds.last()?);
    let share = |r: &Round| r.of.false_negatives as f64 / r.of.members_asked.max(1) as f64;
    let misses = (last.of.false_negatives > 0).then(|| {
        format!(
            "has false negatives for {} of its keys at the start and {} in the end",
            number::share(share(first), 2),
            number::share(share(last), 2)
        )
    });
    let off = series.off.then(|| {
        format!(
            "has an FPR of {} where theory says {}",
            last.rate.in_short(),
            number::share(last.of.expected_fpr, 3)
        )
    });
    let words: Vec<String> = misses.into_iter().chain(off).collect();
    (!words.is_empty()).then(|| format!("{} {}", series.filter, words.join(" and ")))
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
    let rounds = all_series.iter().flat_map(|c| &c.rounds);
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

fn rates(all_series: &[Series<'_>]) -> Panel {
    let rounds = all_series.iter().flat_map(|c| &c.rounds);
    let highest = rounds
        .map(|r| r.rate.interval.high.max(r.of.expected_fpr))
        .fold(0.0, f64::max);
    let range = 0.0..1.15 * highest.max(1e-12);
    let up = Axis::new("false-positive rate", range, 8, 90.0, percent);
    let axes = (across(all_series, "", 26.0), up);
    let margins = [98.0, 14.0, 250.0, 34.0];
    let mut panel = Panel::wide(LOWER, margins, axes);
    for series in all_series {
        let style = style(series.filter);
        let theory = |r: &Round| (f64::from(r.of.round), r.of.expected_fpr);
        let path: Vec<Pair> = series.rounds.iter().map(theory).collect();
        panel.add(Item::stroked(path, (style.paint, style.stroke), 1.2));
        let point = |r: &Round| {
            let at = (f64::from(r.of.round), r.rate.value);
            Point::new(at, r.rate.interval, words(series.filter, r))
        };
        panel.points(style, shown(&series.rounds).map(point));
        let end = series.rounds.last().map(theory);
        let label = end.map(|end| Label::filter(series.filter, end));
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
fn shares<'a>(series: &Series<'a>) -> Vec<Share<'a>> {
    let all = [
        Share {
            filter: series.filter,
            what: "false negatives",
            stroke: Stroke::Solid,
            some: |r| r.false_negatives,
            whole: |r| r.members_asked,
        },
        Share {
            filter: series.filter,
            what: "keys rejected",
            stroke: Stroke::Dotted,
            some: |r| r.rejected,
            whole: |r| r.inserted,
        },
    ];
    let any = |share: &Share<'_>| series.sum(share.some) > 0;
    all.into_iter().filter(any).collect()
}

fn all_shares(all_series: &[Series<'_>]) -> Panel {
    let each = all_series.iter().map(|c| (shares(c), &c.rounds[..]));
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
    let axes = (across(all_series, name, 50.0), up);
    let margins = [98.0, 14.0, 250.0, 58.0];
    let mut panel = Panel::wide(HEIGHT - LOWER, margins, axes).lower(LOWER);
    for (share, rounds) in &each {
        add_share(&mut panel, share, rounds);
    }
    for series in all_series.iter().filter(|c| shares(c).is_empty()) {
        let words = format!("{}: none of either", series.filter);
        let label = Label::note(words, (0.0, 0.0), style(series.filter).paint);
        panel.labels.push(label);
    }
    panel
}

fn add_share(panel: &mut Panel, share: &Share<'_>, rounds: &[Round]) {
    let style = style(share.filter);
    let at = |r: &Round| -> Pair { (f64::from(r.of.round), share.at(r).sqrt()) };
    let path: Vec<Pair> = rounds.iter().map(at).collect();
    panel.add(Item::stroked(path, (style.paint, share.stroke), 1.2));
    if share.stroke == Stroke::Solid {
        for round in shown(rounds) {
            panel.add(Item::mark(at(round), style).saying(share.words(round)));
        }
    }
    if let Some(end) = rounds.last() {
        let words = format!("{}: {}", share.filter, share.what);
        panel.labels.push(Label::note(words, at(end), style.paint));
    }
}

/// A row a filter on a data set.
fn table(lifecycles: &[&Lifecycle]) -> Table {
    let rate = |r: &Round| r.rate.in_words();
    let ends = lifecycles
        .iter()
        .map(|lifecycle| (lifecycle, lifecycle.rounds.first(), lifecycle.rounds.last()));
    let ends = ends.filter_map(|(lifecycle, first, last)| Some((*lifecycle, first?, last?)));
    Table::of(ends)
        .column("Filter", |(lifecycle, ..)| &lifecycle.filter)
        .column("Data set", |(lifecycle, ..)| &lifecycle.dataset)
        .column("#Capacity, keys", |(lifecycle, ..)| lifecycle.capacity)
        .column("#Replicates", |(lifecycle, ..)| {
            lifecycle.replicates.to_string()
        })
        .column("#Rounds", |(.., last)| last.of.round.to_string())
        .column("#Keys removed", |(lifecycle, ..)| {
            lifecycle.sum(|r| r.removed)
        })
        .column("#Removals rejected", |(lifecycle, ..)| {
            number::part(
                lifecycle.sum(|r| r.removals_rejected),
                lifecycle.sum(|r| r.removed),
            )
        })
        .column("#Keys inserted", |(lifecycle, ..)| {
            lifecycle.sum(|r| r.inserted)
        })
        .column("#Keys rejected", |(lifecycle, ..)| {
            number::part(lifecycle.sum(|r| r.rejected), lifecycle.sum(|r| r.inserted))
        })
        .column("#Members asked", |(lifecycle, ..)| {
            lifecycle.sum(|r| r.members_asked)
        })
        .column("#False negatives", |(lifecycle, ..)| {
            let missing = lifecycle.sum(|r| r.false_negatives);
            number::part(missing, lifecycle.sum(|r| r.members_asked))
        })
        .column("#FPR at first (95 % interval)", |(_, first, _)| rate(first))
        .column("#FPR in the end (95 % interval)", |(.., last)| rate(last))
        .column("#FPR expected in the end", |(.., last)| {
            number::share(last.of.expected_fpr, 4)
        })
        .column("Given the bits, all sets", |(lifecycle, ..)| {
            Check::in_short(lifecycle.given_bits)
        })
        .column("Over seeds, all sets", |(lifecycle, ..)| {
            Check::in_short(lifecycle.over_seeds)
        })
        .table()
}
