//! `bouquet scale`, the real program.
#![allow(
    clippy::unwrap_used,
    reason = "clippy sees tests only in what is marked as one"
)]

use std::process::{Command, Output};

use serde_json::Value;

fn scale(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .arg("scale")
        .args(args)
        .output()
        .unwrap()
}

#[test]
fn right_filters_pass_and_every_control_is_caught() {
    let output = scale(&["--filters", "counting", "--format", "json"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(errors.starts_with("pass: 7 pass and 0 fail"), "{errors}");
    assert!(errors.contains("seed 1"), "{errors}");
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let of = |name: &str, slots: u64| {
        let is = |row: &&Value| row["subject"] == name && row["asked_slots"] == slots;
        rows.iter().find(is).unwrap()["verdict"].as_str().unwrap()
    };
    for name in [
        "hash-32",
        "multiply-shift-32",
        "product-64",
        "mod-32",
        "index-32",
        "sign-32",
        "abs-32",
        "float-32",
    ] {
        assert!(of(name, 1 << 33).starts_with("caught: "), "{name}");
    }
    assert_eq!(of("index-32", 1 << 32), "passes");
    assert_eq!(of("counting", 1 << 32), "passes");
    // Counters of 4 bits end at 2^46.
    let last = rows
        .iter()
        .rfind(|row| row["subject"] == "counting")
        .unwrap();
    assert_eq!(last["slots"], 1u64 << 46);
    assert_eq!(last["exact"], true);
}

#[test]
fn names_that_are_none_are_refused() {
    for (args, word) in [
        (["--filters", "standart"], "standard"),
        (["--schemes", "doubel"], "double-hashing"),
        (["--filters", "cuckoofilter"], "does not tell its locations"),
        (["--seed", "x"], "--seed"),
    ] {
        let output = scale(&args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(word), "{args:?}: {errors}");
    }
}
