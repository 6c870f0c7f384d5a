//! The hash of a key and the slots that it probes.

pub use bouquet_blocked::SALTS;
use bouquet_core::{Locate, SpecError};
use xxhash_rust::xxh64::xxh64;

/// Number of bits in a block.
pub(super) const BLOCK_BITS: u64 = 256;

/// The largest number of blocks: the header stores the size in bytes as a signed 32-bit integer.
pub(super) const MAX_BLOCKS: u32 = i32::MAX as u32 / 32;

/// The hash of a key: XXH64 with seed 0 of its plain value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParquetHash(
    /// The 64 bits of the hash.
    pub u64,
);

impl From<ParquetHash> for u64 {
    #[inline]
    fn from(hash: ParquetHash) -> Self {
        hash.0
    }
}

impl ParquetHash {
    /// The hash of these bytes.
    #[inline]
    pub fn of(key: &[u8]) -> Self {
        Self(match key.try_into() {
            Ok(eight) => of_eight(u64::from_le_bytes(eight)),
            Err(_) => xxh64(key, 0),
        })
    }
}

/// XXH64 of the eight bytes of an integer, which most columns have: inlined it takes half the time
/// of a call for keys of any length.
#[inline]
fn of_eight(key: u64) -> u64 {
    const PRIMES: [u64; 5] = [
        0x9e37_79b1_85eb_ca87,
        0xc2b2_ae3d_27d4_eb4f,
        0x1656_67b1_9e37_79f9,
        0x85eb_ca77_c2b2_ae63,
        0x27d4_eb2f_1656_67c5,
    ];
    let round = key.wrapping_mul(PRIMES[1]).rotate_left(31);
    let hash = (PRIMES[4] + 8) ^ round.wrapping_mul(PRIMES[0]);
    let hash = hash.rotate_left(27).wrapping_mul(PRIMES[0]);
    let hash = hash.wrapping_add(PRIMES[3]);
    let hash = (hash ^ hash >> 33).wrapping_mul(PRIMES[1]);
    let hash = (hash ^ hash >> 29).wrapping_mul(PRIMES[2]);
    hash ^ hash >> 32
}

/// The split block scheme with z blocks. A key's block is (high half of the hash times z) / 2^32,
/// and in word i of the block its bit is (low half times salt i, wrapping) / 2^27.
///
/// Slot s is bit s mod 32 of word s / 32, where words are counted over all blocks. A block has
/// eight words, which are little-endian in the file.
///
/// ```
/// use bouquet_interop::parquet::{ParquetHash, Scheme};
///
/// let scheme = Scheme::new(3)?;
/// let slots: Vec<u64> = scheme.locations(ParquetHash::of(b"rose")).collect();
/// assert_eq!(slots.len(), 8);
/// assert!(slots.iter().all(|slot| slot / 256 == slots[0] / 256));
/// # Ok::<(), bouquet_interop::SpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scheme {
    blocks: u32,
}

impl Scheme {
    /// A scheme of `blocks` blocks (z) of 256 bits. `blocks` must be from 1 to 2^26 - 1.
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroSizeBits`], [`SpecError::TooLarge`].
    pub const fn new(blocks: u32) -> Result<Self, SpecError> {
        if blocks == 0 {
            return Err(SpecError::ZeroSizeBits);
        }
        if blocks > MAX_BLOCKS {
            return Err(SpecError::TooLarge {
                size_bits: blocks as f64 * BLOCK_BITS as f64,
            });
        }
        Ok(Self { blocks })
    }

    /// The number of blocks (z).
    pub const fn blocks(self) -> u32 {
        self.blocks
    }

    /// The index of the block of a hash.
    #[inline]
    pub const fn block(self, hash: ParquetHash) -> u32 {
        (((hash.0 >> 32) * self.blocks as u64) >> 32) as u32
    }

    /// The bit that a hash probes in each of the eight words of its block, 0 to 31.
    #[inline]
    pub fn bits(hash: ParquetHash) -> [u32; 8] {
        SALTS.map(|salt| (hash.0 as u32).wrapping_mul(salt) >> 27)
    }

    /// The eight locations of a hash, in probe order.
    #[inline]
    pub fn locations(self, hash: ParquetHash) -> impl Iterator<Item = u64> {
        let first = u64::from(self.block(hash)) * BLOCK_BITS;
        let words = Self::bits(hash).into_iter().zip(0u64..);
        words.map(move |(bit, word)| first + 32 * word + u64::from(bit))
    }
}

impl Locate for Scheme {
    type Hash = ParquetHash;

    fn slots(&self) -> u64 {
        u64::from(self.blocks) * BLOCK_BITS
    }

    fn probes(&self) -> u32 {
        SALTS.len() as u32
    }

    fn locate(&self, hash: &ParquetHash, visit: &mut dyn FnMut(u64)) {
        self.locations(*hash).for_each(visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bytes_have_the_hash_that_the_library_gives_them() {
        for bit in 0..64 {
            for key in [1_u64 << bit, (1 << bit) - 1, 0x0123_4567_89ab_cdef << bit] {
                let key = key.to_le_bytes();
                assert_eq!(ParquetHash::of(&key).0, xxh64(&key, 0));
            }
        }
    }
}
