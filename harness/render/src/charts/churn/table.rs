//! The rounds in figures.

use crate::{
    document::Table,
    judge::{Check, Life, Round},
    number,
};

/// A row a filter on a data set.
pub fn table(lives: &[&Life]) -> Table {
    let rate = |r: &Round| r.rate.in_words();
    let ends = lives
        .iter()
        .map(|life| (life, life.rounds.first(), life.rounds.last()));
    let ends = ends.filter_map(|(life, first, last)| Some((*life, first?, last?)));
    Table::of(ends)
        .column("Filter", |(life, ..)| &life.filter)
        .column("Data set", |(life, ..)| &life.dataset)
        .column("#Capacity, keys", |(life, ..)| life.capacity)
        .column("#Replicates", |(life, ..)| life.replicates.to_string())
        .column("#Rounds", |(.., last)| last.of.round.to_string())
        .column("#Keys removed", |(life, ..)| life.sum(|r| r.removed))
        .column("#Removals denied", |(life, ..)| {
            number::part(life.sum(|r| r.removals_denied), life.sum(|r| r.removed))
        })
        .column("#Keys inserted", |(life, ..)| life.sum(|r| r.inserted))
        .column("#Keys refused", |(life, ..)| {
            number::part(life.sum(|r| r.refused), life.sum(|r| r.inserted))
        })
        .column("#Members asked", |(life, ..)| life.sum(|r| r.members_asked))
        .column("#False negatives", |(life, ..)| {
            let denied = life.sum(|r| r.false_negatives);
            number::part(denied, life.sum(|r| r.members_asked))
        })
        .column("#FPR at first (95 % interval)", |(_, first, _)| rate(first))
        .column("#FPR in the end (95 % interval)", |(.., last)| rate(last))
        .column("#FPR expected in the end", |(.., last)| {
            number::share(last.of.expected_fpr, 4)
        })
        .column("Given the bits, all sets (power)", |(life, ..)| {
            Check::in_short(life.given_bits)
        })
        .column("Over seeds, all sets (power)", |(life, ..)| {
            Check::in_short(life.over_seeds)
        })
        .table()
}
