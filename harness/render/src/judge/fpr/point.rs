//! The rows of a point of a sweep, made into one.

use crate::{
    judge::{
        CONFIDENCE,
        check::{Check, gate, given_bits, over_seeds, spread_known, weighted},
    },
    number,
};
use bouquet_ground::record::FprRow;
use bouquet_stats::{Gate, Interval, fill_z, given_bits_z, proportion};

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
    /// The mean over seeds against the formula; once all points are judged over
    /// those of all data sets if the spread is not known.
    pub over_seeds: Option<Check>,
    /// Whether theory tells how much one filter differs from the next.
    pub spread_known: bool,
    /// Of a low rate, in place of the two checks.
    pub gate: Option<Gate>,
    pub fill_z: Option<f64>,
    pub refused: u64,
    pub members_asked: u64,
    pub false_negatives: u64,
    /// The same keys asked in batches; `None` where they were not.
    pub batches: Option<Batches>,
    /// Of its replicates that could not be had.
    pub error: String,
}

/// What batches answered, of the keys that single calls were asked for.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Batches {
    pub false_negatives: u64,
    pub false_positives: u64,
    /// Keys that they answer otherwise than single calls.
    pub otherwise: u64,
}

impl Batches {
    /// `None` if a replicate has none.
    fn of(rows: &[&FprRow]) -> Option<Self> {
        let none = (!rows.is_empty()).then(Self::default)?;
        rows.iter().try_fold(none, |sum, row| {
            let own = Self {
                false_negatives: row.batch_false_negatives?,
                false_positives: row.batch_false_positives?,
                otherwise: row.batch_otherwise?,
            };
            Some(Self::sum(sum, own))
        })
    }

    fn sum(one: Self, other: Self) -> Self {
        Self {
            false_negatives: one.false_negatives + other.false_negatives,
            false_positives: one.false_positives + other.false_positives,
            otherwise: one.otherwise + other.otherwise,
        }
    }
}

impl Point {
    /// The measured FPR.
    pub fn measured(&self) -> f64 {
        self.hits as f64 / self.asked.max(1) as f64
    }

    /// The same with its interval, in words.
    pub fn measured_words(&self) -> String {
        number::measured_with_interval(self.measured(), self.interval)
    }

    /// How many members were denied, in words.
    pub fn denied(&self) -> String {
        number::part(self.false_negatives, self.members_asked)
    }

    /// Whether it is of filters filled to their capacity, made for a target.
    pub fn is_full(&self) -> bool {
        self.sweep == "load" && (self.x - 1.0).abs() < 1e-9
    }
}

/// The rows of a point, pooled; checks take intervals at the level `strict` too.
pub fn point(all: &[&FprRow], strict: f64) -> Point {
    let rows: Vec<&FprRow> = all
        .iter()
        .copied()
        .filter(|row| row.error.is_empty())
        .collect();
    let first = rows.first().unwrap_or(&all[0]);
    let sum = |of: fn(&FprRow) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
    let (asked, hits) = (sum(|r| r.strangers_asked), sum(|r| r.false_positives));
    let error = all.iter().map(|row| &row.error).find(|e| !e.is_empty());
    let spread_known = !rows.is_empty() && spread_known(&rows);
    let gate = gate(&rows, strict);
    let pinned = gate.is_none();
    let fills = rows
        .iter()
        .filter_map(|row| Some((row.fill_ratio, row.expected_fill?, row.expected_fill_sd?)));
    let known_bits = rows.iter().filter_map(|row| {
        let (asked, hits) = (row.strangers_asked, row.false_positives);
        Some((asked, hits, row.fpr_given_bits?))
    });
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
        expected_fpr: weighted(&rows, |s| s.expected_fpr),
        given_bits: given_bits(&rows, strict).filter(|_| pinned),
        given_bits_z: given_bits_z(&known_bits.collect::<Vec<_>>()).filter(|_| asked > 0),
        over_seeds: over_seeds(&rows, strict).filter(|_| pinned),
        spread_known,
        gate,
        fill_z: fill_z(&fills.collect::<Vec<_>>()),
        refused: sum(|r| r.refused),
        members_asked: sum(|r| r.members_asked),
        false_negatives: sum(|r| r.false_negatives),
        batches: Batches::of(&rows),
        error: error.cloned().unwrap_or_default(),
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
        let both = whole.batches.zip(point.batches);
        whole.batches = both.map(|(one, other)| Batches::sum(one, other));
    }
    if whole.asked > 0 {
        whole.expected_fpr = expected / whole.asked as f64;
    }
    whole.interval = proportion(whole.hits, whole.asked, CONFIDENCE);
    whole.gate = None;
    (whole.given_bits, whole.over_seeds) = (None, None);
    (whole.given_bits_z, whole.fill_z) = (None, None);
    Some(whole)
}
