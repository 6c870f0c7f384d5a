//! `bouquet recommend --nodes` and `--node-memory`, the real program.

use std::process::{Command, Output};

use serde_json::Value;

fn plan(args: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bouquet"))
        .arg("recommend")
        .args(args.split_whitespace())
        .output()
        .unwrap()
}

fn json(args: &str) -> Value {
    let output = plan(&format!("{args} --format json"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args}: {errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn number(answer: &Value, structure: &str, column: &str) -> f64 {
    let rows = answer["rows"].as_array().unwrap();
    let row = rows
        .iter()
        .find(|row| row["structure"] == structure)
        .unwrap();
    row[column].as_f64().unwrap()
}

#[test]
fn the_formulas_agree_with_what_is_made() {
    let answer = json("--capacity 1e6 --node-memory 64GiB");
    let checks = answer["check"].as_array().unwrap();
    // Four of each of our filters, and the list's and the map's.
    assert!(checks.len() >= 4 * 10 + 2, "{}", checks.len());
    for check in checks {
        let number = |name: &str| check[name].as_f64().unwrap();
        let (formula, measured) = (number("formula"), number("measured"));
        match check["what"].as_str().unwrap() {
            what if what.starts_with("rebuild") => assert_eq!(check["agrees"], "not judged"),
            what => {
                assert_eq!(check["agrees"], true, "{check}");
                let apart = match what {
                    what if what.starts_with("bytes") => 0.02,
                    // Hits enough for a share of them.
                    _ if formula > 0.01 => 0.06,
                    _ => continue,
                };
                assert!((formula / measured - 1.0).abs() < apart, "{check}");
            }
        }
    }
    assert!(answer["formulas"].as_array().unwrap().len() > 5);
}

#[test]
fn a_million_million_keys_fit_on_nodes() {
    let answer = json("--capacity 1e12 --fpr 0.01 --node-memory 64GiB --integers-below 1e13");
    for structure in [
        "sorted-array",
        "hash-set",
        "bitmap",
        "standard",
        "blocked",
        "xorf-fuse8",
    ] {
        let of = |column| number(&answer, structure, column);
        let node = 64.0 * 1_073_741_824.0;
        assert!(of("bytes_per_node") <= node, "{structure}");
        assert!(of("nodes") * node >= 1e12, "{structure}");
        assert!(of("nodes") * of("keys_per_node") >= 1e12, "{structure}");
    }
    // 9.585 bits per key are 1.2e12 bytes, 17.4 times 64 GiB.
    assert_eq!(number(&answer, "standard", "nodes"), 18.0);
    assert_eq!(number(&answer, "bitmap", "nodes"), 19.0);
    // 8 bytes per key are 116.4 times 64 GiB.
    assert_eq!(number(&answer, "sorted-array", "nodes"), 117.0);
}

#[test]
fn integers_are_eight_bytes_and_their_bitmap_is_checked() {
    let answer = json("--capacity 1e6 --integers-below 1e8 --nodes 1");
    assert_eq!(number(&answer, "sorted-array", "bytes_per_node"), 8e6);
    let checks = answer["check"].as_array().unwrap();
    assert!(checks.iter().any(|check| check["structure"] == "bitmap"));
    let texts = json("--capacity 1e6 --integers-below 1e8 --nodes 1 --key-bytes 40");
    assert_eq!(number(&texts, "sorted-array", "bytes_per_node"), 40e6);
}

#[test]
fn an_fpr_below_the_floor_of_the_hash_is_no_matter_of_nodes() {
    let answer = json("--capacity 1e6 --fpr 1e-15 --nodes 1");
    let named = |answer: &Value| {
        let all = answer["impossible"].as_array().unwrap();
        all.iter()
            .any(|one| one.as_str().unwrap().starts_with("standard: target FPR"))
    };
    assert!(named(&answer));
    assert!(named(&json(
        "--capacity 1e6 --fpr 1e-15 --node-memory 64GiB"
    )));
}

#[test]
fn asking_every_node_adds_up() {
    let answer = json("--capacity 1e9 --nodes 20");
    let one = number(&answer, "standard", "fpr_one_asked");
    let all = number(&answer, "standard", "fpr_all_asked");
    assert!((all - (1.0 - (1.0 - one).powi(20))).abs() < 1e-9);
    assert!(one <= 0.01 && one > 0.0098, "{one}");
    let refresh = number(&answer, "standard", "refresh_bytes");
    assert!((number(&answer, "standard", "refresh_s") - refresh / 1.25e9).abs() < 1e-9);
}

#[test]
fn what_cannot_be_planned_is_rejected() {
    for (args, word) in [
        ("--capacity 2e12 --nodes 8", "1e12"),
        ("--capacity 0 --nodes 8", "at least 1"),
        ("--capacity 1e6 --fpr 2 --nodes 8", "between 0 and 1"),
        ("--capacity 1e6 --node-memory rose", "rose"),
        (
            "--capacity 1e6 --integers-below 1000 --nodes 8",
            "raise --integers-below",
        ),
        ("--nodes 8", "--capacity"),
        (
            "--capacity 1e6 --nodes 8 --node-memory 1GiB",
            "cannot be used with",
        ),
        ("--capacity 1e6 --key-bytes 8", "--nodes"),
        ("--capacity 1e6 --link 1GB", "--nodes"),
        ("--capacity 1e6 --nodes 8 --deletes", "leave out"),
    ] {
        let output = plan(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args}: {errors}");
        assert!(errors.contains(word), "{args}: {errors}");
    }
}

#[test]
fn people_see_formulas_beside_figures() {
    let output = plan("--capacity 1e10 --key-bytes 60 --node-memory 64GiB");
    let text = String::from_utf8(output.stdout).unwrap();
    for word in [
        "list (sorted)",
        "map",
        "1 - (1 - p(n/S))^S",
        "agrees",
        "rebuild",
    ] {
        assert!(text.contains(word), "{word}");
    }
}

#[test]
fn out_writes_the_plan_as_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("plan");
    let args = format!("--capacity 1e9 --nodes 20 --out {}", out.display());
    let answer = json(&args);
    let page = std::fs::read_to_string(out.join("README.md")).unwrap();
    let structures = answer["rows"].as_array().unwrap().iter();
    let memory =
        |row: &Value| row["bytes_per_node"].as_f64().unwrap() * row["nodes"].as_f64().unwrap();
    let least = structures
        .clone()
        .min_by(|a, b| memory(a).total_cmp(&memory(b)));
    let name = least.unwrap()["structure"].as_str().unwrap();
    let line = format!("- If you want the least memory above all, take **{name}** (");
    assert!(page.contains(&line), "{line}: {page}");
    assert!(
        page.starts_with("# 1,000,000,000 keys at 1 % on up to 20 nodes\n"),
        "{page}"
    );
    for formula in answer["formulas"].as_array().unwrap() {
        let first = formula.as_str().unwrap().split('(').next().unwrap();
        let first = first.split(['=', '*', '_', '-']).next().unwrap().trim();
        assert!(page.contains(first), "{first}: {page}");
    }
    let plan = std::fs::read_to_string(out.join("records/plan.csv")).unwrap();
    assert_eq!(plan.lines().count(), structures.len() + 1);
    let shown = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(shown.contains("id=\"the-formulas-checked\"") && shown.contains("<details>"));
}
