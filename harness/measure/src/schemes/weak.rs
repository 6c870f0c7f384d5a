//! Schemes with a known fault. Every run measures truncated-16 as a control. Each of the others is
//! flagged by only one test, and so shows that this test is needed.

use anyhow::Result;
use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::{Xxh3, Xxh3Wide, reduce::multiply_shift, scheme::DoubleHashing};

use super::{Locator, MakeLocator, Pairs, Scheme, Wanted, claiming, native};
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
            "step-even",
            "Double hashing with h2 even: half of the slots at even m, harmless at odd m",
            |at| doubled(at, |h1, h2| (h1, h2 & !1)),
        ),
        bad(
            "sign-32",
            "A good location kept as a signed number of 32 bits: beyond the end from 2^31 on",
            |at| independent(at, |word, m| multiply_shift(word, m) as i32 as u64),
        ),
        bad(
            "one-bin-20",
            "A good scheme with 20 % more in the first of 1,024 bins",
            |at| independent(at, |word, m| one_bin(word, m, 0.20)),
        ),
    ]
}

/// A scheme that the uniformity tests must flag.
pub fn bad(name: &'static str, about: &'static str, make: MakeLocator) -> Scheme {
    Scheme {
        name,
        about,
        role: "known-bad",
        make,
    }
}

/// Double hashing: h1 + i h2 mod m, where `words` computes h1 and h2 from the key.
pub fn double_hashing<F>(at: Wanted, words: F) -> Result<Locator>
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

/// Bouquet's default scheme, computed from `worse(word)` instead of the hash word `word`.
fn worse(at: Wanted, worse: fn(u64) -> u64) -> Result<Locator> {
    let hasher = Xxh3::with_seed(at.seed);
    native(at, move |key| {
        KeyHash::from_word(worse(hasher.hash(key).place))
    })
}

/// Returns a function that hashes a key to two words without a known fault.
pub fn good(seed: u64) -> impl Fn(&[u8]) -> (u64, u64) {
    let hasher = Xxh3Wide::with_seed(seed);
    move |key| {
        let KeyHash { place, probe } = hasher.hash(key);
        (place, probe)
    }
}

/// Double hashing with two hash words without a known fault, which `worse` then changes.
pub fn doubled(at: Wanted, worse: fn(u64, u64) -> (u64, u64)) -> Result<Locator> {
    let good = good(at.seed);
    double_hashing(at, move |key| {
        let (h1, h2) = good(key);
        worse(h1, h2)
    })
}

/// A scheme with a separate hash word for each probe, which `reduce` reduces to a slot.
pub fn independent(at: Wanted, reduce: fn(word: u64, slots: u64) -> u64) -> Result<Locator> {
    let hasher = Xxh3Wide::with_seed(at.seed);
    let hash = move |key: &[u8]| hasher.hash(key);
    Locator::probing(at, Pairs::Independent, hash, move |hash: &KeyHash, i| {
        let word = mix(hash.place ^ mix(hash.probe.wrapping_add(i.into())));
        reduce(word, at.slots)
    })
}

/// Reduces a word to a slot below m. Moves some words into the first of 1,024 bins of slots, which
/// then gets the fraction (1 + excess)/1024 of all words.
pub fn one_bin(word: u64, m: u64, excess: f64) -> u64 {
    let moved = (excess / 1_023.0 * (1u64 << 53) as f64) as u64;
    let bin = m.div_ceil(1_024);
    if mix(!word) >> 11 < moved {
        multiply_shift(mix(word), bin)
    } else {
        multiply_shift(word, m)
    }
}
