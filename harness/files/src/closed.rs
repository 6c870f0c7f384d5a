//! Filters of ours whose hasher, or its key, is not here: looked at, not asked.

use bouquet_core::{KeyHash, KeyHasher};

/// In the place of such a hasher. Filters are decoded and measured
/// without a key being hashed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placeholder;

impl KeyHasher for Placeholder {
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
