//! A folder that stays the one that was opened, whatever somebody puts in its place
//! meanwhile: on Linux by a handle, through which the kernel gives it a path of its own.
//! Elsewhere, and where there is no `/proc`, it is known by its name alone.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

#[cfg(target_os = "linux")]
use rustix::{
    fd::{AsRawFd, OwnedFd},
    fs::{Mode, OFlags, open},
};

use super::place::parent;

#[cfg(target_os = "linux")]
const HANDLES: &str = "/proc/self/fd";

/// The folder, as long as this lives.
pub struct Handle {
    path: PathBuf,
    #[cfg(target_os = "linux")]
    _folder: OwnedFd,
}

impl Handle {
    /// A folder, and nothing that a link leads to.
    ///
    /// # Errors
    ///
    /// There is none, or it cannot be opened.
    #[cfg(target_os = "linux")]
    pub fn open(path: &Path) -> io::Result<Self> {
        // Without the right to read it: of a parent writing to it is enough.
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = open(path, flags, Mode::empty())?;
        let by_handle = Path::new(HANDLES).join(folder.as_raw_fd().to_string());
        let path = if by_handle.is_dir() {
            by_handle
        } else {
            path.to_path_buf()
        };
        Ok(Self {
            path,
            _folder: folder,
        })
    }

    #[cfg(not(target_os = "linux"))]
    pub fn open(path: &Path) -> io::Result<Self> {
        if !fs::symlink_metadata(path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let path = path.to_path_buf();
        Ok(Self { path })
    }

    /// The folder that something is in, behind links.
    ///
    /// # Errors
    ///
    /// There is none, or it cannot be opened.
    pub fn parent_of(path: &Path) -> io::Result<Self> {
        Self::open(&fs::canonicalize(parent(path))?)
    }

    /// A path to it, for this process alone.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is still what this path leads to.
    #[cfg(target_os = "linux")]
    pub fn is_at(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;
        let of = |there: fs::Metadata| (there.dev(), there.ino());
        let own = fs::metadata(&self.path).map(of);
        let there = fs::symlink_metadata(path).map(of);
        matches!((own, there), (Ok(own), Ok(there)) if own == there)
    }

    #[cfg(not(target_os = "linux"))]
    pub fn is_at(&self, _: &Path) -> bool {
        true
    }

    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path.join(name)
    }
}

/// The path in a message: of what is known by a handle the one that it has now.
pub fn named(path: &Path) -> PathBuf {
    #[cfg(target_os = "linux")]
    if let Ok(rest) = path.strip_prefix(HANDLES)
        && let Some(handle) = rest.iter().next()
        && let Ok(folder) = fs::read_link(Path::new(HANDLES).join(handle))
        && let Ok(rest) = rest.strip_prefix(handle)
    {
        return if rest.as_os_str().is_empty() {
            folder
        } else {
            folder.join(rest)
        };
    }
    path.to_path_buf()
}
