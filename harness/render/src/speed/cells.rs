//! The races as tables, a cell for each of a column's.

use super::{
    race::Race,
    score::{IN_TURN, Score},
};
use crate::{
    document::{Table, Text},
    number,
};

/// Of keys given one after the other without waiting.
pub fn throughput(races: &[Race<'_>]) -> Table {
    let operations = [(0, "Insert"), (1, "Hit"), (2, "Miss"), (3, "Half-half")];
    over_columns(races, &operations)
}

/// Of keys that depend on the answer before; none of records that have none.
pub fn latency(races: &[Race<'_>]) -> Option<Table> {
    let operations = [
        (4, "Hit in turn"),
        (5, "Miss in turn"),
        (6, "Half-half in turn"),
    ];
    let has_latency = races.iter().any(|race| IN_TURN.contains(&race.operation));
    has_latency.then(|| over_columns(races, &operations))
}

/// A line a column: in each cell the times of ours one key at a time and in
/// batches, and of the peer.
fn over_columns(races: &[Race<'_>], operations: &[(usize, &'static str)]) -> Table {
    let alike = |a: &Race<'_>, b: &Race<'_>| {
        a.class.name == b.class.name && std::ptr::eq(a.column, b.column)
    };
    let of = |races: &[Race<'_>], at| {
        let own: Vec<_> = races.iter().filter(|race| race.operation == at).collect();
        cell(&own)
    };
    let mut table = Table::of(races.chunk_by(alike))
        .column("Among", |races| races[0].class.name)
        .column("Keys", |races| races[0].column.keys)
        .column("#Capacity", |races| races[0].column.capacity)
        .column("#Target", |races| {
            number::share(races[0].column.target_fpr, 3)
        });
    for (at, heading) in operations {
        table = table.column(heading, |races| of(races, *at));
    }
    table.table()
}

/// The names with their nanoseconds; bold is who is surely ahead.
fn cell(races: &[&Race<'_>]) -> Text {
    let Some(first) = races.first() else {
        return "–".into();
    };
    let side = |score: &Score<'_>| {
        let ns = score.middle(first.operation);
        let ns = ns.map_or("–".to_owned(), |ns| number::decimal(ns.value, 1));
        format!("{} {ns}", score.name.label())
    };
    let ours = races.iter().fold(Text::default(), |text, race| {
        text.strong_if(race.word() == "ahead", side(race.ours))
            .plain("; ")
    });
    // Its calls are single ones: by those it is ahead or not.
    ours.strong_if(first.word() == "behind", side(first.peer))
}
