//! `bouquet speed`: everything except the times themselves.

use std::fs;

use super::support::{Folder, bouquet, forge, good, rejects, stderr, stdout};

/// The values of a column of the records: in rows of filters, and in rows of reading cache lines.
fn column(folder: &Folder, name: &str) -> [Vec<String>; 2] {
    let mut reader = csv::Reader::from_path(folder.at("report/records/times.csv")).unwrap();
    let heads = reader.headers().unwrap().clone();
    let at = |name| heads.iter().position(|head| head == name).unwrap();
    let (column, operation) = (at(name), at("operation"));
    let rows = reader.records().map(Result::unwrap);
    let (lines, filters): (Vec<_>, Vec<_>) = rows.partition(|row| &row[operation] == "read");
    [filters, lines].map(|rows| rows.iter().map(|row| row[column].to_owned()).collect())
}

/// Runs `bouquet speed` with very few keys.
fn tiny(folder: &Folder, more: &str) -> String {
    let out = folder.path("report");
    good(&format!("speed --tiny --quiet --out {out} {more}"))
}

#[test]
fn every_filter_way_and_operation_has_its_rows() {
    let folder = Folder::new();
    tiny(&folder, "--filters standard,sharded,cuckoo --fpr 0.05");
    let all = |name| column(&folder, name)[0].clone();
    // Two repetitions with two kinds of key. Each time, each of three filters has four operations,
    // singly and in batches, three measurements of latency, and inserts whose answers are dropped.
    assert_eq!(all("operation").len(), 2 * 2 * (4 * 6 + 3 * 3 + 3));
    assert!(all("error").iter().all(String::is_empty));
    assert!(all("false_negatives").iter().all(|missing| missing == "0"));
    assert!(all("rejected").iter().all(|rejected| rejected == "0"));
    let number = |text: &String| text.parse::<f64>().unwrap();
    assert!(all("ns_per_key").iter().map(number).all(|ns| ns > 0.0));
    let bits: Vec<f64> = all("bytes")
        .iter()
        .map(|b| number(b) * 8.0 / 300.0)
        .collect();
    assert!(
        bits.iter().all(|bits| (4.0..60.0).contains(bits)),
        "{bits:?}"
    );
    let found = all("false_positives").iter().map(number).sum::<f64>();
    let asked = 9.0 * 2.0 * 2.0 * 1_000.0;
    assert!((0.01..0.1).contains(&(found / asked)), "{found} of {asked}");
    assert_eq!(column(&folder, "bytes")[1].len(), 2 * 2 * 4);
}

#[test]
fn the_report_is_made_again_of_its_records() {
    let folder = Folder::new();
    let first = tiny(&folder, "--full --filters standard,blocked,atomic");
    let read = |name: &str| folder.read(&format!("report/{name}"));
    let (readme, page) = (read("README.md"), read("index.html"));
    assert!(readme.contains("| standard, batch |"), "{readme}");
    assert!(readme.contains("### Throughput of threads"), "{readme}");
    assert!(page.contains("<figure id=\"threads-"));
    fs::write(folder.at("report/README.md"), "").unwrap();
    let again = good(&format!("report {}", folder.path("report")));
    assert_eq!(again, first);
    assert_eq!((read("README.md"), read("index.html")), (readme, page));
}

#[test]
fn tables_come_in_four_formats() {
    let folder = Folder::new();
    let narrow = "--filters blocked --quick --format";
    let of = |format| tiny(&folder, &format!("{narrow} {format}"));
    let answer: serde_json::Value = serde_json::from_str(&of("json")).unwrap();
    assert_eq!(answer["verdict"], "pass");
    let lines = &answer["rows"];
    assert_eq!(lines.as_array().unwrap().len(), 2 * 4 + 3 + 1, "{lines}");
    assert!(lines[0]["net_ns_per_key"].is_number() && lines[0]["operation"] == "insert");
    assert!(of("csv").starts_with("keys,capacity,target_fpr,filter,way,"));
    assert!(of("md").contains("| Filter | Insert |"));
    assert!(of("table").contains("debug build") == cfg!(debug_assertions));
}

#[test]
fn a_false_negative_of_ours_fails_the_report() {
    let folder = Folder::new();
    tiny(&folder, "--filters standard --quick");
    let records = folder.at("report/records/times.csv");
    // Row 7 is a lookup: before it are three rows of insertions and four of reading cache lines.
    forge(&records, "false_negatives", |at, _| {
        (at == 7).then(|| "2".to_owned())
    });
    let output = bouquet(&format!("report {}", folder.path("report")));
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("standard: false negatives for 2 of its keys"));
    forge(&records, "operation", |at, _| {
        (at == 0).then(|| "sort".to_owned())
    });
    let words = "times.csv: line 2: operation cannot be \"sort\"; take";
    rejects(&format!("report {}", folder.path("report")), &[words]);
}

#[test]
fn what_cannot_be_measured_is_rejected() {
    for (args, word) in [
        ("--tiny --filters rose", "no filter is called"),
        ("--tiny --capacity 1", "give 2 to"),
        ("--tiny --fpr 1.5", "between 0 and 1"),
        ("--tiny --filters mutex", "nothing to measure"),
        ("--quick", "debug build"),
    ] {
        if word != "debug build" || cfg!(debug_assertions) {
            rejects(&format!("speed {args}"), &[word]);
        }
    }
}

#[cfg(feature = "peers")]
#[test]
fn all_peers_run_and_are_compared() {
    let folder = Folder::new();
    tiny(&folder, "--kinds url --fpr 0.01 --capacity 300");
    let [errors, filters] = ["error", "subject"].map(|name| column(&folder, name)[0].clone());
    assert!(errors.iter().all(String::is_empty), "{errors:?}");
    let run: serde_json::Value = serde_json::from_str(&folder.read("report/run.json")).unwrap();
    let peers = run["subjects"].as_array().unwrap().iter().filter(|one| {
        let is_timed = filters.iter().any(|name| one["subject"] == *name);
        is_timed && one["role"] == "peer"
    });
    assert_eq!(peers.count(), 16);
}
