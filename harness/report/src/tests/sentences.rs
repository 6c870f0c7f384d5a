//! Recomputes, with independent code, the numbers in sentences of the committed reports.

use std::path::Path;

use crate::{charts, judge::judge, markdown_tables};
use bouquet_record::{Records, Source, groups::grouped};

pub fn records(report: &str) -> Records {
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports");
    Source::new(&reports.join(report)).unwrap().read().unwrap()
}

/// The sentence about the filter with the least memory at the highest target FPR and the most keys.
fn smallest(records: &Records) -> String {
    let sized = records.memory.iter().filter(|row| row.note.is_empty());
    let target = sized.clone().map(|row| row.x).fold(0.0, f64::max);
    let most = sized.clone().map(|row| row.capacity).max();
    let own = sized.filter(|row| row.x == target && Some(row.capacity) == most);
    let bytes = own.min_by_key(|row| row.memory_bytes).unwrap();
    let bits = 8.0 * bytes.memory_bytes as f64 / bytes.capacity as f64;
    format!(
        "{} takes the fewest bits per key for {} %: {bits:.2}, {:.2} times the bound.",
        bytes.filter,
        100.0 * target,
        bits / -target.log2()
    )
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
            crate::battery::reading(&judgement.locations),
            format!(" p-values of {} cells", cells(&main)),
        ),
        (markdown_tables(&main), "| standard | pass | ".to_owned()),
    ];
    for (said, part) in wanted {
        assert!(said.contains(&part), "{part} not in {said}");
    }
    // If the records show another filter as the smallest, the sentence must name that one.
    let mut other = main.clone();
    for row in other.memory.iter_mut().filter(|row| row.filter == "atomic") {
        row.memory_bytes /= 2;
    }
    let figures = charts::all(&other, &judge(&other));
    let finding = &figures
        .iter()
        .find(|one| one.name == "bits-needed")
        .unwrap()
        .finding;
    assert_eq!(*finding, smallest(&other));
    assert!(finding.starts_with("atomic takes the fewest"));
}
