//! Runs `bouquet compare`.

use serde_json::Value;

use super::support::{Folder, forge, good, rejects};

fn compared(a: &str, b: &str, more: &str) -> String {
    good(&format!("compare {a} {b} {more}"))
}

#[test]
fn a_report_is_the_same_as_itself() {
    let (main, baseline) = ("reports/main", "reports/baseline");
    let text = compared(main, main, "");
    assert!(text.starts_with("0 of "), "{text}");
    let one = "Both runs have the same version, machine, seed and keys";
    assert!(text.contains(one), "{text}");
    let all = compared(main, main, "--all --format csv");
    for figure in [
        "same,standard,false negatives,none,none",
        " rounds of removals",
        "standard,\"958,511 slots, expected: passes\",passed,passed,",
        // Its tests T1 and T3 flag it too, which other seeds may not do.
        "truncated-16,\"958,511 slots, expected: flagged by T7\",flagged by T7,flagged by T7,",
    ] {
        assert!(all.contains(figure), "{figure}: {all}");
    }
    let text = compared(baseline, "reports/baseline/gate.json", "");
    assert!(text.starts_with("0 of "), "{text}");
}

#[test]
fn seeds_are_within_chance_and_another_size_is_a_change() {
    let folder = Folder::new();
    let [a, b] = [1, 2].map(|seed| {
        let out = folder.path(&seed.to_string());
        good(&format!(
            "evaluate fpr-at-target --datasets random-u64 --quick --filters standard,blocked --quiet \
             --seed {seed} --out {out}"
        ));
        out
    });
    let text = compared(&a, &b, "");
    assert!(text.starts_with("0 of "), "{text}");
    let seed = text.lines().find(|line| line.starts_with("seed")).unwrap();
    assert!(seed.split_whitespace().eq(["seed", "1", "2"]), "{seed}");
    for (more, words) in [
        ("--format csv", "finding,subject,what"),
        ("--format md", "0 of "),
        ("--all --format csv", "within chance,standard"),
    ] {
        let text = compared(&a, &b, more);
        assert!(text.contains(words), "{text}");
    }
    // If one filter has more false positives, its FPR and its verdict change.
    let path = folder.at("2/records/observations.csv");
    let mut rows = csv::Reader::from_path(&path).unwrap();
    let rows: Vec<_> = rows.records().map(Result::unwrap).collect();
    forge(&path, "false_positives", |at, hits| {
        let hits: u64 = hits.parse().unwrap();
        (&rows[at][1] == "blocked").then(|| (hits * 3 / 2).to_string())
    });
    let json = compared(&a, &b, "--format json");
    let json: Value = serde_json::from_str(&json).unwrap();
    let row = &json["rows"][0];
    assert_eq!(
        (
            json["rows"].as_array().unwrap().len(),
            &row["subject"],
            &row["finding"]
        ),
        (2, &"blocked".into(), &"changed".into())
    );
    let [low, high] = ["ratio_low", "ratio_high"].map(|name| row[name].as_f64().unwrap());
    assert!(low < 1.5 && 1.5 < high + 0.1 && low > 1.2, "{row}");
}

#[test]
fn wrong_input_is_2() {
    let folder = Folder::new();
    let empty = folder.file("a.json", "{}");
    for (a, b, words) in [
        ("reports/main", "reports/none", "reports/none"),
        ("reports/main", "reports/baseline", "compare like with like"),
        (&*empty, "reports/baseline", "no document"),
    ] {
        rejects(&format!("compare {a} {b}"), &[words]);
    }
}

#[test]
fn the_first_line_counts_what_the_rows_say() {
    let folder = Folder::new();
    let part = |filters: &str| {
        let out = folder.path(filters);
        good(&format!(
            "evaluate memory --quick --filters {filters} --quiet --out {out}"
        ));
        out
    };
    let (a, b) = (part("standard,blocked"), part("standard,cuckoo"));
    forge(
        &folder.at("standard,cuckoo/records/observations.csv"),
        "memory_bytes",
        |_, bytes| Some(format!("{bytes}0")),
    );
    for (a, b) in [(&a, &b), (&b, &a)] {
        let rows = compared(a, b, "--all --format csv");
        let count = |finding: &str| {
            let rows = rows.lines().skip(1);
            rows.filter(|row| row.starts_with(&format!("{finding},")))
                .count()
        };
        let [changed, same, only_a, only_b] =
            ["changed", "same", "only in A", "only in B"].map(count);
        assert!(
            changed > 1 && same > 1 && only_a > 2 && only_b > 2,
            "{rows}"
        );
        let first = format!(
            "{changed} of {} figures changed; {same} the same, 0 within chance, {only_a} only in A, \
             {only_b} only in B.\n",
            rows.lines().count() - 1
        );
        let text = compared(a, b, "");
        assert!(text.starts_with(&first), "{first}{text}");
    }
}
