//! Tests of filters whose batch calls have a fault, while their single calls are correct.

use std::fs;

use super::{ACCEPT, IN_BATCHES, Project, ends, fails_in};

/// The exact and the statistical tier both fail, but not their rows about single calls.
#[test]
fn batches_that_accept_too_much_fail_both_tiers() {
    let project = Project::new("batch-accepts");
    let failed = fails_in(&project, "fault-batch-accepts", "exact,statistical");
    let wanted = [
        format!("exact: answers{IN_BATCHES}"),
        format!("exact: API paths{IN_BATCHES}"),
        "statistical: FPR".to_owned(),
    ];
    for row in &wanted {
        assert!(failed.contains(row), "{row}: {failed:?}");
    }
    assert!(!failed.contains(&"exact: answers".to_owned()), "{failed:?}");
    assert!(!failed.iter().any(|row| row.contains("asked singly")));
    let page = project.read("out/summary.md");
    let words = "of 70000 keys answered otherwise than by single calls";
    assert!(page.contains(words), "{page}");
    assert!(page.contains("answered otherwise in batches than by single calls"));
    // The filter with the fault is rejected as the first baseline too.
    project.write("baseline/gate.json", "");
    fs::remove_dir_all(project.0.join("baseline")).unwrap();
    ends(&project, &ACCEPT, 1);
    assert!(!project.0.join("baseline").exists());
}

#[test]
fn batches_with_a_false_negative_fail_both_tiers() {
    let project = Project::new("batch-misses");
    let failed = fails_in(&project, "fault-batch-misses", "exact,statistical");
    for row in [
        "exact: API paths, inserted singly, asked in batches",
        "exact: false negatives, asked in batches",
        "statistical: FPR",
    ] {
        assert!(failed.iter().any(|f| f == row), "{row}: {failed:?}");
    }
    for row in ["exact: answers", "exact: false negatives"] {
        assert!(!failed.iter().any(|f| f == row), "{row}: {failed:?}");
    }
    let page = project.read("out/summary.md");
    assert!(page.contains("of its keys in batches"), "{page}");
}
