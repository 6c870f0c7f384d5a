//! Folded multiplications, backwards, for keys of 16 bytes and a known seed.
//!
//! By the function as `bouquet-hash` documents it. One factor of its first product
//! is chosen to be 1: then the product is the other factor, and any fold is to be
//! had.

use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::Folded;

use super::xxh3::inverse;

/// What the two words of a key are XORed with, beside the seed.
const WORDS: [u64; 2] = [0x243f_6a88_85a3_08d3, 0xbe54_66cf_34e9_0c6d];
/// What the fold is XORed with, and the factor of the second product.
const LAST: [u64; 2] = [0x4528_21e6_38d0_1377, 0xff51_afd7_ed55_8ccd];

/// A key of 16 bytes with the hash of `key`.
pub fn twin(hasher: Folded, key: &[u8]) -> [u8; 16] {
    let seed = hasher.seed();
    let low = low_word(hasher.hash(key));
    let factor = low.wrapping_mul(inverse(LAST[1]));
    let fold = factor ^ LAST[0] ^ 16 ^ seed.rotate_left(32);
    let mut twin = [0; 16];
    twin[..8].copy_from_slice(&(1 ^ WORDS[0] ^ seed).to_le_bytes());
    twin[8..].copy_from_slice(&(fold ^ WORDS[1]).to_le_bytes());
    twin
}

/// The low word of the second product: place ^ probe is that word XOR itself turned
/// by 23, which leaves it or its complement; the high word tells which.
fn low_word(KeyHash { place, probe }: KeyHash) -> u64 {
    let turned = place ^ probe;
    let (mut low, mut at) = (0u64, 0);
    for _ in 1..64 {
        let next = (at + 23) % 64;
        low |= ((low >> at ^ turned >> next) & 1) << next;
        at = next;
    }
    let factor = low.wrapping_mul(inverse(LAST[1]));
    let high = (u128::from(factor) * u128::from(LAST[1])) >> 64;
    if high as u64 == place ^ low {
        low
    } else {
        !low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::keys::member;

    #[test]
    fn a_twin_has_the_whole_hash() {
        for seed in [0, 1, u64::MAX] {
            let hasher = Folded::with_seed(seed);
            for i in 0..100 {
                let key = member(seed, i);
                assert_eq!(hasher.hash(&twin(hasher, &key)), hasher.hash(&key));
            }
        }
    }
}
