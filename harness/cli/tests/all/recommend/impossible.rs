//! Requirements that nothing meets: the answer names the reason and what would work.

use super::{bouquet, json, rejected, rows, stderr};

#[test]
fn impossible_requirements_are_rejected_with_the_reason_and_a_remedy() {
    for (args, words) in [
        (
            "--capacity 1e6 --deletes --memory 375kB",
            &["counting", "cuckoo", "Possible: "][..],
        ),
        (
            "--capacity 1e6 --fpr 1e-20",
            &["64 bits", "xxh3-wide", "Possible: "],
        ),
        ("--capacity 1e6 --fpr 1e-6 --memory 1.25MB", &["Possible: "]),
        (
            "--capacity 1e6 --growth unknown --memory 1MiB",
            &["--growth is unknown"],
        ),
        (
            "--capacity 1e6 --threads 4 --growth unknown --filters standard",
            &["one thread", "does not grow"],
        ),
        ("--capacity 1e6 --growth 1e300", &["--capacity"]),
    ] {
        rejected(args, words);
    }
}

/// The program has no times of filters for FPRs below 1e-5. That alone must not lead to a
/// recommendation of something else than a filter.
#[test]
fn without_times_of_filters_nothing_else_is_advised() {
    for workload in [
        "--capacity 1e8",
        "--capacity 1e9 --threads 4",
        "--capacity 1e6 --deletes",
        "--capacity 1e6 --static --key-kind url --hostile",
        "--capacity 1e6 --filters hash-set,standard",
    ] {
        for fpr in ["--fpr 6.2e-7", "--fpr 1e-7", "--fpr 1e-8"] {
            let answer = json(&format!("{workload} {fpr} --work-cost 80us"));
            let mut rows = rows(&answer).iter();
            let choice = rows.find(|row| row["outcome"] == "choice").unwrap();
            assert!(["ours", "exact"].contains(&choice["class"].as_str().unwrap()));
            if !workload.contains("hash-set") {
                assert_eq!(choice["class"], "ours", "{workload} {fpr}");
            }
        }
    }
}

/// The text between two words.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let from = text.find(before).unwrap() + before.len();
    let length = text[from..].find(after).unwrap();
    &text[from..from + length]
}

#[test]
fn what_is_said_to_do_does() {
    for (requirements, fpr, memory) in [
        ("--capacity 1e6", "--fpr 1e-6", "--memory 1.25MB"),
        ("--capacity 1e6 --deletes", "", "--memory 375kB"),
        (
            "--capacity 1e6 --static --key-kind url",
            "--fpr 1e-6",
            "--memory 2.75MB",
        ),
        ("--capacity 1e5 --growth 7", "--fpr 0.001", "--memory 500kB"),
        (
            "--capacity 1e6 --threads 4 --persist",
            "--fpr 0.001",
            "--memory 1.2MB",
        ),
    ] {
        let output = bouquet(&format!("recommend {requirements} {fpr} {memory}"));
        let text = stderr(&output);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{requirements} {memory}: {text}"
        );
        let advised = between(&text, "Possible: ", " for ").replace(' ', "");
        // The backing lookup is so expensive that any filter is worth its cost.
        let answer = json(&format!(
            "{requirements} {fpr} --memory {advised} --work-cost 1s"
        ));
        assert_ne!(answer["choice"], "none", "{requirements}: {advised}");
    }
    let output = bouquet("recommend --capacity 1e6 --fpr 1e-20");
    let fpr = between(&stderr(&output), "Possible: --fpr ", " or more").to_owned();
    json(&format!("--capacity 1e6 --fpr {fpr} --filters standard"));
}
