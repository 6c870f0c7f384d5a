//! `bouquet evaluate`, narrowed: to rates, and to the crates of others.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use csv::StringRecord;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

fn evaluate(line: &str, out: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .arg("evaluate")
        .args(line.split_whitespace())
        .args(["--out", out])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The recorded rows of the rates, and what stands in a column of each.
struct Rows(StringRecord, Vec<StringRecord>);

impl Rows {
    fn of(line: &str, out: &str) -> Self {
        let run = evaluate(&format!("{line} --quiet"), out);
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
        assert_eq!(text(&run.stderr), "");
        let path = Path::new(out).join("records/observations.csv");
        let mut reader = csv::Reader::from_path(path).unwrap();
        let head = reader.headers().unwrap().clone();
        let rows = reader.records().collect::<Result<_, _>>().unwrap();
        Self(head, rows)
    }

    fn column(&self, name: &str) -> Vec<&str> {
        let at = self.0.iter().position(|own| own == name).unwrap();
        self.1.iter().map(|row| &row[at]).collect()
    }
}

const SMALL: &str = "--quick --capacity 2000 --datasets sequential --seed=3";

#[test]
fn rates_are_measured_at_other_sizes_and_targets() {
    let folder = tempdir().unwrap();
    let out = path(&folder, "report");
    let line = format!("fpr {SMALL} --filters standard,atomic --fpr 0.05,1e-5");
    let rows = Rows::of(&line, &out);
    let has = |column: &str, value: &str| rows.column(column).contains(&value);
    let experiments = ["fpr-at-target", "fpr-over-bits", "fpr-over-load"];
    assert!(experiments.iter().all(|name| has("experiment", name)));
    assert!(has("filter", "standard") && has("filter", "atomic") && !has("filter", "blocked"));
    assert!(
        has("target_fpr", "0.05") && has("target_fpr", "0.00001") && !has("target_fpr", "0.01")
    );
    let capacities = rows.column("capacity");
    assert!(capacities.iter().all(|own| *own == "2000"));
    // Of a rate of 1e-5 so few hits are planned that twice the rate is found, and its key sets
    // are compared.
    let sum = |name: &str| -> f64 {
        let targets = rows.column("target_fpr").into_iter();
        let own = targets.zip(rows.column(name).into_iter().zip(rows.column("filter")));
        let own = own.filter(|(target, (_, filter))| (*target, *filter) == ("0.00001", "standard"));
        own.map(|(_, (value, _))| value.parse::<f64>().unwrap())
            .sum()
    };
    let hits = sum("non_members") * 1e-5;
    assert!((60.0..75.0).contains(&hits), "{hits}");
    let page = fs::read_to_string(Path::new(&out).join("README.md")).unwrap();
    let tests = fs::read_to_string(Path::new(&out).join("records/tests.csv")).unwrap();
    assert!(
        page.contains("Keys that share their locations")
            && tests.contains("fpr-at-target,standard")
    );
}

#[test]
fn the_formats_have_a_row_a_filter() {
    let folder = tempdir().unwrap();
    let out = path(&folder, "report");
    let run = |format: &str| {
        let run = evaluate(
            &format!("fpr {SMALL} --filter blocked --format {format}"),
            &out,
        );
        assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
        text(&run.stdout)
    };
    let json: Value = serde_json::from_str(&run("json")).unwrap();
    assert_eq!(
        (&json["verdict"], &json["rows"][0]["filter"]),
        (&"pass".into(), &"blocked".into())
    );
    assert!(run("csv").starts_with("filter,role,verdict,"));
}

#[test]
fn wrong_usage_is_reported() {
    let folder = tempdir().unwrap();
    let out = path(&folder, "report");
    for (line, words) in [
        ("fprr", "fpr-over-bits"),
        ("fpr --filters rose", "no filter is called"),
        ("fpr --fpr 2", "--fpr 2.0 is not between 0 and 1"),
        ("fpr --fpr 0.1,0", "--fpr 0.0 is not between 0 and 1"),
        ("fpr --capacity 0", "--capacity 0: give 1 to 2^32 keys"),
        ("fpr --capacity ten", "whole number"),
        (
            "fpr --capacity 1e8 --datasets random-u64",
            "give 10000000 or less",
        ),
        ("fpr --capacity 1e5", "name larger key sets with --datasets"),
        (
            "fpr --filter standard --fpr 1e-19",
            "--fpr 1e-19: standard rejects: ",
        ),
        ("fpr --datasets keys", "--keys FILE"),
        ("fpr --keys /nowhere/at/all", "/nowhere/at/all"),
        ("fpr --define some.toml", "cannot be used with"),
        (
            "memory --filters standard --schemes doubel",
            "double-hashing",
        ),
        ("churn --filters standard", "nothing to measure"),
    ] {
        let run = evaluate(line, &out);
        assert_eq!(run.status.code(), Some(2), "{line}: {}", text(&run.stdout));
        let errors = text(&run.stderr);
        assert!(errors.contains(words), "{line}: {errors}");
    }
    assert!(!Path::new(&out).exists());
}

#[cfg(unix)]
#[test]
fn a_reader_of_errors_that_has_gone_away_is_no_error() {
    let folder = tempdir().unwrap();
    let line = format!("fpr-at-target {SMALL} --filter standard --out");
    let mut child = Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .arg("evaluate")
        .args(line.split_whitespace())
        .arg(path(&folder, "report"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[cfg(not(feature = "peers"))]
#[test]
fn without_the_peers_it_says_how_to_build_them() {
    let folder = tempdir().unwrap();
    let run = evaluate("peers --quick", &path(&folder, "report"));
    assert_eq!(run.status.code(), Some(2));
    let errors = text(&run.stderr);
    assert!(errors.contains("--features peers"), "{errors}");
}

/// Crates of others are in the records and the tables, and fail nothing; a false negative of ours
/// does.
#[cfg(feature = "peers")]
#[test]
fn the_crates_of_others_are_reported() {
    let folder = tempdir().unwrap();
    let out = path(&folder, "report");
    let line =
        "fpr-at-target peers --quick --capacity 300 --fpr 0.05 --datasets sequential --format md";
    let rows = Rows::of(line, &out);
    for name in [
        "standard",
        "scalable",
        "cuckoofilter",
        "fastbloom",
        "fastbloom-atomic",
        "bloomfilter",
        "probabilistic-collections",
        "growable-bloom-filter",
        "sbbf-rs",
        "bloom2",
        "broomfilter",
        "broomfilter-blocked",
        "scalable_cuckoo_filter",
        "qfilter",
        "qfilter-resizeable",
        "xorf-fuse8",
        "xorf-fuse16",
    ] {
        assert!(rows.column("filter").contains(&name), "{name}");
    }
    let errors = rows.column("error");
    assert!(errors.iter().all(|error| error.is_empty()), "{errors:?}");
    let page = fs::read_to_string(Path::new(&out).join("README.md")).unwrap();
    assert!(page.contains("| bloom2 (peer) | reported |"), "{page}");

    let path = Path::new(&out).join("records/observations.csv");
    let at = rows.0.iter().position(|own| own == "false_negatives");
    let forged = |filter: &str| {
        let mut writer = csv::Writer::from_path(&path).unwrap();
        writer.write_record(&rows.0).unwrap();
        for row in &rows.1 {
            let is_forged = |place| Some(place) == at && &row[1] == filter;
            let cells = row.iter().enumerate();
            let cells = cells.map(|(place, cell)| if is_forged(place) { "1" } else { cell });
            writer.write_record(cells).unwrap();
        }
        writer.flush().unwrap();
        let mut report = Command::new(env!("CARGO_BIN_EXE_bouquet"));
        report
            .args(["report", &out])
            .output()
            .unwrap()
            .status
            .code()
    };
    assert_eq!(forged("fastbloom"), Some(0));
    assert_eq!(forged("standard"), Some(1));
}
