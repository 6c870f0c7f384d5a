//! Charts of the FPR in the sweeps of an experiment: against bits per key, load, target FPR or
//! rounds of removals. The lower panels show the ratio to theory, the bits per key of growing
//! filters, or the shares of missing and rejected keys.

use std::ops::Range;

use super::naming;
use crate::{
    document::Figure,
    groups::{distinct, grouped, span},
    judge::{Check, Judgement, Outcome, Point, pool},
    looks::{Paint, Stroke, Style, style},
    number::{self, Estimate},
    plot::{self, Axis, Panel, Place, whole},
};
use bouquet_record::{Observation, Records, Sweep};

/// If a sweep of the load (keys / capacity) goes beyond this value, its filters are taken to be
/// growing: filters of fixed size exceed their target FPR from load 1 on.
pub const MOST_LOAD: f64 = 2.0;
/// The height of the upper panel, and the height of a lower panel that has the whole width, in
/// tenths of a pixel.
const UPPER: i32 = 4700;
const LOWER: i32 = 3000;
/// The width for the names of filters right of the axes, in tenths of a pixel.
const NAMES: i32 = 2500;

/// The name, the style and the points of a line.
type Series = (String, Style, Vec<Place>);

/// The bits allocated per key that was taken.
fn bits_per_key(p: &Point) -> Option<f64> {
    let keys = p.of.keys as f64 - p.of.rejected as f64;
    let bits = 8.0 * p.of.memory_bytes as f64 * p.replicates as f64;
    (keys > 0.0).then(|| bits / keys)
}

/// The points of one sweep of an experiment.
struct Swept<'a> {
    records: &'a Records,
    kind: Sweep,
    is_growth: bool,
    /// The points of each filter, sorted by x and pooled over data sets.
    lines: Vec<(&'a str, Vec<Point>)>,
    /// The points whose FPR check failed, not pooled over data sets.
    failed: Vec<&'a Point>,
}

/// One chart per sweep and experiment, sorted by sweep.
pub fn figures(records: &Records, judgement: &Judgement) -> Vec<Figure> {
    let points = judgement.points.iter();
    let points = points.filter(|p| p.of.non_members > 0);
    let mut sweeps = grouped(points, |p| (p.of.sweep, p.of.experiment.as_str()));
    sweeps.sort_unstable_by_key(|(name, _)| *name);
    let mut names: Vec<&str> = Vec::new();
    let mut figures = Vec::new();
    for ((kind, experiment), points) in sweeps {
        let swept = Swept::new(records, kind, &points);
        let (base, title) = match kind {
            Sweep::Load if swept.is_growth => ("growth", "FPR and bits per key while growing"),
            Sweep::Load => ("fpr-by-load", "FPR against load"),
            Sweep::BitsPerKey => ("fpr-by-bits-per-key", "FPR against bits per key"),
            Sweep::TargetFpr => ("fpr-at-target", "FPR against target FPR"),
            Sweep::Churn => ("churn", "FPR while keys are removed and inserted"),
            Sweep::Memory => continue,
        };
        let (name, title) = match names.contains(&base) {
            true => (format!("{base}-{experiment}"), format!("{title}, again")),
            false => (base.to_owned(), title.to_owned()),
        };
        names.push(base);
        let mut panels = vec![swept.rates()];
        let (finding, reading) = match kind {
            Sweep::Churn => {
                panels.push(swept.lost_keys());
                (swept.missing(), CHURN)
            }
            Sweep::BitsPerKey | Sweep::Load | Sweep::TargetFpr | Sweep::Memory
                if swept.is_growth =>
            {
                panels.push(swept.sizes());
                let (_, most) = span((1.0, 1.0), swept.points().map(|p| p.of.x));
                let filled = number::decimal(most, 0);
                let [departing, sizes] = [swept.departing(), swept.range_of_sizes()];
                let finding =
                    format!("Filled to {filled} times the first capacity. {departing}{sizes}");
                (finding, GROWTH)
            }
            Sweep::BitsPerKey | Sweep::Load | Sweep::TargetFpr | Sweep::Memory => {
                panels.extend(swept.ratios());
                (swept.departing() + &swept.rejecting(), SWEEP)
            }
        };
        let reading = format!("{LINES} {reading}");
        figures.push(plot::figure(panels, [&name, &title, &finding, &reading]));
    }
    figures
}

const LINES: &str = "Lines are theory, points are measured and pooled over the data sets, bars are 95 % \
     intervals; an open triangle is the upper bound where nothing was hit.";
const SWEEP: &str = "Load 1 is the capacity; the information bound is the least FPR possible in so \
     many bits. The small panels divide measured by theory; a red ring is a data set that failed.";
const GROWTH: &str = "Above, the FPR of a growing filter climbs with every stage and must stay below \
     the target. Below are the bits per key allocated, and 1.44 log2(1/FPR), those of a classic filter.";
const CHURN: &str = "Above, theory is for the keys that should be present. Below are the shares of \
     members missing (false negatives) and of keys rejected. Rounds of one filter share keys.";

impl<'a> Swept<'a> {
    fn new(records: &'a Records, kind: Sweep, points: &[&'a Point]) -> Self {
        let line = |(filter, mut own): (&'a str, Vec<&Point>)| {
            own.sort_by(|a, b| a.of.x.total_cmp(&b.of.x));
            let at_x = own.chunk_by(|a, b| a.of.x == b.of.x);
            let pooled = at_x.filter_map(|chunk| pool(chunk.iter().copied()));
            (filter, pooled.collect())
        };
        let points = points.iter().copied();
        let fails = |check: Check| check.outcome == Outcome::Fail;
        let failed = points.clone().filter(|p| p.given_bits.is_some_and(fails));
        let filters = grouped(points.clone(), |p| p.of.filter.as_str());
        Self {
            records,
            kind,
            is_growth: points.clone().any(|p| p.of.sweep.load(p.of.x) > MOST_LOAD),
            lines: filters.into_iter().map(line).collect(),
            failed: failed.collect(),
        }
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.lines.iter().flat_map(|(_, line)| line)
    }

    fn target(&self) -> Option<f64> {
        self.points().find_map(|p| p.of.target_fpr)
    }

    /// A sentence that names the filters whose FPR departs from theory on some data set.
    fn departing(&self) -> String {
        let failed = self.failed.iter().map(|p| p.of.filter.as_str());
        let none = "No filter that is judged departs from theory.";
        naming(distinct(failed), "Departing from theory", none)
    }

    /// A sentence that names the filters with false negatives.
    fn missing(&self) -> String {
        let missing = self.points().filter(|p| p.of.false_negatives > 0);
        let names = distinct(missing.map(|p| p.of.filter.as_str()));
        let none = "No filter has false negatives while keys are removed.";
        naming(names, "With false negatives while keys are removed", none)
    }

    /// A sentence that says how many keys the filters take that reject any at a measured load: they
    /// are full between two of the loads, not at one.
    fn rejecting(&self) -> String {
        let lines = self.lines.iter().filter(|_| self.kind == Sweep::Load);
        let room = lines.filter_map(|(filter, line)| {
            let rejecting = line.iter().filter(|p| p.of.rejected > 0);
            let taken = rejecting.map(|p| {
                let capacities = p.of.capacity as f64 * p.replicates as f64;
                (p.of.keys as f64 - p.of.rejected as f64) / capacities
            });
            let most = taken.reduce(f64::max)?;
            let most = number::decimal(most, 2);
            Some(format!("{filter} at {most} times its capacity"))
        });
        naming(room, " Rejecting keys once full", "")
    }

    /// A sentence with the least and the most bits per key of each filter at the measured loads.
    fn range_of_sizes(&self) -> String {
        let ranges = self.lines.iter().map(|(filter, line)| {
            let bits = line.iter().filter_map(bits_per_key);
            let (least, most) = span((f64::MAX, f64::MIN), bits);
            let [least, most] = [least, most].map(|bits| number::decimal(bits, 1));
            format!("{filter} {least} to {most}")
        });
        naming(ranges, " Bits per key", "")
    }

    /// The x axis of a panel. All panels show the same range.
    fn across(&self, most_ticks: usize) -> Axis {
        let (low, high) = span((f64::MAX, f64::MIN), self.points().map(|p| p.of.x));
        let room = ((high - low) * 0.03).max(0.05);
        let around = low - room..high + room;
        match self.kind {
            Sweep::Load => Axis::new("keys / capacity", 0.0..high + room, most_ticks),
            Sweep::Churn => Axis::new("rounds of removals", around, most_ticks).ticks(whole),
            Sweep::TargetFpr => Axis::rates("target FPR", low * 0.8..high * 1.25, 12).log(),
            Sweep::BitsPerKey | Sweep::Memory => Axis::new("bits per key", around, most_ticks),
        }
    }

    /// The panel of false-positive rates. Its y axis is logarithmic, except for rounds of removals.
    fn rates(&self) -> Panel {
        // If a point has no false positives, its upper bound is drawn.
        let shown = |r: Estimate| if r.value > 0.0 { r.value } else { r.high };
        let rates = self.points();
        let drawn = rates.flat_map(|p| [shown(p.rate), p.of.expected_fpr]);
        let (least, most) = span((0.1, 0.0), drawn.filter(|rate| *rate > 0.0));
        let (x, name) = (self.across(18), "false-positive rate");
        let Range { start, end } = x.range;
        // A logarithmic axis begins at the power of ten below all drawn values, and ends at 1.
        let up = if self.kind == Sweep::Churn {
            let highest = self.points().map(|p| p.rate.high);
            Axis::rates(name, 0.0..1.15 * highest.fold(most.max(1e-12), f64::max), 8)
        } else {
            let is_by_bits = self.kind == Sweep::BitsPerKey;
            let bound = if is_by_bits { 2_f64.powf(-end) } else { 1.0 };
            let least = 10_f64.powf(least.min(bound).log10().floor().max(-12.0));
            Axis::rates(name, least..1.0, 12).log()
        };
        let mut panel = Panel::wide(0, UPPER, NAMES, (x, up));
        if self.kind == Sweep::BitsPerKey {
            let ends = [start.max(0.0), end].map(|x| (x, 2_f64.powf(-x)));
            panel.line(&ends, (Paint::SOFT, Stroke::Dashed), 10);
            panel.label("information bound", ends[1].1, Paint::SOFT, None);
        }
        if let Some(target) = self.target().filter(|_| self.is_growth) {
            let words = format!("target {}", number::share(target, 3));
            panel.level(target, &words, (Paint::BAD, Stroke::Solid));
        }
        for (filter, line) in &self.lines {
            let points = line.iter();
            let points = points.map(|p| (p.of.x, p.rate, Some(p.of.expected_fpr)));
            let style = style(self.records, filter);
            panel.series(filter, style, &points.collect::<Vec<_>>());
        }
        panel
    }

    /// The ratios of measured FPR to theory, with one panel per filter: in a single panel, a dozen
    /// filters at the same x would hide each other. The panel of rates cannot show the ratios,
    /// because a deviation of 20 % is invisible on its logarithmic axis.
    fn ratios(&self) -> Vec<Panel> {
        let panel = |(at, (filter, line)): (usize, &(&str, Vec<Point>))| {
            let style = style(self.records, filter);
            let axes = (self.across(6), Axis::new("measured / theory", 0.8..1.2, 5));
            let room = [620, 270, 120, 440];
            let mut panel = Panel::beside(at, (2400, 1640), UPPER + 80, room, axes);
            panel.heading(filter, style.paint, 130);
            panel.level(1.0, "", (Paint::SOFT, Stroke::Solid));
            let hit = |p: &&Point| p.of.false_positives > 0 && p.of.expected_fpr > 0.0;
            let points = line.iter().filter(hit);
            let points = points.map(|p| (p.of.x, p.rate.over(p.of.expected_fpr), None));
            panel.points(filter, style, &points.collect::<Vec<_>>());
            for p in self.failed.iter().filter(|p| p.of.filter == *filter) {
                panel.ring((p.of.x, p.rate.value / p.of.expected_fpr));
            }
            // The panel of rates has already added these values to the table below the chart.
            panel.data.clear();
            panel
        };
        self.lines.iter().enumerate().map(panel).collect()
    }

    /// A panel with the lines `series`, below the panel of rates. `up` makes the y axis from the
    /// highest value.
    fn lower(&self, up: impl Fn(f64) -> Axis, series: &[Series]) -> Panel {
        let all = series.iter().flat_map(|(.., points)| points);
        let up = up(all.map(|(_, y, _)| y.value).fold(0.0, f64::max));
        let mut panel = Panel::wide(UPPER, LOWER, NAMES, (self.across(12), up));
        for (name, style, points) in series {
            panel.series(name, *style, points);
        }
        panel
    }

    /// The panel of the bits per key that are allocated while filters grow.
    fn sizes(&self) -> Panel {
        let bits = |p: &Point| Some((p.of.x, Estimate::exact(bits_per_key(p)?), None));
        let series = |(filter, line): &(&'a str, Vec<Point>)| {
            let points = line.iter().filter_map(bits).collect();
            ((*filter).to_owned(), style(self.records, filter), points)
        };
        let series = self.lines.iter().map(series);
        let y = |highest| Axis::new("bits per key", 0.0..1.1 * f64::max(highest, 1.0), 8);
        let mut panel = self.lower(y, &series.collect::<Vec<_>>());
        if let Some(target) = self.target() {
            let least = std::f64::consts::LOG2_E * -target.log2();
            panel.level(least, "sized for the keys", (Paint::SOFT, Stroke::Dotted));
        }
        panel
    }

    /// The panel of the shares of missing and rejected keys, for each filter that has any.
    fn lost_keys(&self) -> Panel {
        let mut series: Vec<Series> = Vec::new();
        for (filter, line) in &self.lines {
            let mut add = |what: &str, stroke, count: fn(&Observation) -> [u64; 2]| {
                let share = |p: &Point| {
                    let [some, all] = count(&p.of);
                    (p.of.x, Estimate::share(some, all), None)
                };
                let look = Style {
                    stroke,
                    ..style(self.records, filter)
                };
                if line.iter().any(|p| count(&p.of)[0] > 0) {
                    let points = line.iter().map(share).collect();
                    series.push((format!("{filter}: {what}"), look, points));
                }
            };
            add("missing", Stroke::Solid, |r| [r.false_negatives, r.members]);
            add("rejected", Stroke::Dotted, |r| [r.rejected, r.keys]);
        }
        let y = |most| Axis::rates("share of the keys", 0.0..1.15 * f64::max(most, 0.001), 6);
        let mut panel = self.lower(y, &series);
        if series.is_empty() {
            panel.level(0.0, "none of any filter", (Paint::SOFT, Stroke::Solid));
        }
        panel
    }
}
