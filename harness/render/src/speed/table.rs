//! The times of one column as tables, and all of them as plain lines.

use super::score::{Column, Entrant, MEASURED, OPERATIONS, Score, columns, middle, ratio};
use crate::{
    columns::Columns,
    document::{Table, Text},
    estimate::Estimate,
    number,
};
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

fn fpr(score: &Score<'_>) -> Option<String> {
    (score.non_members_asked > 0).then(|| score.fpr().in_short())
}

/// A score in its column, with the fastest of that by each operation.
#[derive(Clone, Copy)]
struct Cell<'a> {
    column: &'a Column<'a>,
    score: &'a Score<'a>,
    best: [Option<Entrant<'a>>; MEASURED.len()],
}

fn cells<'a>(column: &'a Column<'a>, scores: Vec<&'a Score<'a>>) -> impl Iterator<Item = Cell<'a>> {
    let best = |at| column.best(at, |_| true).map(|score| score.name);
    let best = std::array::from_fn(best);
    let cell = move |score| Cell {
        column,
        score,
        best,
    };
    scores.into_iter().map(cell)
}

/// A line a filter and way.
pub fn times<'a>(column: &'a Column<'a>) -> Table {
    let cells = cells(column, column.scores.iter().collect());
    of_cells(Table::of(cells), column.has_latency())
}

/// A line a filter, way and column.
pub fn all<'a>(columns: &'a [Column<'a>]) -> Table {
    let each = |column: &'a Column<'a>| cells(column, column.scores.iter().collect());
    let cells = Table::of(columns.iter().flat_map(each))
        .column("Keys", |of| of.column.keys)
        .column("#Capacity", |of| of.column.capacity)
        .column("#Target", |of| number::share(of.column.target_fpr, 3));
    of_cells(cells, columns.iter().any(Column::has_latency))
}

/// A few of a column, for a page that has no room for all.
pub fn short<'a>(column: &'a Column<'a>) -> Table {
    of_cells(Table::of(cells(column, column.few())), column.has_latency())
}

fn of_cells(cells: Columns<Cell<'_>>, has_latency: bool) -> Table {
    const HEADINGS: [&str; MEASURED.len()] = [
        "#Insert",
        "#Hit",
        "#Miss",
        "#50 % hits",
        "#Hit latency",
        "#Miss latency",
        "#50 % hits latency",
    ];
    let time = |of: Cell<'_>, at: usize| {
        let words = significant(of.score.middle(at)?.value);
        let is_best = of.best[at] == Some(of.score.name);
        Some(Text::default().strong_if(is_best, words))
    };
    let measured = if has_latency {
        MEASURED.len()
    } else {
        OPERATIONS.len()
    };
    let mut table = cells.column("Filter", |of| of.score.name.label());
    for (at, heading) in HEADINGS.into_iter().enumerate().take(measured) {
        table = table.column(heading, |cell| time(cell, at));
    }
    table
        .column("#Bits per key", |of| {
            of.score.bits_per_key.map(|bits| number::decimal(bits, 2))
        })
        .column("#FPR", |of| fpr(of.score))
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
        .column("way", |of| of.score.name.way())
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
