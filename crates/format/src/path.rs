//! Errors of the file system that name the path, and say what to do where the system's own
//! words do not.

use std::{
    format,
    fs::File,
    io::{self, ErrorKind},
    path::Path,
    string::String,
};

/// Opens a file for reading: a folder is an error here, not when it is read.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    Ok(file)
}

/// The same kind of error with words that name the path.
pub(crate) fn named(tried: &str, path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), in_words(tried, path, &error))
}

/// What was tried, with what, and why it failed.
pub(crate) fn in_words(tried: &str, path: &Path, error: &io::Error) -> String {
    if path.as_os_str().is_empty() {
        return format!("cannot {tried} a file: the path is empty; give that of a file");
    }
    let path = path.display();
    if error.kind() == ErrorKind::IsADirectory {
        return format!("cannot {tried} {path}: it is a folder; give the path of a file");
    }
    format!("cannot {tried} {path}: {error}")
}
