mod faults;
mod report;

use crate::estimate::Estimate;
use std::fs;

use super::*;
use bouquet_ground::record::{
    DatasetRow, ExperimentRow, FprRow, Kind, PeerRow, Records, Row, RunRow, SCHEMA_VERSION,
    SeedForm, Source, SubjectRow, Writer,
};

fn row(filter: &str, phase: &str, load: f64) -> PeerRow {
    PeerRow {
        experiment: "peers".into(),
        filter: filter.into(),
        release: format!("{filter} 1.0.0"),
        hashing: "seeded".into(),
        is_static: false,
        chooses_fpr: true,
        dataset: "words".into(),
        phase: phase.into(),
        load,
        capacity: 1_000,
        target_fpr: 0.01,
        replicate: 0,
        seed: 1,
        seed_form: SeedForm::Drawn,
        keys: (1_000.0 * load) as u64,
        rejected: 0,
        members_asked: 1_000,
        false_negatives: 0,
        non_members_asked: 100_000,
        false_positives: 1_000,
        allocated_bytes: Some(1_250),
        serialized_bytes: None,
        outcome: "done".into(),
        error: String::new(),
    }
}

/// All phases of one filter.
fn filter(name: &str, change: impl Fn(&mut PeerRow)) -> Vec<PeerRow> {
    let loads = [1.0, 1.5, 2.0].map(|load| row(name, "load", load));
    let mut union = row(name, "union", 1.0);
    union.outcome = "not offered".into();
    let mut reload = row(name, "reload", 1.0);
    reload.serialized_bytes = Some(1_300);
    let rows = loads
        .into_iter()
        .chain([union, reload, row(name, "size", 1.0)]);
    rows.map(|mut row| {
        change(&mut row);
        row
    })
    .collect()
}

/// As a row is of a crate that does not offer it.
fn not_written(row: &mut PeerRow) {
    if row.phase == "reload" {
        row.outcome = "not offered".into();
        row.members_asked = 0;
        row.serialized_bytes = None;
    }
}

fn subject(name: &str) -> SubjectRow {
    SubjectRow {
        subject: name.into(),
        kind: "filter".into(),
        about: format!("About {name}"),
        role: "peer".into(),
        promises_no_false_negatives: false,
        reproducible_by_seed: true,
        exposes_locations: false,
        removes: true,
        grows: false,
        concurrent: false,
        theory: String::new(),
        scheme: String::new(),
    }
}

fn records(peers: Vec<PeerRow>) -> Records {
    let mut names: Vec<&str> = peers.iter().map(|row| row.filter.as_str()).collect();
    names.dedup();
    let run = [
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("command", "bouquet peers".into()),
    ];
    Records {
        run: run
            .map(|(name, value)| RunRow {
                name: name.into(),
                value,
            })
            .into(),
        experiments: vec![ExperimentRow {
            experiment: "peers".into(),
            kind: "peers".into(),
            title: "Who?".into(),
            analysis: "How to read it.".into(),
        }],
        subjects: names.into_iter().map(subject).collect(),
        datasets: vec![DatasetRow {
            dataset: "words".into(),
            about: String::new(),
            keys: 9_000,
            duplicates_dropped: 0,
            key_bytes: 9_000,
            sha256: String::new(),
            generator: String::new(),
        }],
        peers,
        ..Records::default()
    }
}

/// The cells of a filter's lines in the Markdown tables, but for its name.
fn cells(records: &Records, filter: &str) -> Vec<String> {
    let start = format!("| {filter} | ");
    let text = markdown_tables(records);
    let lines = text.lines().filter_map(|line| line.strip_prefix(&start));
    let cells = lines.flat_map(|line| line.split(" | ").map(|cell| cell.trim_matches(['|', ' '])));
    cells.map(str::to_owned).collect()
}

#[test]
fn a_line_says_what_was_measured() {
    let records = records(filter("good", |_| {}));
    let got = cells(&records, "good");
    // No other is there, so the best is this one.
    assert_eq!(got[..2], ["**10.00**", "10.0 to 10.0"]);
    assert_eq!(got[2], "1.00 % (0.94 to 1.06)");
    assert_eq!(got[3..7], ["1", "**1.51**", "0 / 0", "0 % / 0 % / 0 %"]);
    assert_eq!(got[7..9], ["**1.00 %**", "–"]);
    assert_eq!(
        got[9..],
        ["good 1.0.0", "not offered", "**1.30**", "removes"]
    );
}

#[test]
fn who_breaks_the_promise_is_best_in_nothing() {
    let rows = [
        filter("good", |_| {}),
        filter("leaky", |row| {
            row.false_positives *= 10;
            row.allocated_bytes = Some(100);
        }),
        filter("forgetful", |row| {
            row.false_negatives = 1;
            row.false_positives = 1;
            row.allocated_bytes = Some(100);
        }),
        filter("choosy", |row| {
            row.rejected = 10;
            row.allocated_bytes = Some(100);
        }),
    ];
    let records = records(rows.concat());
    assert_eq!(cells(&records, "good")[0], "**10.00**");
    for name in ["leaky", "forgetful", "choosy"] {
        let got = cells(&records, name);
        assert!(
            got.iter().all(|cell| !cell.contains("**")),
            "{name}: {got:?}"
        );
        assert_eq!(got[0], "0.80");
    }
    assert_eq!(cells(&records, "forgetful")[5], "1 / 2");
    assert_eq!(cells(&records, "choosy")[6], "1 % / 0.67 % / 0.5 %");
}

#[test]
fn what_another_does_better_than_ours_is_said() {
    let rows = [
        filter("own", |row| {
            row.allocated_bytes = Some(1_100);
            not_written(row);
        }),
        filter("other", |_| {}),
        filter("built", |row| {
            row.is_static = true;
            row.allocated_bytes = Some(1_500);
            row.false_positives = if row.load > 1.0 { 10 } else { 20 };
        }),
    ];
    let mut records = records(rows.concat());
    records.subjects[0].role = "ours".into();
    for (by, ours, others, better) in [
        ("Bits per key", "own, 8.80", "other, 10.00", "ours"),
        (
            "Times the bound",
            "own, 1.32",
            "built (static), 0.98",
            "**others**",
        ),
        ("FPR at 10x", "–", "–", "neither"),
        ("Bytes per key written", "–", "other, 1.30", "**others**"),
        ("Removes keys, and grows", "none", "none", "neither"),
        (
            "Is written down and read back",
            "none",
            "2 filters",
            "**others**",
        ),
    ] {
        let line = format!("| {by} | {ours} | {others} | {better} |");
        let text = markdown_tables(&records);
        assert!(text.contains(&line), "{line}\n{text}");
    }
}

/// The page and the terminal begin with the verdict and what it comes to.
#[test]
fn the_verdict_and_the_finding_come_first() {
    let rows = [
        filter("own", |row| row.allocated_bytes = Some(1_100)),
        filter("other", |row| row.false_positives = 500),
    ];
    let mut records = records(rows.concat());
    records.subjects[0].role = "ours".into();
    let want = "✓ Pass: ours have no false negatives; at 1 % ours are better by bits per key, \
                other crates by times the bound and FPR at 2x";
    assert_eq!(headline(&records, &[]), want);
    let page = markdown::document(&document(&records, &[]));
    assert!(page.starts_with(&format!("# {want}\n\nWho?")), "{page}");
    assert!(text(&records, Screen::default()).starts_with("✓ Pass: ours have no false negatives"));

    records.subjects[0].promises_no_false_negatives = true;
    records.peers[0].false_negatives = 1;
    assert!(text(&records, Screen::default()).starts_with("✗ Fail: ours broke one promise"));
}

#[test]
fn figures_that_are_printed_alike_make_none_better() {
    let rows = [
        filter("own", |row| row.allocated_bytes = Some(1_250_000)),
        filter("other", |row| row.allocated_bytes = Some(1_250_010)),
    ];
    let mut records = records(rows.concat());
    records.peers.iter_mut().for_each(|row| row.keys *= 1_000);
    records.subjects[0].role = "ours".into();
    let text = markdown_tables(&records);
    let line = "| Bits per key | own, 10.00 | other, 10.00 | neither |";
    assert!(text.contains(line), "{text}");
    let finding = headline(&records, &[]);
    assert!(
        finding.ends_with("at 1 % none is better than the other"),
        "{finding}"
    );
}

#[test]
fn a_fixed_fpr_and_no_hits_are_said_to_be_that() {
    let records = records(filter("fixed", |row| {
        row.chooses_fpr = false;
        row.false_positives = 0;
    }));
    let got = cells(&records, "fixed");
    assert_eq!(
        (got[2].as_str(), got[3].as_str()),
        ("&lt; 3e-5 (95 %)", "&lt; 0.003 (fixed)")
    );
    assert_eq!(got[7], "**&lt; 3e-5 (95 %)**");
}

#[test]
fn filters_that_grow_say_what_they_reject_tenfold() {
    let grown = |rejected: u64| {
        let mut rows = filter("growing", |_| {});
        let mut row = row("growing", "load", 10.0);
        row.rejected = rejected;
        rows.push(row);
        cells(&records(rows), "growing")[8].clone()
    };
    assert_eq!(grown(0), "**1.00 %**");
    assert_eq!(grown(2_500), "1.00 %, rejects 25 %");
}

#[test]
fn unions_and_reloads_in_words() {
    let with = |phase: &'static str, change: fn(&mut PeerRow)| {
        let rows = filter("any", |row| {
            if row.phase == phase {
                row.outcome = "done".into();
                change(row);
            }
        });
        let got = cells(&records(rows), "any");
        (got[10].clone(), got[11].clone())
    };
    let union = |change: fn(&mut PeerRow)| with("union", change).0;
    assert_eq!(
        union(|row| row.outcome = "rejected: another seed".into()),
        "rejected"
    );
    assert_eq!(
        union(|row| row.false_negatives = 500),
        "50 % false negatives"
    );
    assert_eq!(union(|_| {}), "keeps all");
    assert_eq!(
        cells(
            &records(filter("any", |row| {
                row.hashing = "fixed".into();
                row.outcome = "done".into();
            })),
            "any"
        )[10],
        "keeps all (one hash)"
    );
    assert_eq!(
        union(|row| row.false_positives = 5_000),
        "keeps all, FPR 5 %"
    );
    assert_eq!(union(|row| row.error = "panicked".into()), "error");
    let reload = |change: fn(&mut PeerRow)| with("reload", change).1;
    assert_eq!(
        reload(|row| row.false_negatives = 250),
        "1.30, 25 % false negatives"
    );
    assert_eq!(reload(not_written), "not offered");
}

#[test]
fn errors_are_rows_and_not_gaps() {
    let fail = |row: &mut PeerRow| {
        if row.filter == "broken" {
            row.error = "panicked: out of luck".into();
            row.allocated_bytes = None;
            row.serialized_bytes = None;
        }
    };
    let records = records([filter("good", fail), filter("broken", fail)].concat());
    let got = cells(&records, "broken");
    assert_eq!((got[0].as_str(), got[2].as_str()), ("–", "error"));
    assert_eq!((got[10].as_str(), got[11].as_str()), ("error", "error"));
    let page = markdown::document(&document(&records, &[]));
    assert!(page.contains("**broken**, phase load, rows 3: panicked: out of luck"));
    let text = text(&records, Screen::default());
    assert!(
        text.contains("broken, phase load, rows 3: panicked: out of luck"),
        "{text}"
    );
}
