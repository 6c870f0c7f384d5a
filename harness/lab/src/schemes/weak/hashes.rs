//! Faults of the hash function.

use anyhow::Result;
use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::Xxh3;

use super::{bad, double_hashing};
use crate::schemes::{Locator, Probing, Scheme, Wanted, functions::*, native};
use crate::workload::mix;

pub fn schemes() -> Vec<Scheme> {
    vec![
        bad(
            "truncated-16",
            "The native scheme over 16 bits of the hash: the control that must be found",
            |at| worse(at, |word| word & 0xffff),
        ),
        bad(
            "truncated-24",
            "A good scheme over 24 bits of the hash",
            |at| worse(at, |word| mix(word & 0xff_ffff)),
        ),
        bad(
            "hash-32",
            "The native scheme over a hash cut to 32 bits: 2^32 sets of locations in all",
            |at| worse(at, |word| word & 0xffff_ffff),
        ),
        bad("constant", "Every key is the same key", |at| {
            Probing::boxed(at, |_| (), move |(), _| at.slots / 3)
        }),
        bad(
            "identity",
            "The first eight bytes as a number, plus i, mod m",
            |at| double_hashing(at, |key| (first_eight(key), 1)),
        ),
        bad(
            "fnv1a-32-halves",
            "Double hashing over the halves of FNV-1a in 32 bits",
            |at| double_hashing(at, |key| halves(fnv1a_32(key))),
        ),
        bad(
            "fnv1a-32-each",
            "FNV-1a in 32 bits of the key and the byte i, mod m",
            |at| {
                let hash = |key: &[u8]| fnv1a_32(key);
                Probing::boxed(at, hash, move |hash, i| {
                    u64::from((hash ^ i).wrapping_mul(0x0100_0193)) % at.slots
                })
            },
        ),
        bad(
            "fnv1a-64-halves",
            "Double hashing over the halves of FNV-1a in 64 bits",
            |at| {
                double_hashing(at, |key| {
                    let hash = fnv1a_64(key);
                    (hash >> 32, hash & 0xffff_ffff)
                })
            },
        ),
        bad("djb2", "Double hashing over djb2 from two starts", |at| {
            double_hashing(at, |key| polynomials(key, [5_381, 0], 33))
        }),
        bad(
            "java31",
            "Double hashing over Java's String.hashCode from two starts",
            |at| double_hashing(at, |key| polynomials(key, [0, 17], 31)),
        ),
        bad(
            "adler32",
            "Double hashing over the two sums of Adler-32",
            |at| double_hashing(at, |key| halves(adler_32(key))),
        ),
        bad(
            "crc32",
            "Double hashing over CRC-32 and itself turned by half: too even on counters",
            |at| {
                double_hashing(at, |key| {
                    let hash = crc_32(key);
                    (u64::from(hash), u64::from(hash.rotate_left(16)))
                })
            },
        ),
        bad(
            "prefix-8",
            "A good scheme over the first eight bytes of the key",
            |at| {
                let hasher = Xxh3::with_seed(at.seed);
                native(at, move |key| hasher.hash(&key[..key.len().min(8)]))
            },
        ),
    ]
}

/// The native scheme over a hash of which the word is made worse.
fn worse(at: Wanted, worse: fn(u64) -> u64) -> Result<Box<dyn Locator>> {
    let hasher = Xxh3::with_seed(at.seed);
    native(at, move |key| {
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
