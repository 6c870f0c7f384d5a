//! Folded multiplications, backwards, for keys of 32 bytes and a known seed.
//!
//! By the function as `bouquet-hash` documents it. One factor of a product is chosen to
//! be 1: then the product is the other factor. The first pair of words so passes the
//! state on as it is, and the last gives any fold that is wanted.

use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::Folded;

use super::xxh3::inverse;

/// What the first word of a pair before the last is XORed with.
const BEFORE: u64 = 0x082e_fa98_ec4e_6c89;
/// What the two last words of a key are XORed with, beside the seed.
const WORDS: [u64; 2] = [0x243f_6a88_85a3_08d3, 0xbe54_66cf_34e9_0c6d];
/// What the fold is XORed with.
const FOLD: u64 = 0x4528_21e6_38d0_1377;
/// The length of the keys, spread over a word.
const LENGTH: u64 = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(32);
/// The factor of the last product.
const LAST: u64 = 0xff51_afd7_ed55_8ccd;

/// A key with the hash of `key`.
pub fn twin(hasher: Folded, key: &[u8; 32]) -> [u8; 32] {
    let seed = hasher.seed();
    let low = low_word(hasher.hash(key));
    let factor = low.wrapping_mul(inverse(LAST));
    let fold = factor ^ FOLD ^ seed.rotate_left(32);
    let words = [1 ^ BEFORE, 0, 1 ^ WORDS[0] ^ seed, fold ^ WORDS[1] ^ LENGTH];
    let mut twin = [0; 32];
    for (eight, word) in twin.chunks_exact_mut(8).zip(words) {
        eight.copy_from_slice(&word.to_le_bytes());
    }
    twin
}

/// The low word of the last product: place ^ probe is that word XOR itself turned
/// by 23, which leaves it or its complement; the high word tells which.
fn low_word(KeyHash { place, probe }: KeyHash) -> u64 {
    let turned = place ^ probe;
    let (mut low, mut at) = (0u64, 0);
    for _ in 1..64 {
        let next = (at + 23) % 64;
        low |= ((low >> at ^ turned >> next) & 1) << next;
        at = next;
    }
    let factor = low.wrapping_mul(inverse(LAST));
    let high = (u128::from(factor) * u128::from(LAST)) >> 64;
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
