//! The tables for people.

use crate::{
    columns::Table,
    judge::{Check, Overall, SharedLocations},
    number,
};

/// A row a filter.
pub fn overall(all: &[Overall]) -> Table {
    let ratio = |one: &Overall| {
        let Check { rate, theory, .. } = one.check;
        rate.over(theory).words(|ratio| number::decimal(ratio, 4))
    };
    Table::of(all)
        .column("Filter", |one| &one.filter)
        .column("#Filled", |one| one.replicates)
        .column("#Measured / theory (95 % interval)", ratio)
        .column("#z", |one| number::decimal(one.z, 1))
        .column("Verdict", |one| Check::in_short(Some(one.check)))
        .table()
}

/// A row a geometry and data set.
pub fn shared_locations(all: &[SharedLocations]) -> Table {
    Table::of(all)
        .column("Filter", |shared| &shared.of.subject)
        .column("Keys", |shared| &shared.of.key_set)
        .column("#m", |shared| shared.of.slots)
        .column("#k", |shared| shared.of.probes)
        .column("#Located", |shared| shared.of.keys)
        .column("#By chance", |shared| {
            number::significant(shared.expected_pairs, 2)
        })
        .column("#Pairs", |shared| shared.of.statistic as u64)
        .column("Verdict", |shared| shared.outcome)
        .table()
}
