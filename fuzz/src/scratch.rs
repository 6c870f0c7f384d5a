//! Files for what reads files: a folder for each process. What is static is never dropped, so
//! it stays behind: `scripts/fuzz` has them all made in a folder that it removes.

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

/// A file with these bytes.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    if let Err(error) = fs::write(&path, bytes) {
        panic!("{} cannot be written: {error}", path.display());
    }
    path
}

/// A folder with nothing in it.
#[cfg(feature = "texts")]
pub fn emptied(name: &str) -> PathBuf {
    let path = folder().join(name);
    let _ = fs::remove_dir_all(&path);
    if let Err(error) = fs::create_dir(&path) {
        panic!("{} cannot be made: {error}", path.display());
    }
    path
}
