//! Files of a folder with their digests: what is in it, whether that is all that
//! should be, and removing that alone.

use std::{
    collections::BTreeSet,
    fmt::Write,
    fs::{self, DirEntry, File, Metadata},
    io::{self, Read, Write as _},
    path::Path,
};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use super::{
    handle::{Handle, named},
    place::is_mount_point,
};
use crate::units::{hex, sha256};

/// Files by their paths within a folder, divided by `/`, each with the digests that it
/// may have.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing(BTreeSet<(String, String)>);

/// What is in a folder and in no listing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Foreign {
    pub path: String,
    pub why: Why,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// A file, a folder or anything else that is not listed.
    Unlisted,
    /// A file that is listed with other bytes.
    Changed,
    /// A file system is mounted there.
    Mounted,
}

impl Listing {
    /// All that is in a folder, brought to the disk.
    ///
    /// # Errors
    ///
    /// There is something that is no file and no folder, or has a name that is no
    /// text of one line.
    pub fn of(folder: &Path) -> Result<Self> {
        let mut listing = Self::default();
        listing.take(folder, "")?;
        Ok(listing)
    }

    fn take(&mut self, folder: &Path, prefix: &str) -> Result<()> {
        for entry in entries(folder)? {
            let path = within(prefix, &entry);
            if !is_path(&path) || entry.file_name().to_str().is_none() {
                bail!("{path:?} is no name for a file of a report: rename it");
            }
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.take(&entry.path(), &path)?;
            } else if kind.is_file() {
                self.add(&path, digest(&entry.path(), true)?);
            } else {
                bail!("{path:?} is no file: a report has files and folders alone");
            }
        }
        sync(folder)
    }

    /// Lists a file.
    pub fn add(&mut self, path: &str, digest: String) {
        self.0.insert((path.into(), digest));
    }

    /// Lists what another does, too.
    pub fn join(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Lists only the files whose paths are `wanted`.
    pub fn retain(&mut self, wanted: impl Fn(&str) -> bool) {
        self.0.retain(|(path, _)| wanted(path));
    }

    /// A line a file, as `sha256sum` writes and checks it.
    pub fn lines(&self) -> String {
        self.0.iter().fold(String::new(), |mut lines, (path, sum)| {
            // A string takes all that is written.
            let _ = writeln!(lines, "{sum}  {path}");
            lines
        })
    }

    /// Reads such lines; none if one is no digest and path.
    pub fn parse(lines: &str) -> Option<Self> {
        let mut listing = Self::default();
        for line in lines.lines() {
            let (sum, path) = line.split_once("  ")?;
            let is_sum = sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !is_sum || !is_path(path) {
                return None;
            }
            listing.add(path, sum.into());
        }
        Some(listing)
    }

    fn has(&self, path: &str) -> bool {
        let mut own = self.0.range((path.to_owned(), String::new())..);
        own.next().is_some_and(|(found, _)| found == path)
    }

    /// Whether a file that is listed may have these bytes. With none it has nothing that
    /// could be destroyed: so a full disk leaves one.
    fn has_with(&self, path: &str, sum: String) -> bool {
        sum == sha256(&[]) || self.0.contains(&(path.to_owned(), sum))
    }

    fn has_folder(&self, path: &str) -> bool {
        let inside = format!("{path}/");
        let mut own = self.0.range((inside.clone(), String::new())..);
        own.next()
            .is_some_and(|(found, _)| found.starts_with(&inside))
    }

    /// The first thing in a folder, by its name, that is not listed. What is listed and
    /// not there, or empty, is not missed. Links are not followed.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub fn foreign(&self, folder: &Path) -> Result<Option<Foreign>> {
        self.foreign_in(folder, "")
    }

    fn foreign_in(&self, folder: &Path, prefix: &str) -> Result<Option<Foreign>> {
        for entry in entries(folder)? {
            let path = within(prefix, &entry);
            let kind = entry.file_type()?;
            // It could not be removed with the folder that it is in.
            if is_mount_point(&entry.path()) {
                let why = Why::Mounted;
                return Ok(Some(Foreign { path, why }));
            }
            if kind.is_dir() && self.has_folder(&path) {
                let found = self.foreign_in(&entry.path(), &path)?;
                if found.is_some() {
                    return Ok(found);
                }
                continue;
            }
            if !kind.is_file() || !self.has(&path) {
                let why = Why::Unlisted;
                return Ok(Some(Foreign { path, why }));
            }
            if !self.has_with(&path, digest(&entry.path(), false)?) {
                let why = Why::Changed;
                return Ok(Some(Foreign { path, why }));
            }
        }
        Ok(None)
    }

    /// Removes a folder with the files of it that are listed; what is not listed
    /// stays, with the folders that it is in. Without the folder there is nothing to
    /// do. No link that is put there meanwhile is followed.
    ///
    /// # Errors
    ///
    /// Something cannot be read or removed.
    pub fn remove(&self, folder: &Path) -> Result<()> {
        match look(folder)? {
            Some(there) if there.is_dir() => self.remove_in(folder, ""),
            _ => Ok(()),
        }
    }

    fn remove_in(&self, folder: &Path, prefix: &str) -> Result<()> {
        let handle = Handle::open(folder);
        let handle =
            handle.with_context(|| format!("cannot remove {}", named(folder).display()))?;
        for entry in entries(handle.path())? {
            let (path, place) = (within(prefix, &entry), entry.path());
            let kind = entry.file_type()?;
            if kind.is_dir() && self.has_folder(&path) {
                self.remove_in(&place, &path)?;
            } else if kind.is_file()
                && self.has(&path)
                && self.has_with(&path, digest(&place, false)?)
            {
                fs::remove_file(&place)
                    .with_context(|| format!("cannot remove {}", named(&place).display()))?;
            }
        }
        remove_empty(folder)
    }
}

/// What has this name, a link not followed; none where nothing has.
///
/// # Errors
///
/// It cannot be looked at. Taken for absent, an old report that is to be put back could be removed.
pub fn look(path: &Path) -> Result<Option<Metadata>> {
    match fs::symlink_metadata(path) {
        Ok(there) => Ok(Some(there)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            Err(error).with_context(|| format!("cannot look at {}", named(path).display()))
        }
    }
}

/// Whether this is a folder, and no link to one.
pub fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_dir())
}

/// Removes a folder unless something is in it.
pub fn remove_empty(folder: &Path) -> Result<()> {
    match fs::remove_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => {
            Err(error).with_context(|| format!("cannot remove {}", named(folder).display()))
        }
        _ => Ok(()),
    }
}

/// What is in a folder, in the order of names.
pub fn entries(folder: &Path) -> Result<Vec<DirEntry>> {
    let read = || -> io::Result<Vec<DirEntry>> { fs::read_dir(folder)?.collect() };
    let mut entries = read().with_context(|| format!("cannot read {}", named(folder).display()))?;
    entries.sort_by_key(DirEntry::file_name);
    Ok(entries)
}

/// Brings a folder's names to the disk. Only Unix has a way to.
pub fn sync(folder: &Path) -> Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.with_context(|| format!("cannot bring {} to the disk", named(folder).display()))
}

/// Writes a file that is not there yet, and brings it and its name to the disk.
pub fn write_new(path: &Path, text: &str) -> Result<()> {
    let write = || {
        let mut file = File::create_new(path)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    };
    write().with_context(|| format!("cannot write {}", named(path).display()))?;
    path.parent().map_or(Ok(()), sync)
}

/// The SHA-256 of a file, brought to the disk on the way if that is asked for.
pub fn digest(path: &Path, is_new: bool) -> Result<String> {
    let read = || -> io::Result<String> {
        let mut file = File::open(path)?;
        // Elsewhere it takes the right to write.
        if is_new && cfg!(unix) {
            file.sync_all()?;
        }
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer) {
                Ok(0) => return Ok(hex(&hash.finalize())),
                Ok(count) => hash.update(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    };
    read().with_context(|| format!("cannot read {}", named(path).display()))
}

fn within(prefix: &str, entry: &DirEntry) -> String {
    let name = entry.file_name();
    let name = name.to_string_lossy();
    match prefix {
        "" => name.into_owned(),
        prefix => format!("{prefix}/{name}"),
    }
}

/// Whether this leads to something within a folder, on one line.
fn is_path(path: &str) -> bool {
    let is_name = |name: &str| !matches!(name, "" | "." | "..");
    path.split('/').all(is_name) && !path.contains(char::is_control)
}
