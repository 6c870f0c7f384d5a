//! The section on the ways into filters and out of them.

use super::{
    document::{Block, Table},
    groups::{distinct, grouped},
    judge::{Judgement, Way},
    number,
};
use bouquet_ground::Outcome;

/// A paragraph and a table; nothing where it was not measured.
pub fn section(judgement: &Judgement) -> Vec<Block> {
    if judgement.ways.is_empty() {
        return Vec::new();
    }
    let summary = "Each filter, by how it was filled and how it was asked";
    let blocks = [
        Block::Paragraph(words(&judgement.ways).into()),
        Block::folded(summary, Block::Table(table(&judgement.ways))),
    ];
    Block::section(2, "Ways into a filter and out of it", blocks)
}

/// What of all of them together is to be said.
fn words(ways: &[Way]) -> String {
    let sum = |of: fn(&Way) -> u64| ways.iter().map(of).sum::<u64>();
    let count = |of| number::count(sum(of));
    let names = |of: fn(&Way) -> &str| distinct(ways.iter().map(of));
    let filters = match names(|way| &way.filter)[..] {
        [one] => format!("The filter {one} was"),
        ref more => format!("{} filters were", number::count(more.len() as u64)),
    };
    format!(
        "{filters} filled {} and asked {} for members and for non-members. {} \
         members were looked up, with {} false negatives; of {} non-members {} were \
         false positives. Against the same filter filled and asked by single calls {} answers \
         differed, {} keys were taken otherwise, {} filters were stored as other bytes, and {} \
         called another number of keys new.",
        number::listed(names(|way| &way.inserted)),
        number::listed(names(|way| &way.asked)),
        count(|way| way.members_asked),
        count(|way| way.false_negatives),
        count(|way| way.non_members_asked),
        count(|way| way.false_positives),
        count(|way| way.answered_otherwise),
        count(|way| way.taken_otherwise),
        count(|way| way.stored_otherwise),
        count(|way| way.new_otherwise),
    )
}

/// A row a filter and way in, over the ways out that pass, key sets and sizes; one for
/// each way out that does not.
pub fn table(ways: &[Way]) -> Table {
    let groups = grouped(ways, |way| {
        let failed = (way.outcome != Outcome::Pass).then_some(&way.asked);
        (&way.filter, &way.inserted, failed)
    });
    let pooled = |own: &[&Way]| {
        let whole = Way::pool(own.iter().copied())?;
        let asked = match distinct(own.iter().map(|way| &way.asked))[..] {
            [one] => one.clone(),
            ref more => format!("{} ways", more.len()),
        };
        Some(Way { asked, ..whole })
    };
    let pooled: Vec<Way> = groups.iter().filter_map(|(_, own)| pooled(own)).collect();
    Table::of(&pooled)
        .column("Filter", |way| &way.filter)
        .column("Inserted", |way| &way.inserted)
        .column("Asked", |way| &way.asked)
        .column("#Members asked", |way| way.members_asked)
        .column("#False negatives", |way| way.false_negatives)
        .column("#Non-members asked", |way| way.non_members_asked)
        .column("#False positives", |way| way.false_positives)
        .column("#Answered otherwise", |way| way.answered_otherwise)
        .column("#Stored otherwise", |way| way.stored_otherwise)
        .column("Verdict", |way| way.outcome)
        .table()
}
