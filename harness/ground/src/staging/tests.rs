#![allow(
    clippy::unwrap_used,
    reason = "clippy sees tests only in what is marked as one"
)]

mod hostile;
mod leftovers;
mod metadata;

use std::{
    os::unix::fs::{PermissionsExt, chown, symlink},
    sync::atomic::{AtomicBool, Ordering},
};

use super::{marker::MARKER, *};
use crate::units::sha256;

/// Past the harness, which keeps what a passing test prints.
fn skipped(why: &str) {
    use std::io::Write;
    let mut err = std::io::stderr();
    writeln!(err, "SKIPPED: {why}").unwrap();
}

/// A folder, removed at the end.
struct Root(PathBuf);

impl Root {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("bouquet-staging-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        names(&self.0)
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = listing::entries(folder).unwrap();
    let names = entries.iter().map(|entry| entry.file_name());
    names.map(|name| name.into_string().unwrap()).collect()
}

/// A run that writes this text into two files.
fn begun(target: &Path, text: &str) -> Result<Staging> {
    let staging = Staging::begin(target)?;
    fs::create_dir(staging.path().join("records")).unwrap();
    fs::write(staging.path().join("records/run.csv"), text).unwrap();
    fs::write(staging.path().join("README.md"), text).unwrap();
    Ok(staging)
}

fn report(target: &Path, text: &str) {
    begun(target, text).unwrap().commit().unwrap();
}

fn is_report(target: &Path, text: &str) -> bool {
    let files = ["records/run.csv", "README.md"];
    let mut files = files.iter().map(|file| target.join(file));
    files.all(|file| fs::read_to_string(file).unwrap() == text)
        && names(target) == [MARKER, "README.md", "records"]
}

/// That nothing can begin there, and why.
fn rejected(target: &Path) -> String {
    Staging::begin(target).err().unwrap().to_string()
}

#[test]
fn nothing_is_left_of_a_folder_that_was_given_up() {
    let root = Root::new("dropped");
    drop(begun(&root.path("report"), "new").unwrap());
    assert!(root.names().is_empty());
}

#[test]
fn a_commit_replaces_a_report_whole() {
    let root = Root::new("replaced");
    // A name may have up to 255 bytes.
    for name in ["report", &"r".repeat(255)] {
        for text in ["old", "new"] {
            report(&root.path(name), text);
            assert!(is_report(&root.path(name), text));
            assert_eq!(root.names(), [name]);
        }
        fs::remove_dir_all(root.path(name)).unwrap();
    }
}

#[test]
fn the_marker_lists_each_file_with_its_digest() {
    let root = Root::new("marker");
    report(&root.path("report"), "words");
    let marker = fs::read_to_string(root.path("report").join(MARKER)).unwrap();
    let sum = sha256(b"words");
    let lines: Vec<&str> = marker.lines().collect();
    assert!(
        lines[0].starts_with("bouquet report, version 1: "),
        "{marker}"
    );
    assert_eq!(
        lines[1..],
        [
            format!("{sum}  README.md"),
            format!("{sum}  records/run.csv")
        ]
    );
    // Of the SHA-256 of "abc", as everybody has it.
    assert!(sha256(b"abc").starts_with("ba7816bf8f01cfea414140de5dae2223"));
}

/// Everything that somebody can have done to a report.
#[test]
fn what_the_program_did_not_write_is_not_replaced() {
    type Done = fn(&Path);
    let cases: [(&str, Done, &str); 9] = [
        (
            "more",
            |at| fs::write(at.join("letter"), "dear").unwrap(),
            "\"letter\"",
        ),
        (
            "record",
            |at| fs::write(at.join("records/own.csv"), "").unwrap(),
            "\"records/own.csv\"",
        ),
        (
            "changed",
            |at| fs::write(at.join("README.md"), "my notes").unwrap(),
            "\"README.md\" in it, which was changed",
        ),
        (
            "folder",
            |at| fs::create_dir(at.join("charts")).unwrap(),
            "\"charts\"",
        ),
        (
            "link",
            |at| {
                fs::remove_file(at.join("README.md")).unwrap();
                symlink("records/run.csv", at.join("README.md")).unwrap();
            },
            "\"README.md\"",
        ),
        (
            "folder link",
            |at| {
                fs::rename(at.join("records"), at.with_file_name("moved")).unwrap();
                symlink("../moved", at.join("records")).unwrap();
            },
            "\"records\"",
        ),
        (
            "checkout",
            |at| fs::create_dir(at.join(".git")).unwrap(),
            "\".git\"",
        ),
        (
            "another marker",
            |at| fs::write(at.join(MARKER), "bouquet report, version 2: x\n").unwrap(),
            "no marker of a report that this version reads",
        ),
        (
            "no marker",
            |at| fs::remove_file(at.join(MARKER)).unwrap(),
            "\"README.md\" in it, which is no part of a report",
        ),
    ];
    for (name, done, words) in cases {
        let root = Root::new(&format!("foreign {name}"));
        let target = root.path("report");
        // Before a run, and while it measures.
        report(&target, "old");
        done(&target);
        let error = rejected(&target);
        assert!(error.contains(words), "{name}: {error}");
        fs::remove_dir_all(&root.0).unwrap();
        fs::create_dir(&root.0).unwrap();

        report(&target, "old");
        let running = begun(&target, "new").unwrap();
        done(&target);
        let before = names(&target);
        let error = running.commit().unwrap_err().to_string();
        assert!(error.contains(words), "{name}: {error}");
        assert_eq!(names(&target), before, "{name}");
        // Minutes of measuring are not thrown away.
        assert!(is_report(&root.path("report.new"), "new"), "{name}");
        let left = root.names();
        assert!(left.iter().all(|name| !name.starts_with('.')), "{left:?}");
    }
}

#[test]
fn what_is_missing_of_a_report_is_not_missed() {
    let root = Root::new("missing");
    let target = root.path("report");
    report(&target, "old");
    fs::remove_dir_all(target.join("records")).unwrap();
    fs::write(target.join("README.md"), "").unwrap();
    report(&target, "new");
    assert!(is_report(&target, "new"));
}

/// They are those that the new report is made of.
#[test]
fn files_that_the_new_report_has_too_may_have_been_changed() {
    let root = Root::new("kept");
    let target = root.path("report");
    report(&target, "old");
    fs::write(target.join("records/run.csv"), "corrected").unwrap();
    assert!(rejected(&target).contains("records/run.csv"));
    let copy = |folder: &Path| {
        fs::create_dir(folder.join("records"))?;
        fs::copy(
            target.join("records/run.csv"),
            folder.join("records/run.csv"),
        )?;
        Ok(())
    };
    let staging = Staging::begin_with(&target, copy).unwrap();
    fs::write(staging.path().join("README.md"), "corrected").unwrap();
    staging.commit().unwrap();
    assert!(is_report(&target, "corrected"));
}

/// Whoever looks at it meanwhile sees one report or the other.
#[test]
#[cfg(target_os = "linux")]
fn a_report_that_is_being_replaced_is_a_report() {
    let root = Root::new("replacing");
    let target = root.path("report");
    report(&target, "0");
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for turn in 1..200 {
                report(&target, &turn.to_string());
            }
            is_over.store(true, Ordering::Relaxed);
        });
        while !is_over.load(Ordering::Relaxed) {
            marker::check(&target, &Listing::default()).unwrap();
        }
    });
}

/// Where folders cannot be put, whatever is in them.
#[test]
fn places_that_are_none() {
    let root = Root::new("places");
    fs::write(root.path("letter"), "dear").unwrap();
    symlink("nobody", root.path("link")).unwrap();
    symlink("round", root.path("round")).unwrap();
    let cases = [
        (root.path("letter"), "is a file"),
        (root.path("letter/report"), "cannot write to"),
        (root.path("link"), "a link to nobody, which is not there"),
        (root.path("round"), "cannot write to"),
        (PathBuf::from("/"), "the root of all folders"),
        (PathBuf::from("."), "you are in it"),
        (PathBuf::from(".."), "you are in it"),
        (root.path("new/.."), "does not name a folder"),
    ];
    for (path, words) in cases {
        let error = format!("{:#}", Staging::begin(&path).err().unwrap());
        let name = path.display().to_string();
        assert!(error.contains(words) && error.contains(&name), "{error}");
    }
    if cfg!(target_os = "linux") {
        let error = rejected(Path::new("/proc"));
        assert!(error.contains("/proc: it is a mount point"), "{error}");
        let error = rejected(Path::new("/proc/new"));
        assert!(error.starts_with("cannot create /proc/new"), "{error}");
    }
    assert_eq!(root.names(), ["letter", "link", "round"]);
}

#[test]
fn a_link_to_a_folder_stays_one() {
    let root = Root::new("link");
    report(&root.path("report"), "old");
    symlink("report", root.path("link")).unwrap();
    report(&root.path("link"), "new");
    assert!(root.path("link").is_symlink());
    assert!(is_report(&root.path("report"), "new"));
    assert_eq!(root.names(), ["link", "report"]);
}

/// Without its marker nobody knows whether somebody has put words of their own into it.
#[test]
fn a_report_without_its_marker_is_nobodys() {
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports");
    for kind in ["main", "peers", "baseline"] {
        let root = Root::new(&format!("unmarked-{kind}"));
        let target = root.path("report");
        copy(&reports.join(kind), &target);
        fs::remove_file(target.join(MARKER)).unwrap();
        let were = fs::read(target.join("README.md")).unwrap();
        let error = rejected(&target);
        assert!(
            error.contains("no .bouquet-report there lists it"),
            "{error}"
        );
        assert_eq!(fs::read(target.join("README.md")).unwrap(), were);
        assert_eq!(root.names(), ["report"]);
    }
}

#[test]
fn records_of_others_are_no_report() {
    let root = Root::new("others");
    let target = root.path("report");
    fs::create_dir_all(target.join("records")).unwrap();
    fs::create_dir_all(target.join("charts")).unwrap();
    for file in [
        "README.md",
        "records/run.csv",
        "charts/fpr.svg",
        "gate.json",
    ] {
        fs::write(target.join(file), "name,value\nmine,all\n").unwrap();
    }
    assert!(rejected(&target).contains("no .bouquet-report there lists it"));
}

/// What `git` gives is what was committed, and may be replaced.
#[test]
fn committed_reports_have_their_markers() {
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports");
    for kind in ["main", "speed", "peers", "baseline"] {
        let folder = reports.join(kind);
        assert!(folder.join(MARKER).is_file(), "{kind}");
        marker::check(&folder, &Listing::default()).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in listing::entries(from).unwrap() {
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}
