//! The times of one column as tables, and all of them as plain lines.

use super::{
    comparison::fastest_peers,
    score::{Column, MEASURED, OPERATIONS, Score, columns, in_words, middle, ratio},
};
use crate::{
    document::{Table, Text},
    estimate::Estimate,
    number,
};
use bouquet_catalogue::FIRST;
use bouquet_ground::record::Records;

pub const RULE: &str = "is the fastest of a column among the filters that may be compared: \
                        updatable, no key rejected, an FPR not surely above the target by more \
                        than a twentieth.";

/// What memory allows in this column.
pub fn roofline_words(column: &Column<'_>) -> String {
    match middle(&column.roofline) {
        Some(line) => format!(
            "Net nanoseconds per key. A random cache line of as many bytes takes {} ns.",
            significant(line.value)
        ),
        None => "Net nanoseconds per key.".to_owned(),
    }
}

/// To three digits, those of the rounded number.
fn significant(x: f64) -> String {
    let decimals = match x.abs() {
        x if x < 9.995 => 2,
        x if x < 99.95 => 1,
        _ => 0,
    };
    number::decimal(x, decimals)
}

fn with_interval(middle: Option<Estimate>) -> Option<String> {
    middle.map(|middle| middle.words(significant))
}

fn fpr(score: &Score<'_>) -> Option<String> {
    (score.non_members_asked > 0).then(|| score.fpr().in_short())
}

/// A line a filter and way.
pub fn times(column: &Column<'_>) -> Table {
    times_of(column, column.scores.iter().collect())
}

/// The same of a few, for a page that has no room for all: one key at a time the first
/// filter, the two fastest others of ours and the fastest peers, then ours in batches.
pub fn short(column: &Column<'_>) -> Table {
    let half = OPERATIONS.len() - 1;
    let is_first = |score: &&Score<'_>| score.name.filter == FIRST.name;
    let ours = column.scores.iter().filter(|score| score.role == "ours");
    let mut single: Vec<_> = ours
        .clone()
        .filter(|score| !score.name.is_batch() && score.competes(column.target_fpr))
        .collect();
    let time = |score: &Score<'_>| score.middle(half).map_or(f64::INFINITY, |ns| ns.value);
    single.sort_by(|a, b| time(a).total_cmp(&time(b)));
    let others = single.iter().filter(|score| !is_first(score)).take(2);
    let single: Vec<_> = single
        .iter()
        .filter(|score| is_first(score))
        .chain(others)
        .collect();
    let in_batches = single.iter().filter_map(|one| {
        let same =
            |score: &&Score<'_>| score.name.is_batch() && score.name.filter == one.name.filter;
        ours.clone().find(same)
    });
    let rows = single.iter().map(|score| **score);
    times_of(
        column,
        rows.chain(fastest_peers(column))
            .chain(in_batches)
            .collect(),
    )
}

fn times_of(column: &Column<'_>, rows: Vec<&Score<'_>>) -> Table {
    let best: Vec<_> = (0..MEASURED.len())
        .map(|at| column.best(at, |_| true).map(|score| score.name.label()))
        .collect();
    let time = |score: &Score<'_>, at: usize| {
        let words = significant(score.middle(at)?.value);
        let is_best = best[at].as_ref() == Some(&score.name.label());
        Some(Text::default().strong_if(is_best, words))
    };
    let mut table = Table::of(rows)
        .column("Filter", |score| score.name.label())
        .column("#Insert", |score| time(score, 0))
        .column("#Hit", |score| time(score, 1))
        .column("#Miss", |score| time(score, 2))
        .column("#50 % hits", |score| time(score, 3));
    if column.has_latency() {
        table = table
            .column("#Hit latency", |score| time(score, 4))
            .column("#Miss latency", |score| time(score, 5))
            .column("#50 % hits latency", |score| time(score, 6));
    }
    table
        .column("#Bits per key", |score| {
            score.bits_per_key.map(|bits| number::decimal(bits, 2))
        })
        .column("#FPR", fpr)
        .table()
}

/// A score by one operation.
#[derive(Clone, Copy)]
struct Timed<'a> {
    column: &'a Column<'a>,
    score: &'a Score<'a>,
    operation: usize,
    net: Option<Estimate>,
    gross: Option<Estimate>,
    best_peer: Option<&'a Score<'a>>,
    by_peer: Option<Estimate>,
    by_line: Option<Estimate>,
}

impl<'a> Timed<'a> {
    fn new(column: &'a Column<'a>, score: &'a Score<'a>, operation: usize) -> Self {
        let best_peer = column.best_peer(operation);
        let net = &score.net[operation];
        Self {
            column,
            score,
            operation,
            net: middle(net),
            gross: middle(&score.gross[operation]),
            best_peer,
            by_peer: best_peer.and_then(|peer| ratio(net, &peer.net[operation])),
            by_line: ratio(&column.roofline, net),
        }
    }
}

fn timed<'a>(column: &'a Column<'a>) -> impl Iterator<Item = Timed<'a>> {
    let each = move |score| (0..MEASURED.len()).map(move |at| Timed::new(column, score, at));
    column.scores.iter().flat_map(each)
}

fn median(middle: Option<Estimate>) -> Option<f64> {
    middle.map(|middle| middle.value)
}

/// A line a filter, way and operation, with intervals.
pub fn ratios<'a>(column: &'a Column<'a>) -> Table {
    Table::of(timed(column))
        .column("Filter", |of| of.score.name.label())
        .column("Operation", |of| in_words(of.operation))
        .column("#Gross, ns", |of| median(of.gross).map(significant))
        .column("#Net, ns", |of| with_interval(of.net))
        .column("#Best peer's by it", |of| with_interval(of.by_peer))
        .column("#Times one random cache-line read", |of| {
            with_interval(of.by_line)
        })
        .table()
}

/// A line a filter, way and operation, in plain numbers, rates as shares.
pub fn lines(records: &Records) -> Table {
    let columns = columns(records);
    let full = columns.iter().flat_map(timed);
    let competes = |of: Timed<'_>| of.score.competes(of.column.target_fpr);
    Table::of(full.filter(|of| of.net.is_some()))
        .column("keys", |of| of.column.keys)
        .column("capacity", |of| of.column.capacity)
        .column("target_fpr", |of| of.column.target_fpr)
        .column("filter", |of| of.score.name.filter)
        .column("way", |of| of.score.name.way)
        .column("role", |of| of.score.role)
        .column("family", |of| of.score.family)
        .column("operation", |of| MEASURED[of.operation])
        .column("repetitions", |of| of.score.net[of.operation].len())
        .with_interval(["net_ns_per_key", "net_low", "net_high"], |of| of.net)
        .column("gross_ns_per_key", |of| median(of.gross))
        .column("bits_per_key", |of| of.score.bits_per_key)
        .with_interval(
            ["measured_fpr", "measured_fpr_low", "measured_fpr_high"],
            |of| Some(of.score.fpr()),
        )
        .column("may_be_compared", competes)
        .column("best_peer", |of| of.best_peer.map(|peer| peer.name.label()))
        .with_interval(
            [
                "times_as_fast_as_best_peer",
                "times_as_fast_low",
                "times_as_fast_high",
            ],
            |of| of.by_peer,
        )
        .column("times_a_random_line", |of| median(of.by_line))
        .table()
}
