//! Rows to scores: a filter, given its keys one way, in one column.

use bouquet_ground::record::{RooflineRow, SpeedRecords, SpeedRow};
use bouquet_stats::{Interval, median, proportion};

/// Of every interval here.
pub const CONFIDENCE: f64 = 0.95;
/// A target is kept if it is not surely missed by more than this factor.
pub const TOLERANCE: f64 = 1.05;
pub const OPERATIONS: [&str; 4] = ["insert", "hit", "miss", "half"];

/// Net times by repetition.
pub type Times = Vec<(u32, f64)>;

/// A median with the interval that holds the true one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Middle {
    pub median: f64,
    pub interval: Interval,
}

impl Middle {
    pub fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let values: Vec<f64> = values.collect();
        let (median, interval) = median(&values, CONFIDENCE)?;
        Some(Self { median, interval })
    }

    pub fn of_times(times: &Times) -> Option<Self> {
        Self::of(times.iter().map(|(_, ns)| *ns))
    }

    /// With its interval.
    pub fn words(self, of: impl Fn(f64) -> String) -> String {
        let Interval { low, high } = self.interval;
        let [middle, low, high] = [self.median, low, high].map(of);
        format!("{middle} ({low} to {high})")
    }

    /// How many times as long the second takes, formed within each repetition.
    pub fn of_ratios(times: &Times, other: &Times) -> Option<Self> {
        Self::of(times.iter().filter_map(|(repetition, ns)| {
            let (_, beside) = other.iter().find(|(same, _)| same == repetition)?;
            // What is not slower than making the keys has no ratio.
            (*ns > 0.0).then(|| beside / ns)
        }))
    }
}

#[derive(Clone, Debug)]
pub struct Score<'a> {
    pub filter: &'a str,
    pub way: &'a str,
    pub role: &'a str,
    pub family: &'a str,
    pub bits_per_key: Option<f64>,
    pub false_positives: u64,
    pub strangers_asked: u64,
    pub refused: u64,
    pub false_negatives: u64,
    pub error: &'a str,
    /// In the order of [`OPERATIONS`].
    pub net: [Times; 4],
    pub gross: [Times; 4],
}

impl Score<'_> {
    pub fn in_words(&self) -> String {
        in_words(self.filter, self.way)
    }

    pub fn label(&self) -> String {
        label(self.filter, self.way)
    }

    pub fn measured_fpr(&self) -> f64 {
        self.false_positives as f64 / self.strangers_asked.max(1) as f64
    }

    pub fn fpr_interval(&self) -> Interval {
        proportion(self.false_positives, self.strangers_asked, CONFIDENCE)
    }

    pub fn middle(&self, operation: usize) -> Option<Middle> {
        Middle::of_times(&self.net[operation])
    }

    /// Whether it may be compared: it did what was asked for and takes keys
    /// after it was made.
    pub fn competes(&self, target_fpr: f64) -> bool {
        self.error.is_empty()
            && self.family != "static"
            && self.refused == 0
            && self.strangers_asked > 0
            && self.fpr_interval().low <= TOLERANCE * target_fpr
    }
}

/// The label in a sentence, whose commas divide filters.
pub fn in_words(filter: &str, way: &str) -> String {
    match way {
        "batch" => format!("{filter} (batch)"),
        _ => filter.to_owned(),
    }
}

/// The name, with the way if it is not the usual one.
pub fn label(filter: &str, way: &str) -> String {
    if way == "batch" {
        format!("{filter}, batch")
    } else {
        filter.to_owned()
    }
}

/// One kind of key, capacity and target.
#[derive(Clone, Debug)]
pub struct Column<'a> {
    pub keys: &'a str,
    pub capacity: u64,
    pub target_fpr: f64,
    pub scores: Vec<Score<'a>>,
    /// Nanoseconds a line, of the fastest way to read it.
    pub roofline: Times,
}

impl<'a> Column<'a> {
    /// The fastest of those that may be compared, among these.
    pub fn best(&self, operation: usize, among: impl Fn(&Score<'_>) -> bool) -> Option<&Score<'a>> {
        let competing = self
            .scores
            .iter()
            .filter(|score| score.competes(self.target_fpr) && among(score));
        let timed = competing.filter_map(|score| Some((score.middle(operation)?.median, score)));
        timed
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, score)| score)
    }

    pub fn best_peer(&self, operation: usize) -> Option<&Score<'a>> {
        self.best(operation, |score| score.role == "peer")
    }
}

/// In the order of the records, filters in that of the subjects.
pub fn columns(records: &SpeedRecords) -> Vec<Column<'_>> {
    let mut columns: Vec<Column<'_>> = Vec::new();
    for row in &records.rows {
        let same = |column: &Column<'_>| {
            (column.keys, column.capacity) == (&row.keys, row.capacity)
                && column.target_fpr == row.target_fpr
        };
        let at = columns.iter().position(same).unwrap_or_else(|| {
            columns.push(Column {
                keys: &row.keys,
                capacity: row.capacity,
                target_fpr: row.target_fpr,
                scores: Vec::new(),
                roofline: fastest_lines(&records.roofline, row),
            });
            columns.len() - 1
        });
        let scores = &mut columns[at].scores;
        let same = |score: &Score<'_>| (score.filter, score.way) == (&row.filter, &row.way);
        let at = scores.iter().position(same).unwrap_or_else(|| {
            scores.push(empty(row));
            scores.len() - 1
        });
        add(&mut scores[at], row);
    }
    let subjects = &records.about.subjects;
    for column in &mut columns {
        column.scores.sort_by_key(|score| {
            let place = subjects.iter().position(|s| s.subject == score.filter);
            (place, score.way == "batch")
        });
    }
    columns
}

fn empty(row: &SpeedRow) -> Score<'_> {
    Score {
        filter: &row.filter,
        way: &row.way,
        role: &row.role,
        family: &row.family,
        bits_per_key: None,
        false_positives: 0,
        strangers_asked: 0,
        refused: 0,
        false_negatives: 0,
        error: "",
        net: Default::default(),
        gross: Default::default(),
    }
}

fn add<'a>(score: &mut Score<'a>, row: &'a SpeedRow) {
    if !row.error.is_empty() {
        score.error = &row.error;
        return;
    }
    if let Some(at) = OPERATIONS.iter().position(|name| *name == row.operation) {
        score.net[at].push((
            row.repetition,
            row.gross_ns_per_key - row.dry_run_ns_per_key,
        ));
        score.gross[at].push((row.repetition, row.gross_ns_per_key));
    }
    if let Some(bytes) = row.allocated_bytes {
        score.bits_per_key = Some(bytes as f64 * 8.0 / row.capacity as f64);
    }
    score.refused += row.refused;
    score.false_negatives += row.false_negatives;
    if row.operation == "miss" {
        score.false_positives += row.false_positives;
        score.strangers_asked += row.operations;
    }
}

/// Of the ways to read lines the one that is fastest by its median.
fn fastest_lines(rows: &[RooflineRow], of: &SpeedRow) -> Times {
    let ways = [(false, false), (false, true), (true, false), (true, true)];
    let times = ways.map(|(huge_pages, prefetched)| -> Times {
        let alike = |row: &&RooflineRow| {
            row.keys == of.keys
                && (row.capacity, row.target_fpr) == (of.capacity, of.target_fpr)
                && (row.huge_pages, row.prefetched) == (huge_pages, prefetched)
        };
        let net = |row: &RooflineRow| {
            (
                row.repetition,
                row.gross_ns_per_line - row.dry_run_ns_per_line,
            )
        };
        rows.iter().filter(alike).map(net).collect()
    });
    let timed = times
        .into_iter()
        .filter_map(|times| Some((Middle::of_times(&times)?.median, times)));
    let fastest = timed.min_by(|a, b| a.0.total_cmp(&b.0));
    fastest.map_or(Times::new(), |(_, times)| times)
}
