//! What a killed run left is cleared by the next, or put back.

use super::*;

/// A run that is dead has no lock; all else is as it left it.
fn killed(staging: Staging) -> PathBuf {
    let path = staging.workspace.path().to_path_buf();
    let copied = path.with_file_name(".report.tmp-1");
    copy(&path, &copied);
    drop(staging);
    copied
}

#[test]
fn leftovers_of_dead_runs_are_cleared_and_those_of_others_stay() {
    let root = Root::new("leftovers");
    let target = root.path("report");
    report(&target, "old");
    let alive = begun(&target, "alive").unwrap();
    let dead = killed(begun(&target, "killed").unwrap());
    fs::create_dir(root.path(".report.tmp-2")).unwrap();
    let kept = [
        ".report.tmp-3",
        ".report.tmp-4",
        ".other.tmp-1",
        ".report.tmp-x",
    ];
    for name in kept {
        fs::create_dir(root.path(name)).unwrap();
        fs::write(root.path(name).join("letter"), "dear").unwrap();
    }
    fs::write(root.path(".report.tmp-4/lock"), "my own lock").unwrap();
    assert!(dead.exists());
    report(&target, "new");
    assert!(!dead.exists());
    assert!(!root.path(".report.tmp-2").exists());
    for name in kept {
        assert!(root.path(name).join("letter").exists(), "{name}");
    }
    alive.commit().unwrap();
    assert!(is_report(&target, "alive"));
}

/// Whoever makes such a folder by hand has nothing of their own removed.
#[test]
fn of_an_unfinished_report_only_files_of_a_report_are_removed() {
    let root = Root::new("by-hand");
    let target = root.path("report");
    for number in 1..=4 {
        let folder = root.path(&format!(".report.tmp-{number}/report"));
        fs::create_dir_all(folder.join("records")).unwrap();
        fs::create_dir(folder.join("charts")).unwrap();
        fs::write(folder.join("README.md"), "half of").unwrap();
        fs::write(folder.join("../lock"), "").unwrap();
    }
    let kept = [(1, "letter"), (2, "records/own/a.csv"), (3, "letter")]
        .map(|(number, name)| root.path(&format!(".report.tmp-{number}/report/{name}")));
    fs::create_dir(kept[1].parent().unwrap()).unwrap();
    for path in &kept {
        fs::write(path, "dear").unwrap();
    }
    let mut files = Listing::default();
    files.add("letter", sha256(b"dear"));
    fs::write(root.path(".report.tmp-3/files"), files.lines()).unwrap();
    report(&target, "new");
    for path in kept {
        assert!(path.exists(), "{}", path.display());
    }
    assert!(!root.path(".report.tmp-4").exists());
}

/// As where folders are replaced in two steps.
#[test]
fn a_report_that_a_dead_run_moved_away_is_put_back() {
    let root = Root::new("recovered");
    let target = root.path("report");
    let moved = || {
        report(&target, "old");
        let dead = killed(begun(&target, "new").unwrap());
        let mut files = marker::mark(&dead.join("report")).unwrap();
        files.join(marker::check(&target, &Listing::default()).unwrap());
        fs::write(dead.join("files"), files.lines()).unwrap();
        fs::rename(&target, dead.join("old")).unwrap();
        dead
    };
    moved();
    recover(&target.join("records/run.csv"));
    assert!(is_report(&target, "old"));
    assert_eq!(root.names(), ["report"]);

    // By way of a link, which leads nowhere meanwhile.
    moved();
    symlink("report", root.path("link")).unwrap();
    let running = begun(&root.path("link"), "newer").unwrap();
    assert!(is_report(&target, "old"));
    running.commit().unwrap();
    assert!(is_report(&target, "newer"));
    assert_eq!(root.names(), ["link", "report"]);

    // What somebody put there is not removed with it.
    let dead = moved();
    fs::write(dead.join("report/letter"), "dear").unwrap();
    fs::write(dead.join("report/README.md"), "my notes").unwrap();
    report(&target, "newest");
    assert_eq!(names(&dead.join("report")), ["README.md", "letter"]);
}
