//! The rows of a point of a sweep, made into one.

use crate::{
    estimate::Estimate,
    judge::check::{Check, given_bits, weighted},
    number,
};
use bouquet_ground::record::{Observation, Sweep};
use bouquet_stats::{fill_z, given_bits_z};

/// The replicates of one point of a sweep, pooled.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// The first of them, with the counts of all and the mean of what is expected.
    pub of: Observation,
    pub replicates: usize,
    /// Of false positives.
    pub rate: Estimate,
    /// Hits against the FPR that the measured bits give.
    pub given_bits: Option<Check>,
    pub given_bits_z: Option<f64>,
    pub fill_z: Option<f64>,
}

impl Point {
    /// Of these rows, which are no errors, or of none but `first`; without checks.
    pub fn pooled(rows: &[&Observation], first: &Observation, replicates: usize) -> Self {
        let sum = |of: fn(&Observation) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
        // `None` if a replicate has none.
        let each = |of: fn(&Observation) -> Option<u64>| {
            let counts = rows.iter().map(|row| of(row));
            counts.reduce(|sum, count| Some(sum? + count?)).flatten()
        };
        let (hits, asked) = (sum(|r| r.false_positives), sum(|r| r.non_members));
        let expected_fpr = weighted(rows, |row| row.expected_fpr);
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
                batch_false_positives: each(|r| r.batch_false_positives),
                batch_differ: each(|r| r.batch_differ),
                expected_fpr,
                ..first.clone()
            },
            replicates,
            rate: Estimate::share(hits, asked),
            given_bits: None,
            given_bits_z: None,
            fill_z: None,
        }
    }

    /// How many false negatives there were, in words.
    pub fn false_negatives(&self) -> String {
        number::part(self.of.false_negatives, self.of.members)
    }

    /// Whether it is of filters filled to their capacity, sized for a target.
    pub fn is_full(&self) -> bool {
        self.of.sweep == Sweep::Load && (self.of.x - 1.0).abs() < 1e-9
    }
}

/// The rows of a point, pooled, and checked at the level `alpha`.
pub fn point(all: &[&Observation], alpha: f64) -> Point {
    let rows = all.iter().copied().filter(|row| row.error.is_empty());
    let rows: Vec<&Observation> = rows.collect();
    let first = rows.first().unwrap_or(&all[0]);
    let mut point = Point::pooled(&rows, first, rows.len());
    let error = all.iter().map(|row| &row.error).find(|e| !e.is_empty());
    point.of.error = error.cloned().unwrap_or_default();
    let fills = rows
        .iter()
        .filter_map(|row| Some((row.fill?, row.expected_fill?, row.expected_fill_sd?)));
    let known_bits = rows.iter().filter_map(|row| {
        let (asked, hits) = (row.non_members, row.false_positives);
        Some((asked, hits, row.fpr_given_bits?))
    });
    let asked = point.of.non_members;
    Point {
        given_bits: given_bits(&rows, alpha),
        given_bits_z: given_bits_z(&known_bits.collect::<Vec<_>>()).filter(|_| asked > 0),
        fill_z: fill_z(&fills.collect::<Vec<_>>()),
        ..point
    }
}

/// A sum over points.
pub fn sum(points: &[Point], of: fn(&Observation) -> u64) -> u64 {
    points.iter().map(|point| of(&point.of)).sum()
}

/// Points pooled into one, whatever their keys: hits and sums add up, checks
/// do not. `None` for none.
pub fn pool<'a>(points: impl IntoIterator<Item = &'a Point>) -> Option<Point> {
    let points: Vec<&Point> = points.into_iter().collect();
    let rows: Vec<&Observation> = points.iter().map(|point| &point.of).collect();
    let replicates = points.iter().map(|point| point.replicates).sum();
    Some(Point::pooled(&rows, rows.first()?, replicates))
}
