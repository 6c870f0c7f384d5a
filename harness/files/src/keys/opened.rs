//! Files of keys, opened.

use std::{
    fs::File,
    io::{self, Read, Seek},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use anyhow::{Context, Result, bail};
use bouquet_ground::key_file::unpacked;

use crate::{open::recognise, source::Source};

/// Whoever gives a filter for keys wants it converted.
pub(super) const NO_KEYS: &str = "its keys are not in it; give the file of the keys";

pub(super) const STANDARD_INPUT: &str = "standard input";

pub(super) fn no_keys(name: &str) -> String {
    format!("cannot read the keys in {name}")
}

/// A reader, and how much was read of what is below it: of a packed file less than there is to
/// read.
pub(super) struct Measured<R> {
    pub(super) reader: R,
    pub(super) bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Measured<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.bytes.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}

/// The keys of a file, from its begin: one that is no filter. What is read of it is added to
/// `bytes`.
pub(super) fn open(
    mut file: File,
    name: &str,
    bytes: &Arc<AtomicU64>,
) -> Result<Box<dyn Read + Send>> {
    let mut filter = || {
        if !file.metadata()?.is_file() {
            return Ok(None);
        }
        let filter = recognise(&Source::of(file.try_clone()?)?)?;
        file.rewind()?;
        Ok::<_, io::Error>(filter)
    };
    let filter = filter().with_context(|| no_keys(name))?;
    let reader = Measured {
        reader: file,
        bytes: bytes.clone(),
    };
    match filter {
        None => unpacked(reader).with_context(|| no_keys(name)),
        Some(format) => bail!(
            "{name} is a filter ({format}): {NO_KEYS}. (If it is a list of keys all the same, \
             give it by standard input: < {name})"
        ),
    }
}
