//! The tables for people.

use crate::{
    columns::Table,
    judge::{Check, Judgement, Overall, Point, SharedLocations},
    number,
};

/// Those that have rows, with their titles.
pub fn all(judgement: &Judgement) -> Vec<(&'static str, Table)> {
    let tables = [
        (
            "Measured against theory; in brackets the deviation that would have been found with \
             probability 0.999",
            rates(&judgement.points),
        ),
        (
            "Each filter over all its points",
            overall(&judgement.overall),
        ),
        (
            "Keys that share all their locations; the floor is the FPR that such keys would have \
             to cause at capacity to be found nine times in ten",
            shared_locations(&judgement.shared_locations),
        ),
    ];
    let full = tables
        .into_iter()
        .filter(|(_, table)| !table.rows.is_empty());
    full.collect()
}

fn made_for(target_fpr: Option<f64>, bits_per_key: Option<f64>) -> String {
    match (target_fpr, bits_per_key) {
        (Some(fpr), _) => number::share(fpr, 4),
        (None, Some(bits)) => format!("{} bits/key", number::significant(bits, 4)),
        (None, None) => "–".into(),
    }
}

fn against(check: Option<Check>) -> Option<String> {
    let theory = number::share(check?.theory, 4);
    Some(format!("{theory} {}", Check::in_short(check)))
}

fn rates(points: &[Point]) -> Table {
    let bits = |p: &Point| (p.of.sweep == "bits-per-key").then_some(p.of.x);
    let fill = |z| format!("{} sd", number::decimal(z, 1));
    Table::of(points)
        .column("Filter", |p| &p.of.filter)
        .column("Keys", |p| &p.of.dataset)
        .column("#Sized for", |p| made_for(p.of.target_fpr, bits(p)))
        .column("#Load", |p| number::significant(p.load(), 3))
        .column("#Bits per key", |p| number::decimal(p.bits_per_key(), 2))
        .column("#Non-members asked", |p| p.of.non_members_asked)
        .column("#FPR by theory", |p| number::share(p.of.expected_fpr, 4))
        .column("#FPR measured (95 % interval)", |p| p.rate.in_words())
        .column("#Given the bits", |p| against(p.given_bits))
        .column("#Fill", |p| p.fill_z.map(fill))
        .column("#False negatives", |p| p.false_negatives())
        .column("#In batches", |p| {
            let missing = p.of.batch_false_negatives;
            missing.map(|missing| number::part(missing, p.of.members_asked))
        })
        .column("#Answered otherwise", |p| {
            let otherwise = p.of.batch_otherwise;
            otherwise.map(|keys| number::part(keys, p.of.members_asked + p.of.non_members_asked))
        })
        .table()
}

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

/// The same in plain numbers.
pub fn plain_overall(all: &[Overall]) -> Table {
    Table::of(all)
        .column("filter", |one| &one.filter)
        .column("replicates", |one| one.replicates)
        .with_interval(["ratio", "ratio_low", "ratio_high"], |one| {
            Some(one.check.rate.over(one.check.theory))
        })
        .column("z", |one| one.z)
        .column("found_from", |one| one.check.found_from)
        .column("verdict", |one| one.check.outcome)
        .table()
}

/// A row a geometry and data set.
pub fn shared_locations(all: &[SharedLocations]) -> Table {
    Table::of(all)
        .column("Filter", |shared| &shared.filter)
        .column("Keys", |shared| &shared.dataset)
        .column("#m", |shared| shared.slots)
        .column("#k", |shared| shared.probes)
        .column("#Located", |shared| shared.keys)
        .column("#By chance", |shared| {
            number::significant(shared.expected_pairs, 2)
        })
        .column("#Pairs", |shared| shared.pairs)
        .column("#Floor", |shared| number::share(shared.floor_seen, 2))
        .column("Verdict", |shared| shared.outcome)
        .table()
}
