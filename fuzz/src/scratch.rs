//! Files for what reads files: a folder for each process, on a file system in memory where
//! there is one.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use tempfile::TempDir;

static FOLDER: OnceLock<io::Result<TempDir>> = OnceLock::new();

fn folder() -> &'static Path {
    let folder = FOLDER.get_or_init(|| {
        let memory = Path::new("/dev/shm");
        let made = TempDir::with_prefix_in("bouquet-fuzz-", memory);
        made.or_else(|_| TempDir::with_prefix("bouquet-fuzz-"))
    });
    match folder {
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
