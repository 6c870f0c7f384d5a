use super::*;
use crate::record::{
    DatasetRow, ExperimentRow, PeerRow, Records, Row, RowWriter, RunRow, SCHEMA_VERSION, SubjectRow,
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
        keys: (1_000.0 * load) as u64,
        refused: 0,
        members_asked: 1_000,
        false_negatives: 0,
        strangers_asked: 100_000,
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

fn records(peers: Vec<PeerRow>) -> PeerRecords {
    let mut names: Vec<&str> = peers.iter().map(|row| row.filter.as_str()).collect();
    names.dedup();
    let run = [
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("command", "bouquet peers".into()),
    ];
    PeerRecords {
        common: Records {
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
            ..Records::default()
        },
        peers,
    }
}

/// The cells of a filter's line in the Markdown table.
fn cells(records: &PeerRecords, filter: &str) -> Vec<String> {
    let text = markdown_tables(records);
    let line = text
        .lines()
        .find(|line| line.starts_with(&format!("| {filter} |")));
    let cells = line.unwrap().split(" | ");
    cells
        .map(|cell| cell.trim_matches(['|', ' ']).to_owned())
        .collect()
}

#[test]
fn a_line_says_what_was_measured() {
    let records = records(filter("good", |_| {}));
    let got = cells(&records, "good");
    // No other is there, so the best is this one.
    assert_eq!(
        got[1..5],
        ["good 1.0.0", "**10.00**", "10.0 to 10.0", "1 %"]
    );
    assert!(got[5].starts_with("**1.00 % (0.94 to 1.06)"), "{}", got[5]);
    assert_eq!(got[6..10], ["1", "**1.51**", "0 / 0", "0 % / 0 % / 0 %"]);
    assert_eq!(
        got[10..],
        ["**1 %**", "–", "not offered", "**1.30**", "no", "yes", "no"]
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
            row.refused = 10;
            row.allocated_bytes = Some(100);
        }),
    ];
    let records = records(rows.concat());
    assert_eq!(cells(&records, "good")[2], "**10.00**");
    for name in ["leaky", "forgetful", "choosy"] {
        let got = cells(&records, name);
        assert!(
            got.iter().all(|cell| !cell.contains("**")),
            "{name}: {got:?}"
        );
        assert_eq!(got[2], "0.80");
    }
    assert_eq!(cells(&records, "forgetful")[8], "1 / 2");
    assert_eq!(cells(&records, "choosy")[9], "1 % / 0.67 % / 0.5 %");
}

#[test]
fn unions_and_reloads_in_words() {
    let with = |phase: &'static str, outcome: &'static str, lost: u64, hashing: &'static str| {
        let rows = filter("any", |row| {
            row.hashing = hashing.into();
            if row.phase == phase {
                row.outcome = outcome.into();
                row.false_negatives = lost;
            }
        });
        let got = cells(&records(rows), "any");
        (got[12].clone(), got[13].clone())
    };
    assert_eq!(
        with("union", "refused: another seed", 0, "seeded").0,
        "refused"
    );
    assert_eq!(with("union", "done", 500, "seeded").0, "loses 50 %");
    assert_eq!(with("union", "done", 0, "seeded").0, "keeps all");
    assert_eq!(
        with("union", "done", 0, "fixed").0,
        "keeps all (one hash for all)"
    );
    assert_eq!(with("reload", "done", 250, "random").1, "1.30, loses 25 %");
}

#[test]
fn errors_are_rows_and_not_gaps() {
    let fail = |row: &mut PeerRow| {
        if row.filter == "broken" {
            row.error = "panicked: out of luck".into();
            row.allocated_bytes = None;
        }
    };
    let records = records([filter("good", fail), filter("broken", fail)].concat());
    let got = cells(&records, "broken");
    assert_eq!((got[2].as_str(), got[5].as_str()), ("–", "error"));
    assert_eq!(got[12], "error");
    for text in [text(&records), markdown::document(&document(&records))] {
        assert!(
            text.contains("broken, phase load, rows 3: panicked: out of luck")
                || text.contains("**broken**, phase load, rows 3: panicked: out of luck"),
            "{text}"
        );
    }
}

#[test]
fn few_hits_get_the_exact_interval_and_many_filters_their_spread() {
    let mut one = row("any", "load", 1.0);
    one.false_positives = 0;
    let (share, interval) = score::rate(&[&one]).unwrap();
    assert!(
        share == 0.0 && (2.9e-5..3.1e-5).contains(&interval.high),
        "{interval:?}"
    );
    let rows: Vec<PeerRow> = [800, 900, 1_100, 1_200]
        .map(|false_positives| PeerRow {
            false_positives,
            ..row("any", "load", 1.0)
        })
        .into();
    let (share, interval) = score::rate(&rows.iter().collect::<Vec<_>>()).unwrap();
    assert!((share - 0.01).abs() < 1e-12);
    // Student: 3.182 * sqrt(1e-4^2 * 100_000 / 3 / 4) = 0.0029.
    assert!(
        (interval.half_width() - 0.002_905).abs() < 1e-5,
        "{interval:?}"
    );
    one.strangers_asked = 0;
    assert!(score::rate(&[&one]).is_none());
}

#[test]
fn what_is_written_is_read_and_gives_the_same_report() {
    let root = std::env::temp_dir().join(format!("bouquet-peers-{}", std::process::id()));
    let folder = root.join("records");
    fs::create_dir_all(&folder).unwrap();
    let records = records(filter("good", |_| {}));
    fn store<R: Row>(folder: &Path, rows: &[R]) {
        let mut writer = RowWriter::<R>::create(folder).unwrap();
        rows.iter().for_each(|row| writer.write(row).unwrap());
        writer.finish().unwrap();
    }
    store(&folder, &records.common.run);
    store(&folder, &records.common.experiments);
    store(&folder, &records.common.subjects);
    store(&folder, &records.common.datasets);
    assert!(!PeerRecords::are_in(&folder));
    store(&folder, &records.peers);
    assert!(PeerRecords::are_in(&folder));
    assert_eq!(PeerRecords::read(&folder).unwrap(), records);
    write_report(&records, &root).unwrap();
    let page = fs::read_to_string(root.join("index.html")).unwrap();
    assert!(
        page.contains("<h1>Who?</h1>") && page.contains("good 1.0.0"),
        "{page}"
    );
    assert!(
        fs::read_to_string(root.join("README.md"))
            .unwrap()
            .contains("About good")
    );
    assert!(json(&records).unwrap().contains("\"times_asked\": 1.0"));
    assert_eq!(csv(&records).unwrap().lines().count(), 2);
    fs::remove_dir_all(root).unwrap();
}
