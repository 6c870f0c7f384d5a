//! Runs `bouquet evaluate uniformity`.

use super::support::{Folder, bouquet, forge, good, is_rejected, rejects, stdout};

#[test]
fn a_narrowed_run_has_its_controls_and_passes() {
    let folder = Folder::new();
    let rows = |jobs: &str| {
        let out = folder.path(jobs);
        let text = good(&format!(
            "evaluate uniformity --quick --schemes double-hashing --filters standard --datasets \
             sequential --jobs {jobs} --out {out} --seed 7"
        ));
        for name in ["double-hashing", "standard", "truncated-16", "independent"] {
            assert!(text.contains(name), "{name}");
        }
        for file in ["README.md", "index.html", "run.json", "charts/p-values.svg"] {
            assert!(folder.at(jobs).join(file).exists(), "{file}");
        }
        folder.read(&format!("{jobs}/records/tests.csv"))
    };
    assert_eq!(rows("1"), rows("3"));
}

/// Tests of 2^31 slots and more need no array with a count per slot. The known-bad scheme of test
/// T0 must be flagged.
#[test]
#[ignore = "long: scripts/nightly battery"]
fn sizes_without_an_array() {
    let folder = Folder::new();
    let text = good(&format!(
        "evaluate uniformity --full --filters counting --schemes sign-32 --datasets sequential \
         --format json --out {}",
        folder.path("report")
    ));
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rows = answer["rows"].as_array().unwrap();
    let of = |name: &str, slots: u64| {
        let is = |row: &&serde_json::Value| row["subject"] == name && row["slots"] == slots;
        rows.iter().find(is).unwrap()
    };
    assert_eq!(of("sign-32", 3_000_000_000)["observed"], "flagged by T0");
    // The largest size of a filter with 4-bit counters is 2^46.
    for slots in [1 << 32, 1 << 46] {
        let row = of("counting", slots);
        assert!(
            row["observed"] == "passed" && row["t0_p"].is_number(),
            "{row}"
        );
    }
}

/// If no known-bad scheme can be tested too, a pass proves nothing.
#[test]
fn own_keys_too_few_for_the_control_are_inconclusive() {
    let folder = Folder::new();
    let lines: String = (0..5_000).map(|i| format!("key {i}\n")).collect();
    let (keys, out) = (folder.file("keys.txt", lines), folder.path("report"));
    let run = format!("evaluate uniformity --quick --keys {keys} --datasets keys --out {out}");
    let text = good(&run);
    assert!(text.contains("Inconclusive"), "{text}");
    let strict = bouquet(&format!("{run} --strict"));
    assert_eq!(strict.status.code(), Some(3));
    let few = folder.file("few.txt", "a\nb\n");
    let few = format!("evaluate uniformity --keys {few} --datasets keys --out {out}");
    is_rejected(&bouquet(&few), &few, &["nothing to measure"]);
}

/// If a scheme's outcome is not the one that the records expect, the whole run is void, and the
/// exit code says so.
#[test]
fn a_contradiction_of_the_table_is_void() {
    let folder = Folder::new();
    let out = folder.path("report");
    good(&format!(
        "evaluate uniformity --quick --schemes double-hashing --datasets sequential --out {out}"
    ));
    let path = folder.at("report/records/tests.csv");
    let kept = folder.read("report/records/tests.csv");
    // Wrong expectations: that a good scheme is flagged, or that a bad scheme passes, is
    // undetectable, or is flagged by another test than the one that does flag it.
    for (scheme, outcome, tests, why) in [
        ("double-hashing", "flagged", "", "observed: passed"),
        ("truncated-16", "passes", "", "observed: flagged"),
        ("truncated-16", "undetectable", "", "xpected: undetectable"),
        ("truncated-16", "flagged", "T0", "xpected: flagged by T0"),
    ] {
        folder.file("report/records/tests.csv", &kept);
        let lines: Vec<&str> = kept.lines().skip(1).collect();
        let is_its = |at: usize| lines[at].starts_with(&format!(",{scheme},"));
        for (column, cell) in [("expected_outcome", outcome), ("expected_tests", tests)] {
            forge(&path, column, |at, _| is_its(at).then(|| cell.to_owned()));
        }
        let void = bouquet(&format!("report {out}"));
        let printed = stdout(&void);
        assert_eq!(void.status.code(), Some(1), "{scheme} {outcome}: {printed}");
        assert!(printed.starts_with("∅ Invalid run"), "{printed}");
        assert!(printed.contains(why), "{printed}");
    }
    for (column, cell) in [
        ("subject", "doubel"),
        ("test", "T9"),
        ("law", "gauss"),
        ("sides", "all"),
        ("expected_tests", "T1 T9"),
    ] {
        folder.file("report/records/tests.csv", &kept);
        forge(&path, column, |at, _| (at == 0).then(|| cell.to_owned()));
        let words = format!("tests.csv: line 2: {column} cannot be \"{cell}\"; take");
        rejects(&format!("report {out}"), &[&words]);
    }
}
