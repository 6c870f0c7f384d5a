//! Runs `bouquet theory`.

use serde_json::Value;

use super::support;

fn stdout(args: &str) -> String {
    support::good(&format!("theory {args}"))
}

fn json(args: &str) -> Vec<Value> {
    let answer: Value = serde_json::from_str(&stdout(&format!("{args} --format json"))).unwrap();
    answer["rows"].as_array().unwrap().clone()
}

fn rejects(args: &str, words: &[&str]) {
    support::rejects(&format!("theory {args}"), words);
}

#[test]
fn every_sufficient_set_settles_the_same_filter() {
    let size = json("--capacity 1e6 --fpr 0.01")[0].clone();
    let (bits, hashes) = (&size["size_bits"], &size["hashes"]);
    for same in [
        format!("--capacity 1_000_000 --bits {bits}"),
        format!("--capacity 1000000 --bits {bits} --hashes {hashes}"),
        format!("--capacity 1e6 --bits-per-key {}", size["bits_per_key"]),
        format!("--bits {bits} --bits-per-key {}", size["bits_per_key"]),
    ] {
        let other = json(&same)[0].clone();
        for field in [
            "capacity",
            "size_bits",
            "hashes",
            "exact_fpr",
            "textbook_fpr",
        ] {
            assert_eq!(other[field], size[field], "{same}: {field}");
        }
    }
    let most = json(&format!("--bits {bits} --fpr 0.01"))[0]["capacity"].as_u64();
    assert!((1_000_000..1_000_010).contains(&most.unwrap()));
    let least = json(&format!("--capacity 1e6 --fpr 0.01 --hashes {hashes}"))[0].clone();
    assert!(least["size_bits"].as_u64() <= bits.as_u64());
}

#[test]
fn the_least_size_keeps_the_target_and_a_bit_less_does_not() {
    for filter in [
        "standard",
        "partitioned",
        "blocked-line",
        "counting",
        "sharded",
    ] {
        for given in ["--capacity 1000 --fpr 0.01", "--capacity 70 --fpr 1e-4"] {
            let built = json(&format!("--filter {filter} {given}"))[0].clone();
            assert_eq!(built["keeps_target"], true, "{filter}");
            let given = format!("--filter {filter} {given} --hashes {}", built["hashes"]);
            let least = json(&given)[0]["size_bits"].as_u64().unwrap();
            let at = |bits: u64| json(&format!("{given} --bits {bits}"))[0].clone();
            assert_eq!(at(least)["keeps_target"], true, "{filter}");
            assert_eq!(at(least)["target_size_bits"], built["size_bits"]);
            // The largest step between possible sizes: a cache line of 512 bits, or a bit in each
            // of 64 shards.
            let step = if filter.contains("block") { 512 } else { 64 };
            assert_eq!(at(least - step)["keeps_target"], false, "{filter} {given}");
        }
    }
}

#[test]
fn every_filter_is_sized_for_a_target() {
    let all = "standard,counting,partitioned,blocked,blocked-words32,blocked-line,scalable,sharded,\
               atomic,cuckoo,sharded-counting";
    let answers = json(&format!("--filter {all} --capacity 5000 --fpr 0.01"));
    assert_eq!(answers.len(), 11);
    for answer in answers {
        assert_eq!(answer["keeps_target"], true, "{answer}");
    }
}

#[test]
fn json_has_every_quantity_with_all_its_digits() {
    let answer = json("--capacity 1e6 --fpr 0.01")[0].clone();
    assert!(answer["keys"].is_null());
    let text = stdout("--capacity 1e6 --fpr 0.01 --format json");
    assert!(text.contains("0.0099999"), "{text}");
    let digits = answer["exact_fpr"].to_string();
    assert!(digits.len() >= 17, "{digits}");
}

#[test]
fn ranges_have_an_answer_each() {
    let csv = stdout("--capacity 1e3..1e9 --fpr 0.01 --format csv");
    assert!(csv.starts_with("filter,capacity,"), "{csv}");
    assert_eq!(csv.lines().count(), 8);
    let grown = json("--filter standard,scalable --capacity 1e6 --fpr 0.01 --stages 1..7");
    assert_eq!(grown.len(), 1 + 7);
    assert_eq!(grown[7]["keys"], 127_000_000);
    assert_eq!(grown[7]["keeps_target"], true);
}

#[test]
fn figures_that_are_known() {
    let cuckoo = json("--filter cuckoo --capacity 1e6 --bits-per-key 8.5")[0].clone();
    assert!((cuckoo["exact_fpr"].as_f64().unwrap() - 0.0294).abs() < 1e-3);
    // The exact FPR includes the collisions of a 64-bit hash.
    let full = json("--capacity 5e8 --bits-per-key 200")[0]["exact_fpr"].clone();
    assert!((full.as_f64().unwrap() / 2.71e-11 - 1.0).abs() < 1e-3);
}

#[test]
fn what_does_not_settle_a_filter_is_rejected_with_what_would_do() {
    let other = "does not apply to --filter";
    for (args, words) in [
        (
            "",
            &["--capacity", "--fpr", "--bits", "--capacity 1e6 --fpr 0.01"][..],
        ),
        ("--capacity 1e6", &["--capacity alone", "--fpr", "--bits"]),
        ("--fpr 0.01", &["--capacity"]),
        ("--bits 1e6 --hashes 7", &["--capacity", "--fpr"]),
        ("--bits-per-key 10 --fpr 0.01", &["--capacity"]),
        (
            "--capacity 1e6 --bits 1e7 --bits-per-key 10",
            &["contradict", "any two"],
        ),
        ("--filter cuckoo --capacity 10", &["--fpr"]),
        (
            "--filter cuckoo --capacity 10 --fpr 0.1 --hashes 3",
            &["--hashes", other],
        ),
        ("--filter scalable --capacity 10", &["--fpr"]),
        ("--capacity 1 --fpr 0.1 --stages 5", &["--stages", other]),
        (
            "--filter scalable --capacity 9 --fpr 0.1 --bits 100",
            &["--bits", other],
        ),
    ] {
        rejects(args, words);
    }
    // A flag that applies to only one of several filters is used for that one.
    let two = json("--filter standard,cuckoo --capacity 100 --bits-per-key 40 --hashes 3");
    assert_eq!(two.len(), 2);
}

#[test]
fn numbers_out_of_range_are_rejected() {
    for (args, word) in [
        ("--capacity 0 --fpr 0.1", "--capacity 0"),
        ("--capacity -5 --fpr 0.1", "'--capacity <N>': -5 is below 0"),
        ("--capacity 1e6 --bits 1e18", "281474976710656"),
        ("--capacity 1e6 --bits 1e7 --hashes 129", "--hashes 129"),
        ("--capacity 1e6 --bits-per-key 0", "--bits-per-key 0"),
        ("--capacity 1e6 --bits-per-key 1e300", "281474976710656"),
        (
            "--filter scalable --capacity 9 --fpr 0.1 --stages 0",
            "--stages 0",
        ),
        ("--bits-per-key 1..1e9 --capacity 9", "values"),
    ] {
        rejects(args, &[word]);
    }
}
