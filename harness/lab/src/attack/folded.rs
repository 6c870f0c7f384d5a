//! Folded multiplications, for keys of 32 bytes: backwards where the seed is known, and keys
//! that collide whatever it is.
//!
//! By the function as `bouquet-hash` documents it. The last half of a key is chosen
//! freely; the first is one lane alone. One factor of its product is chosen to be 1: then
//! the lane is the other factor, which gives any sum of the lanes that is wanted.

use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::Folded;

use super::xxh3::inverse;

/// What the words of the lanes are XORed with, the second beside the seed.
const WORDS: [[u64; 2]; 3] = [
    [0xa409_3822_299f_31d1, 0x082e_fa98_ec4e_6c89],
    [0xc0ac_29b7_c97c_50dd, 0xd131_0ba6_98df_b5ac],
    [0x3f84_d5b5_b547_0917, 0x2ffd_72db_d01a_dfb7],
];
/// What the sum of the lanes is XORed with.
const SUM: u64 = 0x4528_21e6_38d0_1377;
/// The length of the keys, spread over a word.
const LENGTH: u64 = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(32);
/// The factor of the last product.
const LAST: u64 = 0xff51_afd7_ed55_8ccd;

/// A key with the hash of `key`.
pub fn twin(hasher: Folded, key: &[u8; 32]) -> [u8; 32] {
    let seed = hasher.seed();
    let low = low_word(hasher.hash(key));
    let factor = low.wrapping_mul(inverse(LAST));
    let sum = factor ^ SUM ^ seed.rotate_left(32) ^ LENGTH;
    let [first, second, third] = WORDS;
    // Both lanes of the last half read zeros.
    let lane = |[u, v]: [u64; 2]| fold(u, v ^ seed);
    let wanted = sum ^ lane(second) ^ lane(third);
    let words = [1 ^ first[0], wanted ^ first[1] ^ seed, 0, 0];
    let mut twin = [0; 32];
    for (eight, word) in twin.chunks_exact_mut(8).zip(words) {
        eight.copy_from_slice(&word.to_le_bytes());
    }
    twin
}

/// A key and another that has its hash under every seed: a word of each makes a factor of its
/// lane zero, which has no seed in it, and the word beside it is lost.
pub fn siblings(key: &[u8; 32]) -> [[u8; 32]; 2] {
    [0, 1].map(|last| {
        let mut sibling = *key;
        let [zero, _] = WORDS[0];
        sibling[..8].copy_from_slice(&zero.to_le_bytes());
        sibling[15] = sibling[15] & !1 | last;
        sibling
    })
}

fn fold(x: u64, y: u64) -> u64 {
    let product = u128::from(x) * u128::from(y);
    (product >> 64) as u64 ^ product as u64
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
    fn siblings_collide_under_every_seed() {
        for i in 0..100 {
            let [one, other] = siblings(&member(1, i));
            assert_ne!(one, other);
            for seed in [0, 1, 0xdead_beef, u64::MAX, i] {
                let hasher = Folded::with_seed(seed);
                assert_eq!(hasher.hash(&one), hasher.hash(&other));
                assert_ne!(hasher.hash(&one), hasher.hash(&member(1, i)));
            }
        }
    }

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
