//! Some keys of a file, with the memory that holds them.

use std::{iter, ops::Range};

use anyhow::{Result, ensure};
use bouquet_core::KeyHash;

/// Bytes of lines that a chunk keeps memory for when it is used again. Longer lines
/// get a chunk each, and are freed.
const KEPT: usize = 1 << 22;

/// Keys that are hashed at a time.
const HASHED: usize = 32;

/// Hashes keys as a filter does, in whatever thread.
pub type Hash = dyn Fn(&[&[u8]], &mut [KeyHash]) + Send + Sync;

/// Lines of a file, in order, and the keys that they are.
#[derive(Default)]
pub struct Chunk {
    /// Lines as they are in the file; past the last one what is to be overwritten.
    pub(crate) bytes: Vec<u8>,
    /// Where each ends, not counting what ends it.
    pub(crate) ends: Vec<usize>,
    /// The keys one after the other and where each ends, where they are not the lines.
    pub(crate) decoded: Option<(Vec<u8>, Vec<usize>)>,
    hashes: Vec<KeyHash>,
    /// Bytes read till then, of all files.
    pub(crate) bytes_read: u64,
}

impl Chunk {
    /// The number of lines.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes read till then, of all files.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// Some lines as they are in the file, without what ends the last of them.
    pub fn lines(&self, lines: Range<usize>) -> &[u8] {
        let start = match lines.start {
            0 => 0,
            line => self.ends[line - 1] + 1,
        };
        &self.bytes[start..self.ends[lines.end - 1]]
    }

    /// The keys.
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
    /// They were not hashed.
    pub fn hashes(&self) -> Result<&[KeyHash]> {
        ensure!(self.hashes.len() == self.len(), "keys that were not hashed");
        Ok(&self.hashes)
    }

    /// Hashes the keys.
    pub(crate) fn hash(&mut self, hash: &Hash) {
        let mut hashes = std::mem::take(&mut self.hashes);
        hashes.resize(self.len(), KeyHash::new(0, 0));
        let mut keys = self.keys();
        for hashes in hashes.chunks_mut(HASHED) {
            let mut some: [&[u8]; HASHED] = [&[]; HASHED];
            for (to, key) in some.iter_mut().zip(keys.by_ref().take(hashes.len())) {
                *to = key;
            }
            hash(&some[..hashes.len()], hashes);
        }
        drop(keys);
        self.hashes = hashes;
    }

    /// Forgets the lines, and keeps memory for as many again.
    pub(crate) fn clear(&mut self) {
        if self.bytes.len() > KEPT {
            *self = Self::default();
        }
        self.ends.clear();
        self.hashes.clear();
        self.decoded = None;
    }
}
