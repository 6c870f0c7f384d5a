//! `bouquet recommend`: the answers, and all of the measuring but the times.

mod impossible;
mod requirements;

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

fn recommend(args: &str, cache: Option<&Path>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bouquet"));
    command.arg("recommend").args(args.split_whitespace());
    if let Some(cache) = cache {
        command.env("XDG_CACHE_HOME", cache);
    }
    command.output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn said(args: &str) -> String {
    let output = recommend(&format!("{args} --no-measure"), None);
    assert_eq!(output.status.code(), Some(0), "{args}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn json(args: &str) -> Value {
    serde_json::from_str(&said(&format!("{args} --format json"))).unwrap()
}

/// Asserts that the requirements are rejected with these words.
fn rejected(args: &str, words: &[&str]) {
    let output = recommend(&format!("{args} --no-measure -v"), None);
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
    rows(answer)
        .iter()
        .find(|row| row["candidate"] == name)
        .unwrap()
}

#[cfg(debug_assertions)]
#[test]
fn a_debug_build_rejects_to_measure() {
    let output = recommend("--capacity 1000 --fpr 0.01", None);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("debug build"));
}

#[test]
fn every_candidate_is_measured_against_the_cost_model() {
    let answer = json("--capacity 1e6 --fpr 0.01 --work-cost 80us --hits 0.25");
    assert!(
        answer["times"]
            .as_str()
            .unwrap()
            .contains("another machine")
    );
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
fn the_envelope_covers_all_work_costs_and_is_the_least() {
    let answer = json("--capacity 30000 --memory 60kB --static");
    let lines = answer["lines"].as_array().unwrap();
    let pieces = answer["envelope"].as_array().unwrap();
    assert_eq!(pieces[0]["from_ns"], 1.0);
    assert_eq!(pieces.last().unwrap()["to_ns"], 1e9);
    for (at, piece) in pieces.iter().enumerate() {
        let (from, to) = (
            piece["from_ns"].as_f64().unwrap(),
            piece["to_ns"].as_f64().unwrap(),
        );
        assert!(at == 0 || pieces[at - 1]["to_ns"] == piece["from_ns"]);
        let work = (from * to).sqrt();
        let cost = |line: &Value| {
            line["base_ns"].as_f64().unwrap() + line["slope"].as_f64().unwrap() * work
        };
        let least = lines
            .iter()
            .min_by(|a, b| cost(a).total_cmp(&cost(b)))
            .unwrap();
        assert_eq!(least["candidate"], piece["candidate"], "at {work} ns");
    }
}

#[test]
fn a_filter_does_not_pay_before_cheap_work() {
    let answer = json("--capacity 1e6 --fpr 0.01 --work-cost 2ns");
    assert_eq!(answer["choice"], "none");
    assert!(
        answer["reason"]
            .as_str()
            .unwrap()
            .contains("Take no filter")
    );
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
    let dense = json("--capacity 1e6 --integers-below 2e6 --work-cost 80us");
    assert_eq!(dense["choice"], "bitmap");
    assert!(dense["notes"].to_string().contains("exact set wins"));
    assert!(
        dense["cargo_toml"]
            .as_str()
            .unwrap()
            .contains("bouquet-bits")
    );
    // At these bits no Bloom filter has so low an FPR.
    let fixed = json("--capacity 1e6 --static --bits-per-key 9.3 --work-cost 80us --key-kind url");
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
    let one = json("--capacity 100 --fpr 0.01 --filters standard");
    let many = json("--capacity 100 --fpr 0.01 --filters standard --filters-count 1000");
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
    let args = "--capacity 1e5 --integers-below 1e18";
    let answer = json(args);
    let bitmap = row(&answer, "bitmap");
    assert_eq!(bitmap["outcome"], "rejected");
    assert!(
        bitmap["reasons"].as_str().unwrap().contains("hash set"),
        "{bitmap}"
    );
    let folder = TempDir::new().unwrap();
    let output = recommend(&format!("{args} --tiny --quiet"), Some(folder.path()));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn the_band_of_the_too_close_has_its_bounds() {
    let answer = json("--capacity 1e6 --fpr 0.01 --filters standard,blocked");
    let bands = answer["bands"].as_array().unwrap();
    assert!(!bands.is_empty());
    for band in bands {
        let number = |row: &Value, name: &str| row[name].as_f64().unwrap();
        let (from, to) = (number(band, "from_ns"), number(band, "to_ns"));
        let pieces = answer["envelope"].as_array().unwrap();
        let piece = pieces.iter().find(|piece| {
            piece["candidate"] == band["best"]
                && number(piece, "from_ns") <= from
                && to <= number(piece, "to_ns")
        });
        let name = band["candidate"].as_str().unwrap();
        let words = piece.unwrap()["too_close"].as_str().unwrap();
        assert!(from < to && words.contains(name), "{band} {words}");
        assert_ne!(band["best"], band["candidate"]);
    }
    // Nothing in front is too close to a filter only as long as it pays at all.
    let of_none = bands.iter().filter(|band| band["candidate"] == "none");
    let most = of_none
        .map(|band| band["to_ns"].as_f64().unwrap())
        .fold(0.0, f64::max);
    assert!(most < 1e6, "{most}");
}

#[cfg(not(feature = "peers"))]
#[test]
fn borrowed_times_come_with_what_they_are_scaled_by() {
    let folder = TempDir::new().unwrap();
    let args = "--capacity 1000 --static --filters xorf-fuse8 --tiny --quiet --format json";
    let output = recommend(args, Some(folder.path()));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_ne!(row(&answer, "xorf-fuse8")["outcome"], "rejected");
    assert!(
        rows(&answer)
            .iter()
            .all(|row| row["candidate"] != "standard")
    );
}

#[test]
fn sensitivity_follows_theory() {
    // f grows as n to the power 0.69 k: 5 % more keys are 27 % more at k = 7.
    let answer = json("--capacity 1e6 --fpr 0.01 --bits-per-key 9.7 --filters standard");
    let fpr = row(&answer, "standard")["expected_fpr"].as_f64().unwrap();
    let more = answer["sensitivity"][0]["expected_fpr"].as_f64().unwrap();
    assert!((1.25..1.30).contains(&(more / fpr)), "{more} after {fpr}");
    let full = json("--capacity 1e6 --fpr 0.01 --bits-per-key 14 --filters cuckoo");
    assert!(
        full["sensitivity"][1]["expected_fpr"].is_null(),
        "{}",
        full["sensitivity"]
    );
}
