//! The reference filter, by whose time the gate divides the time of each filter. It is a plain
//! Bloom filter that shares no code with the library, so that no change of the library affects it.
//! Do not change it: the ratios in every baseline depend on it.

use crate::speed::Insertable;

/// A Bloom filter with ten bits per key and seven probes by double hashing.
pub struct Plain {
    words: Vec<u64>,
    bits: u64,
}

const BITS_PER_KEY: u64 = 10;
const PROBES: u64 = 7;

impl Plain {
    pub fn new(capacity: u64) -> Self {
        let words = (capacity * BITS_PER_KEY).div_ceil(64).max(1);
        Self {
            words: vec![0; words as usize],
            bits: words * 64,
        }
    }

    #[inline(always)]
    fn slot(&self, hash: u64, step: u64, probe: u64) -> (usize, u64) {
        let word = hash.wrapping_add(step.wrapping_mul(probe));
        let slot = ((u128::from(word) * u128::from(self.bits)) >> 64) as u64;
        ((slot >> 6) as usize, 1 << (slot & 63))
    }

    #[inline(always)]
    fn put(&mut self, hash: u64) {
        let step = scramble(hash) | 1;
        for probe in 0..PROBES {
            let (word, bit) = self.slot(hash, step, probe);
            self.words[word] |= bit;
        }
    }

    #[inline(always)]
    fn holds(&self, hash: u64) -> bool {
        let step = scramble(hash) | 1;
        (0..PROBES).all(|probe| {
            let (word, bit) = self.slot(hash, step, probe);
            self.words[word] & bit != 0
        })
    }
}

/// The finaliser of MurmurHash3.
#[inline(always)]
fn scramble(word: u64) -> u64 {
    let z = (word ^ (word >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let z = (z ^ (z >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    z ^ (z >> 33)
}

/// Hashes eight bytes at a time.
#[inline(always)]
fn hash_bytes(key: &[u8]) -> u64 {
    let (words, rest) = key.as_chunks::<8>();
    let mut hash = key.len() as u64;
    for word in words {
        hash = scramble(hash ^ u64::from_le_bytes(*word)).rotate_left(27);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    scramble(hash ^ u64::from_le_bytes(last))
}

impl Insertable<u64> for Plain {
    #[inline(always)]
    fn insert(&mut self, key: &u64) -> bool {
        self.put(scramble(*key));
        true
    }

    #[inline(always)]
    fn contains(&self, key: &u64) -> bool {
        self.holds(scramble(*key))
    }
}

impl Insertable<[u8]> for Plain {
    #[inline(always)]
    fn insert(&mut self, key: &[u8]) -> bool {
        self.put(hash_bytes(key));
        true
    }

    #[inline(always)]
    fn contains(&self, key: &[u8]) -> bool {
        self.holds(hash_bytes(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wrong answers would end probe loops early, which would change the times of the reference and
    /// so every ratio.
    #[test]
    fn it_is_a_bloom_filter() {
        let mut plain = Plain::new(10_000);
        for key in 0..10_000u64 {
            plain.insert(&key);
            plain.insert(format!("key {key}").as_bytes());
        }
        assert!((0..10_000u64).all(|key| plain.contains(&key)));
        assert!((0..10_000).all(|key| plain.contains(format!("key {key}").as_bytes())));
        let mut sparse = Plain::new(10_000);
        (0..10_000u64).for_each(|key| _ = sparse.insert(&key));
        let found = (1 << 40..(1 << 40) + 100_000u64).filter(|key| sparse.contains(key));
        let found = found.count();
        assert!((600..1_100).contains(&found), "{found} of 100,000");
    }
}
