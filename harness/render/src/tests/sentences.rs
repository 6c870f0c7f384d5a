//! Recomputes, with independent code, the numbers in sentences of the committed reports.

use std::path::Path;

use crate::{charts, judge::judge, markdown_tables, speed};
use bouquet_ground::{
    groups::grouped,
    record::{Clock, Records, Source, TimingRow, Way},
};

fn records(report: &str) -> Records {
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports");
    Source::new(&reports.join(report)).unwrap().read().unwrap()
}

fn middle(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    f64::midpoint(numbers[(numbers.len() - 1) / 2], numbers[numbers.len() / 2])
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

/// The number of test cells.
fn cells(records: &Records) -> usize {
    grouped(&records.battery, |row| {
        let own = (&*row.subject, &*row.key_set, row.seed);
        (own, row.probes, row.keys, row.replicate, row.slots)
    })
    .len()
}

/// The fastest of Bouquet's filters by single calls with 50 % hits.
fn fastest(records: &Records) -> (String, f64) {
    let is_own = |row: &&TimingRow| {
        let (ours, is_single) = (
            records.role(&row.subject) == "ours",
            row.path == Way::Single,
        );
        let place = (&*row.keys, row.capacity, row.target_fpr) == ("u64", 1_000_000, 0.01);
        place && ours && is_single && row.operation == "half" && row.clock == Clock::Thread
    };
    let filters = grouped(records.times.iter().filter(is_own), |row| {
        row.subject.clone()
    });
    let times = filters.into_iter().map(|(name, rows)| {
        let net = rows
            .iter()
            .map(|row| row.ns_per_key - row.dry_run_ns_per_key);
        (name, middle(net.collect()))
    });
    times.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
}

#[test]
fn findings_are_those_of_the_records() {
    let main = records("main");
    let judgement = judge(&main);
    let figures = charts::all(&main, &judgement);
    let speed = records("speed");
    let (name, ns) = fastest(&speed);
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
        (
            speed::headline_tables(&speed),
            format!("{name} {ns:.1} ns (ours, one key at a time)"),
        ),
        (markdown_tables(&main), "| standard | pass | ".to_owned()),
    ];
    for (said, part) in wanted {
        assert!(said.contains(&part), "{part} not in {said}");
    }
    // If another filter is made the smallest, the sentence names it.
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
