//! The default hasher against the words of its documentation, and for ever.

use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::Folded;

/// The function once more, by its documentation: positions in a slice, no
/// chunks, no special lengths, products of 128 bits by their four parts.
fn documented(key: &[u8], seed: u64) -> KeyHash {
    const PI: [u64; 5] = [
        0x243f_6a88_85a3_08d3,
        0xbe54_66cf_34e9_0c6d,
        0xa409_3822_299f_31d1,
        0x082e_fa98_ec4e_6c89,
        0x4528_21e6_38d0_1377,
    ];
    let [a, b, c, d, e] = PI;
    let byte = |at: usize| u64::from(key[at]);
    let word = |at: usize, bytes: usize| (0..bytes).rev().fold(0, |w, i| w << 8 | byte(at + i));
    let start = seed ^ a;
    let (mut s, mut at) = (start, 0);
    if key.len() > 48 {
        let mut lanes = [start; 3];
        while key.len() - at > 48 {
            for lane in &mut lanes {
                *lane = fold(word(at, 8) ^ c, word(at + 8, 8) ^ *lane);
                at += 16;
            }
        }
        s = lanes[0] ^ lanes[1] ^ lanes[2];
    }
    while key.len() - at > 16 {
        s = fold(word(at, 8) ^ d, word(at + 8, 8) ^ s);
        at += 16;
    }
    let end = key.len();
    let (u, v) = match end {
        0 => (0, 0),
        1..=3 => (byte(0) | byte(end / 2) << 8 | byte(end - 1) << 16, 0),
        4..=8 => (word(0, 4) | word(end - 4, 4) << 32, 0),
        9..=16 => (word(0, 8), word(end - 8, 8)),
        _ => (word(end - 16, 8), word(end - 8, 8)),
    };
    let f = fold(u ^ s, v ^ b);
    let (high, low) = product(
        f ^ e ^ end as u64 ^ seed.rotate_left(32),
        0xff51_afd7_ed55_8ccd,
    );
    KeyHash::new(high ^ low, high ^ low.rotate_left(23))
}

fn fold(x: u64, y: u64) -> u64 {
    let (high, low) = product(x, y);
    high ^ low
}

/// The high and the low word of a product, as one multiplies by hand.
fn product(x: u64, y: u64) -> (u64, u64) {
    let halves = |word: u64| (word >> 32, word & 0xffff_ffff);
    let ((xh, xl), (yh, yl)) = (halves(x), halves(y));
    let (carry, low) = halves(xl * yl);
    let (carry_a, middle) = halves(xh * yl + carry);
    let (carry_b, middle) = halves(xl * yh + middle);
    (xh * yh + carry_a + carry_b, middle << 32 | low)
}

/// 0, 1, 2, … with a step, so that no two words of a key are equal.
fn key(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 37 + i / 256 * 11) as u8).collect()
}

const SEEDS: [u64; 4] = [0, 1, 0x0123_4567_89ab_cdef, u64::MAX];

#[test]
fn it_is_what_its_documentation_says() {
    for len in (0..=400).chain([1_000, 4_095, 1 << 20]) {
        for seed in SEEDS {
            let (key, hasher) = (key(len), Folded::with_seed(seed));
            assert_eq!(hasher.hash(&key), documented(&key, seed), "{len} {seed:x}");
        }
    }
    // Words that make factors zero, and the ends of every carry.
    for word in [0, 1, 0x243f_6a88_85a3_08d3, u64::MAX, 1 << 63] {
        let key = word.to_le_bytes();
        assert_eq!(Folded::new().hash(&key), documented(&key, 0), "{word:x}");
    }
}

/// What no release may change: length, then place and probe under the seeds 0 and
/// 0x0123456789abcdef.
const GOLDEN: &[(usize, [u64; 4])] = &[];

#[test]
fn its_values_are_these_for_ever() {
    for (len, [place, probe, seeded_place, seeded_probe]) in GOLDEN {
        let key = key(*len);
        let hash = Folded::new().hash(&key);
        assert_eq!(hash, KeyHash::new(*place, *probe), "{len}");
        let hash = Folded::with_seed(SEEDS[2]).hash(&key);
        assert_eq!(hash, KeyHash::new(*seeded_place, *seeded_probe), "{len}");
    }
}

/// Of keys that differ in one byte or in length alone no two have a word in
/// common.
#[test]
fn short_keys_differ_in_both_words() {
    let mut keys = vec![Vec::new()];
    for len in 1..=17 {
        for at in 0..len {
            for value in [1, 0x80, 0xff] {
                let mut key = vec![0; len];
                key[at] = value;
                keys.push(key);
            }
        }
        keys.push(vec![0; len]);
    }
    for word in [|hash: KeyHash| hash.place, |hash: KeyHash| hash.probe] {
        let mut words: Vec<u64> = keys
            .iter()
            .map(|key| word(Folded::new().hash(key)))
            .collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), keys.len());
    }
}
