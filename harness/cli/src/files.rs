//! Reads and writes filters in files, in our own format and in those of other systems.
//!
//! A filter is always written with the hash function with which it was built. Another hash function
//! would need the keys, which the filter does not store.

mod chunk;
mod foreign;
mod hashing;
mod keys;
mod make;
mod native;
mod open;

use std::{
    fmt, fs,
    io::{self, IsTerminal, Write},
    path::Path,
};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

pub use self::{
    chunk::Chunk,
    hashing::{HashKey, Hashing, SecretArgs},
    keys::{Keys, once},
    make::{Kind, Request, make},
    native::{AnyFilter, Facts, in_flags},
    open::Opener,
};

/// A file format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    /// Ours: docs/FORMAT.md.
    #[default]
    Native,
    /// Go's bits-and-blooms v3, binary.
    Go,
    /// Go's bits-and-blooms v3, JSON.
    GoJson,
    /// Guava's BloomFilter.writeTo, MURMUR128_MITZ_64.
    Guava,
    /// The same, MURMUR128_MITZ_32: old files.
    Guava32,
    /// Parquet's split block filter, header and bitset.
    Parquet,
    /// RedisBloom: the chunks of BF.SCANDUMP, one after another.
    Redisbloom,
    /// go-zero's bitmap, a Redis string.
    GoZero,
    /// Redisson's bitmap, a Redis string.
    Redisson,
}

impl Format {
    /// Whether both formats use the same hash, so that a filter can be converted between them.
    pub fn has_hashing_of(self, other: Self) -> bool {
        let is_go = |format| matches!(format, Self::Go | Self::GoJson);
        self == other || is_go(self) && is_go(other)
    }
}

/// Shows a format by its name on the command line.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.to_possible_value();
        f.write_str(name.as_ref().map_or("", |name| name.get_name()))
    }
}

/// Writes a file with `write`. As in [`bouquet_format::save`], an old file stays until the new one
/// is on the disk, symbolic links are followed, and devices and pipes are written directly. The
/// path `-` is standard output.
///
/// # Errors
///
/// The file system or `write` fails. The old file is then unchanged.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    if path.as_os_str() != "-" {
        return bouquet_format::save(path, write)
            .with_context(|| format!("cannot write {}", path.display()));
    }
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    write(&mut out)
        .and_then(|()| out.flush())
        .context("cannot write to standard output")
}

/// Checks, before long work begins, that a file can be saved at this path, and that the path is not
/// one of the files in `read`.
///
/// # Errors
///
/// The file cannot be saved, the output is a terminal, or the path is one of the files in `read`.
pub fn check_save<'p>(path: &Path, mut read: impl Iterator<Item = &'p Path>) -> Result<()> {
    let shown = path.display();
    let file = |path| fs::canonicalize(path).ok().filter(|path| path.is_file());
    if let Some(own) = file(path)
        && read.any(|read| file(read).as_ref() == Some(&own))
    {
        bail!("{shown} is a file of keys, and would be overwritten: name another --output");
    }
    if path.as_os_str() != "-" {
        return bouquet_format::check_save(path).with_context(|| format!("cannot write {shown}"));
    }
    if io::stdout().is_terminal() {
        bail!("-o -: standard output is a terminal: name a file, or redirect the output");
    }
    Ok(())
}
