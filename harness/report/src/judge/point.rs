//! Pools the replicates of one point of a sweep, and compares their FPR with theory.

use super::{COMPUTED, Outcome, of};
use crate::number::{self, CONFIDENCE, Estimate};
use bouquet_record::{Observation, SubjectRow, Sweep};
use bouquet_stats::{Asked, CountLaw, PooledRate, fill_z, found_from, z_two_sided};

/// The number of checks per point: of the FPR given the bits, and of the fill ratio. All checks of
/// all points share [`super::FAMILY_ALPHA`].
pub(super) const CHECKS: usize = 2;
/// An FPR is checked only if its relative standard deviation between filters is at most this. If it
/// were larger, no run would have enough filters for a check.
const MOST_SPREAD: f64 = 0.25;

/// The words for batch lookups whose answers differ from those of single calls.
pub(super) const OTHERWISE: &str = "keys answered otherwise than by single calls";
const MISSING: &str = "members are false negatives, 0 allowed";

/// Observations of filters in which non-members were looked up.
type Samples<'a> = &'a [&'a Observation];

/// A measured rate compared with a theoretical one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Check {
    pub rate: Estimate,
    pub theory: f64,
    /// The smallest relative deviation from theory that a sample of this size detects with a
    /// probability of 99.9 %.
    pub found_from: f64,
    pub outcome: Outcome,
}

impl Check {
    pub fn by_how_much(&self) -> String {
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

/// The replicates of one point of a sweep, pooled.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// The first replicate's row, with the sums of all counts and the mean of the expected FPR.
    pub of: Observation,
    pub replicates: usize,
    /// The measured FPR.
    pub rate: Estimate,
    /// The check of the measured FPR against the FPR that follows from the filters' bits.
    pub given_bits: Option<Check>,
    pub fill_z: Option<f64>,
}

/// The point of a sweep at which a filter was observed, in words.
pub(super) fn place(row: &Observation) -> String {
    let x = number::significant(row.x, 4);
    match row.sweep {
        Sweep::BitsPerKey => format!("at {x} bits per key"),
        Sweep::Load => format!("at load {x}"),
        Sweep::TargetFpr | Sweep::Memory => format!("sized for {}", number::share(row.x, 4)),
        Sweep::Churn => format!("after {x} rounds of removals"),
    }
}

/// The mean over samples, each weighted by its number of non-members.
fn weighted(samples: Samples<'_>, of: impl Fn(&Observation) -> f64) -> f64 {
    let asked: u64 = samples.iter().map(|s| s.non_members).sum();
    if asked == 0 {
        return samples.first().map_or(f64::NAN, |s| of(s));
    }
    let sum: f64 = samples.iter().map(|s| of(s) * s.non_members as f64).sum();
    sum / asked as f64
}

impl Point {
    /// Adds up the counts of `rows` and averages their expected FPR; all other values are those of
    /// `first`. The rows must have no errors. Makes no checks.
    fn pooled(rows: Samples<'_>, first: &Observation, replicates: usize) -> Self {
        let sum = |of: fn(&Observation) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
        // `None` if any replicate lacks the count.
        let each = |of: fn(&Observation) -> Option<u64>| {
            let counts = rows.iter().map(|row| of(row));
            counts.reduce(|sum, count| Some(sum? + count?)).flatten()
        };
        let (hits, asked) = (sum(|r| r.false_positives), sum(|r| r.non_members));
        Self {
            of: Observation {
                removed: sum(|r| r.removed),
                removals_rejected: sum(|r| r.removals_rejected),
                keys: sum(|r| r.keys),
                rejected: sum(|r| r.rejected),
                members: sum(|r| r.members),
                false_negatives: sum(|r| r.false_negatives),
                non_members: asked,
                false_positives: hits,
                batch_false_negatives: each(|r| r.batch_false_negatives),
                batch_differ: each(|r| r.batch_differ),
                expected_fpr: weighted(rows, |row| row.expected_fpr),
                ..first.clone()
            },
            replicates,
            rate: Estimate::share(hits, asked),
            given_bits: None,
            fill_z: None,
        }
    }

    /// Whether the filters are sized for a target FPR and filled to capacity.
    pub fn is_full(&self) -> bool {
        self.of.sweep == Sweep::Load && (self.of.x - 1.0).abs() < 1e-9
    }

    /// Compares the false positives with the FPR that follows from the filters' bits, at the
    /// significance level `alpha`; `None` if the bits are not known.
    fn given_bits(&self, samples: Samples<'_>, alpha: f64) -> Option<Check> {
        let trials = self.of.non_members;
        let is_known = samples.iter().all(|s| s.fpr_given_bits.is_some());
        let theory = weighted(samples, |s| s.fpr_given_bits.unwrap_or(f64::NAN));
        let chance = Some(theory).filter(|theory| is_known && trials > 0 && *theory > 0.0)?;
        let p = CountLaw::Binomial(trials, chance).two_sided(self.of.false_positives as f64);
        let error = ((1.0 - theory) / (theory * trials as f64)).sqrt();
        Some(Check {
            rate: self.rate,
            theory,
            found_from: found_from(error, alpha),
            outcome: Outcome::fails_if(p < alpha),
        })
    }

    /// The name and outcome of each check of this point, and by how much it failed. A filter that
    /// promises no false negatives must have none; for other filters they are only counted.
    pub(super) fn checks(
        &self,
        subject: Option<&SubjectRow>,
        fill_limit: f64,
    ) -> Vec<(&'static str, Outcome, String)> {
        let row = &self.of;
        let promises = subject.is_some_and(|subject| subject.promises_no_false_negatives);
        let grows = subject.is_some_and(|subject| subject.grows);
        let mut checks = Vec::new();
        let mut add = |name, is_bad, by| checks.push((name, Outcome::fails_if(is_bad), by));
        if !row.error.is_empty() {
            add("measurement", true, format!("error: {}", row.error));
        }
        if let Some(check) = self.given_bits {
            let is_bad = check.outcome == Outcome::Fail;
            add("FPR given the bits", is_bad, check.by_how_much());
        }
        // A filter must keep its target FPR up to its capacity, and a growing filter always.
        let target = row.target_fpr.filter(|_| row.error.is_empty());
        if let Some(target) = target.filter(|_| grows || row.sweep.load(row.x) <= 1.0) {
            let [got, most] = [row.expected_fpr, target].map(|fpr| number::share(fpr, 4));
            let by = format!("{got} by theory for the size it chose, the target is {most}");
            let is_bad = row.expected_fpr > target * (1.0 + COMPUTED);
            add("promised FPR", is_bad, by);
        }
        if let Some(z) = self.fill_z {
            let by = format!("{} standard deviations off", number::decimal(z, 1));
            add("fill", z.abs() > fill_limit, by);
        }
        let promised = |count: u64| promises.then_some(count);
        let in_batches = row.batch_false_negatives.and_then(promised);
        let (missing, kept) = (row.false_negatives, row.removals_rejected);
        let rejected = "removals of members rejected, 0 allowed";
        let asked = row.members + row.non_members;
        for (name, count, whole, words) in [
            ("members", promised(missing), row.members, MISSING),
            ("members in batches", in_batches, row.members, MISSING),
            ("batches", row.batch_differ, asked, OTHERWISE),
            ("removals", promised(kept), row.removed, rejected),
        ] {
            if let Some(count) = count.filter(|_| whole > 0) {
                add(name, count > 0, of(count, whole, words));
            }
        }
        checks
    }
}

/// Pools the rows of a point and checks their FPR at the significance level `alpha`.
pub fn point(all: Samples<'_>, alpha: f64) -> Point {
    let mut rows = all.to_vec();
    rows.retain(|row| row.error.is_empty());
    let mut point = Point::pooled(&rows, rows.first().unwrap_or(&all[0]), rows.len());
    let error = all.iter().map(|row| &row.error).find(|e| !e.is_empty());
    point.of.error = error.cloned().unwrap_or_default();
    point.given_bits = point.given_bits(&rows, alpha);
    let fill = |row: &&Observation| Some((row.fill?, row.expected_fill?, row.expected_fill_sd?));
    point.fill_z = fill_z(&rows.iter().filter_map(fill).collect::<Vec<_>>());
    point
}

/// Pools the points of several key sets into one: counts add up, and there are no checks. `None` if
/// there are no points.
pub fn pool<'a>(points: impl IntoIterator<Item = &'a Point>) -> Option<Point> {
    let points: Vec<&Point> = points.into_iter().collect();
    let rows: Vec<&Observation> = points.iter().map(|point| &point.of).collect();
    let replicates = points.iter().map(|point| point.replicates).sum();
    Some(Point::pooled(&rows, rows.first()?, replicates))
}

/// Compares the total false positives of filters of any sizes with the number that theory expects,
/// at the significance level `alpha`. Leaves out filters of a few hundred bits, because their FPRs
/// differ too much from each other.
pub fn overall(samples: Samples<'_>, alpha: f64) -> Option<Check> {
    let is_wide = |row: &Observation| {
        let sd = row.expected_fpr_sd;
        sd.is_some_and(|sd| sd > MOST_SPREAD * row.expected_fpr)
    };
    let asked = |row: &&Observation| Asked {
        non_members: row.non_members,
        hits: row.false_positives,
        fpr: row.expected_fpr,
        sd: row.expected_fpr_sd,
    };
    let kept = samples.iter().filter(|row| !is_wide(row));
    let each: Vec<Asked> = kept.map(asked).collect();
    let pooled = PooledRate::of(&each)?;
    let asked: u64 = each.iter().map(|one| one.non_members).sum();
    let [value, theory] = [pooled.hits as f64, pooled.expected].map(|hits| hits / asked as f64);
    let half = z_two_sided(CONFIDENCE) * pooled.error * theory;
    Some(Check {
        rate: Estimate::new(value, [(value - half).max(0.0), (value + half).min(1.0)]),
        theory,
        found_from: pooled.found_from(alpha),
        outcome: Outcome::fails_if(pooled.p < alpha),
    })
}
