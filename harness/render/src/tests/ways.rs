//! Batches beside single calls, from records that must give each verdict.

use super::fixture;
use crate::{
    compose, fpr, glance,
    judge::{Judgement, judge},
};
use bouquet_ground::Outcome;
use bouquet_ground::record::{PhaseRow, Records, WaysRow};

/// Of one filter, filled and asked by these ways.
fn row(inserted: &str, asked: &str) -> WaysRow {
    WaysRow {
        experiment: "ways".into(),
        filter: "standard".into(),
        dataset: "urls".into(),
        capacity: 1_000,
        target_fpr: Some(0.01),
        size_bits: 9_600,
        seed: 7,
        inserted: inserted.into(),
        asked: asked.into(),
        keys: 1_000,
        new_otherwise: Some(false),
        stored_otherwise: Some(false),
        members_asked: 1_000,
        non_members_asked: 5_000,
        false_positives: 51,
        ..WaysRow::default()
    }
}

fn with(ways: Vec<WaysRow>) -> Records {
    let clean = fixture::clean();
    Records {
        run: clean.run,
        subjects: clean.subjects,
        ways,
        ..Records::default()
    }
}

fn batch(change: impl Fn(&mut WaysRow)) -> Judgement {
    let mut own = row("in batches", "in batches");
    change(&mut own);
    judge(&with(vec![row("singly", "singly"), own]))
}

#[test]
fn what_is_otherwise_by_a_way_fails_in_a_plain_sentence() {
    assert_eq!(batch(|_| ()).verdict.outcome, Outcome::Pass);
    let fails = |change: fn(&mut WaysRow), words: &str| {
        let judgement = batch(change);
        assert_eq!(judgement.verdict.outcome, Outcome::Fail, "{words}");
        let [problem] = &judgement.verdict.problems[..] else {
            panic!("{:?}", judgement.verdict.problems)
        };
        assert_eq!(problem.by, words);
        let what =
            "standard inserted in batches and asked in batches, sized for 1,000 keys, on urls";
        assert_eq!(problem.what, what);
    };
    let misses: fn(&mut WaysRow) = |row| {
        (row.false_negatives, row.answered_otherwise) = (1, 1);
    };
    fails(
        misses,
        "1 of 1,000 members are false negatives, 0 allowed; 1 of 6,000 keys answered otherwise than by single \
         calls",
    );
    fails(
        |row| (row.false_positives, row.answered_otherwise) = (676, 625),
        "625 of 6,000 keys answered otherwise than by single calls",
    );
    fails(
        |row| row.taken_otherwise = 2,
        "2 of 1,000 keys taken or rejected otherwise than by single calls",
    );
    fails(
        |row| row.stored_otherwise = Some(true),
        "1 of 1 filters stored as other bytes than when filled by single calls",
    );
    fails(
        |row| row.new_otherwise = Some(true),
        "1 of 1 filters called another number of keys new than single calls do",
    );
    let judgement = batch(|row| row.error = "panicked".into());
    assert_eq!(judgement.verdict.outcome, Outcome::Fail);
    assert_eq!(judgement.verdict.problems[0].by, "error: panicked");
}

/// Or as much of it as there was.
#[test]
fn an_error_names_the_way_that_it_ended() {
    let what = |inserted: &str, asked: &str| {
        let failed = WaysRow {
            error: "damaged".into(),
            ..row(inserted, asked)
        };
        let problems = judge(&with(vec![row("singly", "singly"), failed]))
            .verdict
            .problems;
        assert_eq!((problems.len(), &*problems[0].by), (1, "error: damaged"));
        problems[0].what.clone()
    };
    assert_eq!(
        what("singly", "by a view"),
        "standard inserted singly and asked by a view, sized for 1,000 keys, on urls"
    );
    assert_eq!(
        what("by union", ""),
        "standard inserted by union, sized for 1,000 keys, on urls"
    );
    assert_eq!(what("", ""), "ways into standard and out of it, on urls");
}

/// Of a filter that promises nothing a false negative is a number, and two answers to
/// one question are a fault all the same.
#[test]
fn a_filter_that_promises_nothing_still_has_one_answer() {
    let lossy = |change: fn(&mut WaysRow)| {
        let mut records = with(vec![row("singly", "singly"), row("in batches", "singly")]);
        records.subjects[0].promises_no_false_negatives = false;
        records.ways.iter_mut().for_each(change);
        judge(&records).verdict.outcome
    };
    assert_eq!(lossy(|row| row.false_negatives = 3), Outcome::Pass);
    assert_eq!(lossy(|row| row.answered_otherwise = 3), Outcome::Fail);
}

#[test]
fn rates_and_phases_are_asked_in_batches_too() {
    let fails = |change: fn(&mut Records), words: &str| {
        let mut records = fixture::clean();
        assert_eq!(judge(&records).verdict.outcome, Outcome::Pass);
        change(&mut records);
        let judgement = judge(&records);
        assert_eq!(judgement.verdict.outcome, Outcome::Fail, "{words}");
        let problem = &judgement.verdict.problems[0];
        assert!(problem.by.starts_with(words), "{}", problem.by);
        (records, judgement)
    };
    let (records, judgement) = fails(
        |records| records.fpr[3].batch_false_negatives = Some(2),
        "2 of ",
    );
    let row = &glance::rows(&records, &judgement)[0];
    assert_eq!(row.false_negatives, 2, "of the whole run");
    fails(|records| records.fpr[3].batch_otherwise = Some(7), "7 of ");
    let phase = |change: fn(&mut PhaseRow)| {
        let mut phase = PhaseRow {
            filter: "standard".into(),
            phase: "insert".into(),
            members_asked: 1_000,
            batch_false_negatives: Some(0),
            batch_otherwise: Some(0),
            ..super::lifecycle::phase("standard", 0)
        };
        change(&mut phase);
        let records = Records {
            phases: vec![phase],
            ..with(Vec::new())
        };
        let problems = judge(&records).verdict.problems;
        problems.first().map(|problem| problem.by.clone())
    };
    assert_eq!(phase(|_| ()), None);
    assert_eq!(
        phase(|row| row.batch_false_negatives = Some(1)).as_deref(),
        Some("1 of 1,000 members asked in batches are false negatives, 0 allowed")
    );
    assert_eq!(
        phase(|row| row.batch_otherwise = Some(1)).as_deref(),
        Some("1 of 1,000 keys answered otherwise than by single calls")
    );
    // Older records do not say.
    assert_eq!(
        phase(|row| (row.batch_false_negatives, row.batch_otherwise) = (None, None)),
        None
    );
}

/// The section is made of the rows.
#[test]
fn the_report_says_what_was_found() {
    let mut wrong = row("by extend", "in batches");
    (wrong.false_positives, wrong.answered_otherwise) = (676, 625);
    let records = with(vec![
        row("singly", "singly"),
        row("in batches", "singly"),
        wrong,
    ]);
    let judgement = judge(&records);
    let page = crate::markdown::document(&compose::document(&records, &judgement));
    let words = "The filter standard was filled singly, in batches and by extend and asked singly and in \
                 batches for members and for non-members. 3,000 members were looked up, \
                 with 0 false negatives; of 15,000 non-members 778 were false positives. Against the same \
                 filter filled and asked by single calls 625 answers differed, 0 keys were taken \
                 otherwise, 0 filters were stored as other bytes, and 0 called another number of \
                 keys new.";
    let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(words), "{page}");
    let line = "| standard | by extend | in batches | 1,000 | 0 | 5,000 | 676 | 625 | 0 | fail |";
    assert!(page.contains(line), "{page}");
    assert!(fpr::in_markdown(&records).contains(line));
    let json = fpr::in_json(&records).unwrap();
    assert!(json.contains("\"answered_otherwise\": 625"), "{json}");
}
