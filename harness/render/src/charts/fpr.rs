//! FPR against bits per key and against load, and below the ratio to theory.

mod draw;
mod growth;
mod ratios;
mod table;

use crate::{
    document::Figure,
    groups::{distinct, grouped, span},
    judge::{Check, Judgement, Outcome, Point, pool},
    number, plot,
};
use bouquet_ground::record::{Records, Sweep};

pub(super) const SOURCE: &str = "records/observations.csv";
/// A sweep beyond this load is one of growth: filters of one size have long
/// broken their promise there.
const MOST_LOAD: f64 = 2.0;

/// A sweep as it is drawn: the points of each filter, pooled over data sets.
struct Chart<'a> {
    kind: Sweep,
    lines: Vec<(&'a str, Vec<Point>)>,
    /// Points on one data set that failed: pooling must not hide them.
    failed: Vec<&'a Point>,
}

impl<'a> Chart<'a> {
    fn new(kind: Sweep, points: &[&'a Point]) -> Self {
        Self {
            kind,
            lines: lines(points),
            failed: failed(points),
        }
    }
}

/// A chart for each sweep of each experiment, in the order of the charts'
/// names.
pub fn figures(records: &Records, judgement: &Judgement) -> Vec<Figure> {
    let points = judgement.points.iter().filter(|p| p.of.non_members > 0);
    let mut sweeps = grouped(points, |p| (p.of.sweep, p.of.experiment.as_str()));
    sweeps.sort_unstable_by_key(|(name, _)| *name);
    let mut names: Vec<String> = Vec::new();
    let mut figures = Vec::new();
    for ((kind, experiment), mut points) in sweeps {
        let sized = sized_by_target(judgement, &points);
        points.extend(sized.iter().filter(|_| kind == Sweep::BitsPerKey));
        let grown = points.iter().any(|p| p.of.sweep.load(p.of.x) > MOST_LOAD);
        let base = match kind {
            Sweep::Load if grown => "growth".to_owned(),
            Sweep::TargetFpr => "fpr-at-target".to_owned(),
            Sweep::BitsPerKey | Sweep::Load | Sweep::Churn | Sweep::Memory => {
                format!("fpr-by-{}", kind.name())
            }
        };
        let name = match names.contains(&base) {
            true => format!("{base}-{experiment}"),
            false => base.clone(),
        };
        names.push(base);
        if kind == Sweep::TargetFpr {
            // Targets make rows, not a line.
            figures.push(ratios::figure(&points, &name));
        } else if grown {
            figures.push(growth::figure(records, &name, experiment, &points));
        } else {
            figures.push(figure(kind, &name, &points));
        }
    }
    figures
}

/// Filters that no point of the sweep is of, at the bits per key that their
/// targets took, as far as the sweep reaches.
fn sized_by_target(judgement: &Judgement, sweep: &[&Point]) -> Vec<Point> {
    let (least, most) = span((f64::MAX, 0.0), sweep.iter().map(|p| p.of.x));
    let other = |p: &&Point| {
        p.of.sweep == Sweep::TargetFpr
            && p.of.non_members > 0
            && sweep.iter().all(|s| s.of.filter != p.of.filter)
    };
    let moved = judgement.points.iter().filter(other).map(|p| {
        let mut moved = p.clone();
        moved.of.x = p.of.size_bits as f64 / p.of.capacity.max(1) as f64;
        moved
    });
    moved
        .filter(|p| least <= p.of.x && p.of.x <= most)
        .collect()
}

fn figure(kind: Sweep, name: &str, points: &[&Point]) -> Figure {
    let sweep = Chart::new(kind, points);
    let by_target = if points.iter().any(|p| p.of.sweep != kind) {
        " A filter whose size is chosen by a target alone stands at the bits per key that it took."
    } else {
        ""
    };
    let is_of_load = kind == Sweep::Load;
    let against = if is_of_load { "load" } else { axis(kind) };
    let title = format!("FPR against {against}");
    let (reading, table) = (reading(kind) + by_target, table::table(&sweep));
    let panels = draw::panels(&sweep);
    plot::figure(&panels, name, &title, reading, table, SOURCE).finding(finding(points))
}

/// Which filters have a point on some data set that failed.
fn finding(points: &[&Point]) -> String {
    let failed = failed(points);
    let names = distinct(failed.iter().map(|p| p.of.filter.as_str()));
    match number::listed(names).as_str() {
        "" => "No filter that is judged departs from theory.".to_owned(),
        names => format!("Departing from theory: {names}."),
    }
}

/// How to read the chart, and how not to.
fn reading(kind: Sweep) -> String {
    let own = if kind == Sweep::Load {
        "Load 1 is the capacity. Beyond it a Bloom filter gets worse gradually, while a cuckoo \
         filter rejects keys: its points beyond 1 are for the keys it took."
    } else {
        "The information bound is the least FPR that any structure can have in so many bits; a \
         filter lower on the chart is not better if it allocates more than it is charged \
         for here: the table at a glance has the bits really allocated."
    };
    format!(
        "Lines are theory, points are measured and pooled over the data sets, bars are 95 % \
         intervals; an open triangle is the upper bound where nothing was hit. {own} The small \
         panels divide measured by theory; a red ring is a data set that failed by itself. A point \
         whose bar does not reach 1 may be of filters that differ much from one to the next, not \
         a fault: the verdict knows how much they differ."
    )
}

/// The points of each filter in the order of x, pooled over data sets.
pub(super) fn lines<'a>(points: &[&'a Point]) -> Vec<(&'a str, Vec<Point>)> {
    let line = |(filter, mut own): (&'a str, Vec<&Point>)| {
        own.sort_by(|a, b| a.of.x.total_cmp(&b.of.x));
        let at_x = own.chunk_by(|a, b| a.of.x == b.of.x);
        let pooled = at_x.filter_map(|chunk| pool(chunk.iter().copied()));
        (filter, pooled.collect())
    };
    let filters = grouped(points.iter().copied(), |p| p.of.filter.as_str());
    filters.into_iter().map(line).collect()
}

/// Points that failed.
fn failed<'a>(points: &[&'a Point]) -> Vec<&'a Point> {
    let fails = |check: Check| check.outcome == Outcome::Fail;
    let each = points.iter().copied();
    each.filter(|p| p.given_bits.is_some_and(fails)).collect()
}

/// A point where it is drawn.
pub(super) fn point(kind: Sweep, point: &Point) -> plot::Point {
    let at = (point.of.x, point.rate.value);
    plot::Point::new(at, point.rate.interval, words(kind, point))
}

/// What a point says to whoever points at it.
fn words(kind: Sweep, point: &Point) -> String {
    let x = number::significant(point.of.x, 4);
    let at = match kind {
        Sweep::Load => format!("at load {x}"),
        Sweep::Churn => format!("after round {x}"),
        Sweep::BitsPerKey | Sweep::TargetFpr | Sweep::Memory => format!("at {x} bits per key"),
    };
    format!(
        "{} {at}\nmeasured {}\ntheory {}",
        point.of.filter,
        point.rate.in_words(),
        number::share(point.of.expected_fpr, 4)
    )
}

/// The name of the x axis.
fn axis(kind: Sweep) -> &'static str {
    if kind == Sweep::Load {
        "keys / capacity"
    } else {
        "bits per key"
    }
}
