//! Tests of the battery's report: failures come first, with the command that repeats them.

use std::fs;

use super::fixture::facts;
use crate::write_report;
use bouquet_record::Outcome;
use bouquet_record::{Records, SubjectRow, TestRow};

fn row(subject: &str, must: &str, item: u32, statistic: f64) -> TestRow {
    TestRow {
        subject: subject.into(),
        key_set: "words".into(),
        slots: 1_048_576,
        keys: 102_400,
        expected_outcome: must.into(),
        test: "T1".into(),
        item: format!("slot {item}"),
        statistic,
        degrees_of_freedom: Some(63),
        ..TestRow::default()
    }
}

fn about() -> Records {
    let subject = |name: &str, kind: &str, role: &str| SubjectRow {
        subject: name.into(),
        kind: kind.into(),
        about: format!("The {name} one."),
        role: role.into(),
        promises_no_false_negatives: false,
        reproducible_by_seed: true,
        exposes_locations: true,
        removes: false,
        grows: false,
        concurrent: false,
        theory: String::new(),
        scheme: String::new(),
        ..SubjectRow::default()
    };
    Records {
        facts: facts(&[
            ("command", "bouquet evaluate uniformity --quick --out there"),
            ("seed", "7"),
        ]),
        subjects: vec![
            subject("even", "filter", "ours"),
            subject("weak", "scheme", "known-bad"),
        ],
        ..Records::default()
    }
}

/// Rows of a good scheme with statistics near `of_even`, and of a known-bad one with `of_weak`.
fn records(of_even: f64, of_weak: f64) -> Records {
    let even = (0..7).map(|i| row("even", "passes", i, of_even + f64::from(i)));
    let weak = (0..7).map(|i| row("weak", "flagged", i, of_weak));
    Records {
        battery: even.chain(weak).collect(),
        ..about()
    }
}

fn report(name: &str, records: &Records) -> (Outcome, String, String) {
    let folder =
        std::env::temp_dir().join(format!("bouquet-battery-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let verdict = write_report(records, &[], &folder).unwrap();
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let files = (read("README.md"), read("index.html"));
    fs::remove_dir_all(&folder).unwrap();
    (verdict, files.0, files.1)
}

#[test]
fn a_clean_run_has_its_chart_and_every_p_value() {
    let (outcome, readme, page) = report("clean", &records(60.0, 400.0));
    assert_eq!(outcome, Outcome::Pass);
    assert!(readme.starts_with("# ✓ Pass: 0 of 2 checks failed"));
    assert!(!readme.contains("What failed"));
    let tested = "14 p-values of 2 cells";
    assert!(readme.contains(tested) && page.contains(tested), "{readme}");
    // The descriptions of schemes come after the charts, in a table that only the HTML page has.
    let place = |part: &str| page.find(part).unwrap();
    assert!(place("<figure") < place("The weak one."));
    assert!(page.contains(">known bad<"));
    assert_eq!(super::report::marks(&page), 2);
}

#[test]
fn what_failed_stands_first_with_the_command_that_repeats_it() {
    let (outcome, readme, _) = report("failed", &records(300.0, 400.0));
    assert_eq!(outcome, Outcome::Fail);
    let first = readme.split("## At a glance").next().unwrap();
    for part in [
        "✗ Fail: 1 of 2 checks failed",
        "locations of even on words over 1,048,576 slots",
        "`bouquet evaluate uniformity --quick --filters even --datasets words --seed 7`",
    ] {
        assert!(first.contains(part), "{part} not in {first}");
    }
}

#[test]
fn a_fault_that_goes_unseen_is_named() {
    let (outcome, readme, _) = report("unseen", &records(60.0, 63.0));
    assert_eq!(outcome, Outcome::Void);
    assert!(readme.contains("Expected: flagged; observed: passed"));
    assert!(readme.contains("--schemes weak --datasets words --seed 7`"));
}

#[test]
fn a_run_of_nothing_but_errors_has_no_charts() {
    let mut records = records(60.0, 400.0);
    for row in &mut records.battery {
        row.error = "panicked".into();
    }
    let (outcome, readme, page) = report("errors", &records);
    assert_ne!(outcome, Outcome::Pass);
    assert!(readme.contains("panicked") && !page.contains("<svg"));
}
