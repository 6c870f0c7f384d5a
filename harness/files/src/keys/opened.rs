//! Files of keys, opened.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use anyhow::{Context, Result, bail};
use bouquet_ground::key_file::unpacked;

use crate::open::recognise;

/// Whoever gives a filter for keys wants it converted.
pub(super) const NO_KEYS: &str = "its keys are not in it; give the file of the keys";

pub(super) const STANDARD_INPUT: &str = "standard input";

pub(super) fn no_keys(name: &str) -> String {
    format!("cannot read the keys in {name}")
}

/// A reader, and how much was read of what is below it: of a packed file less than there is to
/// read.
pub(super) struct Counted<R> {
    pub(super) reader: R,
    pub(super) bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.bytes.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}

/// Opens a file of keys: one that is no filter. What is read of it is added to `bytes`;
/// `end` ends a key.
pub(super) fn open(
    path: &Path,
    name: &str,
    bytes: &Arc<AtomicU64>,
    end: u8,
) -> Result<Box<dyn Read + Send>> {
    let opened = || {
        let file = File::open(path)?;
        let is_file = file.metadata()?.is_file();
        let filter = if is_file { recognise(path)? } else { None };
        Ok::<_, io::Error>((file, filter))
    };
    let problem = || no_keys(name);
    let (reader, filter) = opened().with_context(problem)?;
    let file = Counted {
        reader,
        bytes: bytes.clone(),
    };
    match filter {
        None => unpacked(file, end).with_context(problem),
        Some(format) => bail!(
            "{name} is a filter ({format}): {NO_KEYS}. (If it is a list of keys all the same, \
             give it by standard input: < {name})"
        ),
    }
}
