//! A file of records that is not as it was written.

use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow};
use csv::{DeserializeError, ErrorKind, Position};

/// What is wrong with the file, where, and what to do.
pub fn damaged(path: &Path, error: csv::Error) -> Error {
    let path = from_here(path);
    let line = error.position().map_or(1, Position::line);
    let what = match error.into_kind() {
        ErrorKind::Io(error) => {
            return Error::new(error).context(format!("cannot read {}", path.display()));
        }
        ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} values for {expected_len} columns"),
        ErrorKind::Utf8 { .. } => "no text in UTF-8".to_owned(),
        ErrorKind::Deserialize { err, .. } => in_words(&err),
        kind => format!("{kind:?}"),
    };
    anyhow!(
        "{}: line {line}: {what}; take a copy that is whole, or measure again",
        path.display()
    )
}

/// With the column, counted from 1 on, where it is known.
fn in_words(error: &DeserializeError) -> String {
    match error.field() {
        Some(column) => format!("column {}: {}", column + 1, error.kind()),
        None => error.kind().to_string(),
    }
}

/// The path as seen from the working folder, if it is in there.
pub fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let inside = here.ok().and_then(|here| path.strip_prefix(here).ok());
    inside.unwrap_or(path).to_owned()
}
