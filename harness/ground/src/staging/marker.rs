//! The marker of a folder that the program wrote: by it, and by nothing else, a folder
//! is replaced.
//!
//! Its first line says what it is, each further one names a file of the folder after
//! the SHA-256 of its bytes, so that `tail -n +2 .bouquet-report | sha256sum --check`
//! checks it. It depends on the files alone.

use std::{fs, io, path::Path};

use anyhow::{Context, Result, bail, ensure};

use super::{
    handle::{Handle, named},
    listing::{Foreign, Listing, Why, entries, is_folder, look, remove_empty, write_new},
};
use crate::units::sha256;

/// The file in the folder.
pub const MARKER: &str = ".bouquet-report";
/// What every version of it begins with.
const WORDS: &str = "bouquet report";
const VERSION: u32 = 1;
/// The files of reports beside their records and charts: of all, and of the gate.
const FILES: [&str; 10] = [
    MARKER,
    "README.md",
    "index.html",
    "tables.html",
    "machine.txt",
    "gate.json",
    "summary.md",
    "comment.md",
    "junit.xml",
    "benchmark.json",
];
/// Folders of reports, and how the names of the files in them end.
const FOLDERS: [(&str, &str); 2] = [("records", ".csv"), ("charts", ".svg")];
/// How often a folder may be replaced while it is looked at.
const TRIES: usize = 100;

/// Lists all that is in a new folder, brings it to the disk and marks it. Gives the
/// list, in which the marker is too.
///
/// # Errors
///
/// Something there cannot be listed, or the marker cannot be written.
pub fn mark(folder: &Path) -> Result<Listing> {
    let mut files = Listing::of(folder)?;
    let text = text(&files);
    let path = folder.join(MARKER);
    write_new(&path, &text)?;
    files.add(MARKER, sha256(text.as_bytes()));
    Ok(files)
}

fn text(files: &Listing) -> String {
    format!(
        "{WORDS}, version {VERSION}: bouquet replaces this folder as long as it has no other \
         files than these, unchanged\n{}",
        files.lines()
    )
}

/// All that is in a folder, if all of it was written by the program or, with the same
/// bytes, is among the files `kept`; else an error that says what is not. Nothing is
/// in a folder that is not there. One that another run replaced meanwhile is looked at again:
/// its files may be compared with the marker of another, or be gone.
pub fn check(folder: &Path, kept: &Listing) -> Result<Listing> {
    let mut turn = 0;
    loop {
        turn += 1;
        let handle = match Handle::open(folder) {
            Ok(handle) => handle,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Listing::default()),
            Err(error) => return Err(cannot_write(folder, error)),
        };
        let checked = check_by(folder, &handle, kept);
        if checked.is_ok() || turn == TRIES || handle.is_at(folder) {
            return checked;
        }
    }
}

fn cannot_write(folder: &Path, error: io::Error) -> anyhow::Error {
    anyhow::Error::new(error).context(format!("cannot write to {}", folder.display()))
}

fn check_by(folder: &Path, handle: &Handle, kept: &Listing) -> Result<Listing> {
    let mut entries = fs::read_dir(handle.path()).map_err(|error| cannot_write(folder, error))?;
    if entries.next().is_none() {
        return Ok(Listing::default());
    }
    let marked = read(handle.path())?;
    let is_marked = marked.is_some();
    let mut files = marked.unwrap_or_default();
    files.join(kept.clone());
    let name = folder.display();
    let Some(Foreign { path, why }) = files.foreign(handle.path())? else {
        return Ok(files);
    };
    let (why, also) = match why {
        Why::Mounted => bail!(
            "{name} has {path:?} in it, which is a mount point and cannot be replaced: unmount it or \
             name another folder"
        ),
        // It may look like a report, and be one with somebody's own words in it.
        _ if !is_marked => (
            "is no part of a report, as no .bouquet-report there lists it,",
            "",
        ),
        Why::Changed => (
            "was changed since bouquet wrote it",
            ", put it back as it was,",
        ),
        Why::Unlisted => ("is no part of a report that bouquet wrote there", ""),
    };
    bail!(
        "{name} has {path:?} in it, which {why} and would be deleted; move it away{also} or name \
         another folder"
    )
}

/// What the marker of a folder lists, and itself; none if there is no marker.
fn read(folder: &Path) -> Result<Option<Listing>> {
    let path = folder.join(MARKER);
    let Some(there) = look(&path)? else {
        return Ok(None);
    };
    let way_out = "move the folder away or name another one";
    let name = named(&path);
    let name = name.display();
    ensure!(there.is_file(), "{name} is no file: {way_out}");
    let text = fs::read(&path).with_context(|| format!("cannot read {name}"))?;
    let Some(mut files) = std::str::from_utf8(&text).ok().and_then(parse) else {
        bail!(
            "{name} is no marker of a report that this version reads, by which it would know what \
             bouquet wrote there: put it back as it was, {way_out}"
        );
    };
    files.retain(is_of_a_report);
    files.add(MARKER, sha256(&text));
    Ok(Some(files))
}

/// Whether a report can have a file of this name. Whoever writes a marker or a workspace by hand has
/// nothing else deleted by it.
pub fn is_of_a_report(path: &str) -> bool {
    let is_in = |(folder, ending): (&str, &str)| {
        let name = path
            .strip_prefix(folder)
            .and_then(|name| name.strip_prefix('/'));
        let name = name.and_then(|name| name.strip_suffix(ending));
        name.is_some_and(|name| !name.is_empty() && !name.contains('/'))
    };
    FILES.contains(&path) || FOLDERS.into_iter().any(is_in)
}

/// Removes a report that was not finished, which has no marker: by their names the files that one can
/// have. What else is there stays, with the folder that it is in.
///
/// # Errors
///
/// Something cannot be read or removed.
pub fn remove_unfinished(report: &Path) -> Result<()> {
    for (folder, _) in FOLDERS {
        let inner = report.join(folder);
        if is_folder(&inner) {
            remove_by_names(&inner, &format!("{folder}/"))?;
        }
    }
    remove_by_names(report, "")
}

fn remove_by_names(folder: &Path, prefix: &str) -> Result<()> {
    let problem = |path: &Path| format!("cannot remove {}", named(path).display());
    let handle = Handle::open(folder).with_context(|| problem(folder))?;
    for entry in entries(handle.path())? {
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_file() && is_of_a_report(&path) {
            fs::remove_file(entry.path()).with_context(|| problem(&entry.path()))?;
        }
    }
    remove_empty(folder)
}

fn parse(text: &str) -> Option<Listing> {
    let (first, lines) = text.split_once('\n')?;
    let version = first.strip_prefix(WORDS)?.strip_prefix(", version ")?;
    let (version, _) = version.split_once(':')?;
    (version == VERSION.to_string()).then_some(())?;
    // Else the end of the last line may be missing.
    (lines.is_empty() || lines.ends_with('\n')).then_some(())?;
    Listing::parse(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_committed_reports_have_can_be_of_one() {
        let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports");
        let mut markers = 0;
        for entry in fs::read_dir(reports).unwrap() {
            let Ok(text) = fs::read_to_string(entry.unwrap().path().join(MARKER)) else {
                continue;
            };
            markers += 1;
            let whole = parse(&text).unwrap();
            let mut own = whole.clone();
            own.retain(is_of_a_report);
            assert_eq!(own, whole);
        }
        assert!(markers > 5, "{markers}");
    }

    #[test]
    fn what_no_report_has_is_of_none() {
        for path in [
            "letter",
            "my.csv",
            "records/letter",
            "records/.csv",
            "records/own/a.csv",
            "charts/a.png",
            ".git/config",
            "own/README.md",
        ] {
            assert!(!is_of_a_report(path), "{path}");
        }
    }
}
