//! Schemes with a known fault. A test that cannot find them finds nothing.

use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::Xxh3;

/// A good hash of which only 16 bits are used: 65,536 sets of locations in all.
pub fn truncated_16(seed: u64) -> impl Fn(&[u8]) -> KeyHash {
    let hasher = Xxh3::with_seed(seed);
    move |key| KeyHash::from_word(hasher.hash(key).place & 0xffff)
}
