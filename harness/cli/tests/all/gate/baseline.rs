//! What may become a baseline, and what a baseline keeps.

use super::*;

#[test]
fn a_baseline_has_a_reason_and_what_it_replaces() {
    let project = Project::new("accept");
    project.define("standard");
    let without = project.gate(&["--accept"]);
    assert_eq!(without.status.code(), Some(2), "{}", said(&without));
    let blank = project.gate(&["--accept", "--reason", "  "]);
    assert_eq!(blank.status.code(), Some(2), "{}", said(&blank));
    let none = project.gate(&WITHOUT_TIMES);
    assert_eq!(none.status.code(), Some(2), "{}", said(&none));
    assert!(said(&none).contains("--accept"), "{}", said(&none));

    project.accept(&WITHOUT_TIMES);
    project.define("partitioned");
    let changed = project.gate(&WITHOUT_TIMES);
    assert_eq!(changed.status.code(), Some(1), "{}", said(&changed));
    assert!(
        said(&changed).contains("Not as in the baseline: guarded;"),
        "{}",
        said(&changed)
    );
    project.accept(&WITHOUT_TIMES);
    let again = project.gate(&[&WITHOUT_TIMES[..], &["--strict"]].concat());
    assert_eq!(again.status.code(), Some(0), "{}", said(&again));

    let baseline: Value = serde_json::from_str(&project.read("baseline/gate.json")).unwrap();
    assert_eq!(baseline["acceptance"]["reason"], "a test");
    let rows = baseline["rows"].as_array().unwrap();
    let bytes = rows
        .iter()
        .find(|row| row["what"] == "stored bytes")
        .unwrap();
    assert_ne!(bytes["value"]["sha256"], bytes["baseline"]["sha256"]);
    assert!(bytes["baseline"]["sha256"].is_string());
}

/// The baseline with one row fewer.
pub fn without(project: &Project, tier: &str, what: &str) {
    let mut baseline: Value = serde_json::from_str(&project.read("baseline/gate.json")).unwrap();
    let rows = baseline["rows"].as_array_mut().unwrap();
    let before = rows.len();
    rows.retain(|row| (text(&row["tier"]), text(&row["what"])) != (tier, what));
    assert_eq!(rows.len() + 1, before);
    project.write("baseline/gate.json", &baseline.to_string());
}

/// `.ci/run` and the workflow are strict where nothing depends on the machine.
#[test]
fn a_row_deleted_from_the_baseline_is_no_pass() {
    let project = Project::new("deleted");
    project.define("standard");
    for (tier, what) in [("exact", "stored bytes"), ("statistical", "FPR")] {
        // One that was edited is not replaced.
        let _ = fs::remove_dir_all(project.0.join("baseline"));
        project.accept(&WITHOUT_TIMES);
        without(&project, tier, what);
        let strict = project.gate(&[&WITHOUT_TIMES[..], &["--strict"]].concat());
        assert_eq!(strict.status.code(), Some(3), "{}", said(&strict));
        let lax = project.gate(&WITHOUT_TIMES);
        assert_eq!(lax.status.code(), Some(0), "{}", said(&lax));
    }
    let script = include_str!("../../../../../.ci/run");
    assert!(script.contains("gate --quick --tiers exact,statistical --strict"));
}

/// What another filter did says nothing of this one, though it has its name.
#[test]
fn a_baseline_keeps_no_figures_of_another_configuration() {
    let project = Project::new("kept");
    let rates = || {
        let baseline: Value = serde_json::from_str(&project.read("baseline/gate.json")).unwrap();
        let rows = baseline["rows"].as_array().unwrap().iter();
        let rows = rows.filter(|row| row["tier"] == "statistical");
        let subjects: Vec<_> = rows.map(|row| text(&row["subject"]).to_owned()).collect();
        (baseline["run"].clone(), subjects)
    };
    project.define("standard");
    project.accept(&WITHOUT_TIMES);
    project.accept(&["--tiers", "exact", "--seed", "2"]);
    let (run, subjects) = rates();
    assert!(subjects.contains(&"guarded".to_owned()), "{subjects:?}");
    assert_eq!(
        (&run["seed"], &run["statistical_seed"]),
        (&json!("2"), &json!("1"))
    );
    project.define("partitioned");
    let changed = project.gate(&WITHOUT_TIMES);
    assert_eq!(changed.status.code(), Some(1), "{}", said(&changed));
    for tier in [0, 1] {
        let note = project.report()["verdict"]["tiers"][tier]["note"].clone();
        assert!(
            text(&note).contains("Not as in the baseline: guarded;"),
            "{note}"
        );
    }
    project.accept(&["--tiers", "exact"]);
    assert_eq!(rates().1, ["control truncated-16"]);
    let strict = project.gate(&[&WITHOUT_TIMES[..], &["--strict"]].concat());
    assert_eq!(strict.status.code(), Some(3), "{}", said(&strict));
}

#[test]
fn a_report_is_no_baseline_until_it_is_accepted() {
    let project = Project::new("report");
    let exact = ["--tiers", "exact"];
    project.define("standard");
    project.accept(&exact);
    let sound = project.read("baseline/gate.json");
    let rejected = |done: Output, words: &str| {
        assert_eq!(done.status.code(), Some(2), "{}", said(&done));
        assert!(said(&done).contains(words), "{words}: {}", said(&done));
    };
    for place in ["baseline", "./baseline", "out/../baseline"] {
        fs::create_dir_all(project.0.join("out")).unwrap();
        let onto = Command::new(env!("CARGO_BIN_EXE_bouquet"))
            .args(["gate", "--define", "bouquet.toml", "--baseline", "baseline"])
            .args(["--out", place])
            .args(exact)
            .current_dir(&project.0)
            .output();
        rejected(onto.unwrap(), "one in the other");
    }
    assert_eq!(project.read("baseline/gate.json"), sound);

    project.gate(&exact);
    project.write("baseline/gate.json", &project.read("out/gate.json"));
    rejected(project.gate(&exact), "nobody accepted");
    let accept = ["--tiers", "exact", "--accept", "--reason", "a test"];
    rejected(project.gate(&accept), "nobody accepted");

    // Where no baseline can be written nothing is measured for one.
    fs::remove_dir_all(project.0.join("out")).unwrap();
    project.write("baseline/gate.json", &sound);
    project.write("baseline/letter", "dear");
    rejected(project.gate(&accept), "letter");
    assert!(!project.0.join("out").exists());
}

/// Whatever the reason.
#[test]
fn a_filter_with_false_negatives_is_no_baseline() {
    let project = Project::new("reject");
    for fault in [
        "fault-missing-key",
        "fault-probe-missing",
        "fault-biased-hash",
    ] {
        project.define(fault);
        let args = ["--accept", "--reason", "it is faster"];
        let done = project.gate(&[&args[..], &WITHOUT_TIMES].concat());
        assert_eq!(done.status.code(), Some(1), "{}", said(&done));
        assert!(!project.0.join("baseline").exists(), "{fault}");
    }
}
