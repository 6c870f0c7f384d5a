//! Folders that somebody changes while a report is made, to have another one's files
//! written over or removed.

use std::sync::atomic::AtomicU32;

use super::*;
use crate::unfinished::write;

/// Somebody's own folder, of the shape of a workspace with a report in it.
fn victim(root: &Root) -> PathBuf {
    let victim = root.path("victim");
    fs::create_dir_all(victim.join("report/records")).unwrap();
    for name in ["lock", "report/README.md", "report/records/run.csv"] {
        fs::write(victim.join(name), "dear").unwrap();
    }
    victim
}

fn is_as_it_was(victim: &Path) -> bool {
    let files = ["lock", "report/README.md", "report/records/run.csv"];
    let mut files = files.iter().map(|name| victim.join(name));
    files.all(|file| fs::read_to_string(file).unwrap() == "dear")
}

#[test]
fn nothing_is_removed_behind_a_link_in_place_of_the_workspace() {
    for commits in [false, true] {
        let root = Root::new(&format!("swapped-{commits}"));
        let victim = victim(&root);
        report(&root.path("report"), "old");
        let running = begun(&root.path("report"), "new").unwrap();
        let workspace = running.workspace.path().to_path_buf();
        fs::rename(&workspace, root.path("away")).unwrap();
        symlink("victim", &workspace).unwrap();
        if commits {
            // With files of a report alone, so that it could be put in place.
            let error = format!("{:#}", running.commit().unwrap_err());
            assert!(error.contains("was moved away"), "{error}");
        } else {
            drop(running);
        }
        assert!(is_report(&root.path("report"), "old"));
        fs::remove_file(&workspace).unwrap();
        assert_eq!(root.names(), ["away", "report", "victim"]);
        fs::remove_file(victim.join("report/.bouquet-report")).ok();
        assert!(is_as_it_was(&victim));
    }
}

#[test]
fn nor_when_ctrl_c_is_pressed_twice() {
    let root = Root::new("abandoned");
    let victim = victim(&root);
    symlink("victim", root.path("link")).unwrap();
    abandon(&root.path("link"));
    assert!(is_as_it_was(&victim));
}

#[test]
fn a_target_that_became_a_link_is_not_replaced() {
    let root = Root::new("retargeted");
    let target = root.path("report");
    report(&target, "old");
    let running = begun(&target, "new").unwrap();
    fs::rename(&target, root.path("moved")).unwrap();
    symlink("moved", &target).unwrap();
    let error = running.commit().unwrap_err().to_string();
    assert!(error.contains("no folder"), "{error}");
    assert!(target.is_symlink() && is_report(&root.path("moved"), "old"));
    assert!(is_report(&root.path("report.new"), "new"));
    assert_eq!(root.names(), ["moved", "report", "report.new"]);
}

#[test]
fn no_file_is_written_over() {
    let root = Root::new("links");
    fs::write(root.path("theirs"), "dear").unwrap();
    symlink("theirs", root.path("README.md")).unwrap();
    for name in ["README.md", "theirs"] {
        assert!(write(&root.path(name), "new").is_err());
    }
    assert_eq!(fs::read_to_string(root.path("theirs")).unwrap(), "dear");
}

/// A marker that somebody wrote, with the right digest of a file that no report has.
#[test]
fn what_a_forged_marker_lists_stays() {
    let root = Root::new("forged");
    let target = root.path("report");
    report(&target, "old");
    fs::write(target.join("letter"), "dear").unwrap();
    let marker = target.join(MARKER);
    let mut text = fs::read_to_string(&marker).unwrap();
    text += &format!("{}  letter\n", sha256(b"dear"));
    fs::write(&marker, text).unwrap();
    let error = rejected(&target);
    assert!(error.contains("\"letter\""), "{error}");
    assert_eq!(fs::read_to_string(target.join("letter")).unwrap(), "dear");
}

/// What a dead run of another user left could be changed while it is looked at.
#[test]
fn what_another_user_s_run_left_stays() {
    let root = Root::new("users");
    let left = root.path(".report.tmp-1");
    fs::create_dir(&left).unwrap();
    if chown(&left, Some(12_345), None).is_err() {
        skipped("this user cannot give folders away: run it as root");
        return;
    }
    report(&root.path("report"), "new");
    assert!(left.exists());
}

/// Between any two steps of a run, its folder is moved away and a link to somebody's own is put
/// in its place, and that is undone: as fast as it goes, as long as runs end.
#[test]
#[cfg(target_os = "linux")]
fn nothing_is_removed_while_the_workspace_is_swapped_for_a_link() {
    let root = Root::new("racing");
    let victim = victim(&root);
    let (target, away) = (root.path("report"), root.path("away"));
    report(&target, "old");
    let swaps = AtomicU32::new(0);
    for turn in 0..100 {
        let running = Staging::begin(&target).unwrap();
        let workspace = running.workspace.path().to_path_buf();
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    if fs::rename(&workspace, &away).is_ok() {
                        symlink("victim", &workspace).unwrap();
                        swaps.fetch_add(1, Ordering::Relaxed);
                        thread::yield_now();
                        fs::remove_file(&workspace).unwrap();
                        let _ = fs::rename(&away, &workspace);
                    }
                }
            });
            // Whatever it comes to, it may fail.
            fs::create_dir(running.path().join("records")).unwrap();
            for name in ["README.md", "records/fpr.csv"] {
                write(&running.path().join(name), "new").unwrap();
            }
            if turn % 2 == 0 {
                drop(running);
            } else {
                let _ = running.commit();
            }
            is_over.store(true, Ordering::Relaxed);
        });
        assert!(is_as_it_was(&victim), "turn {turn}");
        assert_eq!(names(&victim), ["lock", "report"]);
        assert_eq!(names(&victim.join("report")), ["README.md", "records"]);
        for left in root.names() {
            if !["report", "victim"].contains(&&*left) {
                fs::remove_dir_all(root.path(&left)).unwrap();
            }
        }
    }
    assert!(swaps.into_inner() > 0, "nothing was swapped");
}
