//! `bouquet recommend`: the answers, and all of the measuring but the times.

mod impossible;
mod requirements;
mod sentences;

use std::{
    fs,
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

fn recommend(args: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bouquet"));
    let command = command.arg("recommend").args(args.split_whitespace());
    command.output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn said(args: &str) -> String {
    let output = recommend(args);
    assert_eq!(output.status.code(), Some(0), "{args}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn json(args: &str) -> Value {
    serde_json::from_str(&said(&format!("{args} --format json"))).unwrap()
}

/// A workload of which a part is in a file.
fn of_file(text: &str, args: &str) -> Value {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("workload.toml");
    fs::write(&path, text).unwrap();
    json(&format!("--use-case {} {args}", path.display()))
}

/// Asserts that the requirements are rejected with these words.
fn rejected(args: &str, words: &[&str]) {
    let output = recommend(&format!("{args} -v"));
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args}: {text}");
    assert!(output.stdout.is_empty(), "{args}");
    for word in words {
        assert!(text.contains(word), "{args}: {word:?} is not in {text}");
    }
}

fn rows(answer: &Value) -> &Vec<Value> {
    answer["rows"].as_array().unwrap()
}

fn row<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let mut rows = rows(answer).iter();
    rows.find(|row| row["candidate"] == name).unwrap()
}

#[cfg(debug_assertions)]
#[test]
fn a_debug_build_rejects_to_measure() {
    rejected("--capacity 1000 --fpr 0.01 --measure", &["debug build"]);
}

#[test]
fn every_candidate_is_measured_against_the_cost_model() {
    let answer = json("--capacity 1e6 --fpr 0.01 --work-cost 80us --hits 0.25");
    let times = answer["times"].as_str().unwrap();
    assert!(times.contains("another machine"));
    assert_eq!(rows(&answer).len(), 20);
    for row in rows(&answer)
        .iter()
        .filter(|row| row["outcome"] != "rejected")
    {
        let number = |name: &str| row[name].as_f64().unwrap();
        // 10^6 keys, and ten lookups for each.
        let base = 0.25 * number("hit_ns") + 0.75 * number("miss_ns") + number("insert_ns") / 10.0;
        let fpr = row["expected_fpr"].as_f64().unwrap_or(1.0);
        // What is sized by whole fingerprints is counted at the target.
        let counted = match row["class"] == "ours" {
            true => fpr.max(0.01),
            false => fpr,
        };
        let want = base + 0.75 * counted * 80e3;
        let got = number("overhead_ns");
        assert!((got - want).abs() < 1e-6 * want.max(1.0), "{row}: {want}");
        assert!(fpr <= 0.01 || row["candidate"] == "none", "{row}");
    }
    for row in rows(&answer)
        .iter()
        .filter(|row| row["outcome"] == "rejected")
    {
        assert!(!row["reasons"].as_str().unwrap().is_empty(), "{row}");
    }
}

#[test]
fn what_is_below_the_target_by_its_steps_is_not_chosen_for_that() {
    for (args, choice) in [
        // The dearer the work, the less do lookups count, and the more would a lower FPR.
        ("--fpr 0.01 --work-cost 500us", "standard"),
        ("--fpr 0.0075 --work-cost 500us", "standard"),
        ("--fpr 0.003 --threads 4", "atomic"),
        ("--fpr 0.01 --deletes --work-cost 80us", "cuckoo"),
    ] {
        assert_eq!(json(&format!("--capacity 1e6 {args}"))["choice"], choice);
    }
}

#[test]
fn a_filter_does_not_pay_before_cheap_work() {
    let answer = json("--capacity 1e6 --fpr 0.01 --work-cost 2ns");
    assert_eq!(answer["choice"], "none");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("Take no filter") && reason.contains("The first to pay is "));
    let dear = json("--capacity 1e6 --fpr 0.01 --work-cost cross-region-rpc");
    assert_ne!(dear["choice"], "none");
}

#[test]
fn more_memory_never_costs_more() {
    let overhead = |memory: &str| {
        let answer = json(&format!(
            "--capacity 1e6 --memory {memory} --filters blocked,standard,cuckoo"
        ));
        let choice = answer["choice"].as_str().unwrap().to_owned();
        let bytes = row(&answer, &choice)["memory_bytes"].as_f64().unwrap();
        let least = rows(&answer)
            .iter()
            .filter_map(|row| row["overhead_ns"].as_f64());
        (bytes, least.fold(f64::INFINITY, f64::min))
    };
    let mut last = f64::INFINITY;
    for (memory, most) in [("1MB", 1e6), ("2MB", 2e6), ("4MB", 4e6)] {
        let (bytes, least) = overhead(memory);
        assert!(bytes <= most, "{bytes} in {memory}");
        assert!(least <= last, "{least} after {last}");
        last = least;
    }
}

#[test]
fn exact_sets_and_static_filters_win_where_they_should() {
    // Every second integer is a key: a bit for each is less than any filter.
    let dense = of_file("integers-below = 2e6", "--capacity 1e6 --work-cost 80us");
    assert_eq!(dense["choice"], "bitmap");
    assert!(dense["notes"].to_string().contains("exact set wins"));
    assert!(
        dense["cargo_toml"]
            .as_str()
            .unwrap()
            .contains("bouquet-bits")
    );
    // At these bits no Bloom filter has so low an FPR.
    let fixed = of_file(
        "bits-per-key = 9.3",
        "--capacity 1e6 --static --work-cost 80us --key-kind url",
    );
    assert_eq!(fixed["choice"], "xorf-fuse8");
    assert!(fixed["notes"].to_string().contains("another crate"));
}

#[test]
fn every_use_case_has_an_answer_that_says_what_was_assumed() {
    for (case, word) in [
        ("cache-guard", "SipKeyed"),
        ("crawler", "ScalableBloom"),
        ("blocklist", "from_bytes"),
        ("seen-per-user", "bytes beside"),
        ("sstable", "encode"),
        ("join", "Take"),
    ] {
        let text = said(&format!(
            "--use-case {case} --filters standard,blocked,scalable,counting"
        ));
        assert!(text.contains(&format!("use case {case}")), "{case}: {text}");
        assert!(text.contains(word), "{case}: {word} is not in {text}");
    }
}

#[test]
fn many_small_filters_pay_for_their_headers() {
    let args = "--capacity 100 --fpr 0.01 --filters standard";
    let (one, many) = (json(args), of_file("filters-count = 1000", args));
    let bytes = |answer: &Value, of: &str| row(answer, "standard")[of].as_f64().unwrap();
    assert!((bytes(&many, "memory_bytes") / bytes(&one, "memory_bytes") - 1_000.0).abs() < 1e-6);
    // A header of 128 bytes and a check sum of 8 in each file.
    let bits = bytes(&one, "bits_per_key");
    assert!(bytes(&many, "stored_bytes") >= 1_000.0 * 136.0);
    // 88 bytes beside the 9.6 bits of each key.
    assert!(bits > 9.6 + 7.0, "the value itself counts: {bits}");
}

#[test]
fn a_sparse_range_of_integers_takes_no_bitmap() {
    let text = "capacity = 1e5\nintegers-below = 1e18";
    let answer = of_file(text, "");
    let bitmap = row(&answer, "bitmap");
    assert_eq!(bitmap["outcome"], "rejected");
    assert!(
        bitmap["reasons"].as_str().unwrap().contains("hash set"),
        "{bitmap}"
    );
    of_file(text, "--measure --tiny --quiet");
}

/// Static filters of another crate are measured by the feature `peers`; times are never mixed.
#[test]
fn what_cannot_be_measured_has_no_time() {
    let args = "--capacity 1000 --static --filters xorf-fuse8,standard --measure --tiny --quiet";
    let answer = json(args);
    let fuse = row(&answer, "xorf-fuse8");
    assert_eq!(fuse["outcome"] == "rejected", !cfg!(feature = "peers"));
    assert_ne!(row(&answer, "standard")["outcome"], "rejected");
}
