//! The times of one column as tables, and all of them as plain lines.

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
            significant(line.median)
        ),
        None => "Net nanoseconds a key.".to_owned(),
    }
}

/// To three digits.
fn significant(x: f64) -> String {
    let decimals = match x.abs() {
        x if x < 10.0 => 2,
        x if x < 100.0 => 1,
        _ => 0,
    };
    number::decimal(x, decimals)
}

fn with_interval(middle: Option<Middle>) -> Option<String> {
    middle.map(|middle| middle.words(significant))
}

fn fpr(score: &Score<'_>) -> Option<String> {
    let fpr = || number::measured(score.measured_fpr(), score.fpr_interval());
    (score.strangers_asked > 0).then(fpr)
}

/// A line a filter and way.
pub fn times(column: &Column<'_>) -> Table {
    let best = [0, 1, 2, 3].map(|at| column.best(at, |_| true).map(|score| score.name.label()));
    let time = |score: &Score<'_>, at: usize| {
        let words = significant(score.middle(at)?.median);
        let is_best = best[at].as_ref() == Some(&score.name.label());
        Some(match is_best {
            true => Text::default().strong(words),
            false => words.into(),
        })
    };
    Table::of(&column.scores)
        .column("Filter", |score| score.name.label())
        .column("#Insert", |score| time(score, 0))
        .column("#Hit", |score| time(score, 1))
        .column("#Miss", |score| time(score, 2))
        .column("#Half-half", |score| time(score, 3))
        .column("#Bits per key", |score| {
            score.bits_per_key.map(|bits| number::decimal(bits, 2))
        })
        .column("#FPR", fpr)
        .table()
}

/// A score by one operation, by its place.
type Timed<'a> = (&'a Column<'a>, &'a Score<'a>, usize);

fn timed<'a>(column: &'a Column<'a>) -> impl Iterator<Item = Timed<'a>> {
    let each = move |score| (0..OPERATIONS.len()).map(move |at| (column, score, at));
    column.scores.iter().flat_map(each)
}

fn gross((_, score, at): Timed<'_>) -> Option<Middle> {
    Middle::of_times(&score.gross[at])
}

fn by_peer((column, score, at): Timed<'_>) -> Option<Middle> {
    Middle::of_ratios(&score.net[at], &column.best_peer(at)?.net[at])
}

fn by_line((column, score, at): Timed<'_>) -> Option<Middle> {
    Middle::of_ratios(&column.roofline, &score.net[at])
}

/// A line a filter, way and operation, with intervals.
pub fn ratios<'a>(column: &'a Column<'a>) -> Table {
    Table::of(timed(column))
        .column("Filter", |(_, score, _)| score.name.label())
        .column("Operation", |(.., at)| OPERATIONS[at])
        .column("#Gross, ns", |of| {
            gross(of).map(|gross| significant(gross.median))
        })
        .column("#Net, ns", |(_, score, at)| with_interval(score.middle(at)))
        .column("#Best peer's by it", |of| with_interval(by_peer(of)))
        .column("#Its by a random line's", |of| with_interval(by_line(of)))
        .table()
}

/// A filter, way and operation in plain numbers.
pub fn lines(records: &SpeedRecords) -> Table {
    let columns = columns(records);
    let full = columns.iter().flat_map(timed).filter_map(|of| {
        let (_, score, at) = of;
        Some((of, score.middle(at)?, gross(of)?))
    });
    Table::of(full)
        .column("keys", |((column, ..), ..)| column.keys)
        .column("capacity", |((column, ..), ..)| column.capacity)
        .column("target_fpr", |((column, ..), ..)| column.target_fpr)
        .column("filter", |((_, score, _), ..)| score.name.filter)
        .column("way", |((_, score, _), ..)| score.name.way)
        .column("role", |((_, score, _), ..)| score.role)
        .column("family", |((_, score, _), ..)| score.family)
        .column("operation", |((.., at), ..)| OPERATIONS[at])
        .column("repetitions", |((_, score, at), ..)| score.net[at].len())
        .column("net_ns_per_key", |(_, net, _)| net.median)
        .column("net_low", |(_, net, _)| net.interval.low)
        .column("net_high", |(_, net, _)| net.interval.high)
        .column("gross_ns_per_key", |(.., gross)| gross.median)
        .column("bits_per_key", |((_, score, _), ..)| score.bits_per_key)
        .column("measured_fpr", |((_, score, _), ..)| score.measured_fpr())
        .column("measured_fpr_low", |((_, score, _), ..)| {
            score.fpr_interval().low
        })
        .column("measured_fpr_high", |((_, score, _), ..)| {
            score.fpr_interval().high
        })
        .column("may_be_compared", |((column, score, _), ..)| {
            score.competes(column.target_fpr)
        })
        .column("best_peer", |((column, _, at), ..)| {
            column.best_peer(at).map(|score| score.name.label())
        })
        .column("times_as_fast_as_best_peer", |(of, ..)| {
            by_peer(of).map(|ratio| ratio.median)
        })
        .column("times_as_fast_low", |(of, ..)| {
            by_peer(of).map(|ratio| ratio.interval.low)
        })
        .column("times_as_fast_high", |(of, ..)| {
            by_peer(of).map(|ratio| ratio.interval.high)
        })
        .column("times_a_random_line", |(of, ..)| {
            by_line(of).map(|ratio| ratio.median)
        })
        .table()
}
