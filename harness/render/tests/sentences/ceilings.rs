//! What is said of rates that are too low to be known to a few percent.

use crate::{
    evaluate::fpr,
    records::{Said, Set, grouped, listed, sum},
};

/// The chance that a Poisson law of this mean reaches so many.
fn reaches(mean: f64, from: u64) -> f64 {
    let mut term = (-mean).exp();
    let below = (0..from).map(|k| {
        let own = term;
        term *= mean / (k + 1) as f64;
        own
    });
    1.0 - below.sum::<f64>()
}

/// Of rates too low to be known to 10 %: whether all are below the ceiling that a right
/// filter passes once in a thousand runs of three checks a rate, or which are not.
fn ceilings(set: &Set) -> Said {
    let rows = set.rows("fpr").iter();
    let points = grouped(rows, |row| (row.text("filter"), row.text("dataset")));
    // Each rate may be looked at twice.
    let level = 1e-3 / (2 * 3 * points.len()) as f64;
    let (mut high, mut power) = (Vec::new(), f64::INFINITY);
    for ((filter, _), rows) in &points {
        let theory = rows
            .iter()
            .map(|row| row.number("fpr_given_bits") * row.number("non_members_asked"));
        let theory: f64 = theory.sum();
        let ceiling = (0..).find(|from| reaches(theory, *from) <= level).unwrap();
        power = power.min(reaches(2.0 * theory, ceiling));
        if sum(rows.iter().copied(), "false_positives") >= ceiling as f64 {
            high.push(*filter);
        }
    }
    let mut said = Said::default();
    if high.is_empty() {
        said.and(
            "All {#} low rates are below their ceiling, which twice the rate would exceed with \
             probability {#} or more",
            &[
                points.len() as f64,
                (100.0 * power).floor().min(99.0) / 100.0,
            ],
        );
    } else {
        let names = format!("Low rates above their ceiling: {}", listed(&high));
        said.and(&names, &[]);
    }
    said
}

#[test]
fn rates_below_a_ceiling() {
    let target = fpr().only("fpr", |row| {
        row.is("sweep", "target-fpr") && row.is("x", "0.01") && row.is("dataset", "urls")
    });
    // The rates of theory a hundred thousand times as low, and so many hits a filter.
    let low = |expected: f64, high: &'static [&'static str]| {
        target.with("fpr", move |row| {
            for key in [
                "expected_fpr",
                "expected_fpr_sd",
                "fpr_given_bits",
                "target_fpr",
            ] {
                if !row.is(key, "") {
                    row.set(key, row.number(key) * 1e-5);
                }
            }
            row.set("x", 1e-7);
            row.set(
                "non_members_asked",
                (expected / row.number("fpr_given_bits")).round(),
            );
            let times = if high.contains(&row.text("filter")) {
                2.0
            } else {
                1.0
            };
            row.set("false_positives", (expected * times).round());
            row.set("batch_false_positives", (expected * times).round());
        })
    };
    for set in [
        low(10.0, &[]),
        low(3.0, &[]),
        low(10.0, &["blocked"]),
        low(10.0, &["counting", "atomic"]),
        low(3.0, &[]).only("fpr", |row| row.number("replicate") < 14.0),
    ] {
        ceilings(&set).is(&set.sentences()["fpr-at-target-ceilings"]);
    }
}
