//! Files of a report in the making: writing one, and where it will be.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use crate::staging::named;

/// The report in the folder `.NAME.tmp-NUMBER` beside its target.
pub const REPORT: &str = "report";

/// Writes a file; the error names it. One that is there already is not the report's.
pub fn write(path: &Path, text: &str) -> Result<()> {
    File::create_new(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", shown(path).display()))
}

/// A file of a report in the making, as whoever reads of it knows it: by where it will be.
pub fn shown(path: &Path) -> PathBuf {
    let (path, mut shown) = (named(path), PathBuf::new());
    let mut parts = path.components().peekable();
    while let Some(part) = parts.next() {
        let name = name_of(part.as_os_str());
        match (name, parts.peek()) {
            (Some(name), Some(next)) if next.as_os_str() == REPORT => {
                shown.push(name);
                parts.next();
            }
            _ => shown.push(part),
        }
    }
    shown
}

/// The target's name in that of its workspace.
fn name_of(found: &OsStr) -> Option<OsString> {
    let (name, number) = found.to_str()?.strip_prefix('.')?.rsplit_once(".tmp-")?;
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    is_number.then(|| name.into())
}
