//! Whether filters keep the FPR that they were sized for.

use super::{
    document::{Block, Table},
    groups::grouped,
    judge::{Judgement, Point, pool},
    number,
};

/// A table with a row a filter and target; nothing without such a sweep.
pub fn section(judgement: &Judgement) -> Vec<Block> {
    let made: Vec<&Point> = judgement
        .points
        .iter()
        .filter(|p| p.of.sweep == "target-fpr" && p.of.non_members_asked > 0)
        .collect();
    // One a filter and target, in the order of the records.
    let groups = grouped(made, |p| {
        (
            &p.of.filter,
            &p.of.experiment,
            p.of.x.to_bits(),
            p.of.capacity,
        )
    });
    let groups = groups.into_iter();
    let pooled: Vec<Point> = groups.filter_map(|(_, own)| pool(own)).collect();
    let table = Table::of(&pooled)
        .column("Filter", |p| &p.of.filter)
        .column("#Target FPR", |p| number::share(p.of.x, 4))
        .column("#FPR expected", |p| number::share(p.of.expected_fpr, 4))
        .column("#FPR measured (95 % interval)", |p| p.rate.in_words())
        .column("#Bits per key", |p| number::decimal(p.bits_per_key(), 2))
        .column("#k", |p| p.of.hashes)
        .column("#False negatives", |p| p.false_negatives())
        .table();
    let words = "Each filter made by its own sizing for the target, filled to capacity, pooled \
                 over the data sets. Expected is theory for the size that the filter chose: it \
                 must not be above the target.";
    let is_made = !table.rows.is_empty();
    let blocks = is_made.then(|| [Block::Table(table), Block::Paragraph(words.into())]);
    Block::section(2, "Is the promise kept?", blocks.into_iter().flatten())
}
