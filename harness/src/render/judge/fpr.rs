//! Is the FPR what theory says?

use std::collections::BTreeMap;

use super::{Bench, CONFIDENCE, DELTA, FAMILY_ALPHA, Judged, Outcome};
use crate::{
    record::FprRow,
    render::number,
    stats::{
        Equivalence, Interval, equivalence, fill_z, given_bits_z, mean_interval, power, proportion,
    },
};

/// A fill so many standard deviations off its mean is wrong.
const FILL_Z_LIMIT: f64 = 5.0;
/// Under so many replicates a mean over seeds says nothing of its spread.
const LEAST_REPLICATES: usize = 3;

/// A measured rate held against a theoretical one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Check {
    pub measured: f64,
    pub theory: f64,
    /// Of the measured rate, at 95 %.
    pub interval: Interval,
    /// Wider: at this level no check of a clean run is expected to miss.
    strict: Interval,
    /// The chance to pass at this sample if theory is right.
    pub power: f64,
    pub outcome: Outcome,
}

/// The replicates of one point of a sweep, pooled.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    pub experiment: String,
    pub filter: String,
    pub dataset: String,
    pub sweep: String,
    pub x: f64,
    pub capacity: u64,
    pub target_fpr: Option<f64>,
    pub size_bits: u64,
    pub hashes: u32,
    pub memory_bytes: u64,
    pub replicates: usize,
    pub asked: u64,
    pub hits: u64,
    /// Of hits / asked.
    pub interval: Interval,
    pub expected_fpr: f64,
    /// Hits against the FPR that the measured bits give.
    pub given_bits: Option<Check>,
    pub given_bits_z: Option<f64>,
    /// The mean over seeds against the formula.
    pub over_seeds: Option<Check>,
    pub fill_z: Option<f64>,
    pub refused: u64,
    pub members_asked: u64,
    pub false_negatives: u64,
    /// Of its replicates that could not be had.
    pub error: String,
}

impl Point {
    /// The measured FPR.
    pub fn measured(&self) -> f64 {
        self.hits as f64 / self.asked.max(1) as f64
    }
}

/// Judges every point, in the order of the records.
pub(super) fn judge(bench: &mut Bench<'_>) -> Vec<Point> {
    let groups = groups(&bench.records.fpr);
    // Two rate checks a point share the family's alpha: Bonferroni.
    let strict = 1.0 - FAMILY_ALPHA / (2 * groups.len()).max(1) as f64;
    let points: Vec<Point> = groups.iter().map(|rows| point(rows, strict)).collect();
    for point in &points {
        if !point.error.is_empty() {
            add(
                bench,
                point,
                "measurement",
                Outcome::Fail,
                format!("error: {}", point.error),
            );
        }
        for (name, check) in [
            ("FPR given the bits", point.given_bits),
            ("mean FPR over seeds", point.over_seeds),
        ] {
            if let Some(check) = check {
                add(bench, point, name, check.outcome, by_how_much(&check));
            }
        }
        if let Some(z) = point.fill_z {
            let outcome = if z.abs() > FILL_Z_LIMIT {
                Outcome::Fail
            } else {
                Outcome::Pass
            };
            let by = format!("{} standard deviations off", number::decimal(z, 1));
            add(bench, point, "fill", outcome, by);
        }
        members(bench, point);
    }
    points
}

/// A false negative fails those that promise none; of others it is a number.
fn members(bench: &mut Bench<'_>, point: &Point) {
    let promises = super::subject(bench.records, &point.filter)
        .is_some_and(|subject| subject.promises_no_false_negatives);
    if !promises || point.members_asked == 0 {
        return;
    }
    let outcome = if point.false_negatives > 0 {
        Outcome::Fail
    } else {
        Outcome::Pass
    };
    let by = format!(
        "{} of {} members denied, 0 allowed",
        number::count(point.false_negatives),
        number::count(point.members_asked)
    );
    add(bench, point, "members", outcome, by);
}

fn add(bench: &mut Bench<'_>, point: &Point, name: &str, outcome: Outcome, by: String) {
    let x = number::significant(point.x, 4);
    let at = match point.sweep.as_str() {
        "bits-per-key" => format!("at {x} bits per key"),
        "load" => format!("at load {x}"),
        sweep => format!("at {sweep} {x}"),
    };
    bench.add(Judged {
        outcome,
        subject: &point.filter,
        dataset: &point.dataset,
        flag: "--filters",
        what: format!("{name} of {} on {} {at}", point.filter, point.dataset),
        by,
    });
}

fn by_how_much(check: &Check) -> String {
    let off = (check.measured / check.theory - 1.0) * 100.0;
    let power = match check.outcome {
        Outcome::Inconclusive => format!(
            "; a sample like this passes a right filter with probability {}",
            number::decimal(check.power, 2)
        ),
        _ => String::new(),
    };
    format!(
        "{} measured, {} by theory: {}{} %, ±{} % allowed{power}",
        number::measured_with_interval(check.measured, check.interval),
        number::share(check.theory, 4),
        if off > 0.0 { "+" } else { "" },
        number::decimal(off, 1),
        number::significant(DELTA * 100.0, 2),
    )
}

/// The rows of each point of each sweep, in the order of the records.
fn groups(rows: &[FprRow]) -> Vec<Vec<&FprRow>> {
    let mut place = BTreeMap::new();
    let mut groups: Vec<Vec<&FprRow>> = Vec::new();
    for row in rows {
        let key = (
            &row.experiment,
            &row.filter,
            &row.dataset,
            &row.sweep,
            row.x.to_bits(),
            row.capacity,
        );
        let at = *place.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[at].push(row);
    }
    groups
}

fn point(all: &[&FprRow], strict: f64) -> Point {
    let rows: Vec<&FprRow> = all
        .iter()
        .copied()
        .filter(|row| row.error.is_empty())
        .collect();
    let first = rows.first().unwrap_or(&all[0]);
    let sum = |of: fn(&FprRow) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
    let (asked, hits) = (sum(|r| r.strangers_asked), sum(|r| r.false_positives));
    let error = all.iter().find(|row| !row.error.is_empty());
    Point {
        experiment: first.experiment.clone(),
        filter: first.filter.clone(),
        dataset: first.dataset.clone(),
        sweep: first.sweep.clone(),
        x: first.x,
        capacity: first.capacity,
        target_fpr: first.target_fpr,
        size_bits: first.size_bits,
        hashes: first.hashes,
        memory_bytes: first.memory_bytes,
        replicates: rows.len(),
        asked,
        hits,
        interval: proportion(hits, asked, CONFIDENCE),
        expected_fpr: weighted(&rows, |row| row.expected_fpr),
        given_bits: given_bits(&rows, hits, asked, strict),
        given_bits_z: given_bits_z(&known_bits(&rows)).filter(|_| asked > 0),
        over_seeds: over_seeds(&rows, hits, asked, strict),
        fill_z: fill_z(&fills(&rows)),
        refused: sum(|r| r.refused),
        members_asked: sum(|r| r.members_asked),
        false_negatives: sum(|r| r.false_negatives),
        error: error.map(|row| row.error.clone()).unwrap_or_default(),
    }
}

/// Points pooled into one, whatever their keys: hits and sums add up, checks
/// do not. `None` for none.
pub fn pool<'a>(points: impl IntoIterator<Item = &'a Point>) -> Option<Point> {
    let mut points = points.into_iter();
    let mut whole = points.next()?.clone();
    let mut expected = whole.expected_fpr * whole.asked as f64;
    for point in points {
        expected += point.expected_fpr * point.asked as f64;
        whole.replicates += point.replicates;
        whole.asked += point.asked;
        whole.hits += point.hits;
        whole.refused += point.refused;
        whole.members_asked += point.members_asked;
        whole.false_negatives += point.false_negatives;
    }
    if whole.asked > 0 {
        whole.expected_fpr = expected / whole.asked as f64;
    }
    whole.interval = proportion(whole.hits, whole.asked, CONFIDENCE);
    (
        whole.given_bits,
        whole.given_bits_z,
        whole.over_seeds,
        whole.fill_z,
    ) = (None, None, None, None);
    Some(whole)
}

/// The mean over rows, weighted by what each was asked.
fn weighted(rows: &[&FprRow], of: impl Fn(&FprRow) -> f64) -> f64 {
    let asked: u64 = rows.iter().map(|row| row.strangers_asked).sum();
    let sum: f64 = rows
        .iter()
        .map(|row| of(row) * row.strangers_asked as f64)
        .sum();
    if asked > 0 {
        sum / asked as f64
    } else {
        rows.first().map_or(f64::NAN, |row| of(row))
    }
}

fn fills(rows: &[&FprRow]) -> Vec<(f64, f64, f64)> {
    rows.iter()
        .filter_map(|row| Some((row.fill_ratio, row.expected_fill?, row.expected_fill_sd?)))
        .collect()
}

fn known_bits(rows: &[&FprRow]) -> Vec<(u64, u64, f64)> {
    rows.iter()
        .filter_map(|row| {
            Some((
                row.strangers_asked,
                row.false_positives,
                row.fpr_given_bits?,
            ))
        })
        .collect()
}

fn given_bits(rows: &[&FprRow], hits: u64, asked: u64, strict: f64) -> Option<Check> {
    if asked == 0 || rows.iter().any(|row| row.fpr_given_bits.is_none()) {
        return None;
    }
    let theory = weighted(rows, |row| row.fpr_given_bits.unwrap_or(f64::NAN));
    let error = (theory * (1.0 - theory) / asked as f64).sqrt();
    let at = |confidence| proportion(hits, asked, confidence);
    check(
        hits as f64 / asked as f64,
        theory,
        at(CONFIDENCE),
        at(strict),
        error,
    )
}

/// Student's interval of the rates, but never narrower than the binomial one:
/// three equal counts have no spread, and yet say little.
fn over_seeds(rows: &[&FprRow], hits: u64, asked: u64, strict: f64) -> Option<Check> {
    if rows.len() < LEAST_REPLICATES || rows.iter().any(|row| row.strangers_asked == 0) {
        return None;
    }
    let rate = |row: &&FprRow| row.false_positives as f64 / row.strangers_asked as f64;
    let rates: Vec<f64> = rows.iter().map(rate).collect();
    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
    let theory = rows.iter().map(|row| row.expected_fpr).sum::<f64>() / rows.len() as f64;
    let at = |confidence| {
        let seeds = mean_interval(&rates, confidence)?;
        let seeds = Interval {
            low: seeds.low.max(0.0),
            high: seeds.high.min(1.0),
        };
        Some(seeds.hull(proportion(hits, asked, confidence)))
    };
    let inside = at(CONFIDENCE)?;
    let error = inside.half_width() / crate::stats::z_two_sided(CONFIDENCE);
    check(mean, theory, inside, at(strict)?, error)
}

fn check(
    measured: f64,
    theory: f64,
    interval: Interval,
    strict: Interval,
    standard_error: f64,
) -> Option<Check> {
    if theory.is_nan() || theory <= 0.0 {
        return None;
    }
    let outcome = match equivalence(interval, strict, theory, DELTA) {
        Equivalence::Pass => Outcome::Pass,
        Equivalence::Fail => Outcome::Fail,
        Equivalence::Inconclusive => Outcome::Inconclusive,
    };
    let power = power(theory, DELTA, standard_error, CONFIDENCE);
    Some(Check {
        measured,
        theory,
        interval,
        strict,
        power,
        outcome,
    })
}
