//! Tests each verdict with records that must lead to it.

use super::fixture;
use crate::{Verdict, judge::judge};
use bouquet_record::{
    Observation,
    Outcome::{self, Fail, Inconclusive, Pass, Void},
    Records, Sweep, TestRow,
};

fn verdict(records: &Records) -> Verdict {
    judge(records).verdict
}

/// The rows with the measured FPRs of one filter.
fn of<'a>(records: &'a mut Records, name: &'a str) -> impl Iterator<Item = &'a mut Observation> {
    records.fpr.iter_mut().filter(move |row| row.filter == name)
}

/// The rows of a filter after its last round of removals.
fn last<'a>(records: &'a mut Records, name: &'a str) -> impl Iterator<Item = &'a mut Observation> {
    let rows = records.churn.iter_mut();
    rows.filter(move |row| row.filter == name && row.step == 6)
}

/// A change of the records; the outcome and the number of failed checks that follow from it; and
/// words of the first problem: what was checked, by how much it failed, how to repeat it.
type Case = (fn(&mut Records), Outcome, u64, [&'static str; 3]);

#[test]
fn one_false_negative_fails_where_none_is_promised() {
    let case: Case = (
        |run| run.fpr[3].false_negatives = 1,
        Fail,
        1,
        ["members of standard", "1 of 500,000 members are", ""],
    );
    check(&fixture::clean(), &[case]);
}

#[test]
fn each_fault_of_a_run_has_its_verdict() {
    let cases: [Case; 15] = [
        (
            |run| {
                let urls = of(run, "standard").filter(|row| row.key_set == "urls");
                urls.for_each(|row| row.false_positives = row.false_positives * 13 / 10);
            },
            Fail,
            // 25 checks of single points, and one check over all points of the filter.
            26,
            [
                "FPR given the bits of standard on urls at 4 bits per key",
                ": +",
                "bouquet evaluate --filters standard --datasets urls --seed 7",
            ],
        ),
        // Faults in a filter of another crate are reported, but fail nothing.
        (
            |run| {
                for row in of(run, "cuckoofilter") {
                    row.false_positives *= 2;
                    row.false_negatives = 3;
                }
            },
            Pass,
            0,
            ["", "", ""],
        ),
        (
            |run| {
                for row in run.fpr.iter_mut().take(5) {
                    row.fill = Some(row.fill.unwrap() + 4.0 * row.expected_fill_sd.unwrap());
                }
            },
            Fail,
            1,
            ["fill of standard on words at 4 bits per key", "", ""],
        ),
        // A measurement that ended in an error fails; it does not count as missing.
        (
            |run| {
                run.fpr[0].error = "out of memory".into();
                run.memory[0].error = "out of memory".into();
                run.battery[0].error = "no locations".into();
            },
            Fail,
            3,
            ["locations of default", "observed: no locations", ""],
        ),
        // Locations that are uneven. The next case has locations that are too even to be random.
        (
            |run| run.battery[2].statistic = 1500.0,
            Fail,
            1,
            [
                "locations of default on words",
                "expected: passes; observed: flagged by T1, p ",
                "--schemes default --datasets words",
            ],
        ),
        (
            |run| run.battery[2].statistic = 700.0,
            Fail,
            1,
            ["locations of default", " after Holm in T1 slot 2", ""],
        ),
        // The tests must detect a known-bad scheme on each key set, or the whole run is void. On a
        // key set, one flagged row is enough.
        (
            |run| {
                let unseen = |r: &&mut TestRow| r.subject == "fnv1a-32" && r.key_set == "urls";
                for row in run.battery.iter_mut().filter(unseen) {
                    row.statistic = 1023.0;
                }
                let last = run.battery.len() - 1;
                run.battery[last - 6..last]
                    .iter_mut()
                    .for_each(|row| row.statistic = 1023.0);
                run.fpr[3].false_negatives = 1;
            },
            Void,
            1,
            ["fnv1a-32 on urls", "observed: passed", ""],
        ),
        (
            |run| run.memory[0].expected_fpr = 1.01 * run.memory[0].x,
            Fail,
            1,
            ["size of standard", "expected FPR", ""],
        ),
        (
            |run| run.memory[0].rejected = 1,
            Fail,
            1,
            ["size of standard", "rejected within the capacity", ""],
        ),
        (
            |run| run.memory[0].false_negatives = 1,
            Fail,
            1,
            ["size of standard", "false negatives", ""],
        ),
        (
            |run| run.memory[0].batch_differ = Some(1),
            Fail,
            1,
            ["size of standard", "otherwise than by single", ""],
        ),
        // A filter whose size cannot be chosen has no target FPR, so it cannot miss it.
        (
            |run| {
                run.memory[0].expected_fpr = 1.01 * run.memory[0].x;
                run.memory[0].note = "no choice".into();
            },
            Pass,
            0,
            ["", "", ""],
        ),
        (
            |run| {
                for row in of(run, "standard").filter(|row| row.sweep == Sweep::Load) {
                    let asked = if row.x <= 1.0 { 0.99 } else { 1.0 };
                    row.target_fpr = row.target_fpr.map(|_| asked * row.expected_fpr);
                }
            },
            Fail,
            20,
            ["promised FPR of standard", "by theory", ""],
        ),
        // With 400 times as many non-members, 5 % more hits cannot be chance. Six checks fail: one
        // at each of five points, and one over all points.
        (
            |run| {
                for row in of(run, "standard").filter(|row| row.x == 4.0) {
                    row.non_members *= 400;
                    row.false_positives *= 420;
                }
            },
            Fail,
            6,
            ["FPR given the bits", ": +", ""],
        ),
        // In two pairs, both keys have the same locations, though chance predicts no such pair.
        (
            |run| run.location_sets = vec![pairs(Some(2.0), "")],
            Fail,
            1,
            ["keys of standard that share", "2 pairs, 1e-9 by chance", ""],
        ),
    ];
    check(&fixture::clean(), &cases);
    // A deviation that is too small to be detected at any one point is detected over all points.
    let case: Case = (
        |run| of(run, "standard").for_each(|row| row.false_positives += row.false_positives / 50),
        Fail,
        1,
        [
            "FPR of standard over all its points",
            ": +",
            "bouquet evaluate --filters standard --seed 7",
        ],
    );
    check(&fixture::run(10_000, 7), &[case]);
}

#[test]
fn each_fault_of_a_dozen_filters_has_its_verdict() {
    let cases: [Case; 6] = [
        // The FPR computed from the set bits agrees with the hits, so each single point passes.
        (
            |run| {
                for row in of(run, "blocked") {
                    row.false_positives = row.false_positives * 7 / 5;
                    row.fpr_given_bits = row.fpr_given_bits.map(|fpr| fpr * 1.4);
                }
            },
            Fail,
            1,
            ["FPR of blocked over all its points", "", ""],
        ),
        // The report shows the recorded name of a part of a location, even an unknown one.
        (
            |run| {
                let is_shard =
                    |r: &&mut TestRow| r.subject == "sharded" && r.item.starts_with("shard ");
                let row = run.battery.iter_mut().find(is_shard).unwrap();
                row.item = "petal 0".into();
                row.statistic = 300.0;
            },
            Fail,
            1,
            ["", "after Holm in T1 petal 0", ""],
        ),
        (
            |run| {
                last(run, "counting")
                    .take(2)
                    .for_each(|row| row.false_negatives = 1)
            },
            Fail,
            1,
            [
                "members of counting on words after 6 rounds of removals",
                "2 of 32,768 members are false negatives, 0 allowed",
                "--filters counting --datasets words",
            ],
        ),
        (
            |run| {
                last(run, "cuckoo")
                    .take(1)
                    .for_each(|row| row.removals_rejected = 3)
            },
            Fail,
            1,
            ["removals of cuckoo on words", "3 of ", ""],
        ),
        // The FPR is too high only in the last round; the mean over all rounds would hide that.
        (
            |run| {
                for row in last(run, "counting") {
                    row.false_positives = row.false_positives * 13 / 10;
                    row.fpr_given_bits = row.fpr_given_bits.map(|fpr| fpr * 1.3);
                }
            },
            Fail,
            1,
            [
                "FPR of counting after 6 rounds of removals",
                "",
                "--filters counting --seed",
            ],
        ),
        (
            |run| run.churn[3].error = "out of memory".into(),
            Fail,
            1,
            ["measurement of counting", "error: out of memory", ""],
        ),
    ];
    let run = fixture::many(4, 8_000.0, 11);
    // The baseline filter has false negatives; they are reported, but fail nothing.
    let of_baseline = run.churn.iter().filter(|r| r.filter == "cuckoofilter");
    assert!(of_baseline.map(|r| r.false_negatives).sum::<u64>() > 0);
    assert_eq!(verdict(&run).outcome, Pass);
    check(&run, &cases);
}

fn check(run: &Records, cases: &[Case]) {
    for (at, (change, outcome, failed, parts)) in cases.iter().enumerate() {
        let mut run = run.clone();
        change(&mut run);
        let got = verdict(&run);
        let first = got.problems.first();
        let wanted = (*outcome, *failed);
        assert_eq!(
            (got.outcome, got.count(Fail)),
            wanted,
            "case {at}: {first:?}"
        );
        let said = first.map_or([""; 3], |first| [&*first.what, &*first.by, &*first.repeat]);
        for (said, part) in said.iter().zip(parts) {
            assert!(said.contains(part), "case {at}: {part} not in {said}");
        }
    }
}

#[test]
fn a_clean_run_passes() {
    let got = verdict(&fixture::clean());
    assert_eq!(got.outcome, Pass, "{:#?}", got.problems);
    assert!(got.problems.is_empty());
    // Five checks at each of 125 points, two of them of batches; one check over all points; 20
    // checks that target FPRs are kept up to capacity; 25 sets of location tests; and 3 sizes.
    assert_eq!(got.checks, 125 * 5 + 1 + 20 + 25 + 3);
    assert_eq!(verdict(&Records::default()).outcome, Void);
}

/// Thousands of checks of correct filters, with samples of many sizes.
#[test]
fn correct_filters_never_fail() {
    let small = (0..40).map(|seed| fixture::run(20_000, 100 + seed));
    let dozens = (0..30).map(|seed| fixture::many(8, 10_000.0, 300 + seed));
    let mut checks = 0;
    for records in small.chain(dozens) {
        let got = verdict(&records);
        assert_eq!(got.outcome, Pass, "{:#?}", got.problems);
        checks += got.checks;
    }
    assert!(checks > 30 * 1_000, "{checks}");
}

/// With fewer lookups, only larger deviations are detected, but no check is inconclusive.
#[test]
fn few_non_members_find_less() {
    let from = |hits| {
        let judged = judge(&fixture::run(hits, 7));
        assert_eq!(judged.verdict.outcome, Pass);
        judged.overall[0].check.found_from
    };
    let (few, many) = (from(2_000), from(200_000));
    assert!(few > 2.0 * many && many > 0.001, "{few} {many}");
}

#[test]
fn locations_of_too_few_keys_are_no_check_and_named() {
    let mut records = fixture::clean();
    let checks = verdict(&records).checks;
    let row = &mut records.battery[0];
    row.expected_outcome = "unclaimed".into();
    row.error = "too few keys to tell: 300".into();
    row.keys = 300;
    let named = format!("Too few keys to test locations: {} (300).", row.key_set);
    let got = verdict(&records);
    assert_eq!((got.outcome, got.checks), (Pass, checks));
    let summary = crate::summary(&records, crate::Screen::default());
    assert!(summary.contains(&named), "{summary}");
    // If the only key set that was tested has too few keys, the run is inconclusive.
    let alone = Records {
        battery: vec![records.battery[0].clone()],
        ..Records::default()
    };
    assert_eq!(verdict(&alone).outcome, Inconclusive);
}

/// A row of the test that counts pairs of keys with the same locations.
fn pairs(pairs: Option<f64>, error: &str) -> TestRow {
    TestRow {
        subject: "standard".into(),
        key_set: "urls".into(),
        keys: 524_288,
        statistic: pairs.unwrap_or_default(),
        mean: pairs.map(|_| 1e-9),
        error: error.into(),
        ..TestRow::default()
    }
}

/// A run of one filter with an expected FPR of 1e-6.
fn low(non_members: u64, false_positives: u64) -> Records {
    let clean = fixture::clean();
    let row = Observation {
        non_members,
        false_positives,
        expected_fpr: 1e-6,
        expected_fpr_sd: Some(1e-8),
        fpr_given_bits: Some(1e-6),
        expected_fill: None,
        ..clean.fpr[0].clone()
    };
    Records {
        fpr: vec![row],
        subjects: clean.subjects,
        ..Records::default()
    }
}

#[test]
fn low_rates_are_judged_by_the_exact_law() {
    for (non_members, hits, outcome) in [
        (66_000_000, 66, Pass),
        (66_000_000, 132, Fail),
        (66_000_000, 20, Fail),
        (3_000_000, 3, Pass),
    ] {
        assert_eq!(verdict(&low(non_members, hits)).outcome, outcome, "{hits}");
    }
    let judgement = judge(&low(66_000_000, 132));
    let by = &judgement.verdict.problems[0].by;
    assert!(by.contains(": +100.0 %, more than chance"), "{by}");
    // 132 hits are too few for a check over all points.
    assert!(judgement.overall.is_empty());
    for (statistic, error, outcome) in [
        (Some(0.0), "", Pass),
        (None, "too large", Fail),
        // A row without an expected distribution is not checked.
        (None, "", Void),
    ] {
        let run = Records {
            location_sets: vec![pairs(statistic, error)],
            ..Records::default()
        };
        assert_eq!(verdict(&run).outcome, outcome, "{error}");
    }
}
