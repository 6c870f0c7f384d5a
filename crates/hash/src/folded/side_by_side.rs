//! Hashes many short keys in parallel, on vectors without a 128-bit product: the compiler
//! vectorises this loop.

use bouquet_core::{Key, KeyHash, batch::CHUNK};

use super::{A, B, E, LAST, short, spread};
use crate::wide::Work;

/// The number of keys in a vector of AVX-512.
pub(super) const SIDE_BY_SIDE: usize = 8;

/// The work of hashing `keys`, each of at most 16 bytes, into `hashes`.
pub(super) struct Folding<'a, K> {
    pub seed: u64,
    pub keys: &'a [K],
    pub hashes: &'a mut [KeyHash],
}

impl<K: Key> Work for Folding<'_, K> {
    #[inline(always)]
    fn run(self) {
        let seed = self.seed;
        let (mut left, mut right) = ([0; CHUNK], [0; CHUNK]);
        for (keys, hashes) in self.keys.chunks(CHUNK).zip(self.hashes.chunks_mut(CHUNK)) {
            // All keys are read before any hash is written. Otherwise the compiler would have
            // to assume that a key's reference points into `hashes`, and would process the keys
            // one by one.
            for (key, (x, y)) in keys.iter().zip(left.iter_mut().zip(&mut right)) {
                let ((u, v), length) = key.with_bytes(|key| (short(key), key.len() as u64));
                (*x, *y) = (u ^ seed ^ A, v.wrapping_add(B ^ spread(length)));
            }
            for (hash, (x, y)) in hashes.iter_mut().zip(left.iter().zip(&right)) {
                let (high, low) = product(*x, *y);
                let (high, low) = product(high ^ low ^ E ^ seed.rotate_left(32), LAST);
                *hash = KeyHash::new(high ^ low, high ^ low.rotate_left(23));
            }
        }
    }
}

/// The high and low word of a 128-bit product, computed from products of half words.
///
/// The low word is computed from these parts too: if the code contained `x * y`, the compiler
/// would recognise a 128-bit multiplication, which vectors do not have, and would process the
/// keys one by one.
#[inline(always)]
const fn product(x: u64, y: u64) -> (u64, u64) {
    const HALF: u64 = u32::MAX as u64;
    let (x0, x1, y0, y1) = (x & HALF, x >> 32, y & HALF, y >> 32);
    let bottom = x0 * y0;
    let middle = x1 * y0 + (bottom >> 32);
    let other = x0 * y1 + (middle & HALF);
    let high = x1 * y1 + (middle >> 32) + (other >> 32);
    (high, other << 32 | bottom & HALF)
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use std::{array, vec, vec::Vec};

    use bouquet_core::KeyHasher;

    use super::*;
    use crate::Folded;

    #[test]
    fn half_words_give_the_product() {
        let edges = [
            0,
            1,
            2,
            0xffff_ffff,
            1 << 32,
            !0 << 32,
            !0 - 1,
            !0,
            A,
            B,
            LAST,
        ];
        for (x, y) in edges.iter().flat_map(|x| edges.map(|y| (*x, y))) {
            let whole = u128::from(x) * u128::from(y);
            assert_eq!(product(x, y), ((whole >> 64) as u64, whole as u64));
        }
    }

    /// Keys of `LEN` bytes; some of them may be equal.
    fn bytes<const LEN: usize>(words: &[u64]) -> Vec<[u8; LEN]> {
        let key = |word: &u64| array::from_fn(|i| word.rotate_left(13 * i as u32) as u8);
        words.iter().map(key).collect()
    }

    /// The sizes of batches, around the size of a vector and of a chunk; under the interpreter
    /// Miri only 0, 9 and 33, which have a remainder of each.
    const COUNTS: &[u64] = if cfg!(miri) {
        &[0, 9, 33]
    } else {
        &[0, 1, 7, 8, 9, 31, 32, 33]
    };
    const SEEDS: &[u64] = if cfg!(miri) { &[!0] } else { &[0, 1, !0] };

    #[test]
    fn side_by_side_is_one_by_one() {
        fn check<K: Key>(keys: &[K]) {
            for &seed in SEEDS {
                let hasher = Folded::with_seed(seed);
                let want: Vec<_> = keys.iter().map(|key| hasher.hash_key(key)).collect();
                let mut hashes = vec![KeyHash::new(0, 0); keys.len()];
                hasher.hash_batch(keys, &mut hashes);
                assert_eq!(hashes, want);
                // Runs the vectorised code on every processor.
                if matches!(K::LEN, Some(..=16)) {
                    hashes.fill(KeyHash::new(0, 0));
                    let hashes = &mut hashes[..];
                    Folding { seed, keys, hashes }.run();
                    assert_eq!(hashes, want);
                }
            }
        }
        for &count in COUNTS {
            let words = (0..count).map(|i| i.wrapping_mul(LAST));
            let words: Vec<_> = words.collect();
            check(&words);
            check(&words.iter().collect::<Vec<_>>());
            check(&words.iter().map(|word| *word as i8).collect::<Vec<_>>());
            check(
                &words
                    .iter()
                    .map(|word| u128::from(*word) << 61)
                    .collect::<Vec<_>>(),
            );
            check(&bytes::<0>(&words));
            check(&bytes::<3>(&words));
            check(&bytes::<4>(&words));
            check(&bytes::<7>(&words));
            check(&bytes::<8>(&words));
            check(&bytes::<9>(&words));
            check(&bytes::<16>(&words));
            check(&bytes::<17>(&words));
            check(&bytes::<20>(&words));
        }
    }
}
