//! Filters that are wrong by one way in or out, and right by single calls.

use std::fs;

use super::{Project, another_by, fails, fails_in, inserted, said};

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
    let words = "of 70000 keys answered otherwise than by single calls: 0 of 20000 members are false negatives";
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
fn batches_with_a_false_negative_fail_both_tiers() {
    let project = Project::new("batch-misses");
    let failed = fails_in(&project, "fault-batch-misses", "exact,statistical");
    for row in [
        "exact: ways, inserted singly, asked in batches",
        "exact: ways, inserted by extend, asked in batches",
        "exact: ways after grow, inserted singly, asked in batches",
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
fn a_batch_that_drops_a_key_on_the_way_in_fails() {
    let project = Project::new("batch-drops");
    let failed = fails_in(&project, "fault-batch-drops", "exact");
    assert_eq!(failed, with_missing(another_by("in batches")));
    let words = "stored as other bytes; another number of keys called new than by single calls";
    let page = project.read("out/summary.md");
    assert!(page.contains(words), "{page}");
}

/// And the false negatives of single calls and batches then.
fn with_missing(mut rows: Vec<String>) -> Vec<String> {
    let missing = [
        "exact: false negatives",
        "exact: false negatives, asked in batches",
    ];
    rows.extend(missing.map(str::to_owned));
    rows
}

#[test]
fn a_constructor_that_drops_a_key_fails() {
    let failed = fails("from-keys", "fault-from-keys-drops", "exact");
    assert_eq!(failed, with_missing(another_by("by from_keys")));
}

#[test]
fn hashes_that_are_answered_otherwise_fail() {
    let failed = fails("by-hash", "fault-hash-accepts", "exact");
    for what in ["answers", "ways", "answers after union", "ways after grow"] {
        let row = inserted(what, "singly", "by hash");
        assert!(failed.contains(&row), "{row}: {failed:?}");
    }
    assert!(
        failed.iter().all(|row| row.ends_with("asked by hash")),
        "{failed:?}"
    );
}

#[test]
fn a_view_with_a_false_negative_fails() {
    let failed = fails("view", "fault-view-misses", "exact");
    for out in ["by a view", "by a mapped view"] {
        let rows =
            ["answers", "ways", "ways after reload"].map(|what| inserted(what, "singly", out));
        for row in rows
            .into_iter()
            .chain([format!("exact: false negatives, asked {out}")])
        {
            assert!(failed.contains(&row), "{row}: {failed:?}");
        }
    }
    assert!(failed.iter().all(|row| row.ends_with("view")), "{failed:?}");
}

/// That a file to be mapped cannot be written says nothing of the filter.
#[test]
#[cfg(unix)]
fn without_room_for_a_file_nothing_is_said_of_the_filter() {
    let project = Project::new("roomless");
    project.define("standard");
    project.accept(&["--tiers", "exact"]);
    let mut command = project.command(&["--tiers", "exact"]);
    let done = command.env("TMPDIR", project.0.join("missing")).output();
    let done = done.unwrap();
    assert_eq!(done.status.code(), Some(1), "{}", said(&done));
    let report = project.read("out/gate.json");
    assert!(report.contains("no temporary file could be written and mapped: see TMPDIR"));
    for claim in ["reads back as another filter", "answered otherwise"] {
        assert!(!report.contains(claim), "{report}");
    }
}
