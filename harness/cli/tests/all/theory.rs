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
    assert_eq!(least["size_bits"], size["least_size_bits"]);
}

#[test]
fn the_least_size_keeps_the_target_and_a_bit_less_does_not() {
    for filter in [
        "standard",
        "partitioned",
        "blocked",
        "split-block",
        "counting",
        "sharded",
    ] {
        for given in ["--capacity 1000 --fpr 0.01", "--capacity 70 --fpr 1e-4"] {
            let built = json(&format!("--filter {filter} {given}"))[0].clone();
            assert_eq!(built["keeps_target"], true, "{filter}");
            let (least, size) = (&built["least_size_bits"], &built["size_bits"]);
            assert!(least.as_u64() <= size.as_u64(), "{filter}");
            let at =
                |bits: u64| json(&format!("--filter {filter} {given} --bits {bits}"))[0].clone();
            let least = least.as_u64().unwrap();
            assert_eq!(at(least)["keeps_target"], true, "{filter}");
            // The largest step between sizes: a cache line of blocks, or one bit in each of 64
            // shards.
            let step = if filter.contains("block") { 512 } else { 64 };
            assert_eq!(at(least - step)["keeps_target"], false, "{filter} {given}");
        }
    }
}

#[test]
fn json_has_every_quantity_with_all_its_digits() {
    let answer = json("--capacity 1e6 --fpr 0.01")[0].clone();
    assert!(answer["shards"].is_null());
    let text = stdout("--capacity 1e6 --fpr 0.01 --format json");
    assert!(text.contains("0.010039"), "{text}");
    let digits = answer["textbook_size_fpr"].to_string();
    assert!(digits.len() >= 17, "{digits}");
}

#[test]
fn ranges_have_an_answer_each() {
    let csv = stdout("--capacity 1e3..1e9 --fpr 0.01 --format csv");
    assert!(csv.starts_with("filter,capacity,"), "{csv}");
    assert_eq!(csv.lines().count(), 8);
    let one = json("--filter counting --capacity 1e6 --fpr 0.01 --counter-bits 2..8");
    assert_eq!(one.len(), 7);
}

#[test]
fn figures_that_are_known() {
    let one = json("--capacity 1 --fpr 1e-6")[0].clone();
    let over = one["textbook_size_over_target"].as_f64().unwrap();
    assert!((over - 5.6676).abs() < 1e-3);
    let cuckoo = json("--filter cuckoo --fingerprint-bits 8")[0].clone();
    assert!((cuckoo["exact_fpr"].as_f64().unwrap() - 0.0294).abs() < 1e-4);
    let floor = json("--capacity 5e8 --fpr 0.01")[0]["hash_floor"]
        .as_f64()
        .unwrap();
    assert!((floor / 2.71e-11 - 1.0).abs() < 1e-3);
    let series = json("--filter scalable --fpr 0.01 --first-fpr 0.01 --tightening 0.9 --stages 20");
    let over = series[0]["compound_over_target"].as_f64().unwrap();
    assert!((over - 8.4).abs() < 0.1, "{over}");
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
        (
            "--filter cuckoo --capacity 10",
            &["--fingerprint-bits", "--fpr"],
        ),
        (
            "--filter cuckoo --fingerprint-bits 8 --bits-per-key 9",
            &["contradict"],
        ),
        ("--filter scalable --fpr 0.01", &["--stages"]),
        ("--filter scalable --stages 3", &["--fpr", "--first-fpr"]),
        (
            "--filter scalable --stages 3 --fpr 0.1 --tightening 1",
            &["--first-fpr"],
        ),
        ("--capacity 1 --fpr 0.1 --load 0.5", &["--load", other]),
        (
            "--filter scalable --fpr 0.1 --stages 2 --bits 100",
            &["--bits", other],
        ),
    ] {
        rejects(args, words);
    }
    // A flag that applies to only one of several filters is used for that one.
    let two = json("--filter standard,counting --capacity 100 --bits-per-key 40 --counter-bits 8");
    assert_eq!(two.len(), 2);
}

#[test]
fn numbers_out_of_range_are_rejected() {
    for (args, word) in [
        ("--capacity 0 --fpr 0.1", "--capacity 0"),
        ("--capacity -5 --fpr 0.1", "'--capacity <N>': -5 is below 0"),
        ("--capacity 1e6 --bits 1e18", "at most"),
        ("--capacity 1e6 --bits 1e7 --hashes 129", "at most 128"),
        ("--capacity 1e6 --bits-per-key 0", "--bits-per-key 0"),
        ("--capacity 1e6 --bits-per-key 1e300", "more than"),
        ("--filter cuckoo --fingerprint-bits 8 --load 1.5", "--load"),
        ("--filter cuckoo --fingerprint-bits 33", "33"),
        (
            "--filter counting --capacity 9 --fpr 0.1 --counter-bits 9",
            "at most 8",
        ),
        (
            "--filter split-block --capacity 9 --fpr 0.1 --hashes 7",
            "does not split",
        ),
        (
            "--capacity 1..1e9 --fpr 1e-1..1e-9 --hash-bits 300",
            "--hash-bits",
        ),
        ("--bits-per-key 1..1e9 --capacity 9", "values"),
    ] {
        rejects(args, &[word]);
    }
}

#[test]
fn no_excess_is_none() {
    let rows = json("--filter partitioned --capacity 1e3..1e9 --bits-per-key 10 --hashes 1");
    let mut excess = rows
        .iter()
        .map(|row| row["exact_over_textbook"].as_f64().unwrap());
    assert!(excess.all(|excess| excess == 0.0 || excess.abs() > 1e-14));
}
