//! The comparisons as tables, a cell for each of a column's.

use super::{
    comparison::PeerComparison,
    score::{IN_TURN, Score},
};
use crate::{
    document::{Table, Text},
    number,
};

/// Of keys given one after the other without waiting.
pub fn throughput(comparisons: &[PeerComparison<'_>]) -> Table {
    let operations = [(0, "Insert"), (1, "Hit"), (2, "Miss"), (3, "50 % hits")];
    over_columns(comparisons, &operations)
}

/// Of keys that depend on the answer before; none of records that have none.
pub fn latency(comparisons: &[PeerComparison<'_>]) -> Option<Table> {
    let operations = [
        (4, "Hit latency"),
        (5, "Miss latency"),
        (6, "50 % hits latency"),
    ];
    let has_latency = comparisons
        .iter()
        .any(|comparison| IN_TURN.contains(&comparison.operation));
    has_latency.then(|| over_columns(comparisons, &operations))
}

/// A line a column: in each cell the times of ours one key at a time and in
/// batches, and of the peer.
fn over_columns(comparisons: &[PeerComparison<'_>], operations: &[(usize, &'static str)]) -> Table {
    let alike = |a: &PeerComparison<'_>, b: &PeerComparison<'_>| {
        a.class.name == b.class.name && std::ptr::eq(a.column, b.column)
    };
    let of = |comparisons: &[PeerComparison<'_>], at| {
        let own: Vec<_> = comparisons
            .iter()
            .filter(|comparison| comparison.operation == at)
            .collect();
        cell(&own)
    };
    let mut table = Table::of(comparisons.chunk_by(alike))
        .column("Among", |comparisons| comparisons[0].class.name)
        .column("Keys", |comparisons| comparisons[0].column.keys)
        .column("#Capacity", |comparisons| comparisons[0].column.capacity)
        .column("#Target", |comparisons| {
            number::share(comparisons[0].column.target_fpr, 3)
        });
    for (at, heading) in operations {
        table = table.column(heading, |comparisons| of(comparisons, *at));
    }
    table.table()
}

/// The names with their nanoseconds; bold is who is surely ahead.
fn cell(comparisons: &[&PeerComparison<'_>]) -> Text {
    let Some(first) = comparisons.first() else {
        return "–".into();
    };
    let side = |score: &Score<'_>| {
        let ns = score.middle(first.operation);
        let ns = ns.map_or("–".to_owned(), |ns| number::decimal(ns.value, 1));
        format!("{} {ns}", score.name.label())
    };
    let ours = comparisons
        .iter()
        .fold(Text::default(), |text, comparison| {
            text.strong_if(comparison.word() == "ahead", side(comparison.ours))
                .plain("; ")
        });
    // Its calls are single ones: by those it is ahead or not.
    ours.strong_if(first.word() == "behind", side(first.peer))
}
