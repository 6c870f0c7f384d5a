//! Bytes as a file that is mapped into memory.

#![allow(unsafe_code, reason = "that nobody changes the file only we can know")]

use std::{io::Write as _, ops::Deref};

use anyhow::{Context, Result};
use bouquet_format::Mapped;
use tempfile::NamedTempFile;

/// A file of its own, which is deleted with it; where a mapped file needs no name, at once,
/// so that no kill leaves it.
pub struct MappedFile {
    // Let go before the file, in the order of the fields.
    mapped: Mapped,
    #[cfg(not(unix))]
    _file: NamedTempFile,
}

impl MappedFile {
    pub fn of(bytes: &[u8]) -> Result<Self> {
        let write = || {
            let mut file = NamedTempFile::new()?;
            file.write_all(bytes)?;
            // SAFETY: the file is ours alone: it was made just now, under a name that
            // nobody else knows and for its user alone, and is written no more.
            let mapped = unsafe { Mapped::open(file.path()) }?;
            Ok::<_, std::io::Error>(Self {
                mapped,
                #[cfg(not(unix))]
                _file: file,
            })
        };
        write().context("no temporary file could be written and mapped: see TMPDIR")
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.mapped
    }
}
