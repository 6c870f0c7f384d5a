//! Tests that the bars of histograms show what is recorded.

use super::*;

/// The rows of a histogram with these counts; 7,000 are expected in each range.
fn rows(subject: &str, ranges: [u64; 4]) -> Vec<TestRow> {
    let row = |count: u64| TestRow {
        subject: subject.into(),
        key_set: "tulips".into(),
        slots: 1 << 20,
        keys: 64_000,
        test: "histogram".into(),
        statistic: count as f64,
        mean: Some(7_000.0),
        variance: Some(10_000.0),
        ..TestRow::default()
    };
    ranges.map(row).into()
}

#[test]
fn a_bar_says_how_far_its_range_is_off() {
    let records = Records {
        histograms: [
            rows("even", [7_060, 6_940, 7_060, 6_940]),
            rows("skewed", [7_000, 9_000, 6_000, 7_000]),
        ]
        .concat(),
        ..Records::default()
    };
    let svg = histograms(&records).unwrap().svg;
    for words in [
        "range 1\t0.6 standard deviations",
        "range 2\t20.0 standard deviations",
        "range 3\t-10.0 standard deviations",
    ] {
        assert!(svg.contains(words), "{words} in {svg}");
    }
    assert!(histograms(&Records::default()).is_none());
}
