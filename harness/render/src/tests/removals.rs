//! Tests of the verdicts on filters from which keys are removed in rounds.

use super::verdicts::{churning, verdict};
use bouquet_ground::Outcome;
use bouquet_ground::record::{Observation, Records};

/// The rows of a filter after its last round of removals.
fn last_round<'a>(
    records: &'a mut Records,
    filter: &'a str,
) -> impl Iterator<Item = &'a mut Observation> {
    let rows = records.churn.iter_mut();
    rows.filter(move |row| row.filter == filter && row.step == 6)
}

#[test]
fn a_false_negative_among_removals_fails() {
    let mut records = churning();
    for row in last_round(&mut records, "counting").take(2) {
        row.false_negatives = 1;
    }
    let got = verdict(&records);
    assert_eq!((got.outcome, got.counts.failed), (Outcome::Fail, 1));
    let problem = &got.problems[0];
    assert_eq!(
        problem.what,
        "members of counting on words after 6 rounds of removals"
    );
    assert_eq!(
        problem.by,
        "2 of 229,376 members are false negatives, 0 allowed, first in round 6"
    );
    assert!(
        problem
            .repeat
            .contains("--filters counting --datasets words")
    );
}

#[test]
fn a_rejected_removal_fails() {
    let mut records = churning();
    for row in last_round(&mut records, "cuckoo").take(1) {
        row.removals_rejected = 3;
    }
    let got = verdict(&records);
    assert_eq!((got.outcome, got.counts.failed), (Outcome::Fail, 1));
    assert!(
        got.problems[0].by.starts_with("3 of "),
        "{:?}",
        got.problems
    );
}

#[test]
fn false_negatives_of_a_baseline_are_only_reported() {
    let records = churning();
    let missing = records.churn.iter().filter(|r| r.filter == "cuckoofilter");
    assert!(missing.map(|r| r.false_negatives).sum::<u64>() > 0);
    assert_eq!(verdict(&records).baselines.failed, 0);
}

/// The FPR is too high only in the last round; the mean over all rounds would hide that.
#[test]
fn an_fpr_that_climbs_with_the_rounds_fails() {
    let mut records = churning();
    for row in last_round(&mut records, "counting") {
        row.false_positives = row.false_positives * 13 / 10;
    }
    let got = verdict(&records);
    assert_eq!((got.outcome, got.counts.failed), (Outcome::Fail, 2));
    assert!(
        got.problems[0].by.contains("+30.") || got.problems[0].by.contains("+29."),
        "{}",
        got.problems[0].by
    );
    assert!(!got.problems[0].repeat.contains("--datasets"));
    for row in last_round(&mut records, "counting") {
        row.fpr_given_bits = row.fpr_given_bits.map(|fpr| fpr * 1.3);
    }
    let got = verdict(&records);
    assert_eq!((got.outcome, got.counts.failed), (Outcome::Fail, 1));
    assert!(got.problems[0].what.starts_with("mean FPR over seeds"));
}

#[test]
fn a_replicate_of_removals_that_broke_off_fails() {
    let mut records = churning();
    records.churn[3].error = "out of memory".into();
    let got = verdict(&records);
    assert_eq!((got.outcome, got.counts.failed), (Outcome::Fail, 1));
}
