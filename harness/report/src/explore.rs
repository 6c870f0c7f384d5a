//! The data of a page's Explore view, one chart of all filters in which a reader chooses what to
//! see. The script `explore.js` draws it.

use std::collections::BTreeMap;

use bouquet_record::{Records, Sweep};
use serde::Serialize;

use super::{
    Beside,
    charts::sweeps::MOST_LOAD,
    groups::{distinct, grouped},
    judge::{Point, judge, pool},
    looks::{MARKERS, style},
    number,
    plot::Place,
    speed::score::{HALF, MEASURED, columns},
};

/// The charts that the view stands for where scripts run.
pub const CHARTS: [&str; 4] = [
    "fpr-by-bits-per-key",
    "fpr-by-load",
    "fpr-at-target",
    "time-by-bits-per-key",
];

const BITS: &str = "bits per key";
const NS: &str = "ns per key";
const ALL_SETS: &str = "all, pooled";
const ANY_SIZE: &str = "any, by size";
/// A filter that cannot be sized for a target stands beside those that are sized for this one.
const USUAL_TARGET: f64 = 0.01;

#[derive(Clone, Debug, Serialize)]
struct Explore<'a> {
    /// The reports of which filters and times are shown too.
    beside: Vec<&'a str>,
    looks: Vec<Look<'a>>,
    markers: BTreeMap<&'static str, Shape>,
    views: Vec<View>,
}

/// How a filter is drawn: the classes of its colour and line, and the name of its marker.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Look<'a> {
    name: &'a str,
    paint: &'static str,
    stroke: &'static str,
    marker: &'static str,
}

/// Lines in tenths of a pixel, and their width; filled if there is none.
#[derive(Clone, Debug, Serialize)]
struct Shape {
    width: Option<u32>,
    paths: &'static [&'static [(i32, i32)]],
}

#[derive(Clone, Debug, Serialize)]
struct View {
    title: &'static str,
    x: &'static str,
    y: &'static str,
    is_rate: bool,
    is_x_log: bool,
    choices: Vec<Choice>,
    lines: Vec<Line>,
    sets: Vec<Set>,
}

#[derive(Clone, Debug, Serialize)]
struct Choice {
    name: &'static str,
    options: Vec<String>,
}

/// What the series of a filter share: each x, the unit of the values there, and whether the unit is
/// the value by theory. Else that of a rate is the measured one, and that of a time a nanosecond.
type Line = (Vec<f64>, Vec<f64>, bool);

/// The option of each choice, and the series that they show, one for each filter: the filter, its
/// line, and for each x three numbers in thousandths of the line's unit: the value, and how far its
/// interval reaches below and above it.
type Set = (Vec<usize>, Vec<Vec<i64>>);

/// A series before its names are looked up.
struct Measured<'a> {
    filter: &'a str,
    options: Vec<String>,
    points: Vec<Place>,
}

/// The view of a report, with the filters and times that other reports have beside it. `None` if
/// there is no sweep to show.
pub fn explore(records: &Records, beside: &[Beside]) -> Option<String> {
    let mut looks: Vec<Look<'_>> = Vec::new();
    let [mut sizes, mut loads, mut times] = [const { Vec::new() }; 3];
    let all = beside.iter().map(|other| &other.records);
    for records in [records].into_iter().chain(all) {
        // A filter that several reports have is shown from the first.
        let known: Vec<&str> = looks.iter().map(|look| look.name).collect();
        let judgement = judge(records);
        let points = judgement.points.into_iter();
        let points: Vec<Point> = points
            .filter(|p| p.of.non_members > 0 && !known.contains(&&*p.of.filter))
            .collect();
        for (filter, own) in grouped(&points, |p| &p.of.filter) {
            let Some(subject) = records.subject(filter) else {
                continue;
            };
            let filter = &*subject.subject;
            sizes.extend(by_size(filter, &own));
            loads.extend(by_load(filter, &own));
        }
        times.extend(timed(records));
        for Measured { filter: name, .. } in sizes.iter().chain(&loads).chain(&times) {
            if looks.iter().any(|look| look.name == *name) {
                continue;
            }
            let style = style(records, name);
            looks.push(Look {
                name,
                paint: style.paint.0,
                stroke: style.stroke.class(),
                marker: style.marker.0,
            });
        }
    }
    if sizes.is_empty() && loads.is_empty() {
        return None;
    }
    let rate = "false-positive rate";
    let sets = ["Keys", "Target"];
    let operations = [sets[0], "Number of keys", sets[1], "Operation"];
    let views = [
        (("FPR against bits per key", BITS, rate), &sets[..], &sizes),
        (("FPR against load", "keys / capacity", rate), &sets, &loads),
        (("Time against bits per key", BITS, NS), &operations, &times),
    ];
    let views = views.into_iter().filter(|(.., own)| !own.is_empty());
    let views = views.map(|(words, names, own)| view(&looks, words, names, own));
    let views: Vec<View> = views.collect();
    let markers = MARKERS.iter().map(|marker| {
        let (width, paths) = (marker.1, marker.2);
        (marker.0, Shape { width, paths })
    });
    let explore = Explore {
        beside: beside.iter().map(|other| &*other.name).collect(),
        looks,
        markers: markers.collect(),
        views,
    };
    serde_json::to_string(&explore).ok()
}

fn view(
    looks: &[Look<'_>],
    (title, x, y): (&'static str, &'static str, &'static str),
    names: &[&'static str],
    measured: &[Measured<'_>],
) -> View {
    let is_rate = y != NS;
    let choice = |(at, name): (usize, &&'static str)| Choice {
        name,
        options: distinct(measured.iter().map(|one| one.options[at].clone())),
    };
    let choices: Vec<Choice> = names.iter().enumerate().map(choice).collect();
    let mut lines: Vec<Line> = Vec::new();
    let mut series = |one: &Measured<'_>| -> Option<Vec<i64>> {
        let (line, values) = one.numbers(is_rate);
        let at = lines.iter().rposition(|other| *other == line);
        let at = at.unwrap_or_else(|| {
            lines.push(line);
            lines.len() - 1
        });
        let of = looks.iter().position(|look| look.name == one.filter)?;
        Some([of as i64, at as i64].into_iter().chain(values).collect())
    };
    let sets = grouped(measured, |one| &one.options).into_iter();
    let sets = sets.map(|(options, own)| {
        let all = options.iter().zip(&choices);
        let place = |(own, choice): (_, &Choice)| choice.options.iter().position(|one| one == own);
        let series = own.into_iter().filter_map(&mut series).collect();
        (all.filter_map(place).collect(), series)
    });
    View {
        sets: sets.collect(),
        title,
        x,
        y,
        is_rate,
        is_x_log: x == BITS,
        choices,
        lines,
    }
}

impl Measured<'_> {
    fn numbers(&self, is_rate: bool) -> (Line, Vec<i64>) {
        let has_theory = self.points.iter().all(|(.., theory)| theory.is_some());
        let base = |(_, of, theory): &Place| match theory {
            _ if !is_rate => 1.0,
            Some(theory) => rounded(*theory),
            None if of.value > 0.0 => rounded(of.value),
            None => rounded(of.high),
        };
        let x = self.points.iter().map(|(x, ..)| rounded(*x));
        let base: Vec<f64> = self.points.iter().map(base).collect();
        let parts = |((_, of, _), base): (&Place, &f64)| {
            let parts = [of.value, of.value - of.low, of.high - of.value];
            parts.map(|part| (part / base * 1e3).round() as i64)
        };
        let values = self.points.iter().zip(&base).flat_map(parts).collect();
        ((x.collect(), base, has_theory), values)
    }
}

/// To four significant digits.
fn rounded(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}

fn by_size<'a>(filter: &'a str, own: &[&Point]) -> Vec<Measured<'a>> {
    let of = |sweep: Sweep| own.iter().copied().filter(move |p| p.of.sweep == sweep);
    let mut all: Vec<&Point> = of(Sweep::BitsPerKey).collect();
    if all.is_empty() {
        all = of(Sweep::TargetFpr).collect();
    }
    let bits = |p: &Point| p.of.bits_per_key();
    let mut measured = by_set(filter, ANY_SIZE, &all, bits);
    for (target, own) in grouped(of(Sweep::TargetFpr), |p| p.of.x) {
        measured.extend(by_set(filter, &number::share(target, 3), &own, bits));
    }
    measured
}

/// Sweeps of the load, but for those of growing filters, which go much further.
fn by_load<'a>(filter: &'a str, own: &[&Point]) -> Vec<Measured<'a>> {
    let loads = own.iter().copied().filter(|p| p.of.sweep == Sweep::Load);
    let sweeps = grouped(loads, |p| &p.of.experiment).into_iter();
    let sweeps = sweeps.filter(|(_, own)| own.iter().all(|p| p.of.x <= MOST_LOAD));
    let measured = sweeps.flat_map(|(_, own)| {
        let target = own[0].of.target_fpr.unwrap_or(USUAL_TARGET);
        by_set(filter, &number::share(target, 3), &own, |p| p.of.x)
    });
    measured.collect()
}

/// The points pooled over the key sets, and those of each.
fn by_set<'a>(
    filter: &'a str,
    target: &str,
    own: &[&Point],
    x: fn(&Point) -> f64,
) -> Vec<Measured<'a>> {
    let sets = grouped(own.iter().copied(), |p| p.of.key_set.clone());
    let all = [(ALL_SETS.to_owned(), own.to_vec())]
        .into_iter()
        .chain(sets);
    let series = all.filter(|(_, own)| !own.is_empty()).map(|(set, own)| {
        let mut points: Vec<Point> = grouped(own, |p| p.of.x.to_bits())
            .into_iter()
            .filter_map(|(_, own)| pool(own))
            .collect();
        points.sort_by(|a, b| x(a).total_cmp(&x(b)));
        let expected = |p: &Point| Some(p.of.expected_fpr).filter(|fpr| *fpr > 0.0);
        Measured {
            filter,
            options: vec![set, target.to_owned()],
            points: points.iter().map(|p| (x(p), p.rate, expected(p))).collect(),
        }
    });
    series.collect()
}

/// The median time of each operation, a series of one point each.
fn timed(records: &Records) -> Vec<Measured<'_>> {
    let measured = columns(records).into_iter().flat_map(|column| {
        let count = number::count(column.capacity);
        let target = number::share(column.target_fpr, 3);
        let each = column.scores.iter().flat_map(|score| {
            let operations = MEASURED.iter().enumerate().take(HALF + 1);
            let way = if score.name.is_batch { ", batch" } else { "" };
            let (count, target) = (&count, &target);
            operations.filter_map(move |(at, (operation, _))| {
                let options = [column.keys, count, target, &format!("{operation}{way}")];
                Some(Measured {
                    filter: score.name.filter,
                    options: options.map(str::to_owned).into(),
                    points: vec![(score.bits_per_key?, score.ns(at)?, None)],
                })
            })
        });
        each.collect::<Vec<_>>()
    });
    measured.collect()
}
