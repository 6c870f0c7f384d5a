//! T0: every location is below m, and where it is known how a scheme computes them,
//! it is the one that 128 bits give, in which nothing can be cut off. Whether all of
//! the range is met T1 sees.

use bouquet_core::{KeyHash, KeyHasher};
use bouquet_hash::{Probes, Xxh3, murmur3::four_words};

use bouquet_stats::CountLaw;

use super::{
    law::{Finding, Sides},
    locations::Sample,
    t4_birthday::finding,
};
use crate::schemes::{Locator, Part};

/// Keys whose locations are computed again.
const KEYS: u64 = 1 << 14;

/// Locations that are none.
pub fn range(sample: &Sample) -> Finding {
    none_of("range", sample.outside(), sample.keys())
}

/// Keys of which the locations are others than those computed again; none for a scheme
/// or filter that is not known here.
pub fn exact(name: &str, locator: &dyn Locator, seed: u64) -> Option<Finding> {
    let others = others(name, locator, seed)?;
    Some(none_of("exact", others, KEYS))
}

/// A count of which each one is a fault.
fn none_of(item: &str, count: u64, trials: u64) -> Finding {
    let law = CountLaw::Binomial {
        trials,
        chance: 0.0,
    };
    finding("T0", item.into(), count, law, Sides::Both)
}

/// The locations of a key, each as the first slot of a range it is in and the
/// width of that.
type Reference = fn(key: &[u8], seed: u64, locator: &dyn Locator, visit: &mut dyn FnMut(u64, u64));

fn others(name: &str, locator: &dyn Locator, seed: u64) -> Option<u64> {
    let reference = reference(name)?;
    let agrees = |key: &u64| {
        let key = key.to_le_bytes();
        let mut slots = Vec::new();
        locator.locate(&key, &mut |slot| slots.push(slot));
        let mut slots = slots.into_iter();
        let mut agrees = true;
        reference(&key, seed, locator, &mut |first, width| {
            let within = |slot: u64| slot >= first && slot - first < width;
            agrees &= slots.next().is_some_and(within);
        });
        agrees && slots.next().is_none()
    };
    Some((0..KEYS).filter(|key| !agrees(key)).count() as u64)
}

fn reference(name: &str) -> Option<Reference> {
    Some(match name {
        "default" | "standard" | "counting" | "atomic" => |key, seed, locator, visit| {
            native(hash(key, seed), &locator.parts()[0], visit);
        },
        "double-hashing" => |key, seed, locator, visit| {
            let KeyHash { place, probe, .. } = hash(key, seed);
            for i in 0..u128::from(locator.probes()) {
                let sum = u128::from(place) + i * u128::from(probe);
                visit((sum % u128::from(locator.slots())) as u64, 1);
            }
        },
        "enhanced-double-hashing" => |key, seed, locator, visit| {
            let KeyHash { place, probe, .. } = hash(key, seed);
            for i in 0..u128::from(locator.probes()) {
                // x + i y + the (i - 1)-th tetrahedral number, modulo 2^64.
                let cubic = i.saturating_sub(1) * i * (i + 1) / 6;
                let x = u128::from(place) + i * u128::from(probe) + cubic;
                visit((x % (1 << 64) % u128::from(locator.slots())) as u64, 1);
            }
        },
        "bits-and-blooms" => |key, _, locator, visit| {
            let words = four_words(key).map(u128::from);
            for i in 0..locator.probes() as usize {
                let sum = words[i % 2] + i as u128 * words[2 + (i + i % 2) % 4 / 2];
                visit((sum % (1 << 64) % u128::from(locator.slots())) as u64, 1);
            }
        },
        "partitioned" => |key, seed, locator, visit| {
            let bits = locator.slots() / u64::from(locator.probes());
            for (word, i) in Probes::new(hash(key, seed)).zip(0..u64::from(locator.probes())) {
                visit(i * bits + high(word, bits), 1);
            }
        },
        // Where in its block a slot is, is no matter of m.
        "blocked" | "blocked-words32" | "blocked-line" => |key, seed, locator, visit| {
            let blocks = &locator.parts()[0];
            let block = high(hash(key, seed).place, blocks.values);
            (0..locator.probes()).for_each(|_| visit(block * blocks.unit, blocks.unit));
        },
        "scalable" => |key, seed, locator, visit| {
            let stages = locator.parts().iter();
            stages.for_each(|stage| native(hash(key, seed), stage, visit));
        },
        "sharded" => |key, seed, locator, visit| {
            let hash = hash(key, seed);
            let [shards, shard] = locator.parts() else {
                return;
            };
            let product = u128::from(hash.place) * u128::from(shards.values);
            let rest = KeyHash::new((product % (1 << 64)) as u64, hash.probe);
            let first = (product >> 64) as u64 * shards.unit;
            native(rest, &shard.clone().from(first), visit);
        },
        _ => return None,
    })
}

fn hash(key: &[u8], seed: u64) -> KeyHash {
    Xxh3::with_seed(seed).hash(key)
}

/// word * m / 2^64.
fn high(word: u64, slots: u64) -> u64 {
    ((u128::from(word) * u128::from(slots)) >> 64) as u64
}

/// The native scheme within a part.
fn native(hash: KeyHash, part: &Part, visit: &mut dyn FnMut(u64, u64)) {
    for word in Probes::new(hash).take(part.probes.len()) {
        visit(part.first + high(word, part.values), 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schemes::schemes;

    #[test]
    fn a_cut_location_does_not_agree() {
        let slots = (1 << 33) + 5;
        let make = |name: &str| {
            let all = schemes();
            let scheme = all.iter().find(|scheme| scheme.name == name).unwrap();
            (scheme.make)(slots, 8, 1).unwrap()
        };
        let right = make("default");
        assert_eq!(others("default", &*right, 1), Some(0));
        assert_eq!(others("default", &*right, 2), Some(KEYS));
        for name in ["hash-32", "product-64", "index-32", "sign-32"] {
            let cut = make(name);
            assert_eq!(others("default", &*cut, 1), Some(KEYS), "{name}");
            assert_eq!(others(name, &*cut, 1), None);
        }
    }

    #[test]
    fn a_location_at_m_is_none() {
        let of = |slots: Vec<u64>| Sample::of(8, vec![Part::slot(1, 8)], vec![slots]);
        assert_eq!(range(&of(vec![0, 7])).statistic, 0.0);
        assert_eq!(range(&of(vec![0, 8, u64::MAX])).statistic, 2.0);
    }
}
