//! The times of one column as tables, and all columns as plain rows.

use super::score::{Column, Entrant, MEASURED, Score, columns, middle};
use crate::{
    columns::Columns,
    document::{Table, Text},
    number,
};
use bouquet_ground::record::Records;

pub const RULE: &str = "is the fastest of a column among the filters that may be compared: \
                        updatable, no key rejected, an FPR not surely above the target by more \
                        than a twentieth.";

/// A sentence on the time of a random cache line in this column, the limit that memory sets.
pub fn roofline_words(column: &Column<'_>) -> String {
    match middle(&column.roofline) {
        Some(line) => format!(
            "Net nanoseconds per key. A random cache line of as many bytes takes {} ns.",
            significant(line.value)
        ),
        None => "Net nanoseconds per key.".to_owned(),
    }
}

/// A number with three significant digits, counted after rounding.
fn significant(x: f64) -> String {
    let decimals = match x.abs() {
        x if x < 9.995 => 2,
        x if x < 99.95 => 1,
        _ => 0,
    };
    number::decimal(x, decimals)
}

/// A score in its column, with the fastest entrant of the column for each operation.
#[derive(Clone, Copy)]
struct Cell<'a> {
    column: &'a Column<'a>,
    score: &'a Score<'a>,
    best: [Option<Entrant<'a>>; MEASURED.len()],
}

fn cells<'a>(column: &'a Column<'a>, scores: Vec<&'a Score<'a>>) -> impl Iterator<Item = Cell<'a>> {
    let best = |at| column.best(at, |_| true).map(|score| score.name);
    let best = std::array::from_fn(best);
    scores.into_iter().map(move |score| Cell {
        column,
        score,
        best,
    })
}

/// One row per filter and way.
pub fn times<'a>(column: &'a Column<'a>) -> Table {
    of_cells(Table::of(cells(column, column.scores.iter().collect())))
}

/// A few rows of a column, for a page without room for all.
pub fn short<'a>(column: &'a Column<'a>) -> Table {
    of_cells(Table::of(cells(column, column.few())))
}

/// One row per filter, way and column.
pub fn all<'a>(columns: &'a [Column<'a>]) -> Table {
    let each = |column: &'a Column<'a>| cells(column, column.scores.iter().collect());
    let cells = Table::of(columns.iter().flat_map(each))
        .column("Keys", |of| of.column.keys)
        .column("#Capacity", |of| of.column.capacity)
        .column("#Target", |of| number::share(of.column.target_fpr, 3));
    of_cells(cells)
}

fn of_cells(cells: Columns<Cell<'_>>) -> Table {
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
    let fpr = |score: &Score<'_>| (score.non_members_asked > 0).then(|| score.fpr().in_short());
    let bits = |score: &Score<'_>| score.bits_per_key.map(|bits| number::decimal(bits, 2));
    let mut table = cells.column("Filter", |of| of.score.name.label());
    for (at, heading) in HEADINGS.into_iter().enumerate() {
        table = table.column(heading, |cell| time(cell, at));
    }
    let table = table.column("#Bits per key", |of| bits(of.score));
    table.column("#FPR", |of| fpr(of.score)).table()
}

/// One row per filter, way and operation, with unformatted numbers; rates are shares.
pub fn plain(records: &Records) -> Table {
    let columns = columns(records);
    let scores = columns.iter().flat_map(|column| {
        let scores = column.scores.iter();
        scores.flat_map(move |score| (0..MEASURED.len()).map(move |at| (column, score, at)))
    });
    Table::of(scores.filter(|(_, score, at)| score.middle(*at).is_some()))
        .column("keys", |(column, ..)| column.keys)
        .column("capacity", |(column, ..)| column.capacity)
        .column("target_fpr", |(column, ..)| column.target_fpr)
        .column("filter", |(_, score, _)| score.name.filter)
        .column("way", |(_, score, _)| score.name.way())
        .column("role", |(_, score, _)| score.role)
        .column("operation", |(.., at)| MEASURED[at])
        .column("repetitions", |(_, score, at)| score.net[at].len())
        .with_interval(
            ["net_ns_per_key", "net_low", "net_high"],
            |(_, score, at)| score.middle(at),
        )
        .column("bits_per_key", |(_, score, _)| score.bits_per_key)
        .with_interval(
            ["measured_fpr", "measured_fpr_low", "measured_fpr_high"],
            |(_, score, _)| Some(score.fpr()),
        )
        .column("may_be_compared", |(column, score, _)| {
            score.competes(column.target_fpr)
        })
        .table()
}
