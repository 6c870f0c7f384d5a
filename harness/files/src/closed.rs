//! Filters of ours whose hasher is not here: looked at, not asked.

use std::io;

use bouquet_core::{KeyHash, KeyHasher, SeededHasher};

use super::{Facts, Opened, Part};

/// In the place of a hasher that is not here. Filters are decoded and measured
/// without a key being hashed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StandIn;

impl KeyHasher for StandIn {
    /// Of the users' range; in no file.
    const ID: u16 = 0xffff;
    const HASH_BITS: u32 = 64;

    fn seed(&self) -> u64 {
        0
    }

    fn hash(&self, _: &[u8]) -> KeyHash {
        KeyHash::new(0, 0)
    }
}

impl SeededHasher for StandIn {
    fn from_seed(_: u64) -> Self {
        Self
    }
}

/// A whole and undamaged filter whose keys cannot be asked for.
pub struct Closed {
    /// What the header says of its hash.
    hash: String,
    seed: Option<u64>,
    opened: Opened,
}

impl Closed {
    /// Of the facts of the header and the filter that was decoded with a
    /// [`StandIn`].
    pub fn new(header: Facts, opened: Opened) -> Self {
        Self {
            hash: header.hash,
            seed: header.seed,
            opened,
        }
    }

    /// What it tells of itself.
    pub fn facts(&self, target_fpr: Option<f64>) -> Facts {
        Facts {
            hash: self.hash.clone(),
            seed: self.seed,
            note: Some("the key of its hash, or the hash, is not in the file: it cannot be asked"),
            ..self.opened.held.facts(target_fpr)
        }
    }

    /// How full it is.
    ///
    /// # Errors
    ///
    /// As [`Held::fills`](super::Held::fills).
    pub fn fills(&self) -> io::Result<Vec<Part>> {
        self.opened.held.fills()
    }

    /// Bytes of the file.
    pub fn file_bytes(&self) -> u64 {
        self.opened.file_bytes
    }
}
