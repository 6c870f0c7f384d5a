//! Replaces a file as a whole or not at all.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::{Context, Result, bail};

/// Writes a file through `write`, as [`bouquet_format::save`] does: the old file stays until the
/// new one is on the disk, links stay links, and devices and pipes are written to. `-` is standard
/// output.
///
/// # Errors
///
/// The file system or `write` fails; the old file is unchanged.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let saved = if path.as_os_str() == "-" {
        let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
        write(&mut out).and_then(|()| out.flush())
    } else {
        bouquet_format::save(path, write)
    };
    saved.with_context(|| match path.as_os_str() == "-" {
        true => "cannot write to standard output".into(),
        false => format!("cannot write {}", path.display()),
    })
}

/// Checks that a file can be saved at this path, before long work begins.
///
/// # Errors
///
/// It cannot be saved there, or it would be written to a terminal.
pub fn check_save(path: &Path) -> Result<()> {
    let shown = path.display();
    if path.as_os_str() == "-" {
        if io::stdout().is_terminal() {
            bail!(
                "-o -: a terminal does not show a filter's bytes; name a file, or send them on: | or >"
            );
        }
        return Ok(());
    }
    bouquet_format::check_save(path).with_context(|| format!("cannot write {shown}"))
}

/// Whether both paths lead to the same existing file.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b && a.is_file(),
        _ => false,
    }
}
