//! A chunk of the lines of a key file, in memory that is reused.

use std::{iter, ops::Range};

use anyhow::{Result, ensure};
use bouquet_core::KeyHash;

/// A reused chunk keeps a buffer of at most this many bytes. A larger buffer, for a very long line,
/// is freed.
const KEPT: usize = 1 << 22;

/// A function that hashes keys as a filter does. It can run on any thread.
pub type Hash = dyn Fn(&[&[u8]], &mut [KeyHash]) + Send + Sync;

/// Consecutive lines of a file, and the keys in them.
#[derive(Default)]
pub struct Chunk {
    /// The lines as they are in the file.
    pub(super) bytes: Vec<u8>,
    /// For each line, the index in `bytes` of the byte that ends it.
    pub(super) ends: Vec<usize>,
    /// If the lines are hex: the decoded keys, concatenated, and the index at which each key ends.
    pub(super) decoded: Option<(Vec<u8>, Vec<usize>)>,
    hashes: Vec<KeyHash>,
}

impl Chunk {
    /// The number of lines.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A range of lines as they are in the file, without the byte that ends the last of them.
    pub fn lines(&self, lines: Range<usize>) -> &[u8] {
        let start = match lines.start {
            0 => 0,
            line => self.ends[line - 1] + 1,
        };
        &self.bytes[start..self.ends[lines.end - 1]]
    }

    /// The keys: the lines or, if these are hex, the bytes that they encode.
    pub fn keys(&self) -> impl Iterator<Item = &[u8]> {
        let (bytes, ends, apart) = match &self.decoded {
            Some((bytes, ends)) => (bytes, ends, 0),
            None => (&self.bytes, &self.ends, 1),
        };
        let starts = iter::once(0).chain(ends.iter().map(move |end| end + apart));
        starts.zip(ends).map(|(start, end)| &bytes[start..*end])
    }

    /// The hashes of the keys.
    ///
    /// # Errors
    ///
    /// The keys were not hashed.
    pub fn hashes(&self) -> Result<&[KeyHash]> {
        ensure!(self.hashes.len() == self.len(), "keys that were not hashed");
        Ok(&self.hashes)
    }

    pub(super) fn hash(&mut self, hash: &Hash) {
        let mut hashes = std::mem::take(&mut self.hashes);
        hashes.resize(self.len(), KeyHash::new(0, 0));
        let keys: Vec<&[u8]> = self.keys().collect();
        hash(&keys, &mut hashes);
        self.hashes = hashes;
    }

    /// Removes all lines. Their memory is kept for the next lines unless it exceeds `KEPT`.
    pub(super) fn clear(&mut self) {
        if self.bytes.len() > KEPT {
            *self = Self::default();
        }
        self.bytes.clear();
        self.ends.clear();
        self.hashes.clear();
        self.decoded = None;
    }
}
