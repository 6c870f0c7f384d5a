//! Tests each verdict with records that must lead to it.

use super::fixture;
use crate::{
    Verdict,
    judge::{Problem, judge},
};
use bouquet_ground::Outcome;
use bouquet_ground::record::{Observation, Records, Sweep, TestRow};

pub fn verdict(records: &Records) -> Verdict {
    judge(records).verdict
}

#[test]
fn a_clean_run_passes() {
    let got = verdict(&fixture::clean());
    assert_eq!(got.outcome, Outcome::Pass, "{:#?}", got.problems);
    assert!(got.problems.is_empty());
    // 125 points with four checks, the last of them of batches; one check of the filter over all
    // points; 20 targets to keep up to capacity; 25 sets of location tests; and 3 sizes.
    assert_eq!(got.counts.checks, 125 * 4 + 1 + 20 + 25 + 3);
    // The baseline has one check over all its points, and three of its sizes.
    assert_eq!(got.baselines.checks, 1 + 3);
}

#[test]
fn clean_runs_of_any_size_never_fail() {
    for seed in 0..40 {
        let got = verdict(&fixture::run(20_000, 100 + seed));
        assert_ne!(got.outcome, Outcome::Fail, "{:#?}", got.problems);
        assert_eq!((got.counts.failed, got.baselines.failed), (0, 0));
    }
}

/// With fewer hits, only larger deviations are detected, but nothing is inconclusive.
#[test]
fn few_non_members_find_less() {
    let from = |hits| {
        let judged = judge(&fixture::run(hits, 7));
        assert_eq!(judged.verdict.outcome, Outcome::Pass);
        judged.overall[0].check.found_from
    };
    let (few, many) = (from(2_000), from(200_000));
    assert!(few > 2.0 * many && many > 0.001, "{few} {many}");
}

#[test]
fn locations_of_too_few_keys_are_no_check_and_named() {
    let mut records = fixture::clean();
    let checks = verdict(&records).counts.checks;
    let row = &mut records.battery[0];
    row.expected_outcome = "unclaimed".into();
    row.error = "too few keys to tell: 300".into();
    row.keys = 300;
    let named = format!("not tested with too few keys: {} (300).", row.key_set);
    let judged = judge(&records);
    assert_eq!(judged.verdict.outcome, Outcome::Pass);
    assert_eq!(judged.verdict.counts.checks, checks);
    let scope = crate::headline::scope(&records, &judged);
    assert!(scope.contains(&named), "{scope}");
    // If nothing else was tested, they decide the outcome.
    let alone = Records {
        battery: vec![records.battery[0].clone()],
        ..Records::default()
    };
    assert_eq!(verdict(&alone).outcome, Outcome::Inconclusive);
}

#[test]
fn a_rate_off_theory_fails_and_says_by_how_much() {
    let mut records = fixture::clean();
    for row in records
        .fpr
        .iter_mut()
        .filter(|r| r.filter == "standard" && r.key_set == "urls")
    {
        row.false_positives = row.false_positives * 13 / 10;
    }
    let got = verdict(&records);
    assert_eq!(got.outcome, Outcome::Fail);
    // The 25 points, except those with few hits, and the filter over all of its data sets.
    assert!((20..=26).contains(&got.counts.failed), "{:?}", got.counts);
    let point = |what: &str| got.problems.iter().find(|one| one.what.starts_with(what));
    let (one, all) = (point("FPR given the bits"), point("FPR of standard over"));
    assert!(one.unwrap().by.contains(": +3"), "{one:?}");
    assert!(all.unwrap().by.contains(": +"), "{all:?}");
    assert_eq!(
        one.unwrap().repeat,
        "bouquet evaluate --filters standard --datasets urls --seed 7"
    );
}

#[test]
fn a_baseline_off_theory_is_only_reported() {
    let mut records = fixture::clean();
    for row in records
        .fpr
        .iter_mut()
        .filter(|r| r.filter == "cuckoofilter")
    {
        row.false_positives *= 2;
        row.false_negatives = 3;
    }
    let got = verdict(&records);
    assert_eq!(got.outcome, Outcome::Pass);
    assert_eq!(got.baselines.failed, 1);
    assert_eq!(got.baseline_problems.len(), 1);
}

#[test]
fn one_false_negative_fails_where_none_is_promised() {
    let mut records = fixture::clean();
    assert!(
        records
            .subject("standard")
            .unwrap()
            .promises_no_false_negatives
    );
    records.fpr[3].false_negatives = 1;
    let got = verdict(&records);
    assert_eq!((got.outcome, got.counts.failed), (Outcome::Fail, 1));
    assert!(
        got.problems[0]
            .by
            .contains("1 of 500,000 members are false negatives"),
        "{:?}",
        got.problems
    );
}

#[test]
fn a_wrong_fill_fails() {
    let mut records = fixture::clean();
    for row in records.fpr.iter_mut().take(5) {
        row.fill = Some(row.fill.unwrap() + 4.0 * row.expected_fill_sd.unwrap());
    }
    let got = verdict(&records);
    assert_eq!((got.outcome, got.counts.failed), (Outcome::Fail, 1));
    assert!(
        got.problems[0]
            .what
            .starts_with("fill of standard on words at 4 bits per key")
    );
}

#[test]
fn an_error_is_a_failure_and_not_a_gap() {
    let mut records = fixture::clean();
    records.fpr[0].error = "out of memory".into();
    records.memory[0].error = "out of memory".into();
    records.battery[0].error = "no locations".into();
    let got = verdict(&records);
    assert_eq!((got.outcome, got.counts.failed), (Outcome::Fail, 3));
}

#[test]
fn uneven_and_too_even_locations_fail() {
    for chi_square in [1500.0, 700.0] {
        let mut records = fixture::clean();
        records.battery[2].statistic = chi_square;
        let got = verdict(&records);
        assert_eq!((got.outcome, got.counts.failed), (Outcome::Fail, 1));
        assert!(
            got.problems[0]
                .by
                .starts_with("expected: passes; observed: flagged by T1, p ")
                && got.problems[0].by.ends_with(" after Holm in slot 2"),
            "{:?}",
            got.problems
        );
        assert!(
            got.problems[0]
                .repeat
                .contains("--schemes default --datasets words")
        );
    }
}

#[test]
fn a_bad_scheme_that_goes_unseen_voids_the_run() {
    let mut records = fixture::clean();
    let unseen = |r: &&mut TestRow| r.subject == "fnv1a-32" && r.key_set == "urls";
    for row in records.battery.iter_mut().filter(unseen) {
        row.statistic = 1023.0;
    }
    // In another cell of the scheme, one flagged row is enough to detect it: see the last lines.
    let last = records.battery.len() - 1;
    records.fpr[3].false_negatives = 1;
    let got = verdict(&records);
    assert_eq!(
        (got.outcome, got.counts.void, got.counts.failed),
        (Outcome::Void, 1, 1)
    );
    assert!(got.problems[0].what.contains("fnv1a-32 on urls"));
    for row in &mut records.battery[last - 6..last] {
        row.statistic = 1023.0;
    }
    assert_eq!(verdict(&records).counts.void, 1);
}

#[test]
fn a_size_that_misses_its_target_fails() {
    let mut records = fixture::clean();
    records.memory[0].expected_fpr = 1.01 * records.memory[0].x;
    let got = verdict(&records);
    assert_eq!(got.outcome, Outcome::Fail);
    assert!(got.problems[0].what.starts_with("size of standard"));
    records.memory[0].note = "no choice".into();
    assert_eq!(verdict(&records).outcome, Outcome::Pass);
}

#[test]
fn a_size_without_room_for_its_keys_fails() {
    let wrong: [(fn(&mut Observation), &str); 3] = [
        (|row| row.rejected = 1, "rejected within the capacity"),
        (|row| row.false_negatives = 1, "false negatives"),
        (|row| row.batch_differ = Some(1), "otherwise than by single"),
    ];
    for (plant, words) in wrong {
        let mut records = fixture::clean();
        plant(&mut records.memory[0]);
        let got = verdict(&records);
        assert_eq!(got.outcome, Outcome::Fail, "{words}");
        assert!(got.problems[0].by.contains(words), "{:?}", got.problems);
    }
}

#[test]
fn a_promise_that_theory_does_not_keep_fails() {
    let mut records = fixture::clean();
    for row in records
        .fpr
        .iter_mut()
        .filter(|row| row.sweep == Sweep::Load)
    {
        let asked = if row.x <= 1.0 { 0.99 } else { 1.0 };
        row.target_fpr = row.target_fpr.map(|_| asked * row.expected_fpr);
    }
    let got = verdict(&records);
    assert_eq!((got.outcome, got.counts.failed), (Outcome::Fail, 20));
    assert!(got.problems[0].what.starts_with("promised FPR of standard"));
}

#[test]
fn nothing_checked_is_void() {
    assert_eq!(verdict(&Records::default()).outcome, Outcome::Void);
}

/// Thousands of checks of a dozen correct filters, with samples as large as in a usual run.
#[test]
fn a_dozen_right_filters_neither_fail_nor_stay_open() {
    let (mut open, mut checks) = (0, 0);
    for seed in 0..30 {
        let got = verdict(&fixture::many(8, 10_000.0, 300 + seed));
        assert_eq!(
            (got.counts.failed, got.counts.void),
            (0, 0),
            "{:#?}",
            got.problems
        );
        open += got.counts.inconclusive;
        checks += got.counts.checks;
    }
    assert!(checks > 30 * 1_000, "{checks}");
    assert!(open <= 3, "{open} of {checks}");
}

/// Records that include removals, all of which pass.
pub fn churning() -> Records {
    let records = fixture::many(4, 8_000.0, 11);
    let got = verdict(&records);
    assert_eq!(got.outcome, Outcome::Pass, "{:#?}", got.problems);
    records
}

/// The measured bits agree with the hits, so each single point passes.
#[test]
fn a_filter_that_sets_other_bits_fails_over_all_its_points() {
    let mut records = churning();
    for row in &mut records.fpr {
        if row.filter == "blocked" {
            row.false_positives = row.false_positives * 7 / 5;
            row.fpr_given_bits = row.fpr_given_bits.map(|fpr| fpr * 1.4);
        }
    }
    let got = verdict(&records);
    assert_eq!((got.outcome, got.counts.failed), (Outcome::Fail, 1));
    assert_eq!(got.problems[0].what, "FPR of blocked over all its points");
}

/// Only the layouts know the names of their parts.
#[test]
fn an_uneven_part_is_named_whatever_it_is() {
    let mut records = churning();
    let of_sharded = |r: &&mut TestRow| r.subject == "sharded" && r.item.starts_with("shard ");
    let shards = records.battery.iter_mut().filter(of_sharded);
    for row in shards.take(1) {
        row.item = "petal 0".into();
        row.statistic = 300.0;
    }
    let got = verdict(&records);
    assert_eq!((got.outcome, got.counts.failed), (Outcome::Fail, 1));
    let by = &got.problems[0].by;
    assert!(by.ends_with("after Holm in petal 0"), "{by}");
}

#[test]
fn a_rate_of_long_samples_fails_however_near_it_is() {
    let mut records = fixture::clean();
    let of = |row: &&mut Observation| row.filter == "standard" && row.x == 4.0;
    for row in records.fpr.iter_mut().filter(of) {
        // 5 % more hits, far beyond chance with 400 times the non-members.
        row.non_members *= 400;
        row.false_positives *= 420;
    }
    let got = verdict(&records);
    assert_eq!(got.outcome, Outcome::Fail);
    let what = |what: &'static str| move |one: &&Problem| one.what.starts_with(what);
    let points = got.problems.iter().filter(what("FPR given the bits"));
    assert_eq!(points.count(), 5, "{:#?}", got.problems);
    let all = got.problems.iter().filter(what("FPR of standard over"));
    assert_eq!(all.count(), 1, "{:#?}", got.problems);
}

/// A deviation too small for any single point is detected over all points of a filter.
#[test]
fn two_percent_at_every_point_are_found_over_all() {
    let mut records = fixture::run(10_000, 7);
    for row in records.fpr.iter_mut().filter(|r| r.filter == "standard") {
        row.false_positives += row.false_positives / 50;
    }
    let got = verdict(&records);
    assert_eq!((got.outcome, got.counts.failed), (Outcome::Fail, 1));
    let problem = &got.problems[0];
    assert_eq!(problem.what, "FPR of standard over all its points");
    assert_eq!(
        problem.repeat,
        "bouquet evaluate --filters standard --seed 7"
    );
}
