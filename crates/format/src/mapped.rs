//! Files mapped into memory, loaded page by page as they are used.

#![allow(
    unsafe_code,
    reason = "only the caller can know that nobody writes into the file"
)]

use std::{io, ops::Deref, path::Path};

use memmap2::Mmap;

use crate::path;

/// The bytes of a file, mapped: for a [`View`](crate::View) of a filter that is
/// larger than the memory, or that many processes share. By the feature `mmap`, which the
/// crate of each filter has too.
///
/// ```ignore
/// use bouquet::{Mapped, StandardBloom, StandardView, View};
///
/// StandardBloom::from_keys(["rose", "tulip"], 1e-6)?.save(&path)?;
/// // SAFETY: nobody writes into the file; whoever changes the filter saves another.
/// let mapped = unsafe { Mapped::open(&path) }?;
/// let view: StandardView<'_> = View::open(&mapped)?;
/// assert!(view.contains("rose") && !view.contains("lily"));
/// ```
///
/// (That is one of the programs of new users that are tests of the crate `bouquet`.)
///
/// # Contract
///
/// - **The file does not change while it is mapped**: what [`open`](Self::open) asks for, and
///   what no program can check. Files that are only ever [saved](crate::Encode::save) keep it.
/// - Nothing is read before it is asked for. [`View::open`](crate::View::open) reads the header
///   and checks that the file has the length that it says; each answer then reads the pages of
///   its probes. The checksum, which would read all of it, is checked by
///   [`View::verify`](crate::View::verify) alone.
/// - A disk that fails, or a network file that is gone, shows as a signal (`SIGBUS`) at the
///   access, not as an error. Where that must not happen, `load` the filter.
/// - It can be sent to and shared by threads, and is unmapped when it is dropped. What the
///   file system does with the path meanwhile, also deleting it, does not matter on Unix; on
///   Windows a mapped file can be neither deleted nor replaced.
#[derive(Debug)]
pub struct Mapped(Mmap);

impl Mapped {
    /// Maps a file for reading.
    ///
    /// # Errors
    ///
    /// Those of the operating system, with the path; also for a folder.
    ///
    /// # Safety
    ///
    /// Nobody, in this process or another, writes into the file or truncates it while
    /// it is mapped: its bytes would change behind a shared reference, and a page
    /// that is no longer there ends the process. [`save`](crate::Encode::save)
    /// does neither: it puts another file in its place, and the mapped one stays
    /// unchanged until it is dropped.
    pub unsafe fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let mapped = path::open(path).and_then(|file| {
            // SAFETY: our caller promises that the file does not change.
            unsafe { Mmap::map(&file) }
        });
        mapped
            .map(Self)
            .map_err(|error| path::named("map", path, error))
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
