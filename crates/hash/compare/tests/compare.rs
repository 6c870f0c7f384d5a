//! The real program, all of it except the speed.
#![allow(
    clippy::unwrap_used,
    reason = "clippy sees tests only in what is marked as one"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    fs,
    path::Path,
    process::{Command, Output},
};

fn compare(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bouquet-hash-compare"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.."))
        .output()
        .unwrap()
}

/// A column of a file of records.
fn column(records: &Path, file: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_path(records.join(file)).unwrap();
    let mut heads = reader.headers().unwrap().iter();
    let at = heads.position(|head| head == name).unwrap();
    let rows = reader.records();
    rows.map(|row| row.unwrap()[at].to_owned()).collect()
}

/// The files of records, each with its columns; one without rows has none.
fn columns(records: &Path) -> BTreeMap<OsString, String> {
    let files = fs::read_dir(records).unwrap().map(Result::unwrap);
    let columns = files.map(|file| {
        let text = fs::read_to_string(file.path()).unwrap();
        let heads = text.lines().next().unwrap_or_default();
        (file.file_name(), heads.to_owned())
    });
    columns.collect()
}

#[cfg(debug_assertions)]
#[test]
fn a_debug_build_does_not_measure() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report");
    let output = compare(&["--quick", "--out", &out.display().to_string()]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("debug build"), "{said}");
    assert!(!out.exists());
}

#[test]
fn hashes_are_timed_in_every_form_and_judged_and_recorded_as_in_the_committed_report() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report");
    let output = compare(&["--tiny", "--out", &out.display().to_string()]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let records = out.join("records");
    let column = |file, name| column(&records, file, name);
    let count = |name, wanted: &str| {
        let values = column("hashes.csv", name).into_iter();
        values.filter(|value| value == wanted).count()
    };
    let kinds: BTreeSet<String> = column("hashes.csv", "hash").into_iter().collect();
    assert_eq!(kinds.len(), 23);
    assert!(kinds.contains("folded multiplications"));
    // Five of ours, at four lengths, in three forms.
    assert_eq!(count("role", "ours"), 5 * 4 * 3);
    assert_eq!(count("form", "whole"), 4 * kinds.len());
    let judged = column("battery.csv", "subject");
    assert!(kinds.iter().all(|hash| judged.contains(hash)));
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(
        table.contains("Hash functions, keys from a reader"),
        "{table}"
    );
    let facts = column("run.csv", "value");
    let repeats = |fact: &String| fact.contains("crates/hash/compare/Cargo.toml -- --tiny --out ");
    assert!(facts.iter().any(repeats), "{facts:?}");
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../reports/hashes/records");
    assert_eq!(columns(&records), columns(&committed));
}
