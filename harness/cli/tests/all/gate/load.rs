//! Tests of filters with more keys than their capacity.

use std::fs;

use serde_json::{Value, json};

use super::{ACCEPT, EXACT, Project, STRICT, WITHOUT_TIMES, ends, text};

impl Project {
    /// Defines a filter with `capacity` on a file of `keys` different keys, each repeated on
    /// `lines` lines.
    fn define_for(&self, filter: &str, capacity: u64, keys: u64, lines: usize) {
        let keys = (0..keys).map(|i| format!("https://example.org/{i}\n").repeat(lines));
        self.write("urls.txt", &keys.collect::<String>());
        self.write(
            "bouquet.toml",
            &format!(
                "[key_sets]\nurls = \"urls.txt\"\n[[filter]]\nname = \"seen\"\n\
                 filter = \"{filter}\"\ncapacity = {capacity}\nfpr = 0.001\nkeys = \"urls\"\n"
            ),
        );
    }

    fn row(&self, tier: &str, what: &str) -> Value {
        let report = self.report();
        let mut rows = report["rows"].as_array().unwrap().iter();
        let row = rows.find(|row| (text(&row["tier"]), text(&row["what"])) == (tier, what));
        row.unwrap().clone()
    }
}

/// If there are more keys than the capacity, the gate fails, even if the FPR at capacity is right.
#[test]
fn a_filter_that_its_keys_have_outgrown_fails_whatever_the_baseline() {
    let project = Project::new("outgrown");
    project.define_for("standard", 5_000, 5_000, 1);
    project.accept(&WITHOUT_TIMES);
    let sound = project.row("exact", "keys / capacity");
    assert_eq!(
        (&sound["standing"], &sound["value"]["load"]),
        (&json!("pass"), &json!(1.0))
    );

    project.define_for("standard", 5_000, 20_000, 1);
    let terminal = ends(&project, &WITHOUT_TIMES, 1);
    let row = project.row("exact", "keys / capacity");
    assert_eq!(row["standing"], "fail");
    let (value, note) = (&row["value"], text(&row["note"]));
    assert_eq!(
        (&value["keys"], &value["load"]),
        (&json!(20_000), &json!(4.0))
    );
    let theory = value["expected_fpr"].as_f64().unwrap();
    assert!((0.5..0.9).contains(&theory), "{theory}");
    let words = "more keys than its capacity: give it a larger capacity or fewer keys";
    assert_eq!(note, words);
    // The measured FPR is in the statistical tier, which fails too.
    let measured = project.row("statistical", "FPR with all keys");
    assert_eq!(measured["standing"], "fail");
    let rate = measured["value"]["rate"].as_f64().unwrap();
    assert!((rate / theory - 1.0).abs() < 0.05, "{rate} {theory}");
    assert_eq!(
        project.row("statistical", "FPR given the bits")["standing"],
        "pass"
    );

    // Every output names the number of keys and the capacity.
    let row = terminal
        .lines()
        .find(|line| line.starts_with("fail") && line.contains("keys / capacity"));
    for words in ["5,000 of 5,000 keys", "20,000 of 5,000 keys, FPR "] {
        assert!(row.unwrap().contains(words), "{terminal}");
    }
    for (file, words) in [
        ("summary.md", "keys / capacity"),
        ("comment.md", "20,000 of 5,000 keys, FPR "),
        (
            "junit.xml",
            "<testcase classname=\"exact.seen\" name=\"keys / capacity\"><failure",
        ),
        ("benchmark.json", "\"seen: keys / capacity\""),
    ] {
        let page = project.read(&format!("out/{file}"));
        assert!(page.contains(words), "{file}: {page}");
    }
    for tier in ["exact", "statistical"] {
        ends(&project, &["--tiers", tier], 1);
    }
    let again = ends(&project, &[&ACCEPT[..], &WITHOUT_TIMES].concat(), 1);
    assert!(again.contains("no baseline was written"), "{again}");
    assert!(project.read("baseline/gate.json").contains("\"keys\":5000"));
}

#[test]
fn the_first_baseline_takes_no_outgrown_filter_either() {
    for tiers in ["exact", "statistical", "exact,statistical"] {
        let project = Project::new(&format!("first-{tiers}"));
        project.define_for("standard", 5_000, 5_001, 1);
        let words = ends(&project, &[&ACCEPT[..], &["--tiers", tiers]].concat(), 1);
        assert!(words.starts_with("✗ Fail: "), "{words}");
        assert!(!project.0.join("baseline").exists(), "{tiers}");
    }
}

/// A repeated line does not count as another key.
#[test]
fn as_many_keys_as_the_capacity_pass_and_one_more_fails() {
    let project = Project::new("exactly");
    for (filter, keys, lines, code) in [
        ("standard", 5_000, 1, 0),
        ("standard", 5_000, 3, 0),
        ("standard", 5_001, 1, 1),
        ("cuckoo", 5_000, 3, 0),
        ("cuckoo", 5_001, 1, 1),
        // This filter grows.
        ("scalable", 20_000, 1, 0),
    ] {
        let _ = fs::remove_dir_all(project.0.join("baseline"));
        project.define_for(filter, 5_000, keys, lines);
        ends(&project, &[&ACCEPT[..], &EXACT].concat(), code);
        let row = project.row("exact", "keys / capacity");
        let standing = if code == 0 { "pass" } else { "fail" };
        assert_eq!(row["standing"], standing, "{filter} {keys}");
    }
    let grown = project.row("exact", "keys / capacity");
    let theory = grown["value"]["expected_fpr"].as_f64().unwrap();
    assert!(theory < 0.001, "{theory}");
    assert_eq!(grown["note"], "");
    // A cuckoo filter for 5,000 keys has no room for 20,000.
    project.define_for("cuckoo", 5_000, 20_000, 1);
    project.gate(&[&ACCEPT[..], &EXACT].concat());
    let full = project.row("exact", "keys / capacity");
    let note = text(&full["note"]);
    assert!(!note.contains("rejected 0:"), "{note}");
}

/// If the key list grows within the capacity, FPRs are compared with theory, not with the baseline.
#[test]
fn a_list_that_becomes_longer_is_as_it_was() {
    let project = Project::new("longer");
    for filter in ["sharded", "standard"] {
        project.define_for(filter, 5_000, 3_000, 1);
        let _ = fs::remove_dir_all(project.0.join("baseline"));
        ends(&project, &[&ACCEPT[..], &STRICT].concat(), 0);
        for keys in [3_008, 4_900] {
            project.define_for(filter, 5_000, keys, 1);
            ends(&project, &STRICT, 0);
        }
    }
}

/// A key set with a growth factor is judged at the number of keys to which it will grow.
#[test]
fn a_set_that_will_outgrow_its_filter_fails_today() {
    let project = Project::new("growth");
    for (growth, keys, code) in [("1", 4_000, 0), ("1.25", 5_000, 0), ("1.5", 6_000, 1)] {
        let _ = fs::remove_dir_all(project.0.join("baseline"));
        project.define_for("standard", 5_000, 4_000, 1);
        let definition = fs::read_to_string(project.0.join("bouquet.toml")).unwrap();
        project.write("bouquet.toml", &format!("growth = {growth}\n{definition}"));
        ends(&project, &[&ACCEPT[..], &WITHOUT_TIMES].concat(), code);
        let row = project.row("exact", "keys / capacity");
        assert_eq!(row["value"]["keys"], json!(keys), "{growth}");
    }
    let theory = project.row("exact", "keys / capacity")["value"]["expected_fpr"].clone();
    let measured = project.row("statistical", "FPR with all keys");
    let rate = measured["value"]["rate"].as_f64().unwrap();
    assert!(
        (rate / theory.as_f64().unwrap() - 1.0).abs() < 0.2,
        "{measured}"
    );
}
