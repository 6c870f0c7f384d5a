//! The times of one column as tables, and all of them as plain lines.

use serde::Serialize;

use super::score::{Column, Middle, OPERATIONS, Score, columns};
use crate::{
    document::{Table, Text},
    number,
};
use bouquet_ground::record::SpeedRecords;

pub const RULE: &str = "is the fastest of a column among the filters that may be compared: \
                        updatable, no key refused, an FPR not surely above the target by more \
                        than a twentieth.";

/// What memory allows in this column.
pub fn roofline_words(column: &Column<'_>) -> String {
    match Middle::of_times(&column.roofline) {
        Some(line) => format!(
            "Net nanoseconds a key. A random cache line of as many bytes takes {} ns.",
            nanoseconds(line)
        ),
        None => "Net nanoseconds a key.".to_owned(),
    }
}

/// The median alone, to three digits.
fn nanoseconds(middle: Middle) -> String {
    significant(middle.median)
}

fn significant(x: f64) -> String {
    let decimals = match x.abs() {
        x if x < 10.0 => 2,
        x if x < 100.0 => 1,
        _ => 0,
    };
    number::decimal(x, decimals)
}

fn with_interval(middle: Option<Middle>) -> String {
    middle.map_or("–".to_owned(), |middle| {
        format!(
            "{} ({} to {})",
            significant(middle.median),
            significant(middle.interval.low),
            significant(middle.interval.high)
        )
    })
}

fn fpr(score: &Score<'_>) -> String {
    if score.strangers_asked == 0 {
        return "–".to_owned();
    }
    number::measured(score.measured_fpr(), score.fpr_interval())
}

fn bits(score: &Score<'_>) -> String {
    score
        .bits_per_key
        .map_or("–".to_owned(), |bits| number::decimal(bits, 2))
}

/// A line a filter and way.
pub fn times(column: &Column<'_>) -> Table {
    let mut table = Table::new(&[
        "Filter",
        "#Insert",
        "#Hit",
        "#Miss",
        "#Half-half",
        "#Bits per key",
        "#FPR",
    ]);
    let best = [0, 1, 2, 3].map(|at| column.best(at, |_| true).map(Score::label));
    for score in &column.scores {
        let label = score.label();
        let mut cells = vec![Text::from(label.as_str())];
        for (at, best) in best.iter().enumerate() {
            let words = score.middle(at).map_or("–".to_owned(), nanoseconds);
            cells.push(if best.as_ref() == Some(&label) {
                Text::default().strong(words)
            } else {
                words.into()
            });
        }
        cells.extend([Text::from(bits(score)), fpr(score).into()]);
        table.row(cells);
    }
    table
}

/// A line a filter, way and operation, with intervals.
pub fn ratios(column: &Column<'_>) -> Table {
    let mut table = Table::new(&[
        "Filter",
        "Operation",
        "#Gross, ns",
        "#Net, ns",
        "#Best peer's by it",
        "#Its by a random line's",
    ]);
    for score in &column.scores {
        for (at, operation) in OPERATIONS.iter().enumerate() {
            let peer = column.best_peer(at);
            let by_peer = peer.and_then(|peer| Middle::of_ratios(&score.net[at], &peer.net[at]));
            let by_line = Middle::of_ratios(&column.roofline, &score.net[at]);
            table.row([
                Text::from(score.label()),
                (*operation).into(),
                Middle::of_times(&score.gross[at])
                    .map_or("–".to_owned(), nanoseconds)
                    .into(),
                with_interval(score.middle(at)).into(),
                with_interval(by_peer).into(),
                with_interval(by_line).into(),
            ]);
        }
    }
    table
}

/// A filter, way and operation in plain numbers.
#[derive(Serialize)]
pub struct Line {
    keys: String,
    capacity: u64,
    target_fpr: f64,
    filter: String,
    way: String,
    role: String,
    family: String,
    operation: &'static str,
    repetitions: usize,
    net_ns_per_key: f64,
    net_low: f64,
    net_high: f64,
    gross_ns_per_key: f64,
    bits_per_key: Option<f64>,
    measured_fpr: f64,
    measured_fpr_low: f64,
    measured_fpr_high: f64,
    may_be_compared: bool,
    best_peer: Option<String>,
    times_as_fast_as_best_peer: Option<f64>,
    times_as_fast_low: Option<f64>,
    times_as_fast_high: Option<f64>,
    times_a_random_line: Option<f64>,
}

pub fn lines(records: &SpeedRecords) -> Vec<Line> {
    let mut lines = Vec::new();
    for column in &columns(records) {
        for score in &column.scores {
            let each = OPERATIONS.iter().enumerate();
            lines.extend(each.filter_map(|(at, operation)| line(column, score, at, operation)));
        }
    }
    lines
}

fn line(
    column: &Column<'_>,
    score: &Score<'_>,
    at: usize,
    operation: &'static str,
) -> Option<Line> {
    let net = score.middle(at)?;
    let gross = Middle::of_times(&score.gross[at])?;
    let peer = column.best_peer(at);
    let by_peer = peer.and_then(|peer| Middle::of_ratios(&score.net[at], &peer.net[at]));
    let by_line = Middle::of_ratios(&column.roofline, &score.net[at]);
    let fpr = score.fpr_interval();
    Some(Line {
        keys: column.keys.to_owned(),
        capacity: column.capacity,
        target_fpr: column.target_fpr,
        filter: score.filter.to_owned(),
        way: score.way.to_owned(),
        role: score.role.to_owned(),
        family: score.family.to_owned(),
        operation,
        repetitions: score.net[at].len(),
        net_ns_per_key: net.median,
        net_low: net.interval.low,
        net_high: net.interval.high,
        gross_ns_per_key: gross.median,
        bits_per_key: score.bits_per_key,
        measured_fpr: score.measured_fpr(),
        measured_fpr_low: fpr.low,
        measured_fpr_high: fpr.high,
        may_be_compared: score.competes(column.target_fpr),
        best_peer: peer.map(Score::label),
        times_as_fast_as_best_peer: by_peer.map(|ratio| ratio.median),
        times_as_fast_low: by_peer.map(|ratio| ratio.interval.low),
        times_as_fast_high: by_peer.map(|ratio| ratio.interval.high),
        times_a_random_line: by_line.map(|ratio| ratio.median),
    })
}
