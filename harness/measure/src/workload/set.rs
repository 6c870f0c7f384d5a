//! A key set: the lines of a file, or keys that are made from their indexes.

use std::path::Path;

use anyhow::Result;

use super::{
    file::{self, Lines},
    generate::Generator,
};
use bouquet_record::DatasetRow;
use bouquet_record::interrupt::go_on_or_unwind;
use bouquet_record::line::clean;
use bouquet_record::units::sha256;

/// Distinct keys that are accessed by index.
#[derive(Debug)]
pub struct KeySet {
    row: DatasetRow,
    keys: Keys,
}

#[derive(Debug)]
enum Keys {
    Lines(Lines),
    Made(Generator),
}

impl KeySet {
    /// Reads the keys of a user's file; returns a warning too if the file looks unusual. The byte
    /// `end` ends a key: LF or NUL.
    pub fn read_file(name: &str, path: &Path, end: u8) -> Result<(Self, Option<String>)> {
        let lines = file::read(path, end)?;
        let warning = lines.warning.clone();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let about = format!("own keys from the file {}", clean(&file));
        Ok((Self::of_lines(name, &about, lines), warning))
    }

    /// A set of lines that were read from a file or generated as text.
    pub(super) fn of_lines(name: &str, about: &str, lines: Lines) -> Self {
        let row = DatasetRow {
            dataset: name.into(),
            about: about.into(),
            keys: lines.spans.len() as u64,
            duplicates_dropped: lines.duplicates_dropped,
            key_bytes: lines
                .spans
                .iter()
                .map(|(from, to)| (to - from) as u64)
                .sum(),
            sha256: sha256(&lines.bytes),
            generator: String::new(),
        };
        Self {
            row,
            keys: Keys::Lines(lines),
        }
    }

    /// A set of generated keys without a fixed number.
    ///
    /// Fails if no generator has that name.
    pub fn generated(name: &str, generator: &str, seed: u64) -> Result<Self> {
        let about = format!("made by {generator}");
        let generator = Generator::named(generator, seed)?;
        Ok(Self::made(name, &about, generator, u64::from(u32::MAX)))
    }

    /// A set of `keys` keys that are made from their indexes.
    pub(super) fn made(name: &str, about: &str, generator: Generator, keys: u64) -> Self {
        let mut key = Vec::new();
        generator.write(0, &mut key);
        let row = DatasetRow {
            dataset: name.into(),
            about: about.into(),
            keys: keys.min(generator.most_keys()),
            duplicates_dropped: 0,
            key_bytes: keys * key.len() as u64,
            sha256: String::new(),
            generator: format!("{generator:?}"),
        };
        Self {
            row,
            keys: Keys::Made(generator),
        }
    }

    pub fn name(&self) -> &str {
        &self.row.dataset
    }

    pub fn row(&self) -> DatasetRow {
        self.row.clone()
    }

    pub fn len(&self) -> u64 {
        self.row.keys
    }

    /// The mean length of a key.
    pub fn mean_bytes(&self) -> u64 {
        self.row.key_bytes / self.row.keys.max(1)
    }

    /// `wanted`, but for a file at most the number of its keys.
    pub fn up_to(&self, wanted: u64) -> u64 {
        match self.keys {
            Keys::Lines(_) => wanted.min(self.len()),
            Keys::Made(_) => wanted,
        }
    }

    /// Whether the keys are made from their indexes, so that there are as many as needed.
    pub fn is_generated(&self) -> bool {
        matches!(self.keys, Keys::Made(_))
    }

    /// For a file: the byte that ends a line, which no key contains.
    pub(super) fn end(&self) -> Option<u8> {
        match &self.keys {
            Keys::Lines(lines) => Some(lines.end),
            Keys::Made(_) => None,
        }
    }

    /// Calls `visit` with the first `count` keys.
    pub fn for_each(&self, count: u64, visit: impl FnMut(&[u8])) {
        self.for_range(0..count, visit);
    }

    /// Calls `visit` with the keys at these indexes.
    pub fn for_range(&self, indexes: std::ops::Range<u64>, mut visit: impl FnMut(&[u8])) {
        let mut buffer = Vec::new();
        for index in indexes {
            visit(self.get(index, &mut buffer));
        }
    }

    /// The key at an index. For a generated set any index is valid, and the key is made in
    /// `buffer`.
    ///
    /// Every loop over keys calls this for each of them, which checks for an interrupt, so all
    /// loops end soon after Ctrl-C. Timed loops make their keys themselves.
    pub(super) fn get<'a>(&'a self, index: u64, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        go_on_or_unwind();
        match &self.keys {
            Keys::Lines(lines) => {
                let (from, to) = lines.spans[index as usize];
                &lines.bytes[from..to]
            }
            Keys::Made(generator) => {
                generator.write(index, buffer);
                buffer
            }
        }
    }
}
