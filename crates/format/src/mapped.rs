//! Files mapped into memory, loaded page by page as they are used.

#![allow(
    unsafe_code,
    reason = "only the caller can know that nobody writes into the file"
)]

use std::{fs::File, io, ops::Deref, path::Path};

use memmap2::Mmap;

/// The bytes of a file, mapped: for a [`View`](crate::View) of a filter that is
/// larger than the memory, or that many processes share.
///
/// Needs the feature `mmap`.
#[derive(Debug)]
pub struct Mapped(Mmap);

impl Mapped {
    /// Maps a file for reading.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    ///
    /// # Safety
    ///
    /// Nobody, in this process or another, writes into the file or truncates it while
    /// it is mapped: its bytes would change behind a shared reference, and a page
    /// that is no longer there ends the process. [`save`](crate::Encode::save)
    /// does neither: it puts another file in its place, and the mapped one stays
    /// unchanged until it is dropped.
    pub unsafe fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let file = File::open(path)?;
        // SAFETY: our caller promises that the file does not change.
        unsafe { Mmap::map(&file) }.map(Self)
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
