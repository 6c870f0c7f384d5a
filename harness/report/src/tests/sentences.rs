//! Recomputes, with independent code, the numbers in sentences of the committed reports.

use std::path::Path;

use crate::{charts, judge::judge, markdown_tables};
use bouquet_record::{Records, Source, groups::grouped};

pub fn records(report: &str) -> Records {
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports");
    Source::new(&reports.join(report)).unwrap().read().unwrap()
}

/// The sentence about the filters with the least memory at the highest target FPR and the most keys.
fn smallest(records: &Records) -> String {
    let sized = records.memory.iter().filter(|row| row.note.is_empty());
    let target = sized.clone().map(|row| row.x).fold(0.0, f64::max);
    let most = sized.clone().map(|row| row.capacity).max();
    let mut own: Vec<_> = sized
        .filter(|row| row.x == target && Some(row.capacity) == most)
        .collect();
    own.sort_by_key(|row| row.memory_bytes);
    let bytes = own[0].memory_bytes;
    // A thousandth more is no more.
    own.retain(|row| 1_000 * (row.memory_bytes - bytes) <= bytes);
    let names: Vec<&str> = own.iter().map(|row| &*row.filter).collect();
    let bits = 8.0 * bytes as f64 / own[0].capacity as f64;
    format!(
        "{} take{} the fewest bits per key for {} %: {bits:.2}, {:.2} times the bound.",
        names.join(", "),
        if names.len() == 1 { "s" } else { "" },
        100.0 * target,
        bits / -target.log2()
    )
}

/// The number of keys that a filter takes, as a multiple of its capacity, when twice as many are
/// inserted.
fn room(records: &Records, filter: &str) -> f64 {
    let rows = records.fpr.iter();
    let twice = |row: &&bouquet_record::Observation| {
        (&*row.filter, &*row.experiment, row.x) == (filter, "fpr-over-load", 2.0)
    };
    let [taken, capacities] = rows.filter(twice).fold([0, 0], |[taken, all], row| {
        [taken + row.keys - row.rejected, all + row.capacity]
    });
    taken as f64 / capacities as f64
}

/// The number of combinations of a scheme, a key set and a number of slots that were tested.
fn cells(records: &Records) -> usize {
    grouped(&records.battery, |row| {
        let own = (&*row.subject, &*row.key_set, row.seed);
        (own, row.probes, row.keys, row.replicate, row.slots)
    })
    .len()
}

#[test]
fn findings_are_those_of_the_records() {
    let main = records("main");
    let judgement = judge(&main);
    let figures = charts::all(&main, &judgement);
    let finding = |name: &str| {
        let mut figures = figures.iter();
        figures
            .find(|figure| figure.name == name)
            .unwrap()
            .finding
            .clone()
    };
    let wanted = [
        (finding("bits-needed"), smallest(&main)),
        (
            finding("fpr-by-load"),
            format!(
                " Rejecting keys once full: cuckoo at {:.2} times its capacity, ",
                room(&main, "cuckoo")
            ),
        ),
        (
            crate::battery::reading(&judgement.locations),
            format!(" p-values of {} cells", cells(&main)),
        ),
        (markdown_tables(&main), "| standard | pass | ".to_owned()),
    ];
    for (said, part) in wanted {
        assert!(said.contains(&part), "{part} not in {said}");
    }
    // If the records show another filter as the smallest, the sentence must name that one, and
    // with it those that take hardly more.
    let mut other = main.clone();
    for row in &mut other.memory {
        row.memory_bytes = match &*row.filter {
            "atomic" => 1_000_000,
            "blocked" => 1_001_000,
            "standard" => 1_001_001,
            _ => row.memory_bytes + 2_000_000,
        }
    }
    for (without, names) in [
        ("blocked", "atomic takes the fewest"),
        ("", "atomic, blocked take the fewest"),
    ] {
        let mut other = other.clone();
        other.memory.retain(|row| row.filter != without);
        let figures = charts::all(&other, &judge(&other));
        let mut figures = figures.iter();
        let found = figures.find(|one| one.name == "bits-needed");
        let finding = &found.unwrap().finding;
        assert_eq!(*finding, smallest(&other));
        assert!(finding.starts_with(names), "{finding}");
    }
}
