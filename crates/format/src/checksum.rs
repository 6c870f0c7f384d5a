//! The checksum of headers and of whole files.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// XXH3 with 64 bits and seed 0: the checksum of the format.
///
/// It detects accidental damage, not forgery: anyone can compute it.
///
/// ```
/// assert_eq!(bouquet_format::checksum(b""), 0x2d06_8005_38d3_94c2);
/// ```
///
/// Source: Yann Collet, [xxHash specification](https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md),
/// version 0.2.0.
pub fn checksum(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// The checksum of bytes that arrive in parts.
#[derive(Clone)]
pub(crate) struct Checksum(Xxh3);

impl Checksum {
    pub(crate) fn new() -> Self {
        Self(Xxh3::new())
    }

    pub(crate) fn take(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(crate) fn finish(&self) -> u64 {
        self.0.digest()
    }
}
