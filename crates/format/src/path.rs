//! File system errors with the path in their message, and with advice if the system's message
//! has none.

use std::{
    format,
    fs::File,
    io::{self, ErrorKind},
    path::Path,
    string::String,
};

/// Opens a file for reading. A folder is an error here already, not only when it is read.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    Ok(file)
}

/// An error of the same kind whose message names the path.
pub(crate) fn named(tried: &str, path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), in_words(tried, path, &error))
}

/// A message that states what was tried, with which path, and why it failed.
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
