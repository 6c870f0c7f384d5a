//! The temporary file beside a target. Its process holds a lock on it as long as it lives, so
//! that the next process can recognise the file of a dead one.

use std::{
    ffi::{OsStr, OsString},
    format,
    fs::{self, File, OpenOptions, TryLockError},
    hash::{BuildHasher, RandomState},
    io,
    path::{Path, PathBuf},
    string::String,
};

use crate::path;

/// The longest part of the target's name, in bytes, that is used in the temporary file's name:
/// a file name has at most 255 bytes.
const LONGEST: usize = 200;
/// The text between the target's name and the number in a temporary file's name.
const MARK: &str = ".bouquet-";
const END: &str = ".tmp";
/// How many fixed numbers are tried first. Files that dead processes left usually have one of
/// these numbers, so they are found without listing the folder.
const KNOWN: u64 = 8;
/// How many random numbers are tried after that. It is practically impossible that all of them
/// are taken.
const TRIES: usize = 100;

/// A temporary file that this process has locked; it is removed when dropped, unless it was
/// renamed.
pub(super) struct Aside {
    path: PathBuf,
    pub file: File,
    /// Whether the path still refers to this file.
    is_own: bool,
}

impl Aside {
    /// Removes the temporary files that dead processes left beside `path`, and creates a new
    /// one. With `is_private` only its owner can read it, until it gets the mode of the
    /// replaced file.
    pub fn create(path: &Path, is_private: bool) -> io::Result<Self> {
        let Some(name) = path.file_name() else {
            let error = io::ErrorKind::InvalidInput.into();
            return Err(path::named("write", path, error));
        };
        let stem = stem(name);
        let aside = |number: u64| {
            let mut aside = stem.clone();
            aside.push(format!("{number:x}{END}"));
            path.with_file_name(aside)
        };
        for number in 0..KNOWN {
            clear(&aside(number));
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if is_private {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        #[cfg(not(unix))]
        let _ = is_private;
        // The random numbers cannot be predicted: nobody can have created files with these
        // names.
        let random = std::iter::repeat_with(|| RandomState::new().hash_one(())).take(TRIES);
        for number in (0..KNOWN).chain(random) {
            let path = aside(number);
            match options.open(&path) {
                Ok(file) => {
                    let mut aside = Self {
                        path,
                        file,
                        is_own: true,
                    };
                    if aside.lock() {
                        return Ok(aside);
                    }
                    // Another process took this file for one of a dead process before it was
                    // locked, and removes it. The path may already refer to the file of a third
                    // process.
                    aside.is_own = false;
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Locks the file. On a system without locks this succeeds, because no process can hold a
    /// lock or remove files there.
    fn lock(&self) -> bool {
        !matches!(self.file.try_lock(), Err(TryLockError::WouldBlock))
            && is_at(&self.file, &self.path)
    }

    /// Renames the temporary file to the target.
    pub fn rename(&mut self, to: &Path) -> io::Result<()> {
        fs::rename(&self.path, to)?;
        self.is_own = false;
        Ok(())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if self.is_own {
            // An error cannot be handled here, while another failure is being cleaned up.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The folder that contains a path.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The beginning of the names of a target's temporary files.
fn stem(name: &OsStr) -> OsString {
    let mut stem = OsString::from(".");
    if name.len() <= LONGEST {
        stem.push(name);
    } else {
        stem.push(name.to_string_lossy().chars().take(40).collect::<String>());
    }
    stem.push(MARK);
    stem
}

/// Removes the file of a dead process. A file that cannot be opened or removed is left for a
/// process that may do so.
fn clear(path: &Path) {
    if !fs::symlink_metadata(path).is_ok_and(|there| there.is_file()) {
        return;
    }
    // Opened for writing too: if somebody has put a pipe there meanwhile, opening it does not
    // block.
    let opened = OpenOptions::new().read(true).write(true).open(path);
    // The lock is held until the file is removed. Without it, the file could be a new one that
    // its process has not locked yet.
    if let Ok(file) = &opened
        && file.try_lock().is_ok()
        && is_at(file, path)
    {
        let _ = fs::remove_file(path);
    }
}

/// Whether `path` itself, not the target of a link there, is this very file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let own = file.metadata().map(|own| (own.dev(), own.ino()));
    let there = fs::symlink_metadata(path).map(|there| (there.dev(), there.ino()));
    matches!((own, there), (Ok(own), Ok(there)) if own == there)
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
