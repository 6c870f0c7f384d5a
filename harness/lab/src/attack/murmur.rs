//! MurmurHash3 x64 128, backwards.
//!
//! Every step of it is a bijection of its state, so a block can be computed
//! that takes any state to any other, and the state behind any hash.
//!
//! From: Aumasson and Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT
//! 2012, section 7, and their "Hash-flooding DoS reloaded", 29C3, 2012.

use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::murmur3::x64_128;

use super::{
    keys::{bytes, words},
    xxh3::{inverse, unshift},
};

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

/// MurmurHash3 with a seed, as a hasher for the filters under attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Murmur3(pub u32);

impl KeyHasher for Murmur3 {
    const ID: u16 = 0x8001;
    const HASH_BITS: u32 = 128;

    fn seed(&self) -> u64 {
        self.0.into()
    }

    fn hash(&self, key: &[u8]) -> KeyHash {
        let [h1, h2] = x64_128(key, self.0);
        KeyHash::new(h1, h2)
    }
}

/// The words h1 and h2 between blocks.
type State = [u64; 2];

/// The `index`-th of 2^64 keys of 32 bytes with this hash under this seed. If
/// the hash is that of a key of 32 bytes, the two also agree in the hash with
/// any byte after them, and so in all four words of bits-and-blooms.
pub fn preimage(hash: [u64; 2], seed: u32, index: u64) -> [u8; 32] {
    let first = [index, !index];
    let between = mix_block([u64::from(seed); 2], first);
    let second = block_between(between, unfinish(hash, 32));
    bytes([first[0], first[1], second[0], second[1]])
}

/// Another key with the hash of this one **under every seed**.
///
/// A difference that the first block puts into the highest bit of h1 passes the
/// addition and the multiplication by 5 as it is; in h2 it meets its like and
/// is gone, and the second block takes it out of h1.
pub fn sibling(key: &[u8; 32]) -> [u8; 32] {
    let [a, b, c, d] = words(key);
    bytes([
        FIRST.unscramble(FIRST.scramble(a) ^ (1 << 36)),
        SECOND.unscramble(SECOND.scramble(b) ^ (1 << 32)),
        FIRST.unscramble(FIRST.scramble(c) ^ (1 << 63)),
        d,
    ])
}

/// The block that takes one state to another.
fn block_between(from: State, to: State) -> [u64; 2] {
    let fifth = inverse(5);
    let turned_1 = to[0].wrapping_sub(0x52dc_e729).wrapping_mul(fifth);
    let turned_2 = to[1].wrapping_sub(0x3849_5ab5).wrapping_mul(fifth);
    let mixed_1 = turned_1.wrapping_sub(from[1]).rotate_right(27);
    let mixed_2 = turned_2.wrapping_sub(to[0]).rotate_right(31);
    [
        FIRST.unscramble(mixed_1 ^ from[0]),
        SECOND.unscramble(mixed_2 ^ from[1]),
    ]
}

/// The state of which this is the hash, after whole blocks of `length` bytes.
fn unfinish([a, b]: [u64; 2], length: u64) -> State {
    let h2 = b.wrapping_sub(a);
    let h1 = unfinalise(a.wrapping_sub(h2));
    let h2 = unfinalise(h2).wrapping_sub(h1);
    let h1 = h1.wrapping_sub(h2);
    [h1 ^ length, h2 ^ length]
}

fn mix_block([h1, h2]: State, [k1, k2]: [u64; 2]) -> State {
    let mix = |h: u64, k: u64, turn: u32, other: u64, more: u64| {
        (h ^ k)
            .rotate_left(turn)
            .wrapping_add(other)
            .wrapping_mul(5)
            .wrapping_add(more)
    };
    let h1 = mix(h1, FIRST.scramble(k1), 27, h2, 0x52dc_e729);
    [h1, mix(h2, SECOND.scramble(k2), 31, h1, 0x3849_5ab5)]
}

/// What is done to a word of a block: multiplied, turned, and multiplied again.
struct Scrambler(u64, u32, u64);

const FIRST: Scrambler = Scrambler(C1, 31, C2);
const SECOND: Scrambler = Scrambler(C2, 33, C1);

impl Scrambler {
    fn scramble(&self, word: u64) -> u64 {
        word.wrapping_mul(self.0)
            .rotate_left(self.1)
            .wrapping_mul(self.2)
    }

    fn unscramble(&self, word: u64) -> u64 {
        let turned = word.wrapping_mul(inverse(self.2)).rotate_right(self.1);
        turned.wrapping_mul(inverse(self.0))
    }
}

fn unfinalise(h: u64) -> u64 {
    let h = unshift(h, 33).wrapping_mul(inverse(0xc4ce_b9fe_1a85_ec53));
    let h = unshift(h, 33).wrapping_mul(inverse(0xff51_afd7_ed55_8ccd));
    unshift(h, 33)
}

#[cfg(test)]
mod tests {
    use bouquet_hash::murmur3::four_words;

    use super::*;
    use crate::attack::keys::member;

    #[test]
    fn every_hash_has_a_preimage_under_every_seed() {
        for seed in [0, 1, u32::MAX] {
            for i in 0..100 {
                let hash = [crate::workload::mix(i), crate::workload::mix(!i)];
                let [one, other] = [2 * i, 2 * i + 1].map(|index| preimage(hash, seed, index));
                assert_ne!(one, other);
                assert_eq!(x64_128(&one, seed), hash);
                assert_eq!(x64_128(&other, seed), hash);
            }
        }
    }

    #[test]
    fn a_key_of_the_same_length_agrees_in_all_four_words() {
        let victim = member(1, 7);
        let forged = preimage(x64_128(&victim, 0), 0, 3);
        assert_ne!(forged, victim);
        assert_eq!(four_words(&forged), four_words(&victim));
    }

    #[test]
    fn a_sibling_collides_under_every_seed() {
        for i in 0..100 {
            let key = member(1, i);
            let other = sibling(&key);
            assert_ne!(key, other);
            assert_eq!(sibling(&other), key);
            for seed in [0, 1, 0xdead_beef, u32::MAX, i as u32] {
                assert_eq!(x64_128(&key, seed), x64_128(&other, seed));
            }
        }
    }
}
