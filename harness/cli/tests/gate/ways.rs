//! Filters whose batches are not what their single calls are.

use std::fs;

use super::{Project, fails_in, said};

/// By batches alone: single calls answer as they did, in both tiers.
#[test]
fn batches_that_accept_too_much_fail_both_tiers() {
    let project = Project::new("batch-accepts");
    let failed = fails_in(&project, "fault-batch-accepts", "exact,statistical");
    let batches = "inserted singly, asked in batches";
    let wanted = [
        format!("exact: answers, {batches}"),
        format!("exact: ways, {batches}"),
        "statistical: FPR".to_owned(),
    ];
    for row in &wanted {
        assert!(failed.contains(row), "{row}: {failed:?}");
    }
    assert!(!failed.contains(&"exact: answers".to_owned()), "{failed:?}");
    assert!(!failed.iter().any(|row| row.contains("asked singly")));
    let page = project.read("out/summary.md");
    let words = "of 70000 keys answered otherwise than by single calls: 0 of 20000 members denied";
    assert!(page.contains(words), "{page}");
    assert!(page.contains("answered otherwise in batches than by single calls"));
    // Not even the first time.
    project.write("baseline/gate.json", "");
    fs::remove_dir_all(project.0.join("baseline")).unwrap();
    let first = project.gate(&["--accept", "--reason", "quicker"]);
    assert_eq!(first.status.code(), Some(1), "{}", said(&first));
    assert!(!project.0.join("baseline").exists());
}

#[test]
fn batches_that_deny_a_member_fail_both_tiers() {
    let project = Project::new("batch-denies");
    let failed = fails_in(&project, "fault-batch-denies", "exact,statistical");
    for row in [
        "exact: ways, inserted singly, asked in batches",
        "exact: ways, inserted by extend, asked in batches",
        "exact: batches after insert",
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

#[test]
fn a_batch_that_loses_a_key_on_the_way_in_fails() {
    let project = Project::new("batch-loses");
    let failed = fails_in(&project, "fault-batch-loses", "exact");
    let wanted = [
        "exact: answers, inserted in batches, asked singly",
        "exact: ways, inserted in batches, asked singly",
        "exact: answers, inserted in batches, asked in batches",
        "exact: ways, inserted in batches, asked in batches",
        "exact: inserted in batches",
        "exact: false negatives",
        "exact: false negatives, asked in batches",
    ];
    assert_eq!(failed, wanted);
    let words = "stored as other bytes; another number of keys called new than by single calls";
    let page = project.read("out/summary.md");
    assert!(page.contains(words), "{page}");
}
