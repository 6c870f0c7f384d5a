//! Requirements that nothing meets: the reason, and what would do.

use super::{json, recommend, rejected, rows, stderr};

#[test]
fn impossible_requirements_are_rejected_with_the_reason_and_a_remedy() {
    rejected(
        "--capacity 1e6 --deletes --bits-per-key 3",
        &["counting", "cuckoo", "What would do", "fingerprint"],
    );
    rejected(
        "--capacity 1e6 --fpr 1e-20",
        &["64 bits", "xxh3-wide", "What would do"],
    );
    rejected(
        "--capacity 1e6 --fpr 1e-6 --bits-per-key 10",
        &["log2(1/FPR)", "What would do"],
    );
    rejected(
        "--capacity 1e6 --growth unknown --memory 1MiB",
        &["--growth 4"],
    );
    rejected(
        "--capacity 1e6 --threads 4 --growth unknown --filters standard",
        &["one thread", "does not grow"],
    );
    rejected("--capacity 1e6 --static --deletes", &["--static"]);
    rejected("--capacity 1e6 --hits 1", &["no filter saves any"]);
    rejected("--fpr 0.01", &["how many keys"]);
    rejected("--capacity 1e6 --work-cost tape", &["l3-miss"]);
    rejected(
        "--capacity 1e6 --filters rose",
        &["rose", "the nearest are"],
    );
    rejected(
        "--capacity 1e6 --filters standart",
        &["standart", "nearest are standard,"],
    );
    rejected("--workload /no/such.toml", &["/no/such.toml"]);
}

/// Times came along for FPRs down to 6.25e-7, the sixteenth of 1e-5: below it nothing may win
/// for want of a time.
#[test]
fn without_times_of_filters_nothing_else_is_advised() {
    for workload in [
        "--capacity 1e8",
        "--capacity 1e9 --threads 4",
        "--capacity 1e6 --deletes --work-cost 10ns",
        "--capacity 1e6 --static --key-kind url --hostile",
        "--capacity 1e6 --growth unknown --memory-cost 1ns",
        "--capacity 1e6 --filters hash-set,standard",
    ] {
        for fpr in [
            "--fpr 6.2e-7",
            "--fpr 1e-7",
            "--fpr 2e-10",
            "--fpr-at-most 1e-8",
        ] {
            rejected(
                &format!("{workload} {fpr}"),
                &[
                    "no times",
                    "What would do: to measure, without --no-measure",
                ],
            );
        }
        let answer = json(&format!("{workload} --fpr 6.3e-7"));
        assert!(
            rows(&answer).iter().any(|row| row["class"] == "ours"),
            "{workload}"
        );
    }
}

/// What stands between two words.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let from = text.find(before).unwrap() + before.len();
    let length = text[from..].find(after).unwrap();
    &text[from..from + length]
}

#[test]
fn what_is_said_to_do_does() {
    for (requirements, fpr, memory) in [
        ("--capacity 1e6", "--fpr 1e-6", "--bits-per-key 10"),
        ("--capacity 1e6 --deletes", "", "--bits-per-key 3"),
        (
            "--capacity 1e6 --static --key-kind url",
            "--fpr 1e-6",
            "--bits-per-key 22",
        ),
        (
            "--capacity 1e6 --static --filters xorf-fuse8,xorf-fuse16",
            "--fpr 1e-4",
            "--memory 1MB",
        ),
        (
            "--capacity 1e6 --filters counting",
            "--fpr 1e-4",
            "--memory 1MB",
        ),
        (
            "--capacity 100 --filters-count 1000",
            "--fpr 0.001",
            "--memory 130kB",
        ),
        ("--capacity 1e5 --growth 7", "--fpr 0.001", "--memory 500kB"),
        (
            "--capacity 1e6 --threads 4 --persist",
            "--fpr 0.001",
            "--memory 1.2MB",
        ),
    ] {
        let output = recommend(&format!("{requirements} {fpr} {memory} --no-measure"), None);
        let text = stderr(&output);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{requirements} {memory}: {text}"
        );
        let advised = between(&text, "What would do: ", " for ").replace(' ', "");
        // A backing lookup so dear that any filter pays.
        let answer = json(&format!(
            "{requirements} {fpr} --memory {advised} --work-cost 1s"
        ));
        assert_ne!(answer["choice"], "none", "{requirements}: {advised}");
        if text.contains("or an --fpr of ") {
            let fpr = between(&text, "or an --fpr of ", " and more");
            let answer = json(&format!(
                "{requirements} {memory} --fpr {fpr} --work-cost 1s"
            ));
            assert_ne!(answer["choice"], "none", "{requirements}: {fpr}");
        }
    }
    let output = recommend(
        "--capacity 1e6 --fpr 1e-9 --filters standard --no-measure",
        None,
    );
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("What would do: to measure"), "{text}");
    let output = recommend("--capacity 1e6 --growth 1e300 --no-measure", None);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let output = recommend("--capacity 1e6 --fpr 1e-20 --no-measure", None);
    let fpr = between(&stderr(&output), "an --fpr of ", " and more").to_owned();
    // What needs no times of filters is compared at that.
    json(&format!("--capacity 1e6 --fpr {fpr} --filters hash-set"));
}
