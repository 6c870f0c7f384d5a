//! Generates keys from an index and a seed.

use anyhow::{Result, bail};
use bouquet_catalogue::mix;
use bouquet_record::unknown::quoted;

/// Puts the items into random order by the Fisher-Yates shuffle.
pub fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = mix(seed);
    for last in (1..items.len()).rev() {
        state = mix(state);
        // Taking the high word of the product avoids a division; its bias is negligible.
        let other = (u128::from(state) * (last as u128 + 1)) >> 64;
        items.swap(last, other as usize);
    }
}

/// Generates the key of an index. Different indexes give different keys, so members and non-members
/// are disjoint if their indexes are.
#[derive(Clone, Copy, Debug)]
pub enum Generator {
    Sequential,
    RandomU64 { seed: u64 },
    Uuid { seed: u64 },
    Ipv4 { seed: u64 },
    Short { seed: u64 },
    Stride,
    HighBits,
    AsciiId,
}

impl Generator {
    pub fn named(name: &str, seed: u64) -> Result<Self> {
        Ok(match name {
            "sequential" => Self::Sequential,
            "random-u64" => Self::RandomU64 { seed },
            "uuid" => Self::Uuid { seed },
            "ipv4" => Self::Ipv4 { seed },
            "short" => Self::Short { seed },
            "stride" => Self::Stride,
            "high-bits" => Self::HighBits,
            "ascii-id" => Self::AsciiId,
            _ => bail!("no generator is called {}", quoted(name)),
        })
    }

    pub fn write(self, index: u64, key: &mut Vec<u8>) {
        key.clear();
        match self {
            Self::Sequential => key.extend_from_slice(&index.to_le_bytes()),
            Self::RandomU64 { seed } => {
                key.extend_from_slice(&mix(index ^ mix(seed)).to_le_bytes());
            }
            Self::Uuid { seed } => uuid(index, seed, key),
            Self::Ipv4 { seed } => key.extend_from_slice(&permute_32(index as u32, seed)),
            // One to three bytes.
            Self::Short { seed } => short(index, seed, key),
            // Multiples of 4,096, whose low bits are all zero.
            Self::Stride => key.extend_from_slice(&index.rotate_left(12).to_le_bytes()),
            // Numbers that differ in their high bits: the first 2^24 only in the highest 24 bits.
            Self::HighBits => key.extend_from_slice(&index.rotate_right(24).to_le_bytes()),
            Self::AsciiId => key.extend_from_slice(format!("user:{index:08}").as_bytes()),
        }
    }

    /// The number of different keys.
    pub fn most_keys(self) -> u64 {
        match self {
            Self::Ipv4 { .. } => 1 << 32,
            Self::Short { .. } => SHORT,
            _ => u64::MAX,
        }
    }
}

/// A UUID of version 4, variant 1: 122 bits are free. They contain all 64 bits of a permuted index,
/// so different indexes give different UUIDs.
fn uuid(index: u64, seed: u64, key: &mut Vec<u8>) {
    let unique = mix(index ^ mix(seed));
    let random = mix(unique ^ seed);
    let high = (unique & !0xffff) | 0x4000 | (random & 0x0fff);
    let low = (0b10 << 62) | ((unique & 0xffff) << 46) | (random >> 18);
    let hex = format!("{high:016x}{low:016x}");
    for (from, to) in [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)] {
        if from > 0 {
            key.push(b'-');
        }
        key.extend_from_slice(&hex.as_bytes()[from..to]);
    }
}

/// The number of keys of one to three bytes.
const SHORT: u64 = (1 << 8) + (1 << 16) + (1 << 24);

/// A key of one to three bytes. `FACTOR` has no divisor in common with `SHORT`, so the
/// multiplication permutes the numbers below `SHORT`, and every key of this length occurs.
fn short(index: u64, seed: u64, key: &mut Vec<u8>) {
    const FACTOR: u64 = 0x9e37_79b1;
    let place = (index % SHORT * FACTOR + mix(seed) % SHORT) % SHORT;
    let (bytes, number) = match place {
        ..0x100 => (1, place),
        0x100..0x1_0100 => (2, place - 0x100),
        _ => (3, place - 0x1_0100),
    };
    key.extend_from_slice(&number.to_le_bytes()[..bytes]);
}

/// Permutes the 32-bit words by a Feistel network of four rounds: no two indexes give equal keys.
fn permute_32(index: u32, seed: u64) -> [u8; 4] {
    let (mut left, mut right) = ((index >> 16) as u16, index as u16);
    for round in 0..4u64 {
        let scrambled = mix(u64::from(right) ^ mix(seed ^ round)) as u16;
        (left, right) = (right, left ^ scrambled);
    }
    (u32::from(left) << 16 | u32::from(right)).to_be_bytes()
}

/// Distinct user names, in the order in which draws from a Zipf distribution (exponent 1, 2^40
/// ranks) first produce them.
pub fn zipf(seed: u64, keys: u64) -> Vec<u8> {
    let mut seen = std::collections::HashSet::new();
    let mut text = Vec::new();
    let mut draw = 0;
    while (seen.len() as u64) < keys {
        draw += 1;
        // Draws a rank r with a probability in proportion to 1/r, by inverting the distribution.
        let uniform = (mix(mix(seed) ^ draw) >> 11) as f64 / (1u64 << 53) as f64;
        let rank = (uniform * 40.0 * std::f64::consts::LN_2).exp() as u64;
        if seen.insert(rank) {
            text.extend_from_slice(format!("user-{rank}\n").as_bytes());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const NAMES: [&str; 8] = [
        "sequential",
        "random-u64",
        "uuid",
        "ipv4",
        "short",
        "stride",
        "high-bits",
        "ascii-id",
    ];

    #[test]
    fn keys_of_different_indexes_differ_and_seeds_matter() {
        for name in NAMES {
            let keys = |seed| -> Vec<Vec<u8>> {
                let generator = Generator::named(name, seed).unwrap();
                let mut key = Vec::new();
                let of = |index| {
                    generator.write(index, &mut key);
                    key.clone()
                };
                (0..100_000).map(of).collect()
            };
            let first = keys(1);
            assert_eq!(
                first.iter().collect::<HashSet<_>>().len(),
                100_000,
                "{name}"
            );
            assert_eq!(first, keys(1));
            let unseeded = ["sequential", "stride", "high-bits", "ascii-id"].contains(&name);
            assert_eq!(first == keys(2), unseeded);
        }
        assert!(Generator::named("md5", 1).is_err());
    }

    #[test]
    fn a_uuid_is_one() {
        let mut key = Vec::new();
        Generator::Uuid { seed: 2 }.write(7, &mut key);
        let text = String::from_utf8(key).unwrap();
        let parts: Vec<_> = text.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12]);
        assert!(
            text.as_bytes()[14] == b'4' && b"89ab".contains(&text.as_bytes()[19]),
            "{text}"
        );
    }

    #[test]
    fn low_ranks_come_first_under_zipf() {
        let text = String::from_utf8(zipf(4, 2_000)).unwrap();
        let ranks: Vec<u64> = text
            .lines()
            .map(|line| line[5..].parse().unwrap())
            .collect();
        assert_eq!(ranks.iter().collect::<HashSet<_>>().len(), 2_000);
        assert!((1..=10).all(|rank| ranks.contains(&rank)));
        assert!(ranks.iter().any(|rank| *rank > 1 << 30));
    }
}
