//! The table of the chart says what its records have.

use super::*;

const RANGES: u64 = 64;
const PROBES: u32 = 7;
const KEYS: u64 = 64_000;
/// Locations in a range if all are alike.
const MEAN: u64 = KEYS * PROBES as u64 / RANGES;

/// The rows of these counts, with the variance that chance gives.
fn rows(subject: &str, ranges: impl Iterator<Item = (u64, f64)>) -> Vec<TestRow> {
    let row = |(count, mean): (u64, f64)| TestRow {
        subject: subject.into(),
        key_set: "tulips".into(),
        slots: 1 << 20,
        probes: PROBES,
        seed: 1,
        keys: KEYS,
        test: "histogram".into(),
        statistic: count as f64,
        mean: Some(mean),
        variance: Some(mean * (1.0 - 1.0 / RANGES as f64)),
        ..TestRow::default()
    };
    let rows: Vec<TestRow> = ranges.map(row).collect();
    assert_eq!(rows.len() as u64, RANGES);
    rows
}

/// 60 more or fewer than the mean, where 83 are a standard deviation.
fn by_chance(range: u64) -> u64 {
    MEAN + 60 - 120 * (range % 2)
}

fn even() -> Vec<TestRow> {
    rows(
        "even",
        (0..RANGES).map(|range| (by_chance(range), MEAN as f64)),
    )
}

/// Three quarters of all go to the first half of the slots.
fn stages() -> Vec<TestRow> {
    let weight = |range: u64| if range < RANGES / 2 { 3 } else { 1 };
    let count = |range| weight(range) * MEAN / 2;
    rows(
        "stages",
        (0..RANGES).map(|range| (count(range), count(range) as f64)),
    )
}

/// So many of a hundred more in one range.
fn excess(subject: &str, percent: u64) -> Vec<TestRow> {
    let more = MEAN * percent / 100;
    let mean = MEAN as f64 + more as f64 / RANGES as f64;
    let count = |range| if range == 9 { MEAN + more } else { MEAN };
    rows(subject, (0..RANGES).map(|range| (count(range), mean)))
}

fn drawn(histograms: &[Vec<TestRow>]) -> Figure {
    let records = Records {
        histograms: histograms.concat(),
        ..Records::default()
    };
    figure(&records).unwrap()
}

#[test]
fn even_ranges_lie_within_two_deviations() {
    let figure = drawn(&[even(), stages()]);
    assert_eq!(figure.title, "Locations in equal ranges of slots");
    let rows = figure.table.rows.iter();
    let off: Vec<f64> = rows.map(|row| row[7].words().parse().unwrap()).collect();
    assert!(
        off.len() == 2 && off.iter().all(|off| *off < 2.0),
        "{off:?}"
    );
}

#[test]
fn an_excess_is_as_large_as_it_is() {
    // What one range has more, the mean has a 64th of.
    let figure = drawn(&[even(), excess("triple", 200), excess("fifth", 20)]);
    let (triple, fifth) = (3.0 / (66.0 / 64.0), 1.2 / (64.2 / 64.0));
    let deviations = (fifth - 1.0) * MEAN as f64 * (64.2 / 64.0) / 83.0;
    assert_eq!(
        format!("{triple:.1} {:.0} {deviations:.0}", 100.0 * (fifth - 1.0)),
        "2.9 20 17"
    );
    let of = |name: &str| {
        let mut rows = figure.table.rows.iter();
        let row = rows.find(|row| row[0].words() == name).unwrap();
        row[6].words()
    };
    assert_eq!([of("triple"), of("fifth")], ["290.9 %", "119.6 %"]);
}
