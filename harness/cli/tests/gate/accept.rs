//! What an acceptance says and replaces.

use std::fs;

use serde_json::Value;

use super::{Project, said, text};

/// Nothing was missed in a baseline that there was not; a later one says what it
/// changes.
#[test]
fn an_acceptance_says_what_it_did() {
    let project = Project::new("acceptance");
    project.define("standard");
    let exact = ["--tiers", "exact", "--accept", "--reason", "a test"];
    let begins = |begin: &str| {
        let done = project.gate(&exact);
        assert_eq!(done.status.code(), Some(0), "{}", said(&done));
        let words = said(&done);
        assert!(words.starts_with(begin), "{begin}: {words}");
        assert_eq!(
            text(&project.report()["verdict"]["sentence"]),
            words.lines().next().unwrap()
        );
        words
    };
    let first = begins("Baseline written: ");
    assert!(!first.contains("nconclusive:"), "{first}");
    assert!(!first.contains("not in the baseline"), "{first}");
    assert!(first.contains("0 inconclusive, 0 changed"), "{first}");
    assert!(
        project
            .read("baseline/README.md")
            .contains("none before it")
    );
    assert!(
        project
            .read("out/summary.md")
            .contains("There is no baseline to compare with.")
    );
    begins("Baseline replaced: all of its ");
    project.define("fault-one-word-more");
    let changed = begins("Baseline replaced: of ");
    assert!(
        changed.contains(", 1 figure changed (guarded: memory)."),
        "{changed}"
    );
    let definition = project.read("bouquet.toml");
    let other = definition.replace("\"guarded\"", "\"another\"");
    project.write("bouquet.toml", &other);
    let renamed = begins("Baseline replaced: of ");
    assert!(
        renamed.contains(" new (another: keys / capacity; another: memory; "),
        "{renamed}"
    );
    assert!(
        renamed.contains(" gone (guarded: keys / capacity; "),
        "{renamed}"
    );
}

/// It cannot be compared with, and need not be removed by hand.
#[test]
fn a_baseline_of_an_older_schema_is_replaced() {
    let project = Project::new("older");
    project.define("standard");
    let exact = ["--tiers", "exact"];
    project.accept(&exact);
    let now = project.read("baseline/gate.json");
    let older = now.replace("\"schema_version\": 2", "\"schema_version\": 1");
    assert_ne!(older, now);
    project.write("baseline/gate.json", &older);
    // An older program marked nothing; a marked one that was edited is not replaced.
    fs::remove_file(project.0.join("baseline/.bouquet-report")).unwrap();
    let compared = project.gate(&exact);
    assert_eq!(compared.status.code(), Some(2), "{}", said(&compared));
    let accept =
        |project: &Project| project.gate(&["--tiers", "exact", "--accept", "--reason", "a test"]);
    let done = accept(&project);
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    let written: Value = serde_json::from_str(&project.read("baseline/gate.json")).unwrap();
    let before: Value = serde_json::from_str(&now).unwrap();
    for part in ["$schema", "schema_version", "rows"] {
        assert_eq!(written[part], before[part], "{part}");
    }
    // One of a later program is not this one's to replace.
    let newer = now.replace("\"schema_version\": 2", "\"schema_version\": 3");
    project.write("baseline/gate.json", &newer);
    assert_eq!(accept(&project).status.code(), Some(2));
    assert_eq!(project.read("baseline/gate.json"), newer);
}
