//! The FPR over the sweeps of an experiment: against bits per key, load, target FPR or rounds of
//! removals. Panels below show the ratio to theory, the bits per key of growing filters, or the
//! shares of lost keys.

use std::ops::Range;

use super::rows;
use crate::{
    document::Figure,
    estimate::Estimate,
    groups::{distinct, grouped, span},
    judge::{Check, Judgement, Outcome, Point, pool, sum},
    number,
    palette::{Paint, Stroke, Style, style},
    plot::{self, Axis, Pair, Panel, whole},
};
use bouquet_ground::record::{Observation, Records, Sweep};

/// A load sweep that goes beyond this load is a chart of growing filters: filters of fixed size
/// exceed their target FPR long before.
const MOST_LOAD: f64 = 2.0;
/// The top of the lower panels, and the height of one that has the whole width, in pixels.
const UPPER: f64 = 470.0;
const LOWER: f64 = 300.0;
/// The room on the right for names of filters, and for names followed by a quantity, in pixels.
const NAMES: f64 = 190.0;
const WIDE_NAMES: f64 = 290.0;
/// The range of the axis of ratios to theory.
const RATIO: Range<f64> = 0.8..1.2;
/// With more points than this on a line, markers would hide each other, so rounds are left out.
const MOST_POINTS: usize = 26;

/// The points of a filter, sorted by x and pooled over data sets.
type Line<'a> = (&'a str, Vec<Point>);

/// One chart per sweep and experiment, sorted by name.
pub fn figures(records: &Records, judgement: &Judgement) -> Vec<Figure> {
    let points = judgement.points.iter();
    let points = points.filter(|p| p.of.non_members > 0);
    let mut sweeps = grouped(points, |p| (p.of.sweep, p.of.experiment.as_str()));
    sweeps.sort_unstable_by_key(|(name, _)| *name);
    let mut names: Vec<&str> = Vec::new();
    let mut figures = Vec::new();
    for ((kind, experiment), points) in sweeps {
        let is_growth = points.iter().any(|p| p.of.sweep.load(p.of.x) > MOST_LOAD);
        let (base, title) = match kind {
            Sweep::Load if is_growth => ("growth", "FPR and bits per key while growing"),
            Sweep::Load => ("fpr-by-load", "FPR against load"),
            Sweep::BitsPerKey => ("fpr-by-bits-per-key", "FPR against bits per key"),
            Sweep::TargetFpr => ("fpr-at-target", "Measured FPR over theory by target"),
            Sweep::Churn => ("churn", "FPR while keys are removed and inserted"),
            Sweep::Memory => continue,
        };
        let name = match names.contains(&base) {
            true => format!("{base}-{experiment}"),
            false => base.to_owned(),
        };
        names.push(base);
        if kind == Sweep::TargetFpr {
            // Target FPRs are shown as rows instead of a line.
            figures.push(rows::by_target(&points, &name, title, &departing(&points)));
            continue;
        }
        let lines = lines(&points);
        let mut panels = vec![rates(kind, is_growth, &lines)];
        let (finding, reading) = match kind {
            Sweep::Churn => {
                panels.push(lost_keys(&lines));
                (missing(&lines), CHURN)
            }
            _ if is_growth => {
                panels.push(sizes(records, experiment, &lines));
                (departing(&points), GROWTH)
            }
            _ => {
                panels.extend(ratios(kind, &lines, &failed(&points)));
                (departing(&points), SWEEP)
            }
        };
        let reading = format!("{LINES} {reading}");
        figures.push(plot::figure(&panels, &name, title, finding, reading));
    }
    figures
}

const LINES: &str = "Lines are theory, points are measured and pooled over the data sets, bars are 95 % \
     intervals; an open triangle is the upper bound where nothing was hit.";
const SWEEP: &str = "At the information bound is the least FPR that any structure can have in so many \
     bits. Load 1 is the capacity. The small panels divide measured by theory; a red ring is a data set that \
     failed by itself. A point whose bar does not reach 1 may be of filters that differ much from one \
     to the next: the verdict knows how much they differ.";
const GROWTH: &str = "Above, the rate of a filter that grows climbs with every stage and must stay \
     below the target. Below, the bits per key really allocated, highest just after a stage was added; \
     the dotted line is 1.44 log2(1/FPR), a classic filter sized for just so many keys.";
const CHURN: &str = "Above, the line is theory for the keys that should be present: a filter that \
     does not forget climbs away from it. Below, the share of false negatives and of keys rejected. \
     Removed keys are looked up among the non-members. Rounds of one filter share keys: a wave over \
     some rounds is no trend.";

/// A sentence that names the filters with a failed point on some data set.
fn departing(points: &[&Point]) -> String {
    let failed = failed(points);
    let names = distinct(failed.iter().map(|p| p.of.filter.as_str()));
    match number::listed(names).as_str() {
        "" => "No filter that is judged departs from theory.".to_owned(),
        names => format!("Departing from theory: {names}."),
    }
}

/// A sentence that names the filters with false negatives.
fn missing(lines: &[Line<'_>]) -> String {
    let missing = lines.iter();
    let missing = missing.filter(|line| sum(&line.1, |r| r.false_negatives) > 0);
    match number::listed(missing.map(|(filter, _)| *filter)).as_str() {
        "" => "No filter has false negatives while keys are removed.".to_owned(),
        names => format!("With false negatives while keys are removed: {names}."),
    }
}

fn failed<'a>(points: &[&'a Point]) -> Vec<&'a Point> {
    let fails = |check: Check| check.outcome == Outcome::Fail;
    let each = points.iter().copied();
    each.filter(|p| p.given_bits.is_some_and(fails)).collect()
}

fn lines<'a>(points: &[&'a Point]) -> Vec<Line<'a>> {
    let line = |(filter, mut own): (&'a str, Vec<&Point>)| {
        own.sort_by(|a, b| a.of.x.total_cmp(&b.of.x));
        let at_x = own.chunk_by(|a, b| a.of.x == b.of.x);
        let pooled = at_x.filter_map(|chunk| pool(chunk.iter().copied()));
        (filter, pooled.collect())
    };
    let filters = grouped(points.iter().copied(), |p| p.of.filter.as_str());
    filters.into_iter().map(line).collect()
}

/// The x axis, which the panels share.
fn across(kind: Sweep, lines: &[Line<'_>]) -> Axis {
    let all = lines.iter().flat_map(|(_, line)| line);
    let (low, high) = span((f64::MAX, f64::MIN), all.map(|p| p.of.x));
    let room = ((high - low) * 0.03).max(0.05);
    match kind {
        Sweep::Load => Axis::new("keys / capacity", 0.0..high + room, 12),
        Sweep::Churn => {
            let most_ticks = high.clamp(1.0, 11.0) as usize + 1;
            Axis::new("rounds of removals", low - room..high + room, most_ticks).ticks(whole)
        }
        Sweep::BitsPerKey | Sweep::TargetFpr | Sweep::Memory => {
            Axis::new("bits per key", low - room..high + room, 18)
        }
    }
}

/// The panel of false-positive rates, with a logarithmic axis unless all of them are close.
fn rates(kind: Sweep, is_growth: bool, lines: &[Line<'_>]) -> Panel {
    let all = || lines.iter().flat_map(|(_, line)| line);
    let drawn = all().flat_map(|p| [p.rate.at_most(), p.of.expected_fpr]);
    let (least, most) = span((0.1, 0.0), drawn.filter(|rate| *rate > 0.0));
    let x = across(kind, lines);
    let name = "false-positive rate";
    let up = match kind {
        Sweep::Churn => {
            let highest = all().map(|p| p.rate.interval.high).fold(most, f64::max);
            Axis::rates(name, 0.0..1.15 * highest.max(1e-12), 8)
        }
        _ => {
            // The axis runs between the powers of ten around everything that is drawn.
            let bound = match kind {
                Sweep::BitsPerKey => 2_f64.powf(-x.range.end),
                _ => 1.0,
            };
            let least = least.min(bound).log10().floor().max(-12.0);
            Axis::rates(name, 10_f64.powf(least)..1.0, 12).log()
        }
    };
    let right = if kind == Sweep::Churn {
        WIDE_NAMES
    } else {
        NAMES
    };
    let mut panel = Panel::wide(0.0, UPPER, right, (x, up));
    let Range { start, end } = panel.x.range;
    if kind == Sweep::BitsPerKey {
        let ends = [start.max(0.0), end].map(|x| (x, 2_f64.powf(-x)));
        panel.line(&ends, (Paint::Soft, Stroke::Dashed), 1.0);
        panel.label("information bound", ends[1], Paint::Soft, None);
    }
    if let Some(target) = all().find_map(|p| p.of.target_fpr.filter(|_| is_growth)) {
        let words = format!("target {}", number::share(target, 3));
        panel.level(target, &words, (Paint::Bad, Stroke::Solid));
    }
    for (filter, line) in lines {
        let style = style(filter);
        let theory: Vec<Pair> = line.iter().map(|p| (p.of.x, p.of.expected_fpr)).collect();
        panel.line(&theory, (style.paint, style.stroke), 1.2);
        let step = line.len().div_ceil(MOST_POINTS).max(1);
        let shown = line.iter().rev().step_by(step).rev();
        let points: Vec<plot::Point> = shown.map(measured).collect();
        panel.points(filter, style, &points);
        if let Some(last) = theory.last() {
            panel.label(filter, *last, style.paint, Some(style));
        }
    }
    panel
}

fn measured(p: &Point) -> plot::Point {
    plot::Point {
        at: (p.of.x, p.rate.value),
        ends: Some(p.rate.ends()),
        expected: Some(p.of.expected_fpr),
    }
}

/// The ratios to theory, one panel per filter: in one panel, a dozen filters at the same x would
/// hide each other, and on a logarithmic axis a deviation of 20 % is invisible.
fn ratios(kind: Sweep, lines: &[Line<'_>], failed: &[&Point]) -> Vec<Panel> {
    let panel = |(at, (filter, line)): (usize, &Line<'_>)| {
        let style = style(filter);
        let ratio = |p: &Point| (p.of.x, p.rate.value / p.of.expected_fpr);
        let up = Axis::new("measured / theory", RATIO, 5);
        let room = [62.0, 27.0, 12.0, 44.0];
        let axes = (across(kind, lines).fewer_ticks(6), up);
        let mut panel = Panel::beside(at, (240.0, 164.0), UPPER + 8.0, room, axes);
        panel.heading(filter, style.paint, Some(style), 13.0);
        let Range { start, end } = panel.x.range;
        panel.line(
            &[(start, 1.0), (end, 1.0)],
            (Paint::Soft, Stroke::Solid),
            1.0,
        );
        let hit = |p: &&Point| p.of.false_positives > 0 && p.of.expected_fpr > 0.0;
        let points = line.iter().filter(hit).map(|p| plot::Point {
            at: ratio(p),
            ends: Some(p.rate.over(p.of.expected_fpr).ends()),
            expected: None,
        });
        panel.points(filter, style, &points.collect::<Vec<_>>());
        for p in failed.iter().filter(|p| p.of.filter == *filter) {
            panel.ring(ratio(p));
        }
        panel.without_data()
    };
    lines.iter().enumerate().map(panel).collect()
}

/// The bits per key allocated while filters grow, averaged over the replicates.
fn sizes(records: &Records, experiment: &str, lines: &[Line<'_>]) -> Panel {
    let bits = |filter: &str, p: &Point| {
        let own = records.fpr.iter().filter(|row| {
            (&*row.experiment, &*row.filter) == (experiment, filter)
                && (row.sweep, row.x) == (Sweep::Load, p.of.x)
                && row.error.is_empty()
                && row.keys > row.rejected
        });
        let each = own.map(|row| 8.0 * row.memory_bytes as f64 / (row.keys - row.rejected) as f64);
        let each: Vec<f64> = each.collect();
        let at = (p.of.x, each.iter().sum::<f64>() / each.len() as f64);
        (!each.is_empty()).then_some(exact(at))
    };
    let series = lines.iter().map(|(filter, line)| {
        let points = line.iter().filter_map(|p| bits(filter, p));
        (*filter, points.collect::<Vec<_>>())
    });
    let series: Vec<_> = series.collect();
    let all = series.iter().flat_map(|(_, points)| points);
    let highest = all.map(|point| point.at.1).fold(1.0, f64::max);
    let axes = (
        across(Sweep::Load, lines),
        Axis::new("bits per key", 0.0..1.1 * highest, 8),
    );
    let mut panel = Panel::wide(UPPER, LOWER, NAMES, axes);
    let mut all = lines.iter().flat_map(|(_, line)| line);
    if let Some(target) = all.find_map(|p| p.of.target_fpr) {
        let least = std::f64::consts::LOG2_E * -target.log2();
        panel.level(least, "sized for the keys", (Paint::Soft, Stroke::Dotted));
    }
    for (filter, points) in &series {
        panel.series(filter, style(filter), points);
    }
    panel
}

fn exact(at: Pair) -> plot::Point {
    plot::Point {
        at,
        ends: None,
        expected: None,
    }
}

type Count = fn(&Observation) -> u64;

/// The shares shown over the rounds: the name, the stroke, the count, and the total.
const SHARES: [(&str, Stroke, Count, Count); 2] = [
    (
        "false negatives",
        Stroke::Solid,
        |r| r.false_negatives,
        |r| r.members,
    ),
    ("keys rejected", Stroke::Dotted, |r| r.rejected, |r| r.keys),
];

/// The shares of lost keys of each filter that loses any.
fn lost_keys(lines: &[Line<'_>]) -> Panel {
    let mut series = Vec::new();
    for (filter, line) in lines {
        for (what, stroke, some, whole) in SHARES {
            let points = line.iter().map(|p| {
                let share = Estimate::share(some(&p.of), whole(&p.of));
                plot::Point {
                    ends: Some(share.ends()),
                    ..exact((p.of.x, share.value))
                }
            });
            if sum(line, some) > 0 {
                let look = Style {
                    stroke,
                    ..style(filter)
                };
                let name = format!("{filter}: {what}");
                series.push((name, look, points.collect::<Vec<_>>()));
            }
        }
    }
    let all = series.iter().flat_map(|(.., points)| points);
    let most = all.map(|point| point.at.1).fold(0.001, f64::max);
    let up = Axis::rates("share of the keys", 0.0..1.15 * most, 6);
    let axes = (across(Sweep::Churn, lines), up);
    let mut panel = Panel::wide(UPPER, LOWER, WIDE_NAMES, axes);
    if series.is_empty() {
        panel.level(0.0, "none of any filter", (Paint::Soft, Stroke::Solid));
    }
    for (name, look, points) in &series {
        panel.series(name, *look, points);
    }
    panel
}
