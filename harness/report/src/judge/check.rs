//! Compares a measured FPR with theory.

use crate::{estimate::Estimate, judge::Outcome, levels::CONFIDENCE, number};
use bouquet_record::Observation;
use bouquet_stats::{Asked, CountLaw, Interval, PooledRate, found_from, z_two_sided};

/// The largest relative standard deviation of the FPR between filters; with a larger one, no run
/// has enough filters for a check.
const MOST_SPREAD: f64 = 0.25;

/// Filters that were queried for non-members.
type Samples<'a> = &'a [&'a Observation];

/// A measured rate compared with a theoretical one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Check {
    pub rate: Estimate,
    pub theory: f64,
    /// The deviation, as a share of the theoretical rate, that such a sample detects with a
    /// probability of 99.9 %.
    pub found_from: f64,
    pub outcome: Outcome,
}

impl Check {
    /// The outcome and the detectable deviation, for a table.
    pub fn in_short(check: Option<Self>) -> String {
        check.map_or("–".to_owned(), |check| {
            let found = number::percent(check.found_from, 2);
            format!("{} ({found})", check.outcome.word())
        })
    }

    /// The deviation of a failed check, in words.
    pub(crate) fn by_how_much(&self) -> String {
        let off = (self.rate.value / self.theory - 1.0) * 100.0;
        format!(
            "{} measured, {} by theory: {}{} %, more than chance",
            self.rate.in_words(),
            number::share(self.theory, 4),
            if off > 0.0 { "+" } else { "" },
            number::decimal(off, 1),
        )
    }
}

fn totals(samples: Samples<'_>) -> (u64, u64) {
    let sum = |of: fn(&Observation) -> u64| samples.iter().map(|row| of(row)).sum();
    (sum(|s| s.false_positives), sum(|s| s.non_members))
}

/// The mean over samples, weighted by the number of non-members of each.
pub(crate) fn weighted(samples: Samples<'_>, of: impl Fn(&Observation) -> f64) -> f64 {
    let (_, asked) = totals(samples);
    let sum: f64 = samples.iter().map(|s| of(s) * s.non_members as f64).sum();
    if asked > 0 {
        sum / asked as f64
    } else {
        samples.first().map_or(f64::NAN, |s| of(s))
    }
}

/// Compares the hits with the FPR that follows from the bits that are set, at the significance
/// level `alpha`; `None` without these bits.
pub(crate) fn given_bits(samples: Samples<'_>, alpha: f64) -> Option<Check> {
    let (hits, asked) = totals(samples);
    if asked == 0 || samples.iter().any(|s| s.fpr_given_bits.is_none()) {
        return None;
    }
    let theory = weighted(samples, |s| s.fpr_given_bits.unwrap_or(f64::NAN));
    let law = CountLaw::Binomial(asked, theory);
    let error = ((1.0 - theory) / (theory * asked as f64)).sqrt();
    (theory > 0.0).then(|| Check {
        rate: Estimate::share(hits, asked),
        theory,
        found_from: found_from(error, alpha),
        outcome: Outcome::fails_if(law.two_sided(hits as f64) < alpha),
    })
}

/// Compares the hits of filters of any sizes with the sum that theory expects, at the significance
/// level `alpha`, and returns the z-score too. Filters of a few hundred bits are left out, since
/// their FPR differs too much from filter to filter.
pub(crate) fn overall(samples: Samples<'_>, alpha: f64) -> Option<(Check, f64)> {
    let is_wide = |row: &&Observation| {
        let sd = row.expected_fpr_sd;
        sd.is_some_and(|sd| sd > MOST_SPREAD * row.expected_fpr)
    };
    let kept = samples.iter().filter(|row| !is_wide(row));
    let each: Vec<Asked> = kept
        .map(|row| Asked {
            non_members: row.non_members,
            hits: row.false_positives,
            fpr: row.expected_fpr,
            sd: row.expected_fpr_sd,
        })
        .collect();
    let pooled = PooledRate::of(&each)?;
    let asked: u64 = each.iter().map(|one| one.non_members).sum();
    let [value, theory] = [pooled.hits as f64, pooled.expected].map(|hits| hits / asked as f64);
    let half = z_two_sided(CONFIDENCE) * pooled.error * theory;
    let check = Check {
        rate: Estimate {
            value,
            interval: Interval::new((value - half).max(0.0), (value + half).min(1.0)),
        },
        theory,
        found_from: pooled.found_from(alpha),
        outcome: Outcome::fails_if(pooled.p < alpha),
    };
    Some((check, pooled.z))
}
