//! The first line of an evaluation, and of the battery alone: how many checks there
//! were, and how many of them went wrong.

use crate::{
    locations::{cell, p_value, threshold},
    records::{Row, Said, Set, grouped, sum},
};

fn has_all(rows: &[&Row], key: &str) -> bool {
    rows.iter().all(|row| !row.is(key, ""))
}

/// Of what is ours: a check a thing that can go wrong.
fn checks(set: &Set) -> usize {
    let baselines = set.subjects("role", "baseline");
    let own = |file: &str| -> Vec<&Row> {
        let name = |row: &Row| {
            if file == "tests" {
                row.text("subject").to_owned()
            } else {
                row.text("filter").to_owned()
            }
        };
        set.rows(file)
            .iter()
            .filter(|row| !baselines.contains(&&*name(row)))
            .collect()
    };
    let promising = set.subjects("promises_no_false_negatives", true);
    let growing = set.subjects("grows", true);
    let keys = |row: &Row, keys: &[&str]| -> String {
        let each = keys.iter().map(|key| row.text(key));
        each.collect::<Vec<_>>().join("|")
    };
    let mut checks = grouped(own("tests"), cell).len();
    const MADE: [&str; 6] = [
        "experiment",
        "filter",
        "sweep",
        "x",
        "capacity",
        "target_fpr",
    ];
    for (_, made) in grouped(own("fpr"), |row| keys(row, &MADE)) {
        let (filter, first) = (made[0].text("filter"), made[0]);
        for (_, rows) in grouped(made.iter().copied(), |row| row.text("key_set")) {
            let load = if first.is("sweep", "load") {
                first.number("x")
            } else {
                1.0
            };
            let is_promised =
                has_all(&rows, "target_fpr") && (load <= 1.0 || growing.contains(&filter));
            let is_promising = promising.contains(&filter);
            let each = [
                has_all(&rows, "fpr_given_bits"),
                is_promised,
                rows.iter().any(|row| !row.is("expected_fill", "")),
                is_promising && sum(rows.iter().copied(), "members") > 0.0,
                has_all(&rows, "batch_differ"),
            ];
            checks += each.iter().filter(|is| **is).count();
        }
    }
    for ((filter, _), rows) in grouped(own("churn"), |row| {
        (row.text("filter"), row.text("capacity"))
    }) {
        let sets = grouped(rows.iter().copied(), |row| row.text("key_set")).len();
        let promises = if promising.contains(&filter) { 2 } else { 0 };
        checks += usize::from(has_all(&rows, "fpr_given_bits")) + 1 + promises * sets;
    }
    checks += grouped(own("fpr"), |row| row.text("filter")).len();
    checks
        + own("memory")
            .iter()
            .filter(|row| row.is("note", ""))
            .count()
}

#[test]
fn of_an_evaluation() {
    let main = Set::read("main", &["tests", "fpr", "churn", "memory"]);
    let of = |pattern: &str, numbers: &[f64], set: &Set| {
        let mut said = Said::default();
        said.and(pattern, numbers);
        said.is(&set.sentences()[""]);
    };
    let all = checks(&main) as f64;
    of("✓ Pass: all {#} checks passed", &[all], &main);
    let mut many = 0.0;
    let missing = main.with("fpr", |row| {
        let is_full = row.is("experiment", "fpr-over-load") && row.is("x", "1.0");
        if is_full && row.is("replicate", "0") && row.is("filter", "standard") {
            row.set("false_negatives", 1);
            many += 1.0;
        }
    });
    let missing = missing.with("memory", |row| {
        if row.is("filter", "blocked") && row.is("capacity", "1000000") {
            row.set("expected_fpr", row.number("target_fpr") * 1.01);
            many += 1.0;
        }
    });
    assert!(many > 5.0);
    of("✗ Fail: {#} of {#} checks failed", &[many, all], &missing);
    let few = main.only("fpr", |row| {
        row.is("key_set", "urls") && row.is("sweep", "load")
    });
    let few = few
        .only("tests", |row| row.is("subject", "standard"))
        .only("churn", |_| false);
    of(
        "✓ Pass: all {#} checks passed",
        &[checks(&few) as f64],
        &few,
    );
    // Found, but not by the test that must find it.
    let unseen = few
        .put("tests", main.rows("tests").to_vec())
        .with("tests", |row| {
            if row.is("subject", "truncated-16") {
                row.set("expected_tests", "T9");
            }
        });
    let bad = unseen
        .rows("tests")
        .iter()
        .filter(|row| row.is("subject", "truncated-16"));
    let bad = grouped(bad, cell).len() as f64;
    of(
        "∅ Invalid run: {#} faults that must be found went unseen, so nothing here counts",
        &[bad],
        &unseen,
    );
}

#[test]
fn of_the_battery() {
    let all = Set::read("main", &["tests"]);
    let words = all.only("tests", |row| row.is("key_set", "words"));
    let cells = |set: &Set| grouped(set.rows("tests"), cell).len() as f64;
    let of = |pattern: &str, numbers: &[f64], set: &Set| {
        let mut said = Said::default();
        said.and(pattern, numbers);
        said.is(&set.sentences()[""]);
    };
    for set in [&all, &words] {
        of("✓ Pass: all {#} checks passed", &[cells(set)], set);
    }
    let of_ours = words.subjects("role", "ours");
    let ours = words.only("tests", |row| of_ours.contains(&row.text("subject")));
    // One more is the control that is not there.
    let open = "? Inconclusive: of {#} checks none failed, {#} had too small a sample to tell";
    of(open, &[cells(&ours) + 1.0, 1.0], &ours);
    let uneven = |subject: &'static str| {
        words.with("tests", move |row| {
            if row.is("subject", subject) && row.is("test", "T1") {
                row.set("statistic", 1e5);
            }
        })
    };
    let own = |subject: &str| cells(&words.only("tests", |row| row.is("subject", subject)));
    let fail = "✗ Fail: {#} of {#} checks failed";
    of(fail, &[own("blocked"), cells(&words)], &uneven("blocked"));
    let void = "∅ Invalid run: {#} faults that must be found went unseen, so nothing here counts";
    of(void, &[own("default")], &uneven("default"));
}

/// Of the histograms alone, as in the tests of locations.
#[test]
fn how_much_a_battery_tested() {
    let all = Set::read("main", &["tests"]);
    let all = all.only("tests", |row| row.is("law", "chi-square"));
    let words = all.only("tests", |row| row.is("key_set", "words"));
    let uneven = words.with("tests", |row| row.scale("statistic", 1.5));
    for set in [all, words, uneven] {
        let p: Vec<f64> = set.rows("tests").iter().map(p_value).collect();
        let cells = grouped(set.rows("tests"), cell).len() as f64;
        let mut said = Said::default();
        let words = "{#} p-values of {#} cells; by Holm's correction over all of them at 0.001 a \
                     p below {} is a finding.";
        said.and(words, &[p.len() as f64, cells, threshold(&p)]);
        let sentences = set.sentences();
        let scope = sentences["locations"].split(" A cell is").next().unwrap();
        said.is(scope.split(" With power").next().unwrap());
    }
}
