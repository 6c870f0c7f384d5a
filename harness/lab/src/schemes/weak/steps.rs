//! A good hash, and a fault on the way from it to k locations.

use anyhow::Result;
use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::Xxh3Wide;

use super::{bad, double_hashing};
use crate::schemes::{Locator, Probing, Scheme};
use crate::workload::mix;

/// The two words of a good hash.
fn good(seed: u64) -> impl Fn(&[u8]) -> (u64, u64) {
    let hasher = Xxh3Wide::with_seed(seed);
    move |key| {
        let KeyHash { place, probe } = hasher.hash(key);
        (place, probe)
    }
}

/// Double hashing over a good hash whose words are made worse.
fn doubled(
    slots: u64,
    probes: u32,
    seed: u64,
    worse: fn(u64, u64) -> (u64, u64),
) -> Result<Box<dyn Locator>> {
    let good = good(seed);
    double_hashing(slots, probes, move |key| {
        let (h1, h2) = good(key);
        worse(h1, h2)
    })
}

pub fn schemes() -> Vec<Scheme> {
    vec![
        bad(
            "step-zero",
            "Double hashing with h2 = 0: k probes of one slot",
            |slots, probes, seed| doubled(slots, probes, seed, |h1, _| (h1, 0)),
        ),
        bad(
            "step-equal",
            "Double hashing with h2 = h1",
            |slots, probes, seed| doubled(slots, probes, seed, |h1, _| (h1, h1)),
        ),
        bad(
            "step-one",
            "Double hashing with h2 = 1: k neighbours",
            |slots, probes, seed| doubled(slots, probes, seed, |h1, _| (h1, 1)),
        ),
        bad(
            "step-even",
            "Double hashing with h2 even: half of the slots at even m, harmless at odd m",
            |slots, probes, seed| doubled(slots, probes, seed, |h1, h2| (h1, h2 & !1)),
        ),
        bad(
            "step-8-bits",
            "Double hashing with an h2 of eight bits",
            |slots, probes, seed| doubled(slots, probes, seed, |h1, h2| (h1, h2 & 0xff)),
        ),
        bad(
            "same-hash",
            "One hash k times: k hash functions that do not differ",
            |slots, probes, seed| {
                let good = good(seed);
                let hash = move |key: &[u8]| good(key).1;
                Probing::boxed(slots, probes, hash, move |word, _| word % slots)
            },
        ),
        bad(
            "shard-reuses-low-bits",
            "Inside one of 16 shards that the low bits of the same words picked: mod m they say \
             nothing new, which is seen if m is even",
            |slots, probes, seed| {
                let hash = good(seed);
                Probing::boxed(slots, probes, hash, move |(h1, h2), i| {
                    // A word with the low bits of this shard.
                    ((mix(h1 ^ mix(h2.wrapping_add(i.into()))) << 4) | 3) % slots
                })
            },
        ),
    ]
}
