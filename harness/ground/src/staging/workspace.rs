//! The folder beside the target in which a report is made, and which its run cleans
//! up; after a run that was killed the next one does.
//!
//! `.NAME.tmp-NUMBER`, by a number that nobody can know before, has in it
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
    hash::{BuildHasher, RandomState},
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};

use super::{
    exchange::{exchange, undo},
    handle::{Handle, named},
    listing::{Listing, entries, is_folder, look, sync, write_new},
    lock, marker,
    metadata::take_after,
    place::parent,
};
use crate::{unfinished::REPORT, units::sha256};

const FILES: &str = "files";
/// Of a target whose own name is in that of its folder; a name has up to 255 bytes.
const LONGEST: usize = 200;
/// Names that are tried. All of them being taken is no chance.
const TRIES: usize = 100;

/// The folder, whose lock this run has.
///
/// What is in it is reached by the folder that was opened, as is the target by the one that
/// both are in: who may rename them could otherwise put a link to somebody's folder in their
/// places, in which a report would be written over or removed.
pub struct Workspace {
    /// Its name, and that of the target, for messages.
    path: PathBuf,
    target: PathBuf,
    own: Handle,
    beside: Handle,
    /// Locked while it is open.
    lock: File,
    is_gone: bool,
}

impl Workspace {
    fn new(path: PathBuf, target: &Path, [own, beside]: [Handle; 2], lock: File) -> Self {
        Self {
            path,
            target: target.to_path_buf(),
            own,
            beside,
            lock,
            is_gone: false,
        }
    }

    /// A new one beside `target`.
    pub fn create(target: &Path) -> Result<Self> {
        let parent = parent(target);
        let name = target.file_name().unwrap_or_default();
        for _ in 0..TRIES {
            let path = parent.join(own_name(name));
            let made = private_folder(&path).and_then(|()| {
                let own = match Handle::open(&path) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                    own => own?,
                };
                let handle = [own, Handle::parent_of(&path)?];
                // What could not be written, say on a full disk, goes by its handle: by its
                // name it might be somebody's by now.
                let lock = lock::new(handle[0].path()).inspect_err(|_| {
                    let _ = fs::remove_file(handle[0].join(lock::NAME));
                })?;
                Ok(lock.map(|lock| (handle, lock)))
            });
            match made {
                Ok(Some((handle, lock))) => return Ok(Self::new(path, target, handle, lock)),
                // Another run took it for a dead one's, before it was locked.
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    let _ = fs::remove_dir(&path);
                    return Err(error)
                        .with_context(|| format!("cannot create {}", target.display()));
                }
            }
        }
        bail!(
            "cannot create {}: another process removes what is made in {}",
            target.display(),
            parent.display()
        )
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the report is made, by a path for this process alone.
    pub fn report(&self) -> PathBuf {
        self.own.join(REPORT)
    }

    /// Where the report is made, where the old one may be, and where the new one goes.
    fn places(&self) -> [PathBuf; 3] {
        let target = self.target.file_name().unwrap_or_default();
        [
            self.report(),
            self.own.join("old"),
            self.beside.join(target),
        ]
    }

    /// Fails if its path no longer leads to it: nobody would find there what was put back.
    fn is_there(&self) -> Result<()> {
        ensure!(
            is_folder(&self.path) && lock::is_at(&self.lock, &self.path.join(lock::NAME)),
            "{} was moved away while the report was made in it, or something is in its place",
            self.path.display()
        );
        Ok(())
    }

    /// Puts the report, which has these files, in the place of the target.
    ///
    /// # Errors
    ///
    /// The target has something in it that is not the program's, or the system
    /// rejects; all is as it was.
    pub fn put(&self, new: &Listing) -> Result<()> {
        let problem = || format!("cannot put the report in {}", self.target.display());
        self.is_there().with_context(problem)?;
        let [report, old, target] = &self.places();
        let Some(there) = look(target).with_context(problem)? else {
            return fs::rename(report, target).with_context(problem);
        };
        ensure!(
            there.is_dir(),
            "cannot put the report in {}: something was put there meanwhile that is no folder",
            self.target.display()
        );
        let mut files = marker::check(&self.target, new)?;
        files.join(new.clone());
        self.write_files(&files)?;
        take_after(target, report).with_context(problem)?;
        let how = exchange(report, target, old).with_context(problem)?;
        let replaced = if is_folder(old) { old } else { report };
        // Whoever wrote there after the check, or put a link there.
        let foreign = files.foreign(replaced);
        if !is_folder(replaced) || !matches!(foreign, Ok(None)) {
            undo(how, report, target, old).with_context(problem)?;
            foreign?;
            bail!("{} was written to meanwhile", self.target.display());
        }
        Ok(())
    }

    /// Brings the new name of the report to the disk.
    ///
    /// # Errors
    ///
    /// It cannot be brought there: what it replaced is left aside for the next run, since
    /// nobody knows which of the two is on the disk.
    pub fn settle(&mut self) -> Result<()> {
        let settled = sync(self.beside.path());
        self.is_gone = settled.is_err();
        settled
    }

    fn write_files(&self, files: &Listing) -> Result<()> {
        let aside = self.own.join("files.new");
        write_new(&aside, &files.lines())?;
        let path = self.own.join(FILES);
        let problem = || format!("cannot write {}", named(&path).display());
        fs::rename(&aside, &path).with_context(problem)?;
        sync(self.own.path())
    }

    /// Moves the report out, to a free name beside the target.
    pub fn keep(&self) -> Option<PathBuf> {
        self.is_there().ok()?;
        let name = self.target.file_name()?;
        let free = (1..=1_000).find_map(|number| {
            let mut name = name.to_owned();
            name.push(match number {
                1 => ".new".to_owned(),
                number => format!(".new-{number}"),
            });
            let path = self.beside.join(&name);
            fs::symlink_metadata(&path).is_err().then_some(name)
        })?;
        fs::rename(self.report(), self.beside.join(&free)).ok()?;
        Some(self.target.with_file_name(free))
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
        self.is_there()?;
        let [report, old, target] = self.places();
        let is_aside = look(&old)?.is_some_and(|old| old.is_dir());
        if is_aside && look(&target)?.is_none() {
            fs::rename(&old, &target)
                .with_context(|| format!("cannot put {} back", named(&old).display()))?;
            sync(self.beside.path())?;
        }
        match self.files()? {
            Some(files) => {
                files.remove(&report)?;
                files.remove(&old)?;
            }
            // It was not finished: of whoever made this folder, only a report is the program's.
            None if look(&report)?.is_some_and(|report| report.is_dir()) => {
                marker::remove_unfinished(&report)?;
            }
            None => {}
        }
        for left in [&report, &old] {
            if look(left)?.is_some() {
                bail!(
                    "{} has something in it that bouquet did not write: move it away",
                    named(left).display()
                );
            }
        }
        for name in ["files.new", FILES, lock::NAME] {
            let path = self.own.join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(error)
                        .with_context(|| format!("cannot remove {}", named(&path).display()));
                }
                _ => {}
            }
        }
        fs::remove_dir(&self.path)
            .with_context(|| format!("cannot remove {}", self.path.display()))?;
        self.is_gone = true;
        Ok(())
    }

    fn files(&self) -> Result<Option<Listing>> {
        let path = self.own.join(FILES);
        let name = || named(&path).display().to_string();
        match fs::read_to_string(&path) {
            Ok(text) => {
                let files = Listing::parse(&text);
                let mut files = files.with_context(|| format!("{} is no list of files", name()))?;
                files.retain(marker::is_of_a_report);
                Ok(Some(files))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", name())),
        }
    }
}

/// Cleans up after dead runs of this user that were to write `target`: in a folder that
/// others may write to too, theirs could change while it is looked at. What cannot be
/// cleaned up stays, for whoever may.
pub fn clear(target: &Path) {
    let Some(name) = target.file_name() else {
        return;
    };
    for entry in entries(parent(target)).unwrap_or_default() {
        let path = entry.path();
        if is_own_name(name, &entry.file_name())
            && let (Ok(own), Ok(beside)) = (Handle::open(&path), Handle::parent_of(target))
            && is_this_user_s(&own)
            && let Some(lock) = lock::of_the_dead(&own, &path)
        {
            let _ = Workspace::new(path, target, [own, beside], lock).finish();
        }
    }
}

/// Removes one whose report is not finished, for a run that cannot wait for that. What
/// it is just writing may stay, and goes at the next start.
pub fn abandon(workspace: &Path) {
    if let Ok(own) = Handle::open(workspace)
        && fs::remove_dir_all(own.join(REPORT)).is_ok()
    {
        let _ = fs::remove_file(own.join(lock::NAME));
        let _ = fs::remove_dir(workspace);
    }
}

#[cfg(unix)]
fn is_this_user_s(folder: &Handle) -> bool {
    use std::os::unix::fs::MetadataExt;
    let own = rustix::process::geteuid().as_raw();
    fs::metadata(folder.path()).is_ok_and(|there| there.uid() == own)
}

#[cfg(not(unix))]
fn is_this_user_s(_: &Handle) -> bool {
    true
}

/// A target's name, or its digest where no more fits into a name.
fn stem(name: &OsStr) -> OsString {
    let bytes = name.as_encoded_bytes();
    match bytes.len() {
        0..=LONGEST => name.to_owned(),
        _ => sha256(bytes).into(),
    }
}

fn own_name(name: &OsStr) -> OsString {
    let mut own = OsString::from(".");
    own.push(stem(name));
    own.push(format!(".tmp-{}", RandomState::new().hash_one(())));
    own
}

fn is_own_name(name: &OsStr, found: &OsStr) -> bool {
    let rest = found.as_encoded_bytes().strip_prefix(b".");
    let rest = rest.and_then(|rest| rest.strip_prefix(stem(name).as_encoded_bytes()));
    let rest = rest.and_then(|rest| rest.strip_prefix(b".tmp-"));
    rest.is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}

/// What is measured may be for its owner alone: so is the folder that it is to replace.
fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}
