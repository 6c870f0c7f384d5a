//! Compares MurmurHash3 with another implementation, and with recorded results of Go's
//! bits-and-blooms.
use std::collections::HashMap;

use bouquet_hash::{
    murmur3::{Murmur3, four_words, x64_64, x64_128, x86_32},
    scheme::BitsAndBlooms,
};

const SEEDS: [u32; 5] = [0, 1, 42, 0x9747_b28c, u32::MAX];

/// Bytes of various values, including values above 127.
fn bytes(len: usize) -> Vec<u8> {
    let word = |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
    (0..len as u64).map(|i| word(i) as u8).collect()
}

fn oracle(key: &[u8], seed: u32) -> [u64; 2] {
    let hash = murmur3::murmur3_x64_128(&mut &*key, seed).unwrap();
    [hash as u64, (hash >> 64) as u64]
}

fn followed_by(key: &[u8], suffix: u8) -> Vec<u8> {
    [key, &[suffix]].concat()
}

#[test]
fn every_length_and_seed_is_as_the_oracle_has_it() {
    for key in (0..=600).map(bytes) {
        for seed in SEEDS {
            assert_eq!(
                x64_128(&key, seed),
                oracle(&key, seed),
                "{} {seed}",
                key.len()
            );
        }
    }
}

#[test]
fn the_short_ones_are_as_the_oracle_has_them() {
    for key in (0..=100).map(bytes) {
        for seed in SEEDS {
            let want = murmur3::murmur3_32(&mut &*key, seed).unwrap();
            assert_eq!(x86_32(&key, seed), want, "{} {seed}", key.len());
            assert_eq!(x64_64(&key, seed), oracle(&key, seed)[0]);
        }
    }
    // Test vectors of the function's author and of SMHasher.
    for (key, seed, want) in [
        (&b""[..], 0, 0),
        (b"", 1, 0x514e_28b7),
        (b"test", 0, 0xba6b_d213),
        (b"Hello, world!", 0, 0xc036_3e43),
    ] {
        assert_eq!(x86_32(key, seed), want);
    }
}

#[test]
fn every_suffix_is_a_byte_more() {
    for key in (0..=100).map(bytes) {
        let state = Murmur3::of(&key, 42);
        for suffix in [0, 1, 2, 13, 0x80, 0xff] {
            let joined = followed_by(&key, suffix);
            assert_eq!(
                state.finish_with(suffix),
                oracle(&joined, 42),
                "{}",
                key.len()
            );
        }
        let [[a, b], [c, d]] = [oracle(&key, 0), oracle(&followed_by(&key, 1), 0)];
        assert_eq!(four_words(&key), [a, b, c, d], "{}", key.len());
    }
}

#[test]
fn parts_are_the_joined_key_at_every_cut() {
    for key in (0..=80).map(bytes) {
        let len = key.len();
        for cut in 0..=len {
            let (left, right) = key.split_at(cut);
            for second in 0..=right.len() {
                let (middle, end) = right.split_at(second);
                let mut state = Murmur3::new(7);
                for part in [left, middle, end] {
                    state.write(part);
                }
                assert_eq!(state, Murmur3::of(&key, 7), "{len} at {cut}, {second}");
            }
        }
    }
}

#[test]
fn more_may_follow_after_finish() {
    let key = bytes(100);
    let mut state = Murmur3::new(0);
    for (written, byte) in key.iter().enumerate() {
        assert_eq!(
            state.finish_four(),
            four_words(&key[..written]),
            "{written}"
        );
        state.write(std::slice::from_ref(byte));
    }
}

/// Published values of SMHasher, which are independent of the other implementation: a bug in
/// both would show here.
#[test]
fn published_values() {
    for (key, seed, hash) in [
        ("", 0, [0, 0]),
        ("hello", 0, [0xcbd8_a7b3_41bd_9b02, 0x5b1e_906a_48ae_1d19]),
        (
            "The quick brown fox jumps over the lazy dog",
            0,
            [0xe34b_bc7b_bc07_1b6c, 0x7a43_3ca9_c49a_9347],
        ),
    ] {
        assert_eq!(x64_128(key.as_bytes(), seed), hash, "{key}");
    }
}

/// Inverting the function's steps gives, for any key, another key with the same hash under
/// every seed; here for the key of 32 zeros.
#[test]
fn keys_collide_under_every_seed() {
    let words = [
        0xcdf2_0e9e_21fd_a060,
        0x8d72_e88e_d398_e042,
        0x82ce_4d7d_0000_0000,
        0,
    ];
    let other = words.map(u64::to_le_bytes);
    for seed in SEEDS {
        assert_eq!(x64_128(other.as_flattened(), seed), x64_128(&[0; 32], seed));
    }
}

/// One line of the recorded answers of bits-and-blooms v3.7.1.
struct Row {
    key: Vec<u8>,
    hash: [u64; 4],
    locations: Vec<u64>,
}

fn rows() -> Vec<Row> {
    let sets: HashMap<String, Vec<String>> =
        serde_json::from_str(include_str!("../data/keys.json")).unwrap();
    let words = |value: &serde_json::Value| -> Vec<u64> {
        let words = value.as_array().unwrap().iter();
        words
            .map(|word| u64::from_str_radix(word.as_str().unwrap(), 16).unwrap())
            .collect()
    };
    include_str!("../data/bits-and-blooms-hashes.jsonl")
        .lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let set = &sets[row["set"].as_str().unwrap()];
            let key = from_hex(&set[row["i"].as_u64().unwrap() as usize]);
            assert_eq!(key.len() as u64, row["len"].as_u64().unwrap());
            Row {
                key,
                hash: words(&row["h"]).try_into().unwrap(),
                locations: words(&row["loc"]),
            }
        })
        .collect()
}

fn from_hex(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().as_chunks::<2>().0.iter();
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

#[test]
fn bits_and_blooms_has_the_same_words_and_locations() {
    let rows = rows();
    assert_eq!(rows.len(), 277);
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(four_words(&row.key), row.hash, "row {number}");
        let got: Vec<u64> = (0..row.locations.len() as u32)
            .map(|i| BitsAndBlooms::word(&row.hash, i))
            .collect();
        assert_eq!(got, row.locations, "row {number}");
        for m in [1, 7, 64, 1_000, 1_009, (1 << 48) - 59, u64::MAX] {
            let scheme = BitsAndBlooms::new(m, row.locations.len() as u32).unwrap();
            let reduced = row.locations.iter().map(|word| word % m);
            assert!(
                scheme.locations(row.hash).eq(reduced),
                "row {number}, m = {m}"
            );
        }
    }
}
