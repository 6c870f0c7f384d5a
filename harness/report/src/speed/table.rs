//! The times of columns as a table, and as plain rows.

use super::score::{Column, MEASURED, Score, columns};
use crate::{
    document::{Table, Text},
    number,
};
use bouquet_record::Records;

pub const RULE: &str = "is the fastest of a column among the filters that may be compared: \
                        updatable, no key rejected, an FPR not surely above the target by more \
                        than a twentieth.";

/// The headings of the operations.
const HEADINGS: [&str; MEASURED.len()] = [
    "#Insert",
    "#Hit",
    "#Miss",
    "#50 % hits",
    "#Hit latency",
    "#Miss latency",
    "#50 % hits latency",
];

/// A number with three significant digits, counted after rounding.
pub fn significant(x: f64) -> String {
    let decimals = match x.abs() {
        x if x < 9.995 => 2,
        x if x < 99.95 => 1,
        _ => 0,
    };
    number::decimal(x, decimals)
}

/// One row per filter and way; of several columns, with the kind of key, capacity and target FPR.
pub fn times(columns: &[(&Column<'_>, Vec<&Score<'_>>)]) -> Table {
    let rows = columns.iter().flat_map(|(column, scores)| {
        let best = |at| column.best(at, |_| true).map(|score| score.name);
        let best: [_; MEASURED.len()] = std::array::from_fn(best);
        scores.iter().map(move |score| (*column, *score, best))
    });
    let mut table = Table::of(rows);
    if columns.len() > 1 {
        table = table
            .column("Keys", |(column, ..)| column.keys)
            .column("#Capacity", |(column, ..)| column.capacity)
            .column("#Target", |(column, ..)| {
                number::share(column.target_fpr, 3)
            });
    }
    let mut table = table.column("Filter", |(_, score, _)| score.name.label());
    for (at, heading) in HEADINGS.into_iter().enumerate() {
        table = table.column(heading, |(_, score, best)| {
            let words = significant(score.middle(at)?.value);
            let is_best = best[at] == Some(score.name);
            Some(Text::default().strong_if(is_best, words))
        });
    }
    let fpr = |score: &Score<'_>| (score.non_members_asked > 0).then(|| score.fpr().in_short());
    let bits = |score: &Score<'_>| score.bits_per_key.map(|bits| number::decimal(bits, 2));
    table
        .column("#Bits per key", |(_, score, _)| bits(score))
        .column("#FPR", |(_, score, _)| fpr(score))
        .table()
}

/// One row per filter, way and operation, with unformatted numbers; rates are shares.
pub fn plain(records: &Records) -> Table {
    let way = ["one by one", "batch"];
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
        .column("way", |(_, score, _)| way[usize::from(score.name.is_batch)])
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
