//! Files are replaced as a whole or not at all.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use anyhow::{Context, Result};

/// Writes a file through `write`, as [`bouquet_format::save`] does: the old one
/// stays until the new one is on the disk, links stay links, and a device or a pipe is
/// written into. `-` is standard output.
///
/// # Errors
///
/// Those of the file system and of `write`; the old file is as it was.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let saved = if path.as_os_str() == "-" {
        let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
        write(&mut out).and_then(|()| out.flush())
    } else {
        bouquet_format::save(path, write)
    };
    saved.with_context(|| format!("cannot write {}", path.display()))
}

/// Whether both names lead to one file that is there.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b && a.is_file(),
        _ => false,
    }
}
