//! Tests of the verdicts on low rates, with records that must lead to each.

use super::fixture;
use crate::judge::judge;
use bouquet_ground::Outcome;
use bouquet_ground::record::{Observation, Records, TestRow};

/// A run without any measurements.
fn empty() -> Records {
    let clean = fixture::clean();
    Records {
        facts: clean.facts,
        subjects: clean.subjects,
        ..Records::default()
    }
}

fn outcome(records: &Records) -> Outcome {
    judge(records).verdict.outcome
}

fn sets(pairs: Option<f64>, error: &str) -> Records {
    let row = TestRow {
        experiment: "fpr".into(),
        subject: "standard".into(),
        key_set: "urls".into(),
        capacity: Some(10_000),
        slots: 287_616,
        probes: 20,
        seed: 7,
        keys: 524_288,
        statistic: pairs.unwrap_or_default(),
        mean: pairs.map(|_| 1e-9),
        error: error.into(),
        ..TestRow::default()
    };
    Records {
        location_sets: vec![row],
        ..empty()
    }
}

#[test]
fn keys_that_share_their_locations_fail() {
    assert_eq!(outcome(&sets(Some(0.0), "")), Outcome::Pass);
    assert_eq!(outcome(&sets(Some(2.0), "")), Outcome::Fail);
    assert_eq!(outcome(&sets(None, "too large")), Outcome::Fail);
    // Nothing is claimed about the layout, so nothing was checked.
    assert_eq!(outcome(&sets(None, "")), Outcome::Void);
}

fn low(non_members: u64, false_positives: u64) -> Records {
    let clean = fixture::clean();
    let rows = clean.fpr.iter().filter(|row| row.filter == "standard");
    let row = |row: &Observation| Observation {
        non_members,
        false_positives,
        expected_fpr: 1e-6,
        expected_fpr_sd: Some(1e-8),
        fpr_given_bits: Some(1e-6),
        expected_fill: None,
        expected_fill_sd: None,
        ..row.clone()
    };
    Records {
        fpr: rows.take(1).map(row).collect(),
        ..empty()
    }
}

#[test]
fn a_low_rate_is_judged_by_the_exact_law() {
    assert_eq!(outcome(&low(66_000_000, 66)), Outcome::Pass);
    assert_eq!(outcome(&low(66_000_000, 132)), Outcome::Fail);
    assert_eq!(outcome(&low(66_000_000, 20)), Outcome::Fail);
    assert_eq!(outcome(&low(3_000_000, 3)), Outcome::Pass);
    let judgement = judge(&low(66_000_000, 132));
    let by = &judgement.verdict.problems[0].by;
    assert!(by.contains(": +100.0 %, more than chance"), "{by}");
    // So few hits are not enough for a check over all points.
    assert!(judgement.overall.is_empty());
}
