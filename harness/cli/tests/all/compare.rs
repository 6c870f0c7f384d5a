//! `bouquet compare` as a program.

use std::{collections::BTreeMap, fs};

use serde_json::Value;

use super::support::{Folder, forge, good, rejects, root};

fn compared(a: &str, b: &str, more: &str) -> String {
    good(&format!("compare {a} {b} {more}"))
}

#[test]
fn a_report_is_the_same_as_itself() {
    let (main, baseline) = ("reports/main", "reports/baseline");
    let text = compared(main, main, "");
    assert!(text.starts_with("0 of "), "{text}");
    let one = "The runs are of one version, machine and seed";
    assert!(text.contains(one), "{text}");
    let all = compared(main, main, "--all --format csv");
    for figure in [
        "same,standard,errors,0,0",
        "of churn, ",
        "standard,\"958,511 slots, expected: passes\",passed,passed,",
        "truncated-16,\"958,511 slots, expected: flagged by T7\",flagged by ",
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
        ("--format md", "0 of 8 figures changed"),
        ("--all --format csv", "within chance,standard"),
    ] {
        let text = compared(&a, &b, more);
        assert!(text.contains(words), "{text}");
    }
    // More hits of one filter.
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
        (&json["changed"], &row["subject"], &row["finding"]),
        (&1.into(), &"blocked".into(), &"changed".into())
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

/// Of reports/main the memory alone: the lines of its table, each as it is, changed or
/// left out.
fn memory(
    folder: &Folder,
    name: &str,
    line: impl Fn(usize, &str) -> Option<String>,
) -> Vec<String> {
    let own = folder.at(name);
    fs::create_dir_all(own.join("records")).unwrap();
    let run = fs::read(root().join("reports/main/run.json")).unwrap();
    let mut run: Value = serde_json::from_slice(&run).unwrap();
    run["rows"] = serde_json::json!({});
    fs::write(own.join("run.json"), run.to_string()).unwrap();
    let main = root().join("reports/main/records/observations.csv");
    let text = fs::read_to_string(main).unwrap();
    let (head, rows) = text.split_once('\n').unwrap();
    let rows = rows.lines().filter(|row| row.starts_with("memory,"));
    let rows = rows.enumerate();
    let rows: Vec<String> = rows.filter_map(|(at, row)| line(at, row)).collect();
    let text = format!("{head}\n{}\n", rows.join("\n"));
    fs::write(own.join("records/observations.csv"), text).unwrap();
    rows
}

/// A figure a row, the bytes, and one a filter, its errors.
fn bytes(rows: &[String]) -> BTreeMap<String, String> {
    let mut figures = BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        figures.insert(cells[1..7].join(","), cells[9].to_owned());
        figures.insert(format!("errors of {}", cells[1]), "0".to_owned());
    }
    figures
}

#[test]
fn the_first_line_counts_what_the_rows_say() {
    let folder = Folder::new();
    let whole = memory(&folder, "whole", |_, row| Some(row.to_owned()));
    let changed = |row: &str| {
        let mut cells: Vec<String> = row.split(',').map(str::to_owned).collect();
        cells[9] += "0";
        cells.join(",")
    };
    let some = memory(&folder, "some", |at, row| match at % 7 {
        0 => Some(changed(row)),
        1 => None,
        _ => (!row.starts_with("memory,blocked,")).then(|| row.to_owned()),
    });
    let all = [("whole", &whole), ("some", &some)];
    for ((name_a, a), (name_b, b)) in [(all[0], all[1]), (all[1], all[0])] {
        let (old, new) = (bytes(a), bytes(b));
        let both = old.iter().filter_map(|(what, a)| Some((a, new.get(what)?)));
        let (same, changed): (Vec<_>, Vec<_>) = both.partition(|(a, b)| a == b);
        let (same, changed) = (same.len(), changed.len());
        let [only_a, only_b] = [&old, &new].map(|own| own.len() - same - changed);
        let text = compared(&folder.path(name_a), &folder.path(name_b), "");
        let first = format!(
            "{changed} of {} figures changed; {same} the same, 0 within chance, {only_a} only in A, \
             {only_b} only in B.\n",
            same + changed + only_a + only_b
        );
        assert!(text.starts_with(&first), "{first}{text}");
    }
}
