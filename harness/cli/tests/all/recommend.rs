//! `bouquet recommend`: the answers, and its measurements except for the times themselves.

mod impossible;
mod requirements;
mod sentences;

use serde_json::Value;

use super::support::{self, Folder, bouquet, good, stderr};

fn said(args: &str) -> String {
    good(&format!("recommend {args}"))
}

fn json(args: &str) -> Value {
    serde_json::from_str(&said(&format!("{args} --format json"))).unwrap()
}

/// The answer for a workload of which `text` goes into a file, and `args` are flags.
fn of_file(text: &str, args: &str) -> Value {
    let folder = Folder::new();
    let path = folder.file("workload.toml", text);
    json(&format!("--use-case {path} {args}"))
}

/// Asserts that the requirements are rejected with a message that contains these words.
fn rejected(args: &str, words: &[&str]) {
    support::rejects(&format!("recommend {args} -v"), words);
}

fn rows(answer: &Value) -> &Vec<Value> {
    answer["rows"].as_array().unwrap()
}

fn row<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let mut rows = rows(answer).iter();
    rows.find(|row| row["candidate"] == name).unwrap()
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
        // 10^6 keys, with ten lookups per key.
        let base = 0.25 * number("hit_ns") + 0.75 * number("miss_ns") + number("insert_ns") / 10.0;
        let fpr = row["expected_fpr"].as_f64().unwrap_or(1.0);
        // For Bouquet's filters, the cost is computed with at least the target FPR: a lower FPR
        // only results from rounding up to whole fingerprints.
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

/// Each case: lines of a workload file, flags, the expected choice, and words of the answer.
#[test]
fn the_choice_is_what_it_should_be() {
    for (file, args, choice, words) in [
        // If a backing lookup costs more, the filter's own lookup times count less, and an FPR
        // below the target counts more. Filters whose sizes come in steps can have such an FPR.
        ("", "--fpr 0.01 --work-cost 500us", "standard", ""),
        ("", "--fpr 0.0075 --work-cost 500us", "standard", ""),
        ("", "--fpr 0.003 --threads 4", "atomic", ""),
        ("", "--fpr 0.01 --deletes --work-cost 80us", "cuckoo", ""),
        (
            "",
            "--fpr 0.01 --work-cost 2ns",
            "none",
            "The first to pay is ",
        ),
        // Every second integer is a key: a bitmap is smaller than any filter.
        (
            "integers-below = 2e6",
            "--work-cost 80us",
            "bitmap",
            "exact set wins",
        ),
        // With 9.3 bits per key, no Bloom filter has as low an FPR as a static one.
        (
            "bits-per-key = 9.3",
            "--static --work-cost 80us --key-kind url",
            "fuse",
            "built once from all keys",
        ),
    ] {
        let answer = of_file(file, &format!("--capacity 1e6 {args}"));
        assert_eq!(answer["choice"], choice, "{args}");
        assert!(answer.to_string().contains(words), "{args}: {answer}");
    }
}

#[test]
fn more_memory_never_costs_more() {
    let mut last = f64::INFINITY;
    for (memory, most) in [("1MB", 1e6), ("2MB", 2e6), ("4MB", 4e6)] {
        let answer = json(&format!(
            "--capacity 1e6 --memory {memory} --filters blocked,standard,cuckoo"
        ));
        let choice = row(&answer, answer["choice"].as_str().unwrap());
        assert!(choice["memory_bytes"].as_f64() <= Some(most), "{choice}");
        let costs = rows(&answer)
            .iter()
            .filter_map(|row| row["overhead_ns"].as_f64());
        let least = costs.fold(f64::INFINITY, f64::min);
        assert!(least <= last, "{least} after {last}");
        last = least;
    }
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
    // Each file has a header of 128 bytes and a checksum of 8 bytes.
    let bits = bytes(&one, "bits_per_key");
    assert!(bytes(&many, "stored_bytes") >= 1_000.0 * 136.0);
    // The Rust value of a filter takes 88 bytes, in addition to 9.6 bits per key.
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
