//! Schemes with a known fault. A test that cannot find them finds nothing.
//!
//! Where the fault lies: in the hash function ([`hashes`]), in how one hash
//! becomes k locations ([`steps`]), or in how a word becomes a slot
//! ([`reductions`]).

use anyhow::Result;
use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::{Xxh3, Xxh3Wide, reduce::multiply_shift, scheme::DoubleHashing};

use super::{Locator, MakeLocator, Pairs, Probing, Scheme, Wanted, claiming, functions::*, native};
use crate::workload::mix;

pub fn schemes() -> Vec<Scheme> {
    [hashes(), steps(), reductions()].concat()
}

/// A scheme that must be found.
fn bad(name: &'static str, about: &'static str, make: MakeLocator) -> Scheme {
    Scheme {
        name,
        about,
        role: "known-bad",
        make,
    }
}

/// h1 + i h2 mod m over whatever gives the two words.
pub fn double_hashing<F>(at: Wanted, words: F) -> Result<Box<dyn Locator>>
where
    F: Fn(&[u8]) -> (u64, u64) + 'static,
{
    let geometry = DoubleHashing::new(at.slots, at.probes)?;
    let hash = move |key: &[u8]| {
        let (h1, h2) = words(key);
        KeyHash::new(h1, h2)
    };
    claiming(geometry, hash, Pairs::Stride)
}

/// Faults of the hash function.
fn hashes() -> Vec<Scheme> {
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

/// The two words of a good hash.
fn good(seed: u64) -> impl Fn(&[u8]) -> (u64, u64) {
    let hasher = Xxh3Wide::with_seed(seed);
    move |key| {
        let KeyHash { place, probe } = hasher.hash(key);
        (place, probe)
    }
}

/// Double hashing over a good hash whose words are made worse.
fn doubled(at: Wanted, worse: fn(u64, u64) -> (u64, u64)) -> Result<Box<dyn Locator>> {
    let good = good(at.seed);
    double_hashing(at, move |key| {
        let (h1, h2) = good(key);
        worse(h1, h2)
    })
}

/// A good hash, and a fault on the way from it to k locations.
fn steps() -> Vec<Scheme> {
    vec![
        bad(
            "step-zero",
            "Double hashing with h2 = 0: k probes of one slot",
            |at| doubled(at, |h1, _| (h1, 0)),
        ),
        bad("step-equal", "Double hashing with h2 = h1", |at| {
            doubled(at, |h1, _| (h1, h1))
        }),
        bad(
            "step-one",
            "Double hashing with h2 = 1: k neighbours",
            |at| doubled(at, |h1, _| (h1, 1)),
        ),
        bad(
            "step-even",
            "Double hashing with h2 even: half of the slots at even m, harmless at odd m",
            |at| doubled(at, |h1, h2| (h1, h2 & !1)),
        ),
        bad(
            "step-8-bits",
            "Double hashing with an h2 of eight bits",
            |at| doubled(at, |h1, h2| (h1, h2 & 0xff)),
        ),
        bad(
            "same-hash",
            "One hash k times: k hash functions that do not differ",
            |at| {
                let good = good(at.seed);
                let hash = move |key: &[u8]| good(key).1;
                Probing::boxed(at, hash, move |word, _| word % at.slots)
            },
        ),
        bad(
            "shard-reuses-low-bits",
            "Inside one of 16 shards that the low bits of the same words picked: mod m they say \
             nothing new, which is seen if m is even",
            |at| {
                let hash = good(at.seed);
                Probing::boxed(at, hash, move |(h1, h2), i| {
                    // A word with the low bits of this shard.
                    ((mix(h1 ^ mix(h2.wrapping_add(i.into()))) << 4) | 3) % at.slots
                })
            },
        ),
    ]
}

/// Independent words, each reduced to a slot.
pub fn independent(
    at: Wanted,
    reduce: fn(word: u64, slots: u64) -> u64,
) -> Result<Box<dyn Locator>> {
    let hasher = Xxh3Wide::with_seed(at.seed);
    let hash = move |key: &[u8]| hasher.hash(key);
    Probing::boxed(at, hash, move |hash: &KeyHash, i| {
        let word = mix(hash.place ^ mix(hash.probe.wrapping_add(i.into())));
        reduce(word, at.slots)
    })
}

/// A good hash, and a fault on the way from a word to a slot.
fn reductions() -> Vec<Scheme> {
    vec![
        bad(
            "mod-32",
            "A word of 32 bits mod m: uneven above 2^30 slots, blind above 2^32",
            |at| independent(at, |word, m| (word >> 32) % m),
        ),
        bad(
            "multiply-shift-32",
            "A word of 32 bits times m, shifted by 32: leaves slots out above 2^31",
            |at| {
                independent(at, |word, m| {
                    ((u128::from(word >> 32) * u128::from(m)) >> 32) as u64
                })
            },
        ),
        bad(
            "float-32",
            "A fraction in 32-bit floating point times m: 2^24 locations",
            |at| {
                independent(at, |word, m| {
                    let share = (word >> 40) as f32 / (1u32 << 24) as f32;
                    ((share * m as f32) as u64).min(m - 1)
                })
            },
        ),
        bad(
            "abs-32",
            "The absolute value of a signed word of 32 bits, mod m: half of the words, uneven",
            |at| {
                independent(at, |word, m| {
                    u64::from(((word >> 32) as i32).unsigned_abs()) % m
                })
            },
        ),
        bad(
            "index-32",
            "A good location cut to 32 bits, as an index of type u32 does it",
            |at| independent(at, |word, m| u64::from((word % m) as u32)),
        ),
        bad(
            "product-64",
            "A word of 32 bits times m in 64 bits: the product wraps above 2^32",
            |at| independent(at, |word, m| (word >> 32).wrapping_mul(m) >> 32),
        ),
        bad(
            "sign-32",
            "A good location kept as a signed number of 32 bits: beyond the end from 2^31 on",
            |at| independent(at, |word, m| multiply_shift(word, m) as i32 as u64),
        ),
        bad(
            "one-bin-1",
            "A good scheme with 1 % more in the first of 1,024 bins",
            |at| independent(at, |word, m| one_bin(word, m, 0.01)),
        ),
        bad(
            "one-bin-20",
            "A good scheme with 20 % more in the first of 1,024 bins",
            |at| independent(at, |word, m| one_bin(word, m, 0.20)),
        ),
    ]
}

/// Moves a share of excess/1024 of all words into the first of 1,024 bins.
fn one_bin(word: u64, m: u64, excess: f64) -> u64 {
    let moved = (excess / 1_023.0 * (1u64 << 53) as f64) as u64;
    let bin = m.div_ceil(1_024);
    if mix(!word) >> 11 < moved {
        multiply_shift(mix(word), bin)
    } else {
        multiply_shift(word, m)
    }
}
