//! A measured rate against theory.

use crate::{
    estimate::Estimate,
    judge::Outcome,
    levels::{CONFIDENCE, DELTA, PASSING},
    number,
};
use bouquet_ground::record::FprRow;
use bouquet_stats::{
    Gate, Interval, LOW_FPR, equivalence, mean_interval, power, proportion, z_two_sided,
};

/// Under so many replicates a mean over seeds says nothing of its spread.
const LEAST_REPLICATES: usize = 3;

/// Filters that differ more than this, relative, are too few in any run.
const MOST_SPREAD: f64 = 0.25;

/// A check that passes a right filter more often than not is worth making.
const LIKELY: f64 = 0.5;

/// Filters that were asked for non-members.
type Samples<'a> = &'a [&'a FprRow];

/// How much the FPR of one filter differs from the next, relative.
fn spread(row: &FprRow) -> Option<f64> {
    Some(row.expected_fpr_sd? / row.expected_fpr)
}

/// A measured rate compared with a theoretical one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Check {
    pub rate: Estimate,
    pub theory: f64,
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

    /// How far the measured rate lies from theory, as a share of that.
    pub fn off(&self) -> f64 {
        self.rate.value / self.theory - 1.0
    }

    /// The same in words.
    pub(crate) fn by_how_much(&self) -> String {
        let off = self.off() * 100.0;
        let power = match self.outcome {
            Outcome::Inconclusive => format!(
                "; a sample like this passes a right filter with probability {}",
                number::decimal(self.power, 2)
            ),
            _ => String::new(),
        };
        let sign = if off > 0.0 { "+" } else { "" };
        let allowed = if self.outcome == Outcome::Fail && off.abs() < DELTA * 100.0 {
            "more than chance".to_owned()
        } else {
            format!("±{} % allowed", number::significant(DELTA * 100.0, 2))
        };
        format!(
            "{} measured, {} by theory: {sign}{} %, {allowed}{power}",
            self.rate.in_words(),
            number::share(self.theory, 4),
            number::decimal(off, 1),
        )
    }
}

fn totals(samples: Samples<'_>) -> (u64, u64) {
    let sum = |of: fn(&FprRow) -> u64| samples.iter().map(|row| of(row)).sum();
    (sum(|s| s.false_positives), sum(|s| s.non_members_asked))
}

/// The mean over samples, weighted by what each was asked.
pub(crate) fn weighted(samples: Samples<'_>, of: impl Fn(&FprRow) -> f64) -> f64 {
    let (_, asked) = totals(samples);
    let sum: f64 = samples
        .iter()
        .map(|s| of(s) * s.non_members_asked as f64)
        .sum();
    if asked > 0 {
        sum / asked as f64
    } else {
        samples.first().map_or(f64::NAN, |s| of(s))
    }
}

/// A ceiling for the rate, given the bits where they are known, in place of the
/// other checks: `None` if it is not that low, or if so many non-members were asked
/// that the others would tell more.
pub(crate) fn gate(samples: Samples<'_>, strict: f64) -> Option<Gate> {
    let (hits, asked) = totals(samples);
    if samples.is_empty() || weighted(samples, |s| s.expected_fpr) > LOW_FPR {
        return None;
    }
    let theory = weighted(samples, |s| s.fpr_given_bits.unwrap_or(s.expected_fpr));
    let error = (theory * (1.0 - theory) / asked as f64).sqrt();
    if power(theory, DELTA, error, PASSING) > LIKELY {
        return None;
    }
    Gate::new(hits, asked, theory, 1.0 - strict)
}

/// Hits against the FPR that the measured bits give; `None` without those bits.
pub(crate) fn given_bits(samples: Samples<'_>, strict: f64) -> Option<Check> {
    let (hits, asked) = totals(samples);
    if asked == 0 || samples.iter().any(|s| s.fpr_given_bits.is_none()) {
        return None;
    }
    let theory = weighted(samples, |s| s.fpr_given_bits.unwrap_or(f64::NAN));
    let error = (theory * (1.0 - theory) / asked as f64).sqrt();
    let strict = proportion(hits, asked, strict);
    let inside = proportion(hits, asked, PASSING);
    let check = check(
        Estimate::share(hits, asked),
        theory,
        (inside, strict),
        error,
    )?;
    // Of these very bits theory leaves nothing open but chance: what is beyond that fails,
    // however near.
    if theory < strict.low || theory > strict.high {
        return Some(Check {
            outcome: Outcome::Fail,
            ..check
        });
    }
    Some(check)
}

/// Whether theory gives how much these filters differ from one to the next.
pub(crate) fn spread_known(samples: Samples<'_>) -> bool {
    samples.iter().all(|s| spread(s).is_some())
}

/// The mean over seeds against the formula; `None` for too few replicates, and
/// for filters of some hundred bits, which differ so much from one to the next
/// that the mean of a few has no law to go by.
///
/// Where theory gives how much one filter differs from the next, the error is
/// that and the sampling; else Student's interval of the rates, but never
/// narrower than the binomial one: three equal counts have no spread, and yet
/// say little.
pub(crate) fn over_seeds(samples: Samples<'_>, strict: f64) -> Option<Check> {
    if samples.len() < LEAST_REPLICATES || samples.iter().any(|s| s.non_members_asked == 0) {
        return None;
    }
    let too_wide = |s: &&FprRow| spread(s).is_some_and(|spread| spread > MOST_SPREAD);
    if samples.iter().any(too_wide) {
        return None;
    }
    let rates: Vec<f64> = samples
        .iter()
        .map(|s| s.false_positives as f64 / s.non_members_asked as f64)
        .collect();
    let value = rates.iter().sum::<f64>() / rates.len() as f64;
    let theory = samples.iter().map(|s| s.expected_fpr).sum::<f64>() / rates.len() as f64;
    if let Some(error) = known_error(samples, theory) {
        let at = |confidence| Interval::of_share(value, z_two_sided(confidence) * error);
        let interval = at(CONFIDENCE);
        let rate = Estimate { value, interval };
        return check(rate, theory, (at(PASSING), at(strict)), error);
    }
    let (hits, asked) = totals(samples);
    let at = |confidence| {
        let seeds = mean_interval(&rates, confidence)?;
        let seeds = Interval::new(seeds.low.max(0.0), seeds.high.min(1.0));
        Some(seeds.hull(proportion(hits, asked, confidence)))
    };
    let interval = at(CONFIDENCE)?;
    let error = interval.half_width() / z_two_sided(CONFIDENCE);
    let rate = Estimate { value, interval };
    check(rate, theory, (at(PASSING)?, at(strict)?), error)
}

/// The standard error of the mean rate, where theory has the spread.
fn known_error(samples: Samples<'_>, theory: f64) -> Option<f64> {
    let variance = |s: &&FprRow| {
        let between = spread(s)? * theory;
        Some(theory * (1.0 - theory) / s.non_members_asked as f64 + between * between)
    };
    let sum = samples.iter().map(variance).sum::<Option<f64>>()?;
    Some(sum.sqrt() / samples.len() as f64)
}

/// Is a rate with these intervals what theory says, within ±[`DELTA`]?
pub fn within(interval: Interval, strict: Interval, theory: f64) -> Outcome {
    Outcome::of(equivalence(interval, strict, theory, DELTA))
}

/// `inside` must lie in the band to pass, and `outside` beside it to fail.
fn check(
    rate: Estimate,
    theory: f64,
    (inside, outside): (Interval, Interval),
    standard_error: f64,
) -> Option<Check> {
    if theory.is_nan() || theory <= 0.0 {
        return None;
    }
    Some(Check {
        rate,
        theory,
        power: power(theory, DELTA, standard_error, PASSING),
        outcome: within(inside, outside, theory),
    })
}
