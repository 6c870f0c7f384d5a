//! The rounds in figures.

use crate::{
    document::{Table, Text},
    judge::{Check, Life, Round},
    number,
};

/// A row a filter on a data set.
pub fn table(lives: &[&Life]) -> Table {
    let mut table = Table::new(&[
        "Filter",
        "Data set",
        "#Capacity, keys",
        "#Replicates",
        "#Rounds",
        "#Keys removed",
        "#Removals denied",
        "#Keys inserted",
        "#Keys refused",
        "#Members asked",
        "#False negatives",
        "#FPR at first (95 % interval)",
        "#FPR in the end (95 % interval)",
        "#FPR expected in the end",
        "Given the bits, all sets (power)",
        "Over seeds, all sets (power)",
    ]);
    for life in lives {
        let (Some(first), Some(last)) = (life.rounds.first(), life.rounds.last()) else {
            continue;
        };
        let rate = |r: &Round| number::measured_with_interval(r.measured(), r.interval);
        let cells = [
            life.filter.clone(),
            life.dataset.clone(),
            number::count(life.capacity),
            life.replicates.to_string(),
            last.round.to_string(),
            number::count(life.sum(|r| r.removed)),
            number::part(life.sum(|r| r.removals_denied), life.sum(|r| r.removed)),
            number::count(life.sum(|r| r.inserted)),
            number::part(life.sum(|r| r.refused), life.sum(|r| r.inserted)),
            number::count(life.sum(|r| r.members_asked)),
            number::part(
                life.sum(|r| r.false_negatives),
                life.sum(|r| r.members_asked),
            ),
            rate(first),
            rate(last),
            number::share(last.expected_fpr, 4),
            Check::in_short(life.given_bits),
            Check::in_short(life.over_seeds),
        ];
        table.row(cells.map(Text::from));
    }
    table
}
