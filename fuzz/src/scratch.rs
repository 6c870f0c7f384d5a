//! Temporary files for functions that read files, in one folder per process. The folder is in a
//! static variable and so is never removed; `scripts/fuzz` sets a parent folder that it removes.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use tempfile::TempDir;

static FOLDER: OnceLock<io::Result<TempDir>> = OnceLock::new();

fn folder() -> &'static Path {
    match FOLDER.get_or_init(|| TempDir::with_prefix("bouquet-fuzz-")) {
        Ok(folder) => folder.path(),
        Err(error) => panic!("no folder for files: {error}"),
    }
}

/// Writes a file with these bytes and returns its path.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    if let Err(error) = fs::write(&path, bytes) {
        panic!("{} cannot be written: {error}", path.display());
    }
    path
}

/// Creates an empty folder.
#[cfg(feature = "texts")]
pub fn emptied(name: &str) -> PathBuf {
    let path = folder().join(name);
    let _ = fs::remove_dir_all(&path);
    if let Err(error) = fs::create_dir(&path) {
        panic!("{} cannot be made: {error}", path.display());
    }
    path
}
