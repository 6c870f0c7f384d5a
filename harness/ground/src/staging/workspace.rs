//! The folder beside the target in which a report is made, and which its run cleans
//! up; after a run that was killed the next one does.
//!
//! `.NAME.tmp-PID` has in it
//!
//! - `lock`, locked as long as its run is alive, whatever machine or container that is
//!   in: a process's number may be another's by now;
//! - `report`, in the making; after an exchange the old one;
//! - `files`, from before the exchange on: what the old report and the new one consist
//!   of, so that of both nothing else is ever removed;
//! - `old`, the old one where the exchange takes two steps. Without a target it goes
//!   back there.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process,
};

use anyhow::{Context, Result, bail};

use super::{
    exchange::{exchange, undo},
    listing::{Listing, entries, is_folder, sync, write_new},
    lock, marker,
    place::parent,
};
use crate::{unfinished::REPORT, units::sha256};

const FILES: &str = "files";
/// Of a target whose own name is in that of its folder; a name has up to 255 bytes.
const LONGEST: usize = 200;

/// The folder, whose lock this run has.
pub struct Workspace {
    path: PathBuf,
    target: PathBuf,
    /// Locked while it is open.
    _lock: File,
    is_gone: bool,
}

impl Workspace {
    fn new(path: PathBuf, target: &Path, lock: File) -> Self {
        Self {
            path,
            target: target.to_path_buf(),
            _lock: lock,
            is_gone: false,
        }
    }

    /// A new one beside `target`.
    pub fn create(target: &Path) -> Result<Self> {
        let parent = parent(target);
        let name = target.file_name().unwrap_or_default();
        for number in 1..=1_000 {
            let path = parent.join(own_name(name, number));
            let made = private_folder(&path).and_then(|()| lock::new(&path));
            match made {
                Ok(Some(lock)) => return Ok(Self::new(path, target, lock)),
                // Another run took it for a dead one's, before it was locked.
                Ok(None) => {}
                // A dead one's that cannot be cleared, or of a process elsewhere.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    return Err(error)
                        .with_context(|| format!("cannot create {}", target.display()));
                }
            }
        }
        bail!(
            "{} is full of folders such as {:?}: remove them",
            parent.display(),
            own_name(name, 1)
        )
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the report is made.
    pub fn report(&self) -> PathBuf {
        self.path.join(REPORT)
    }

    fn old(&self) -> PathBuf {
        self.path.join("old")
    }

    /// Puts the report, which has these files, in the place of the target.
    ///
    /// # Errors
    ///
    /// The target has something in it that is not the program's, or the system
    /// rejects; all is as it was.
    pub fn put(&self, new: &Listing) -> Result<()> {
        let target = &self.target;
        let problem = || format!("cannot put the report in {}", target.display());
        if fs::symlink_metadata(target).is_err() {
            fs::rename(self.report(), target).with_context(problem)?;
            return sync(parent(target));
        }
        let mut files = marker::check(target, new)?;
        files.join(new.clone());
        self.write_files(&files)?;
        keep_mode(target, &self.report()).with_context(problem)?;
        let (report, old) = (self.report(), self.old());
        let how = exchange(&report, target, &old).with_context(problem)?;
        let replaced = if is_folder(&old) { &old } else { &report };
        // Whoever wrote there after the check.
        let foreign = files.foreign(replaced);
        if !matches!(foreign, Ok(None)) {
            undo(how, &report, target, &old).with_context(problem)?;
            foreign?;
            bail!("{} was written to meanwhile", target.display());
        }
        sync(parent(target))
    }

    fn write_files(&self, files: &Listing) -> Result<()> {
        let aside = self.path.join("files.new");
        write_new(&aside, &files.lines())?;
        let path = self.path.join(FILES);
        fs::rename(&aside, &path).with_context(|| format!("cannot write {}", path.display()))?;
        sync(&self.path)
    }

    /// Moves the report out, to a free name beside the target.
    pub fn keep(&self) -> Option<PathBuf> {
        let name = self.target.file_name()?;
        let free = (1..=1_000).find_map(|number| {
            let mut name = name.to_owned();
            name.push(match number {
                1 => ".new".to_owned(),
                number => format!(".new-{number}"),
            });
            let path = self.target.with_file_name(name);
            fs::symlink_metadata(&path).is_err().then_some(path)
        })?;
        fs::rename(self.report(), &free).ok()?;
        Some(free)
    }

    /// Cleans up: puts back an old report whose place is empty, and removes what the
    /// program wrote.
    ///
    /// # Errors
    ///
    /// There is something else, or the system rejects.
    pub fn finish(&mut self) -> Result<()> {
        if self.is_gone {
            return Ok(());
        }
        let (report, old) = (self.report(), self.old());
        if is_folder(&old) && fs::symlink_metadata(&self.target).is_err() {
            fs::rename(&old, &self.target)
                .with_context(|| format!("cannot put {} back", old.display()))?;
            sync(parent(&self.target))?;
        }
        match self.files()? {
            Some(files) => {
                files.remove(&report)?;
                files.remove(&old)?;
            }
            // It was not finished, so that all in it is of its run.
            None if is_folder(&report) => fs::remove_dir_all(&report)
                .with_context(|| format!("cannot remove {}", report.display()))?,
            None => {}
        }
        for left in [&report, &old] {
            if fs::symlink_metadata(left).is_ok() {
                bail!(
                    "{} has something in it that bouquet did not write: move it away",
                    left.display()
                );
            }
        }
        for name in ["files.new", FILES, lock::NAME] {
            let path = self.path.join(name);
            if fs::symlink_metadata(&path).is_ok() {
                fs::remove_file(&path)
                    .with_context(|| format!("cannot remove {}", path.display()))?;
            }
        }
        fs::remove_dir(&self.path)
            .with_context(|| format!("cannot remove {}", self.path.display()))?;
        self.is_gone = true;
        Ok(())
    }

    fn files(&self) -> Result<Option<Listing>> {
        let path = self.path.join(FILES);
        match fs::read_to_string(&path) {
            Ok(text) => Listing::parse(&text)
                .map(Some)
                .with_context(|| format!("{} is no list of files", path.display())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }
}

/// Cleans up after dead runs that were to write `target`. What cannot be cleaned up
/// stays, for whoever may.
pub fn clear(target: &Path) {
    let Some(name) = target.file_name() else {
        return;
    };
    for entry in entries(parent(target)).unwrap_or_default() {
        if is_own_name(name, &entry.file_name())
            && is_folder(&entry.path())
            && let Some(lock) = lock::of_the_dead(&entry.path())
        {
            let _ = Workspace::new(entry.path(), target, lock).finish();
        }
    }
}

/// Removes one whose report is not finished, for a run that cannot wait for that. What
/// it is just writing may stay, and goes at the next start.
pub fn abandon(workspace: &Path) {
    if fs::remove_dir_all(workspace.join(REPORT)).is_ok() {
        let _ = fs::remove_file(workspace.join(lock::NAME));
        let _ = fs::remove_dir(workspace);
    }
}

/// A target's name, or its digest where no more fits into a name.
fn stem(name: &OsStr) -> OsString {
    let bytes = name.as_encoded_bytes();
    match bytes.len() {
        0..=LONGEST => name.to_owned(),
        _ => sha256(bytes).into(),
    }
}

fn own_name(name: &OsStr, number: u32) -> OsString {
    let mut own = OsString::from(".");
    own.push(stem(name));
    own.push(format!(".tmp-{}", process::id()));
    if number > 1 {
        own.push(format!("-{number}"));
    }
    own
}

fn is_own_name(name: &OsStr, found: &OsStr) -> bool {
    let rest = found.as_encoded_bytes().strip_prefix(b".");
    let rest = rest.and_then(|rest| rest.strip_prefix(stem(name).as_encoded_bytes()));
    let rest = rest.and_then(|rest| rest.strip_prefix(b".tmp-"));
    rest.is_some_and(|rest| {
        let is_number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        let mut numbers = rest.split(|byte| *byte == b'-');
        numbers.clone().count() <= 2 && numbers.all(is_number)
    })
}

/// What is measured may be for its owner alone: so is the folder that it is to replace.
fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// A folder that only some may look into stays one.
#[cfg(unix)]
fn keep_mode(old: &Path, new: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(old)?.permissions().mode();
    // To be moved it must be writable.
    fs::set_permissions(new, fs::Permissions::from_mode((mode & 0o7777) | 0o700))
}

#[cfg(not(unix))]
fn keep_mode(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}
