//! Known faults of other crates: found, or the run is invalid.

use super::*;
use bouquet_ground::record::{FaultFigure, PeerFaultRow};

fn fault() -> PeerFaultRow {
    PeerFaultRow {
        filter: "leaky".into(),
        release: "leaky 1.0.0".into(),
        phase: "seed".into(),
        capacity: 1_000,
        seed_form: SeedForm::EqualHalves,
        target_fpr: 0.01,
        figure: FaultFigure::Fpr,
        at_least: 0.03,
        fault: "two hashes become one".into(),
        source: "its source".into(),
    }
}

/// A scoreboard that must find the fault, with one of ours that keeps its promise. Of
/// the leaky one this is the row where the fault shows at 8 %, after `change`.
fn scoreboard(change: impl Fn(&mut PeerRow)) -> Records {
    let mut shown = row("leaky", "seed", 1.0);
    shown.seed_form = SeedForm::EqualHalves;
    shown.false_positives = 8_000;
    change(&mut shown);
    let rows = [filter("own", |_| {}), filter("leaky", |_| {}), vec![shown]];
    let mut records = records(rows.concat());
    records.subjects[0].role = "ours".into();
    records.subjects[0].promises_no_false_negatives = true;
    records.peer_faults = vec![fault()];
    records
}

fn judged(records: &Records) -> (Outcome, String) {
    let problems = judge::judge(records).verdict.problems;
    (outcome(&problems), text(records, Screen::default()))
}

#[test]
fn a_run_that_finds_the_known_faults_counts() {
    let records = scoreboard(|_| {});
    let (outcome, text) = judged(&records);
    assert_eq!(outcome, Outcome::Pass, "{text}");
    assert!(
        text.starts_with("✓ Pass: ours have no false negatives"),
        "{text}"
    );
    let end = "the known fault of another crate was found";
    assert!(headline(&records, &[]).ends_with(end), "{text}");
    let page = markdown::document(&document(&records, &[]));
    let line = "| leaky | leaky 1.0.0 | seed of equal halves | two hashes become one | FPR 3 % | FPR 8 % |";
    assert!(page.contains(line), "{page}");
    let words = headline_words(&records);
    assert!(words.starts_with("✓ Pass: ours have no"), "{words}");
    assert!(words.ends_with(&format!("{end}.")), "{words}");
}

#[test]
fn a_run_that_misses_a_known_fault_is_void() {
    type Change = fn(&mut PeerRow);
    let changes: [(Change, &str); 5] = [
        (
            |row| row.false_positives = 1_000,
            "FPR 1 %, known is at least FPR 3 %",
        ),
        (|row| row.error = "panicked".into(), "not measured"),
        (|row| row.seed_form = SeedForm::Zeros, "not measured"),
        (|row| row.capacity = 2_000, "not measured"),
        (|row| row.target_fpr = 0.001, "not measured"),
    ];
    for (change, why) in changes {
        let records = scoreboard(change);
        let (outcome, text) = judged(&records);
        assert_eq!(
            (outcome, outcome.exit_code(false)),
            (Outcome::Void, 1),
            "{text}"
        );
        let head =
            "∅ Invalid run: 1 known fault of other crates went unseen, so nothing here counts\n";
        assert!(text.starts_with(head), "{text}");
        assert!(text.contains("void: known fault of leaky 1.0.0"), "{text}");
        assert!(text.contains(why), "{text}");
        assert!(
            text.contains("*not measured") || text.contains("*FPR 1 %"),
            "{text}"
        );
    }
    let mut records = scoreboard(|_| {});
    records.peers.retain(|row| row.phase != "seed");
    assert_eq!(judged(&records).0, Outcome::Void);
}

/// What ours break is said too, and weighs less.
#[test]
fn void_is_graver_than_a_broken_promise() {
    let mut records = scoreboard(|row| row.false_positives = 0);
    records.peers[0].false_negatives = 1;
    let (outcome, text) = judged(&records);
    assert_eq!(outcome, Outcome::Void);
    assert!(text.contains("\nfail: scoreboard, 1,000 keys"), "{text}");
}

#[test]
fn faults_are_seen_by_the_figure_that_they_say() {
    for (figure, at_least, seen) in [
        (FaultFigure::FalseNegatives, 0.02, "2 % false negatives"),
        (FaultFigure::BitsPerKey, 16.0, "16.0 bits per key"),
    ] {
        let mut records = scoreboard(|row| {
            row.false_negatives = 20;
            row.allocated_bytes = Some(2_000);
        });
        records.peer_faults[0].figure = figure;
        for (at_least, want) in [(at_least, Outcome::Pass), (at_least * 1.01, Outcome::Void)] {
            records.peer_faults[0].at_least = at_least;
            let (outcome, text) = judged(&records);
            assert_eq!(outcome, want, "{text}");
            assert!(text.contains(seen), "{text}");
        }
    }
}

#[test]
fn what_a_filter_does_elsewhere_is_a_table_of_its_own() {
    let page = crate::html::document(&document(&scoreboard(|_| {}), &[]));
    for line in [
        "<td>seed of equal halves</td><td class=\"n\">10.00</td><td class=\"n\">8.00 % (7.83 to 8.17)",
        // And nowhere else: at capacity with a drawn seed it keeps its target.
        "<td class=\"n\"><strong>10.00</strong></td><td class=\"n\">10.0 to 10.0</td><td class=\"n\">1.00 % ",
    ] {
        assert!(page.contains(line), "{line}");
    }
}
