//! Owners and modes, of what was there and of what is new.

use std::os::unix::fs::MetadataExt;

use super::*;

#[test]
fn an_empty_folder_is_replaced_and_keeps_its_mode() {
    let root = Root::new("empty");
    let target = root.path("report");
    fs::create_dir(&target).unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o750)).unwrap();
    report(&target, "new");
    assert!(is_report(&target, "new"));
    let mode = fs::metadata(&target).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o750);
}

#[test]
fn owners_and_modes_are_kept() {
    let root = Root::new("owners");
    let target = root.path("report");
    report(&target, "old");
    let (page, rows) = (target.join("README.md"), target.join("records/run.csv"));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    for (path, mode) in [(&target, 0o2750), (&page, 0o600), (&rows, 0o4664)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    report(&target, "new");
    assert!(is_report(&target, "new"));
    assert_eq!(
        (mode(&target), mode(&page), mode(&rows)),
        (0o2750, 0o600, 0o4664)
    );
    // Only root may give files to others.
    let owned = [
        &page,
        &rows,
        &target.join("records"),
        &target.join(MARKER),
        &target,
    ];
    if owned
        .iter()
        .any(|path| chown(path, Some(12_345), Some(23_456)).is_err())
    {
        skipped("only root may give files to others: run it as root");
        return;
    }
    let new = begun(&target, "newer").unwrap();
    fs::write(new.path().join("index.html"), "new").unwrap();
    new.commit().unwrap();
    for path in owned.into_iter().chain([&target.join("index.html")]) {
        let there = fs::metadata(path).unwrap();
        assert_eq!(
            (there.uid(), there.gid()),
            (12_345, 23_456),
            "{}",
            path.display()
        );
    }
    assert_eq!(
        (mode(&page), mode(&target.join("index.html"))),
        (0o600, 0o644)
    );
}
