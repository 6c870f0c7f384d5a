//! The table of the chart says what its records have.

use super::*;

const RANGES: u64 = 64;
const PROBES: u32 = 7;
const KEYS: u64 = 64_000;
/// Locations in a range if all are alike.
const MEAN: u64 = KEYS * PROBES as u64 / RANGES;

/// A row with these counts, and as many pairs in one range as chance gives.
fn row(subject: &str, counts: impl Iterator<Item = u64>, due: &str) -> HistogramRow {
    let counts: Vec<String> = counts.map(|n| n.to_string()).collect();
    assert_eq!(counts.len() as u64, RANGES);
    let pairs = u64::from(PROBES * (PROBES - 1) / 2);
    HistogramRow {
        experiment: "test".into(),
        subject: subject.into(),
        dataset: "tulips".into(),
        slots: 1 << 20,
        probes: PROBES,
        seed: 1,
        keys: KEYS,
        locations: counts.join(" "),
        due: due.into(),
        pairs_together: KEYS * pairs / RANGES,
    }
}

/// 60 more or fewer than the mean, where 83 are a standard deviation.
fn by_chance(range: u64) -> u64 {
    MEAN + 60 - 120 * (range % 2)
}

fn even() -> HistogramRow {
    row("even", (0..RANGES).map(by_chance), "")
}

/// Three quarters of all go to the first half of the slots.
fn stages() -> HistogramRow {
    let weight = |range: u64| if range < RANGES / 2 { 3 } else { 1 };
    let due: Vec<String> = (0..RANGES)
        .map(|range| (weight(range) as f64 / (2 * RANGES) as f64).to_string())
        .collect();
    let counts = (0..RANGES).map(|range| weight(range) * MEAN / 2);
    row("stages", counts, &due.join(" "))
}

/// So many of a hundred more in one range.
fn excess(subject: &str, percent: u64) -> HistogramRow {
    let count = |range| match range {
        9 => MEAN + MEAN * percent / 100,
        _ => MEAN,
    };
    row(subject, (0..RANGES).map(count), "")
}

fn drawn(histograms: Vec<HistogramRow>) -> Figure {
    let records = Records {
        histograms,
        ..Records::default()
    };
    figure(&records).unwrap()
}

#[test]
fn even_ranges_lie_within_two_deviations() {
    let figure = drawn(vec![even(), stages()]);
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
    let figure = drawn(vec![even(), excess("triple", 200), excess("fifth", 20)]);
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
