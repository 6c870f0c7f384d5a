//! The tables for people.

use crate::{
    document::{Table, Text},
    judge::{Check, Judgement, Phase, Point, SharedLocations, gate_outcome},
    number, ways,
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
            "Rates too low for that, held below twice theory",
            low_rates(&low),
        ),
        (
            "Keys that share all their locations; the floor is the FPR that such keys would have \
             to cause at capacity to be found nine times in ten",
            shared_locations(&judgement.shared_locations),
        ),
        (
            "Members asked for after every phase",
            phases(&judgement.phases),
        ),
        (
            "Filled and asked by single calls and in batches",
            ways::table(&judgement.ways),
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

fn of_point(point: &Point) -> [Text; 5] {
    let bits = (point.sweep == "bits-per-key").then_some(point.x);
    let load = if point.sweep == "load" { point.x } else { 1.0 };
    let memory = 8.0 * point.memory_bytes as f64 / point.capacity as f64;
    [
        point.filter.as_str().into(),
        point.dataset.as_str().into(),
        made_for(point.target_fpr, bits).into(),
        number::significant(load, 3).into(),
        number::decimal(memory, 2).into(),
    ]
}

fn against(check: Option<Check>) -> String {
    match check {
        Some(c) => format!("{} {}", number::share(c.theory, 4), Check::in_short(check)),
        None => "–".into(),
    }
}

/// Members that batches deny, and keys that they answer otherwise than single calls.
fn in_batches(point: &Point) -> [Text; 2] {
    match point.batches {
        Some(own) => [
            number::part(own.false_negatives, point.members_asked).into(),
            number::part(own.otherwise, point.members_asked + point.asked).into(),
        ],
        None => ["–".into(), "–".into()],
    }
}

fn fill(z: Option<f64>) -> Text {
    z.map_or("–".into(), |z| format!("{} sd", number::decimal(z, 1)))
        .into()
}

fn usual_rates(points: &[&Point]) -> Table {
    let mut table = Table::new(&[
        "Filter",
        "Keys",
        "#Made for",
        "#Load",
        "#Bits per key",
        "#Asked",
        "#FPR by theory",
        "#FPR measured (95 % interval)",
        "#Given the bits",
        "#Mean over seeds",
        "#Fill",
        "#Members denied",
        "#In batches",
        "#Answered otherwise",
    ]);
    for point in points {
        let mut cells = of_point(point).to_vec();
        cells.extend([
            number::count(point.asked).into(),
            number::share(point.expected_fpr, 4).into(),
            number::measured_with_interval(point.measured(), point.interval).into(),
            against(point.given_bits).into(),
            against(point.over_seeds).into(),
            fill(point.fill_z),
            number::part(point.false_negatives, point.members_asked).into(),
        ]);
        cells.extend(in_batches(point));
        table.row(cells);
    }
    table
}

fn low_rates(points: &[&Point]) -> Table {
    let mut table = Table::new(&[
        "Filter",
        "Keys",
        "#Made for",
        "#Load",
        "#Bits per key",
        "#Asked",
        "#FPR by theory",
        "#Hits by theory",
        "#Hits",
        "#Fails from",
        "#Power at twice",
        "Verdict",
        "#Fill",
        "#Members denied",
        "#In batches",
        "#Answered otherwise",
    ]);
    for point in points {
        let Some(gate) = point.gate else { continue };
        let mut cells = of_point(point).to_vec();
        cells.extend([
            number::count(gate.asked).into(),
            number::share(point.expected_fpr, 4).into(),
            number::significant(gate.expected, 3).into(),
            number::count(gate.hits).into(),
            number::count(gate.fails_from).into(),
            number::decimal(gate.power, 2).into(),
            gate_outcome(&gate).word().into(),
            fill(point.fill_z),
            number::part(point.false_negatives, point.members_asked).into(),
        ]);
        cells.extend(in_batches(point));
        table.row(cells);
    }
    table
}

/// A row a geometry and data set.
pub fn shared_locations(all: &[SharedLocations]) -> Table {
    let mut table = Table::new(&[
        "Filter",
        "Keys",
        "#m",
        "#k",
        "#Located",
        "#By chance",
        "#Pairs",
        "#Floor",
        "Verdict",
    ]);
    for shared in all {
        table.row([
            shared.filter.as_str().into(),
            shared.dataset.as_str().into(),
            number::count(shared.slots).into(),
            number::count(shared.probes.into()).into(),
            number::count(shared.keys).into(),
            number::significant(shared.expected_pairs, 2).into(),
            number::count(shared.pairs).into(),
            number::share(shared.floor_seen, 2).into(),
            Text::from(shared.outcome.word()),
        ]);
    }
    table
}

/// A row a filter, data set and phase.
pub fn phases(all: &[Phase]) -> Table {
    let mut table = Table::new(&[
        "Filter",
        "Keys",
        "#Made for",
        "Phase",
        "#Inserted",
        "#Refused",
        "#Removed",
        "#Removals denied",
        "#Members asked",
        "#Denied",
        "#In batches",
        "#Answered otherwise",
        "Verdict",
    ]);
    let count = |of: Option<u64>| of.map_or("–".into(), number::count);
    for phase in all {
        table.row([
            phase.filter.as_str().into(),
            phase.dataset.as_str().into(),
            made_for(phase.target_fpr, phase.bits_per_key).into(),
            phase.phase.as_str().into(),
            number::count(phase.inserted).into(),
            number::count(phase.refused).into(),
            number::count(phase.removed).into(),
            number::count(phase.removals_denied).into(),
            number::count(phase.members_asked).into(),
            number::count(phase.false_negatives).into(),
            count(phase.batch_false_negatives).into(),
            count(phase.batch_otherwise).into(),
            Text::from(phase.outcome.word()),
        ]);
    }
    table
}
