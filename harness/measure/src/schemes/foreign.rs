//! The location schemes of other systems. The crate `bouquet_interop` computes them, and tests its
//! results bit for bit against files and vectors of these systems. To add a system, add its
//! `Locate` and its hash here. None of these schemes has a seed.

use anyhow::{Result, bail};
use bouquet_hash::{murmur3::four_words, scheme::BitsAndBlooms};
use bouquet_interop::{
    go_zero::{self, GoZeroHash},
    guava::{GuavaHash, Mitz32, Mitz64},
    redisbloom::{self, RedisBloomHash},
    redisson::{self, RedissonHash},
};

use super::{Pairs, Scheme, claiming};

/// The role of a scheme is `known-good` if no uniformity test finds a fault in it. For other roles,
/// `battery-expectations.csv` says which tests find one.
pub fn schemes() -> Vec<Scheme> {
    vec![
        Scheme {
            name: "bits-and-blooms",
            about: "That of Go bits-and-blooms/bloom v3: four words of MurmurHash3",
            role: "known-good",
            make: |at| {
                let geometry = BitsAndBlooms::new(at.slots, at.probes)?;
                claiming(geometry, four_words, Pairs::FourWords)
            },
        },
        Scheme {
            name: "go-zero",
            about: "That of go-zero: location i is MurmurHash3 of the key and the byte i, mod m; \
                    the first of its 14",
            role: "known-good",
            make: |at| {
                let hashes = at.probes.min(go_zero::HASHES);
                let geometry = go_zero::Scheme::with_hashes(at.slots, hashes)?;
                claiming(geometry, GoZeroHash::of, Pairs::Independent)
            },
        },
        Scheme {
            name: "guava-64",
            about: "Guava's MURMUR128_MITZ_64: h1 + i h2 of MurmurHash3, wrapping, without the \
                    sign, mod m",
            role: "known-good",
            make: |at| {
                let geometry = Mitz64::new(longs(at.slots)?, at.probes)?;
                claiming(geometry, GuavaHash::of_bytes, Pairs::WrappingStride)
            },
        },
        Scheme {
            name: "guava-32",
            about: "Guava's MURMUR128_MITZ_32, its older strategy: a + i b in 32 bits, flipped if \
                    negative, mod m: reaches 2^31 slots, and a and b go together in keys of 8 bytes \
                    or fewer",
            role: "known-structure",
            make: |at| {
                let geometry = Mitz32::new(longs(at.slots)?, at.probes)?;
                claiming(geometry, GuavaHash::of_bytes, Pairs::FlippedStride)
            },
        },
        Scheme {
            name: "redisbloom",
            about: "RedisBloom's: a + i b of MurmurHash2 in 64 bits, wrapping, mod m",
            role: "known-good",
            make: |at| {
                let geometry = redisbloom::Scheme::new(at.slots, at.probes)?;
                claiming(geometry, RedisBloomHash::wide, Pairs::WrappingStride)
            },
        },
        Scheme {
            name: "redisson",
            about: "Redisson's: HighwayHash, and each word added in turn: location 3 is twice \
                    location 1, and even if m is",
            role: "known-structure",
            make: |at| {
                let geometry = redisson::Scheme::new(at.slots, at.probes)?;
                claiming(geometry, RedissonHash::of, Pairs::Independent)
            },
        },
    ]
}

/// The number of 64-bit words in Guava's array: as many whole words as fit into m bits.
fn longs(slots: u64) -> Result<u32> {
    match u32::try_from(slots / 64) {
        Ok(longs) if longs > 0 => Ok(longs),
        _ => bail!("{slots} slots: Guava's arrays have 64 to 2^37 - 64"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schemes::Wanted;

    fn slots(name: &str, m: u64, probes: u32, key: &[u8]) -> Vec<u64> {
        let scheme = schemes().into_iter().find(|s| s.name == name).unwrap();
        let mut slots = Vec::new();
        (scheme.make)(Wanted::new(m, probes, 0))
            .unwrap()
            .locate(key, &mut |slot| slots.push(slot));
        slots
    }

    /// The values are from the documentation of the crate `bouquet-interop`, which tests them
    /// against vectors from the systems themselves.
    #[test]
    fn locations_are_those_of_the_systems() {
        let any = slots("go-zero", 1_000, 7, b"any value");
        assert_eq!(any, [209, 603, 392, 64, 583, 324, 17]);
        assert_eq!(slots("go-zero", 1_000, 64, b"any value").len(), 14);
        assert_eq!(slots("redisson", 1_000, 2, b""), [987, 297]);
    }

    #[test]
    fn what_is_known_of_their_structure() {
        for key in 0..200u64 {
            let key = key.to_le_bytes();
            let [_, one, _, three] = slots("redisson", 1_000, 4, &key)[..] else {
                panic!("four locations")
            };
            assert_eq!(three % 2, 0);
            // Location 3 is twice location 1, minus 2^63 if that overflows. Both are then reduced
            // mod 1,000; 2^63 mod 1,000 is 808.
            let twice = 2 * one % 1_000;
            assert!(three == twice || (three + 808) % 1_000 == twice);
            let far = slots("guava-32", 3_000_000_000, 7, &key);
            assert!(far.iter().all(|slot| *slot < 1 << 31));
        }
    }
}
