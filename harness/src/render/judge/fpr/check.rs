//! A measured rate against theory.

use crate::{
    record::FprRow,
    render::judge::{CONFIDENCE, DELTA, Outcome},
    stats::{Equivalence, Interval, equivalence, mean_interval, power, proportion, z_two_sided},
};

/// Under so many replicates a mean over seeds says nothing of its spread.
const LEAST_REPLICATES: usize = 3;

/// Filters that differ more than this, relative, are too few in any run.
const MOST_SPREAD: f64 = 0.25;

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

/// The mean over rows, weighted by what each was asked.
pub(super) fn weighted(rows: &[&FprRow], of: impl Fn(&FprRow) -> f64) -> f64 {
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

/// Hits against the FPR that the measured bits give; `None` without those bits.
pub(super) fn given_bits(rows: &[&FprRow], hits: u64, asked: u64, strict: f64) -> Option<Check> {
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

/// The mean over seeds against the formula; `None` for too few replicates, and
/// for filters of some hundred bits, which differ so much from one to the next
/// that the mean of a few has no law to go by.
///
/// Where theory tells how much one filter differs from the next, the error is
/// that and the sampling; else Student's interval of the rates, but never
/// narrower than the binomial one: three equal counts have no spread, and yet
/// say little.
pub(super) fn over_seeds(rows: &[&FprRow], hits: u64, asked: u64, strict: f64) -> Option<Check> {
    if rows.len() < LEAST_REPLICATES || rows.iter().any(|row| row.strangers_asked == 0) {
        return None;
    }
    if rows
        .iter()
        .any(|row| spread(row).is_some_and(|spread| spread > MOST_SPREAD))
    {
        return None;
    }
    let rate = |row: &&FprRow| row.false_positives as f64 / row.strangers_asked as f64;
    let rates: Vec<f64> = rows.iter().map(rate).collect();
    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
    let theory = rows.iter().map(|row| row.expected_fpr).sum::<f64>() / rows.len() as f64;
    if let Some(error) = known_error(rows, theory) {
        let at = |confidence| {
            let half = z_two_sided(confidence) * error;
            Interval {
                low: (mean - half).max(0.0),
                high: (mean + half).min(1.0),
            }
        };
        return check(mean, theory, at(CONFIDENCE), at(strict), error);
    }
    let at = |confidence| {
        let seeds = mean_interval(&rates, confidence)?;
        let seeds = Interval {
            low: seeds.low.max(0.0),
            high: seeds.high.min(1.0),
        };
        Some(seeds.hull(proportion(hits, asked, confidence)))
    };
    let inside = at(CONFIDENCE)?;
    let error = inside.half_width() / z_two_sided(CONFIDENCE);
    check(mean, theory, inside, at(strict)?, error)
}

/// How much the FPR of one filter differs from the next, relative.
fn spread(row: &FprRow) -> Option<f64> {
    Some(row.expected_fpr_sd? / row.expected_fpr)
}

/// The standard error of the mean rate, where theory has the spread.
fn known_error(rows: &[&FprRow], theory: f64) -> Option<f64> {
    let variance = |row: &&FprRow| {
        let between = spread(row)? * theory;
        Some(theory * (1.0 - theory) / row.strangers_asked as f64 + between * between)
    };
    let sum = rows.iter().map(variance).sum::<Option<f64>>()?;
    Some(sum.sqrt() / rows.len() as f64)
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
