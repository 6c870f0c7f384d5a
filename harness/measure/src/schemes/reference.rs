//! Location schemes only for tests, which compare their results with `battery.csv`.

use bouquet_core::KeyHasher;
use bouquet_hash::{Xxh3, Xxh3Wide, reduce::multiply_shift};

use super::{
    Locator, Pairs, Scheme, native,
    textbook::fnv1a_64,
    weak::{bad, double_hashing, doubled, good, independent, one_bin},
};
use crate::workload::mix;

pub fn schemes() -> Vec<Scheme> {
    vec![
        Scheme {
            name: "odd-double-hashing",
            about: "Double hashing with h2 forced odd: at even m the differences of \
                    neighbouring probes are odd, which pairs of probes show",
            role: "known-structure",
            make: |at| {
                let hasher = Xxh3Wide::with_seed(at.seed);
                double_hashing(at, move |key| {
                    let hash = hasher.hash(key);
                    (hash.place, hash.probe | 1)
                })
            },
        },
        Scheme {
            name: "rotate-multiply",
            about: "XXH3, multiplied and rotated from probe to probe, multiply-shift",
            role: "known-good",
            make: |at| {
                let hasher = Xxh3::with_seed(at.seed);
                let hash = move |key: &[u8]| hasher.hash(key).place;
                Locator::probing(at, Pairs::Independent, hash, move |word, i| {
                    let turn = |word: u64| word.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
                    multiply_shift((0..i).fold(*word, |word, _| turn(word)), at.slots)
                })
            },
        },
        bad("constant", "Every key is the same key", |at| {
            Locator::probing(at, Pairs::Independent, |_| (), move |(), _| at.slots / 3)
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
                Locator::probing(at, Pairs::Independent, hash, move |hash, i| {
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
                Locator::probing(at, Pairs::Independent, hash, move |word, _| word % at.slots)
            },
        ),
        bad(
            "shard-reuses-low-bits",
            "Inside one of 16 shards that the low bits of the same words picked: mod m they say \
             nothing new, which is seen if m is even",
            |at| {
                let hash = good(at.seed);
                Locator::probing(at, Pairs::Independent, hash, move |(h1, h2), i| {
                    // The low four bits of a word choose the shard, so in shard 3 they are 3.
                    ((mix(h1 ^ mix(h2.wrapping_add(i.into()))) << 4) | 3) % at.slots
                })
            },
        ),
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
            "one-bin-1",
            "A good scheme with 1 % more in the first of 1,024 bins",
            |at| independent(at, |word, m| one_bin(word, m, 0.01)),
        ),
    ]
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

/// FNV-1a in 32 bits (Fowler, Noll and Vo).
fn fnv1a_32(key: &[u8]) -> u32 {
    key.iter().fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

/// `hash * factor + byte` for each byte: djb2 (Bernstein) has factor 33 and start 5381, Java's
/// `String.hashCode` has factor 31 and start 0.
fn polynomial_32(key: &[u8], start: u32, factor: u32) -> u32 {
    key.iter().fold(start, |hash, byte| {
        hash.wrapping_mul(factor).wrapping_add(u32::from(*byte))
    })
}

/// Adler-32 (RFC 1950): two sums of 16 bits.
fn adler_32(key: &[u8]) -> u32 {
    let (a, b) = key.iter().fold((1, 0), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    b << 16 | a
}

/// CRC-32 as in zip and PNG (ISO 3309), bit by bit.
fn crc_32(key: &[u8]) -> u32 {
    !key.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

/// Test vectors from each function's authors or standard.
#[test]
fn published_values() {
    assert_eq!(fnv1a_32(b"foobar"), 0xbf9c_f968);
    assert_eq!(polynomial_32(b"hello", 0, 31), 99_162_322);
    assert_eq!(polynomial_32(b"a", 5381, 33), 177_670);
    assert_eq!(adler_32(b"Wikipedia"), 0x11e6_0398);
    assert_eq!(crc_32(b"123456789"), 0xcbf4_3926);
}
