//! Which runs can become a baseline, and which values a baseline keeps.

use super::*;

#[test]
fn a_baseline_has_a_reason_and_what_it_replaces() {
    let project = Project::new("accept");
    project.define("standard");
    ends(&project, &["--accept"], 2);
    ends(&project, &["--accept", "--reason", "  "], 2);
    let none = ends(&project, &WITHOUT_TIMES, 2);
    assert!(none.contains("--accept"), "{none}");

    project.accept(&WITHOUT_TIMES);
    project.define("partitioned");
    let changed = ends(&project, &WITHOUT_TIMES, 1);
    let words = "Not as in the baseline: guarded;";
    assert!(changed.contains(words), "{changed}");
    project.accept(&WITHOUT_TIMES);
    ends(&project, &STRICT, 0);

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

/// Removes one row from the baseline.
pub fn without(project: &Project, tier: &str, what: &str) {
    let mut baseline: Value = serde_json::from_str(&project.read("baseline/gate.json")).unwrap();
    let rows = baseline["rows"].as_array_mut().unwrap();
    let before = rows.len();
    rows.retain(|row| (text(&row["tier"]), text(&row["what"])) != (tier, what));
    assert_eq!(rows.len() + 1, before);
    project.write("baseline/gate.json", &baseline.to_string());
}

/// With --strict, which CI uses, a row that is missing from the baseline is not a pass.
#[test]
fn a_row_deleted_from_the_baseline_is_no_pass() {
    let project = Project::new("deleted");
    project.define("standard");
    for (tier, what) in [("exact", "stored bytes"), ("statistical", "FPR")] {
        // `--accept` does not replace a baseline that was edited, so remove it first.
        let _ = fs::remove_dir_all(project.0.join("baseline"));
        project.accept(&WITHOUT_TIMES);
        without(&project, tier, what);
        ends(&project, &STRICT, 3);
        ends(&project, &WITHOUT_TIMES, 0);
    }
    let script = include_str!("../../../../../.ci/run");
    assert!(script.contains("gate --quick --tiers exact,statistical --strict"));
}

/// The baseline's values do not apply to another filter that has the same name.
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
    ends(&project, &WITHOUT_TIMES, 1);
    for tier in [0, 1] {
        let note = project.report()["verdict"]["tiers"][tier]["note"].clone();
        assert!(
            text(&note).contains("Not as in the baseline: guarded;"),
            "{note}"
        );
    }
    project.accept(&["--tiers", "exact"]);
    assert_eq!(rates().1, ["control truncated-16"]);
    ends(&project, &STRICT, 3);
}

#[test]
fn a_report_is_no_baseline_until_it_is_accepted() {
    let project = Project::new("report");
    project.define("standard");
    project.accept(&EXACT);
    let sound = project.read("baseline/gate.json");
    let rejected = |more: &[&str], words: &str| {
        let done = ends(&project, more, 2);
        assert!(done.contains(words), "{words}: {done}");
    };
    project.gate(&EXACT);
    project.write("baseline/gate.json", &project.read("out/gate.json"));
    rejected(&EXACT, "was not accepted");
    let accept = [&ACCEPT[..], &EXACT].concat();
    rejected(&accept, "was not accepted");

    // If the baseline cannot be written, nothing is measured.
    fs::remove_dir_all(project.0.join("out")).unwrap();
    project.write("baseline/gate.json", &sound);
    project.write("baseline/letter", "dear");
    rejected(&accept, "letter");
    assert!(!project.0.join("out").exists());
}

#[test]
fn a_filter_with_false_negatives_is_no_baseline() {
    let project = Project::new("reject");
    for fault in [
        "fault-missing-key",
        "fault-probe-missing",
        "fault-biased-hash",
    ] {
        project.define(fault);
        ends(&project, &[&ACCEPT[..], &WITHOUT_TIMES].concat(), 1);
        assert!(!project.0.join("baseline").exists(), "{fault}");
    }
}
