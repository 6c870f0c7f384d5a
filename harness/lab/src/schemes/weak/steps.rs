//! A good hash, and a fault on the way from it to k locations.

use anyhow::Result;
use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::Xxh3Wide;

use super::{bad, double_hashing};
use crate::schemes::{Locator, Probing, Scheme, Wanted};
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
fn doubled(at: Wanted, worse: fn(u64, u64) -> (u64, u64)) -> Result<Box<dyn Locator>> {
    let good = good(at.seed);
    double_hashing(at, move |key| {
        let (h1, h2) = good(key);
        worse(h1, h2)
    })
}

pub fn schemes() -> Vec<Scheme> {
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
