//! MurmurHash2 in its 64-bit (64A) and 32-bit forms.
//!
//! From: Austin Appleby, `MurmurHash2.cpp` (SMHasher, public domain, 2008).

const WIDE: u64 = 0xc6a4_a793_5bd1_e995;
const NARROW: u32 = 0x5bd1_e995;

/// MurmurHash64A of `key`.
pub(super) fn hash_64a(key: &[u8], seed: u64) -> u64 {
    let (blocks, tail) = key.as_chunks::<8>();
    let mut h = seed ^ (key.len() as u64).wrapping_mul(WIDE);
    for block in blocks {
        let mut k = u64::from_le_bytes(*block).wrapping_mul(WIDE);
        k ^= k >> 47;
        h = (h ^ k.wrapping_mul(WIDE)).wrapping_mul(WIDE);
    }
    if !tail.is_empty() {
        let mut last = [0; 8];
        last[..tail.len()].copy_from_slice(tail);
        h = (h ^ u64::from_le_bytes(last)).wrapping_mul(WIDE);
    }
    h = (h ^ (h >> 47)).wrapping_mul(WIDE);
    h ^ (h >> 47)
}

/// The 32-bit MurmurHash2 of `key`.
pub(super) fn hash_32(key: &[u8], seed: u32) -> u32 {
    let (blocks, tail) = key.as_chunks::<4>();
    // The reference implementation stores the length in 32 bits.
    let mut h = seed ^ key.len() as u32;
    for block in blocks {
        let mut k = u32::from_le_bytes(*block).wrapping_mul(NARROW);
        k ^= k >> 24;
        h = h.wrapping_mul(NARROW) ^ k.wrapping_mul(NARROW);
    }
    if !tail.is_empty() {
        let mut last = [0; 4];
        last[..tail.len()].copy_from_slice(tail);
        h = (h ^ u32::from_le_bytes(last)).wrapping_mul(NARROW);
    }
    h = (h ^ (h >> 13)).wrapping_mul(NARROW);
    h ^ (h >> 15)
}
