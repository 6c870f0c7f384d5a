//! The temporary file beside a target: locked as long as its process lives, so that the
//! next one knows what a dead one left.

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

/// A longer name is shortened in that of the temporary file: a name has up to 255 bytes.
const LONGEST: usize = 200;
/// What stands between the target's name and a number.
const MARK: &str = ".bouquet-";
const END: &str = ".tmp";
/// Numbers that are tried first: where all are those of a target, what dead processes left is found
/// without a look at the other files of the folder.
const KNOWN: u64 = 8;
/// Random numbers that are tried then. All of them being taken is no chance.
const TRIES: usize = 100;

/// A temporary file, whose lock this process has; removed unless it was renamed.
pub(super) struct Aside {
    path: PathBuf,
    pub file: File,
    /// Whether the name is still its own.
    is_own: bool,
}

impl Aside {
    /// A new file beside `path`, after what dead processes left there was removed;
    /// readable by its owner alone if it is to get another file's mode.
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
        // Keys that nobody else knows: nobody can have taken those names before.
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
                    // Another took it for a dead one's before it was locked, and removes it: what has the
                    // name by then may be a third one's.
                    aside.is_own = false;
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Where there are no locks nobody can have one, and removes nothing.
    fn lock(&self) -> bool {
        !matches!(self.file.try_lock(), Err(TryLockError::WouldBlock))
            && is_at(&self.file, &self.path)
    }

    /// Gives it the name of the target.
    pub fn rename(&mut self, to: &Path) -> io::Result<()> {
        fs::rename(&self.path, to)?;
        self.is_own = false;
        Ok(())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if self.is_own {
            // A failure during the cleanup of another cannot be handled.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The folder that a path is in.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// What the names of the temporary files of a target begin with.
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

/// Removes what a dead process left. What cannot be read or removed stays, for whoever may.
fn clear(path: &Path) {
    if !fs::symlink_metadata(path).is_ok_and(|there| there.is_file()) {
        return;
    }
    // For writing, too: a pipe that somebody put there meanwhile is not waited for.
    let opened = OpenOptions::new().read(true).write(true).open(path);
    // Locked until it is gone: one that was just made is locked by its own process the next
    // moment.
    if let Ok(file) = &opened
        && file.try_lock().is_ok()
        && is_at(file, path)
    {
        let _ = fs::remove_file(path);
    }
}

/// Whether a path, and no link there, is the name of this very file.
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
