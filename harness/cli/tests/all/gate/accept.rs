//! What an acceptance says and replaces.

use std::process::Command;

use serde_json::Value;

use super::{Project, said, text};

/// The first baseline is the first, and a later one says what it changes.
#[test]
fn an_acceptance_says_what_it_did() {
    let project = Project::new("acceptance");
    project.define("standard");
    let begins = |begin: &str| {
        let done = project.gate(&["--tiers", "exact", "--accept", "--reason", "a test"]);
        assert_eq!(done.status.code(), Some(0), "{}", said(&done));
        let words = said(&done);
        assert!(words.starts_with(begin), "{begin}: {words}");
        let sentence = project.report()["verdict"]["sentence"].clone();
        assert_eq!(
            format!("✓ {}", text(&sentence)),
            words.lines().next().unwrap()
        );
        assert!(project.read("baseline/gate.json").contains(text(&sentence)));
    };
    begins("✓ Accepted: 9 figures, the first baseline.");
    begins("✓ Accepted: 9 figures, of which 0 changed and 0 are new; 0 gone.");
    project.define("fault-one-word-more");
    begins("✓ Accepted: 9 figures, of which 1 changed and 0 are new; 0 gone.");
    let definition = project.read("bouquet.toml");
    let other = definition.replace("\"guarded\"", "\"another\"");
    project.write("bouquet.toml", &other);
    begins("✓ Accepted: 9 figures, of which 0 changed and 9 are new; 9 gone.");
}

/// It cannot be compared with, and need not be removed by hand.
#[test]
fn a_baseline_of_an_older_schema_is_replaced() {
    let project = Project::new("older");
    project.define("standard");
    let exact = ["--tiers", "exact"];
    project.accept(&exact);
    let now = project.read("baseline/gate.json");
    let older = now.replace("\"schema_version\": 3", "\"schema_version\": 2");
    assert_ne!(older, now);
    project.write("baseline/gate.json", &older);
    // As the older program marked it.
    project.write("baseline/.bouquet-report", "");
    let compared = project.gate(&exact);
    assert_eq!(compared.status.code(), Some(2), "{}", said(&compared));
    let words = "made by an older version: accept it again with bouquet gate --accept";
    assert!(said(&compared).contains(words), "{}", said(&compared));
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
    let newer = now.replace("\"schema_version\": 3", "\"schema_version\": 4");
    project.write("baseline/gate.json", &newer);
    assert_eq!(accept(&project).status.code(), Some(2));
    assert_eq!(project.read("baseline/gate.json"), newer);
}

/// There is a report all the same, and no baseline.
#[test]
fn a_filter_that_cannot_be_made_fails_every_tier() {
    let project = Project::new("unmade");
    project.define("standard");
    project.accept(&["--tiny"]);
    project.define("fault-cannot-be-made");
    let sizes = "[memory]\nfilters = [\"fault-cannot-be-made\"]\ncapacities = [10]\nfprs = [0.1]\n";
    let definition = project.read("bouquet.toml") + sizes;
    project.write("bouquet.toml", &definition);
    let done = project.gate(&["--tiny"]);
    assert_eq!(done.status.code(), Some(1), "{}", said(&done));
    let failed = project.failed();
    for row in [
        "exact: measurement",
        "exact: memory for 10 keys at 0.1",
        "statistical: FPR",
        "statistical: locations are even",
        "time: loop",
    ] {
        assert!(failed.iter().any(|f| f == row), "{row}: {failed:?}");
    }
    let accepted = project.gate(&["--tiny", "--accept", "--reason", "a test"]);
    assert_eq!(accepted.status.code(), Some(1), "{}", said(&accepted));
    let last = said(&accepted);
    let last = last.lines().last().unwrap();
    assert!(
        last.starts_with("bouquet: no baseline was written: ") && last.ends_with(" in all)"),
        "{last}"
    );
    assert!(
        !project
            .read("baseline/gate.json")
            .contains("cannot be made")
    );
}

/// A folder is replaced as a whole: it is said before anything is measured or written.
#[test]
fn no_baseline_goes_into_the_report_or_around_it() {
    let project = Project::new("nested");
    project.define("standard");
    let rejected = |folders: &[&str], words: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bouquet"));
        command
            .args(["gate", "--define", "bouquet.toml", "--tiers", "exact"])
            .args(["--accept", "--reason", "a test"])
            .args(folders);
        let done = command.current_dir(&project.0).output().unwrap();
        assert_eq!(done.status.code(), Some(2), "{}", said(&done));
        assert!(said(&done).contains(words), "{}", said(&done));
        let names = std::fs::read_dir(&project.0).unwrap();
        assert_eq!(names.count(), 1, "something was written");
    };
    for [baseline, out] in [
        ["gx/sub", "gx"],
        ["gx", "gx/sub"],
        ["gx", "./gx/"],
        ["gx", "new/../gx"],
        ["gx", "new/newer/../../gx/."],
        ["new/../gx/sub", "gx"],
        ["/", "gx"],
    ] {
        rejected(&["--baseline", baseline, "--out", out], "one in the other");
    }
}
