//! The tables for people.

use crate::{
    columns::{Columns, Table},
    judge::{Check, Judgement, Point, SharedLocations, gate_outcome},
    number,
};

/// Those that have rows, with their titles.
pub fn all(judgement: &Judgement) -> Vec<(&'static str, Table)> {
    let (low, usual): (Vec<_>, Vec<_>) = judgement.points.iter().partition(|p| p.gate.is_some());
    let tables = [
        (
            "Measured against theory, ±10 %; in brackets the chance that a right filter passes",
            usual_rates(&usual),
        ),
        (
            "Rates too low for that, required to be below twice theory",
            low_rates(&low),
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

fn of_points<'a>(points: &[&'a Point]) -> Columns<&'a Point> {
    let bits = |p: &Point| (p.of.sweep == "bits-per-key").then_some(p.of.x);
    Table::of(points.iter().copied())
        .column("Filter", |p| &p.of.filter)
        .column("Keys", |p| &p.of.dataset)
        .column("#Sized for", |p| made_for(p.of.target_fpr, bits(p)))
        .column("#Load", |p| number::significant(p.load(), 3))
        .column("#Bits per key", |p| number::decimal(p.bits_per_key(), 2))
        .column("#Non-members asked", |p| {
            p.gate.map_or(p.of.non_members_asked, |gate| gate.asked)
        })
        .column("#FPR by theory", |p| number::share(p.of.expected_fpr, 4))
}

fn against(check: Option<Check>) -> Option<String> {
    let theory = number::share(check?.theory, 4);
    Some(format!("{theory} {}", Check::in_short(check)))
}

/// What members came to, in batches too.
fn members(columns: Columns<&Point>) -> Table {
    let fill = |z| format!("{} sd", number::decimal(z, 1));
    columns
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

fn usual_rates(points: &[&Point]) -> Table {
    members(
        of_points(points)
            .column("#FPR measured (95 % interval)", |p| p.rate.in_words())
            .column("#Given the bits", |p| against(p.given_bits))
            .column("#Mean over seeds", |p| against(p.over_seeds)),
    )
}

fn low_rates(points: &[&Point]) -> Table {
    members(
        of_points(points)
            .column("#Hits by theory", |p| {
                p.gate.map(|g| number::significant(g.expected, 3))
            })
            .column("#Hits", |p| p.gate.map(|g| g.hits))
            .column("#Fails from", |p| p.gate.map(|g| g.fails_from))
            .column("#Power at twice", |p| {
                p.gate.map(|g| number::decimal(g.power, 2))
            })
            .column("Verdict", |p| p.gate.map(|g| gate_outcome(&g))),
    )
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
