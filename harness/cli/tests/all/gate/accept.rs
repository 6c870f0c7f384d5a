//! Messages and effects of accepting a baseline.

use std::process::Command;

use serde_json::Value;

use super::{ACCEPT, EXACT, Project, ends, said, text};

/// The message calls the first baseline the first; for a later one it lists the changes.
#[test]
fn an_acceptance_says_what_it_did() {
    let project = Project::new("acceptance");
    project.define("standard");
    let begins = |begin: &str| {
        let words = ends(&project, &[&ACCEPT[..], &EXACT].concat(), 0);
        assert!(words.starts_with(begin), "{begin}: {words}");
        let sentence = project.report()["verdict"]["sentence"].clone();
        let first = words.lines().next().unwrap();
        assert_eq!(format!("✓ {}", text(&sentence)), first);
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

/// A run cannot be compared with such a baseline, but `--accept` replaces it.
#[test]
fn a_baseline_of_an_older_schema_is_replaced() {
    let project = Project::new("older");
    project.define("standard");
    project.accept(&EXACT);
    let now = project.read("baseline/gate.json");
    let version = |version: u32| {
        let other = format!("\"schema_version\": {version}");
        let document = now.replace("\"schema_version\": 3", &other);
        assert_ne!(document, now);
        project.write("baseline/gate.json", &document);
    };
    version(2);
    // The older program marked its folders with this file.
    project.write("baseline/.bouquet-report", "");
    let compared = ends(&project, &EXACT, 2);
    let words = "made by an older version: accept it again with bouquet gate --accept";
    assert!(compared.contains(words), "{compared}");
    assert!(!compared.contains("restore"), "{compared}");
    project.accept(&EXACT);
    let written: Value = serde_json::from_str(&project.read("baseline/gate.json")).unwrap();
    let before: Value = serde_json::from_str(&now).unwrap();
    for part in ["$schema", "schema_version", "rows"] {
        assert_eq!(written[part], before[part], "{part}");
    }
    // A baseline of a later version must not be replaced by this version.
    version(4);
    for more in [&EXACT[..], &[&ACCEPT[..], &EXACT].concat()] {
        let words = ends(&project, more, 2);
        assert!(words.contains("reads version 3"), "{words}");
    }
    assert!(
        project
            .read("baseline/gate.json")
            .contains("\"schema_version\": 4")
    );
}

/// If a filter cannot be made, a report is written, but no baseline.
#[test]
fn a_filter_that_cannot_be_made_fails_every_tier() {
    let project = Project::new("unmade");
    project.define("standard");
    project.accept(&["--tiny"]);
    project.define("fault-cannot-be-made");
    ends(&project, &["--tiny"], 1);
    let failed = project.failed();
    for row in [
        "exact: measurement",
        "statistical: FPR",
        "statistical: locations are even",
        "time: loop",
    ] {
        assert!(failed.iter().any(|f| f == row), "{row}: {failed:?}");
    }
    let words = ends(&project, &[&ACCEPT[..], &["--tiny"]].concat(), 1);
    let last = words.lines().last().unwrap();
    let begin = "bouquet: no baseline was written: ";
    assert!(
        last.starts_with(begin) && last.ends_with(" in all)"),
        "{last}"
    );
    let baseline = project.read("baseline/gate.json");
    assert!(!baseline.contains("cannot be made"));
}

/// Both folders are replaced as a whole, so neither may contain the other.
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
        rejected(&["--baseline", baseline, "--out", out], "overlap");
    }
}
