//! Faults of the hash function.

use anyhow::Result;
use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::Xxh3;

use super::{bad, double_hashing};
use crate::schemes::{Locator, Probing, Scheme, functions::*, native};
use crate::workload::mix;

pub fn schemes() -> Vec<Scheme> {
    vec![
        bad(
            "truncated-16",
            "The native scheme over 16 bits of the hash: the control that must be found",
            |slots, probes, seed| worse(slots, probes, seed, |word| word & 0xffff),
        ),
        bad(
            "truncated-24",
            "A good scheme over 24 bits of the hash",
            |slots, probes, seed| worse(slots, probes, seed, |word| mix(word & 0xff_ffff)),
        ),
        bad(
            "hash-32",
            "The native scheme over a hash cut to 32 bits: 2^32 sets of locations in all",
            |slots, probes, seed| worse(slots, probes, seed, |word| word & 0xffff_ffff),
        ),
        bad(
            "constant",
            "Every key is the same key",
            |slots, probes, _| Probing::boxed(slots, probes, |_| (), move |(), _| slots / 3),
        ),
        bad(
            "identity",
            "The first eight bytes as a number, plus i, mod m",
            |slots, probes, _| double_hashing(slots, probes, |key| (first_eight(key), 1)),
        ),
        bad(
            "fnv1a-32-halves",
            "Double hashing over the halves of FNV-1a in 32 bits",
            |slots, probes, _| double_hashing(slots, probes, |key| halves(fnv1a_32(key))),
        ),
        bad(
            "fnv1a-32-each",
            "FNV-1a in 32 bits of the key and the byte i, mod m",
            |slots, probes, _| {
                let hash = |key: &[u8]| fnv1a_32(key);
                Probing::boxed(slots, probes, hash, move |hash, i| {
                    u64::from((hash ^ i).wrapping_mul(0x0100_0193)) % slots
                })
            },
        ),
        bad(
            "fnv1a-64-halves",
            "Double hashing over the halves of FNV-1a in 64 bits",
            |slots, probes, _| {
                double_hashing(slots, probes, |key| {
                    let hash = fnv1a_64(key);
                    (hash >> 32, hash & 0xffff_ffff)
                })
            },
        ),
        bad(
            "djb2",
            "Double hashing over djb2 from two starts",
            |slots, probes, _| {
                double_hashing(slots, probes, |key| polynomials(key, [5_381, 0], 33))
            },
        ),
        bad(
            "java31",
            "Double hashing over Java's String.hashCode from two starts",
            |slots, probes, _| double_hashing(slots, probes, |key| polynomials(key, [0, 17], 31)),
        ),
        bad(
            "adler32",
            "Double hashing over the two sums of Adler-32",
            |slots, probes, _| double_hashing(slots, probes, |key| halves(adler_32(key))),
        ),
        bad(
            "crc32",
            "Double hashing over CRC-32 and itself turned by half: too even on counters",
            |slots, probes, _| {
                double_hashing(slots, probes, |key| {
                    let hash = crc_32(key);
                    (u64::from(hash), u64::from(hash.rotate_left(16)))
                })
            },
        ),
        bad(
            "prefix-8",
            "A good scheme over the first eight bytes of the key",
            |slots, probes, seed| {
                let hasher = Xxh3::with_seed(seed);
                native(slots, probes, move |key| {
                    hasher.hash(&key[..key.len().min(8)])
                })
            },
        ),
    ]
}

/// The native scheme over a hash of which the word is made worse.
fn worse(slots: u64, probes: u32, seed: u64, worse: fn(u64) -> u64) -> Result<Box<dyn Locator>> {
    let hasher = Xxh3::with_seed(seed);
    native(slots, probes, move |key| {
        KeyHash::from_word(worse(hasher.hash(key).place))
    })
}

fn halves(hash: u32) -> (u64, u64) {
    (u64::from(hash >> 16), u64::from(hash & 0xffff))
}

fn polynomials(key: &[u8], starts: [u32; 2], factor: u32) -> (u64, u64) {
    let [h1, h2] = starts.map(|start| u64::from(polynomial_32(key, start, factor)));
    (h1, h2)
}

fn first_eight(key: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let length = key.len().min(8);
    bytes[..length].copy_from_slice(&key[..length]);
    u64::from_le_bytes(bytes)
}
