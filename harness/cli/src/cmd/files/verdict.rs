//! What can be said of a file's filter: by its checksum, or by keys that must be in it.

use std::{
    path::{Path, PathBuf},
    slice,
};

use anyhow::{Result, bail, ensure};

use super::{KeyFlags, Opener, note, warn_of};
use bouquet_files::{Format, Opened, Reading};
use bouquet_render::number::plural;

/// Keys that a filter must have.
#[derive(clap::Args, Clone, Debug)]
pub struct MemberFlags {
    /// Keys that were inserted: the first that is absent is named, with exit code 1.
    #[arg(long, value_name = "KEYFILE")]
    keys: Option<PathBuf>,
    #[command(flatten)]
    key_flags: KeyFlags,
}

/// What was found of a file that was read.
pub enum Verdict {
    Whole,
    /// Its format has nothing that a changed bit would contradict.
    NoChecksum,
    HasKeys(u64),
    /// The first key that is absent.
    Lacks(String),
}

impl MemberFlags {
    /// Rejects keys that can be read once, for several filters.
    pub fn check(&self, filters: usize) -> Result<()> {
        let once = self.keys.as_ref().filter(|_| filters > 1);
        match once.and_then(|keys| bouquet_files::once(slice::from_ref(keys))) {
            Some(what) => {
                bail!("--keys: {what} can be read once: give one filter, or a file of keys")
            }
            None => Ok(()),
        }
    }

    pub fn is_given(&self) -> bool {
        self.keys.is_some()
    }

    /// What is to be said of a filter, with a warning if it has no key at all.
    pub fn verdict(&self, path: &Path, opened: &Opened, fill_ratio: f64) -> Result<Verdict> {
        if fill_ratio == 0.0 {
            note(&format!(
                "warning: {}: not one slot is in use: it has no keys, or was zeroed out",
                path.display()
            ));
        }
        match &self.keys {
            Some(keys) => self.of_keys(opened, keys),
            None if opened.filter.format() == Format::Native => Ok(Verdict::Whole),
            None => Ok(Verdict::NoChecksum),
        }
    }

    /// Opens a filter, so that it can be asked if there are keys.
    pub fn open(&self, opener: &Opener, path: &Path) -> Result<Opened> {
        match self.keys {
            Some(_) => opener.open(path),
            None => opener.open_for_inspection(path),
        }
    }

    fn of_keys(&self, opened: &Opened, file: &PathBuf) -> Result<Verdict> {
        let keys = self.key_flags.keys(slice::from_ref(file));
        let mut keys = Reading::new(keys, opened.filter.hash());
        let (mut count, mut found) = (0, Vec::new());
        while let Some(chunk) = keys.next_chunk()? {
            opened.filter.contains(chunk, &mut found)?;
            if let Some(at) = found.iter().position(|found| !found) {
                let line = String::from_utf8_lossy(chunk.lines(at..at + 1)).into_owned();
                return Ok(Verdict::Lacks(format!("line {}: {line}", count + at + 1)));
            }
            count += chunk.len();
        }
        warn_of(&keys);
        ensure!(
            count > 0,
            "--keys {}: there are no keys in it",
            file.display()
        );
        Ok(Verdict::HasKeys(count as u64))
    }
}

impl Verdict {
    pub fn words(&self) -> String {
        match self {
            Self::Whole => "good".into(),
            Self::NoChecksum => "readable; no checksum: pass --keys to check".into(),
            Self::HasKeys(keys) => format!("has {}", plural(*keys, "key")),
            Self::Lacks(key) => format!("lacks {key}"),
        }
    }
}
