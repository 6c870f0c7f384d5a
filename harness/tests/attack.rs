//! `bouquet attack`, the real program.
#![allow(
    clippy::unwrap_used,
    reason = "clippy sees tests only in what is marked as one"
)]

use std::{
    fs,
    process::{Command, Output},
};

use serde_json::Value;

fn attack(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .arg("attack")
        .args(args)
        .output()
        .unwrap()
}

#[test]
fn public_seeds_fall_and_the_keyed_hash_withstands() {
    let out = std::env::temp_dir().join(format!("bouquet-attack-{}", std::process::id()));
    let _ = fs::remove_dir_all(&out);
    let folder = out.to_str().unwrap();
    let output = attack(&["--quick", "--format", "json", "--out", folder]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(errors.starts_with("pass: "), "{errors}");
    assert!(errors.contains("seed 1"), "{errors}");
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    for row in &rows {
        let keyed = row["hashing"] == "sip-keyed";
        let want = if keyed { "withstands" } else { "broken" };
        assert_eq!(row["outcome"], want, "{row}");
    }
    for attack in ["pollution", "forged-positives", "collision", "deletion"] {
        assert!(rows.iter().any(|row| row["attack"] == attack), "{attack}");
    }
    let records = fs::read_to_string(out.join("records/attack.csv")).unwrap();
    assert_eq!(records.lines().count(), rows.len() + 1);
    let page = fs::read_to_string(out.join("README.md")).unwrap();
    assert!(page.contains("How to misread it"), "{page}");
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn a_seed_repeats_a_run_and_another_does_not() {
    let run = |seed| {
        let args = ["--quick", "--quiet", "--format", "csv", "--seed", seed];
        let output = attack(&args);
        assert_eq!(output.status.code(), Some(0));
        assert!(output.stderr.is_empty());
        output.stdout
    };
    let two = run("2");
    assert_eq!(two, run("2"));
    assert_ne!(two, run("3"));
}

#[test]
fn too_few_trials_are_inconclusive_and_no_error() {
    let output = attack(&["--quick", "--trials", "50"]);
    assert_eq!(output.status.code(), Some(0));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.starts_with("inconclusive: "), "{errors}");
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.contains("budget-spent"), "{table}");
    let strict = attack(&["--quick", "--trials", "50", "--strict"]);
    assert_eq!(strict.status.code(), Some(3));
    assert_eq!(attack(&["--seed", "x"]).status.code(), Some(2));
}
