//! XXH3 in 64 bits, backwards, for keys of 16 bytes and a known seed.
//!
//! From: the XXH3 specification in xxHash's `doc/xxhash_spec.md`, section "Small
//! inputs". Its words lo and hi enter a product; with lo = 0 the product is 0,
//! and hi is what the rest leaves open.

use bouquet_core::KeyHasher;
use bouquet_hash::Xxh3;

/// Bytes 24 to 39 of the default secret, two words XORed, and 40 to 55.
const FLIP: [u64; 2] = [
    0x1f67_b3b7_a4a4_4072 ^ 0x78e5_c0cc_4ee6_79cb,
    0x2172_ffcc_7dd0_5a82 ^ 0x8e24_43f7_7446_08b8,
];

/// A key of 16 bytes with the hash of `key`.
pub fn twin(hasher: Xxh3, key: &[u8; 32]) -> [u8; 16] {
    preimage(hasher.hash(key).place, hasher.seed())
}

/// A key of 16 bytes with this hash under this seed.
fn preimage(hash: u64, seed: u64) -> [u8; 16] {
    let word = unshift(hash, 32).wrapping_mul(inverse(0x1656_6791_9e37_79f9));
    let hi = unshift(word, 37).wrapping_sub(16);
    let low = FLIP[0].wrapping_add(seed);
    let high = FLIP[1].wrapping_sub(seed) ^ hi;
    let mut key = [0; 16];
    key[..8].copy_from_slice(&low.to_le_bytes());
    key[8..].copy_from_slice(&high.to_le_bytes());
    key
}

/// Undoes `x ^ (x >> shift)`, for a shift of at least 32.
pub fn unshift(word: u64, shift: u32) -> u64 {
    word ^ (word >> shift)
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each round
/// doubles the bits that are right, three at the start.
pub fn inverse(odd: u64) -> u64 {
    let better = |x: u64| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    (0..5).fold(odd, |x, _| better(x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::keys::member;

    #[test]
    fn a_twin_has_the_whole_hash() {
        for seed in [0, 1, u64::MAX] {
            let hasher = Xxh3::with_seed(seed);
            for i in 0..100 {
                let key = member(seed, i);
                assert_eq!(hasher.hash(&twin(hasher, &key)), hasher.hash(&key));
            }
        }
    }

    #[test]
    fn an_inverse_is_one() {
        for odd in [1, 3, 5, 0xc4ce_b9fe_1a85_ec53, u64::MAX] {
            assert_eq!(inverse(odd).wrapping_mul(odd), 1);
        }
    }
}
