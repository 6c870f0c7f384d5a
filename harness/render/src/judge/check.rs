//! A measured rate against theory.

use crate::{
    judge::{CONFIDENCE, DELTA, Outcome},
    number,
};
use bouquet_ground::record::{ChurnRow, FprRow};
use bouquet_stats::{
    Gate, Interval, LOW_FPR, equivalence, mean_interval, power, proportion, z_two_sided,
};

/// Under so many replicates a mean over seeds says nothing of its spread.
const LEAST_REPLICATES: usize = 3;

/// Filters that differ more than this, relative, are too few in any run.
const MOST_SPREAD: f64 = 0.25;

/// A check that passes a right filter more often than not is worth making.
const LIKELY: f64 = 0.5;

/// One filter that was asked for strangers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub asked: u64,
    pub hits: u64,
    pub expected_fpr: f64,
    pub expected_fpr_sd: Option<f64>,
    pub fpr_given_bits: Option<f64>,
}

impl From<&FprRow> for Sample {
    fn from(row: &FprRow) -> Self {
        Self {
            asked: row.strangers_asked,
            hits: row.false_positives,
            expected_fpr: row.expected_fpr,
            expected_fpr_sd: row.expected_fpr_sd,
            fpr_given_bits: row.fpr_given_bits,
        }
    }
}

impl From<&ChurnRow> for Sample {
    fn from(row: &ChurnRow) -> Self {
        Self {
            asked: row.strangers_asked,
            hits: row.false_positives,
            expected_fpr: row.expected_fpr,
            expected_fpr_sd: None,
            fpr_given_bits: row.fpr_given_bits,
        }
    }
}

impl Sample {
    fn rate(&self) -> f64 {
        self.hits as f64 / self.asked as f64
    }

    /// How much the FPR of one filter differs from the next, relative.
    fn spread(&self) -> Option<f64> {
        Some(self.expected_fpr_sd? / self.expected_fpr)
    }
}

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

impl Check {
    /// Its outcome and power, for a table.
    pub fn in_short(check: Option<Self>) -> String {
        check.map_or("–".to_owned(), |check| {
            let power = number::decimal(check.power, 2);
            format!("{} ({power})", check.outcome.word())
        })
    }

    /// How far the measured rate lies from theory, in words.
    pub(crate) fn by_how_much(&self) -> String {
        let off = (self.measured / self.theory - 1.0) * 100.0;
        let power = match self.outcome {
            Outcome::Inconclusive => format!(
                "; a sample like this passes a right filter with probability {}",
                number::decimal(self.power, 2)
            ),
            _ => String::new(),
        };
        format!(
            "{} measured, {} by theory: {}{} %, ±{} % allowed{power}",
            number::measured_with_interval(self.measured, self.interval),
            number::share(self.theory, 4),
            if off > 0.0 { "+" } else { "" },
            number::decimal(off, 1),
            number::significant(DELTA * 100.0, 2),
        )
    }
}

fn totals(samples: &[Sample]) -> (u64, u64) {
    let sum = |of: fn(&Sample) -> u64| samples.iter().map(of).sum();
    (sum(|s| s.hits), sum(|s| s.asked))
}

/// The mean over samples, weighted by what each was asked.
pub(crate) fn weighted(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> f64 {
    let (_, asked) = totals(samples);
    let sum: f64 = samples.iter().map(|s| of(s) * s.asked as f64).sum();
    if asked > 0 {
        sum / asked as f64
    } else {
        samples.first().map_or(f64::NAN, of)
    }
}

/// A ceiling for the rate, given the bits where they are known, in place of the
/// other checks: `None` if it is not that low, or if so many strangers were asked
/// that the others would tell more.
pub(crate) fn gate(samples: &[Sample], strict: f64) -> Option<Gate> {
    let (hits, asked) = totals(samples);
    if samples.is_empty() || weighted(samples, |s| s.expected_fpr) > LOW_FPR {
        return None;
    }
    let theory = weighted(samples, |s| s.fpr_given_bits.unwrap_or(s.expected_fpr));
    let error = (theory * (1.0 - theory) / asked as f64).sqrt();
    if power(theory, DELTA, error, CONFIDENCE) > LIKELY {
        return None;
    }
    Gate::new(hits, asked, theory, 1.0 - strict)
}

/// Hits against the FPR that the measured bits give; `None` without those bits.
pub(crate) fn given_bits(samples: &[Sample], strict: f64) -> Option<Check> {
    let (hits, asked) = totals(samples);
    if asked == 0 || samples.iter().any(|s| s.fpr_given_bits.is_none()) {
        return None;
    }
    let theory = weighted(samples, |s| s.fpr_given_bits.unwrap_or(f64::NAN));
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

/// Whether theory tells how much these filters differ from one to the next.
pub(crate) fn spread_known(samples: &[Sample]) -> bool {
    samples.iter().all(|s| s.spread().is_some())
}

/// The mean over seeds against the formula; `None` for too few replicates, and
/// for filters of some hundred bits, which differ so much from one to the next
/// that the mean of a few has no law to go by.
///
/// Where theory tells how much one filter differs from the next, the error is
/// that and the sampling; else Student's interval of the rates, but never
/// narrower than the binomial one: three equal counts have no spread, and yet
/// say little.
pub(crate) fn over_seeds(samples: &[Sample], strict: f64) -> Option<Check> {
    if samples.len() < LEAST_REPLICATES || samples.iter().any(|s| s.asked == 0) {
        return None;
    }
    let too_wide = |s: &Sample| s.spread().is_some_and(|spread| spread > MOST_SPREAD);
    if samples.iter().any(too_wide) {
        return None;
    }
    let rates: Vec<f64> = samples.iter().map(Sample::rate).collect();
    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
    let theory = samples.iter().map(|s| s.expected_fpr).sum::<f64>() / rates.len() as f64;
    if let Some(error) = known_error(samples, theory) {
        let at = |confidence| {
            let half = z_two_sided(confidence) * error;
            Interval {
                low: (mean - half).max(0.0),
                high: (mean + half).min(1.0),
            }
        };
        return check(mean, theory, at(CONFIDENCE), at(strict), error);
    }
    let (hits, asked) = totals(samples);
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

/// The standard error of the mean rate, where theory has the spread.
fn known_error(samples: &[Sample], theory: f64) -> Option<f64> {
    let variance = |s: &Sample| {
        let between = s.spread()? * theory;
        Some(theory * (1.0 - theory) / s.asked as f64 + between * between)
    };
    let sum = samples.iter().map(variance).sum::<Option<f64>>()?;
    Some(sum.sqrt() / samples.len() as f64)
}

/// Is a rate with these intervals what theory says, within ±[`DELTA`]?
pub fn within(interval: Interval, strict: Interval, theory: f64) -> Outcome {
    Outcome::of(equivalence(interval, strict, theory, DELTA))
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
    let outcome = within(interval, strict, theory);
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
