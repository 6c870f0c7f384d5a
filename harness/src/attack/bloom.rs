//! Bloom filters of bits, as an attacker sees them.

use anyhow::Result;
use bouquet_core::{Inspect, KeyHasher};
use bouquet_hash::{murmur3::four_words, scheme::BitsAndBlooms};
use bouquet_standard::StandardBloom;

/// A filter of which the bits and the locations are known to him who has its
/// hasher.
pub trait Bloom: Sized {
    const NAME: &'static str;

    fn size_bits(&self) -> u64;
    fn hashes(&self) -> u32;
    fn insert(&mut self, key: &[u8]);
    fn contains(&self, key: &[u8]) -> bool;
    fn locations(&self, key: &[u8]) -> Vec<u64>;
    /// Whether every probe of the key meets an empty slot.
    fn is_all_fresh(&self, key: &[u8]) -> bool;
    fn fill_ratio(&self) -> f64;
    /// This one's hasher over the bits of `other`.
    fn over_bits_of(&self, other: &Self) -> Result<Self>;
}

impl<H: KeyHasher> Bloom for StandardBloom<H> {
    const NAME: &'static str = "standard";

    fn size_bits(&self) -> u64 {
        self.size_bits()
    }

    fn hashes(&self) -> u32 {
        self.hashes()
    }

    fn insert(&mut self, key: &[u8]) {
        self.insert(key);
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.contains(key)
    }

    fn locations(&self, key: &[u8]) -> Vec<u64> {
        self.locations(key).collect()
    }

    fn is_all_fresh(&self, key: &[u8]) -> bool {
        self.locations(key).all(|slot| !self.bits().test(slot))
    }

    fn fill_ratio(&self) -> f64 {
        Inspect::fill_ratio(self)
    }

    fn over_bits_of(&self, other: &Self) -> Result<Self> {
        let bits = other.bits().try_clone()?;
        Ok(Self::from_bits(
            bits,
            other.hashes(),
            self.hasher().clone(),
        )?)
    }
}

/// The filter of Go's bits-and-blooms: MurmurHash3 without a seed.
#[derive(Clone, Debug)]
pub struct Go {
    scheme: BitsAndBlooms,
    hashes: u32,
    bits: Vec<bool>,
}

impl Go {
    pub fn new(size_bits: u64, hashes: u32) -> Result<Self> {
        Ok(Self {
            scheme: BitsAndBlooms::new(size_bits, hashes)?,
            hashes,
            bits: vec![false; usize::try_from(size_bits)?],
        })
    }

    fn slots(&self, key: &[u8]) -> impl Iterator<Item = u64> + use<> {
        self.scheme.locations(four_words(key))
    }

    fn is_set(&self, slot: u64) -> bool {
        self.bits[slot as usize]
    }
}

impl Bloom for Go {
    const NAME: &'static str = "bits-and-blooms";

    fn size_bits(&self) -> u64 {
        self.bits.len() as u64
    }

    fn hashes(&self) -> u32 {
        self.hashes
    }

    fn insert(&mut self, key: &[u8]) {
        for slot in self.slots(key) {
            self.bits[slot as usize] = true;
        }
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.slots(key).all(|slot| self.is_set(slot))
    }

    fn locations(&self, key: &[u8]) -> Vec<u64> {
        self.slots(key).collect()
    }

    fn is_all_fresh(&self, key: &[u8]) -> bool {
        self.slots(key).all(|slot| !self.is_set(slot))
    }

    fn fill_ratio(&self) -> f64 {
        let set = self.bits.iter().filter(|bit| **bit).count();
        set as f64 / self.bits.len() as f64
    }

    fn over_bits_of(&self, other: &Self) -> Result<Self> {
        Ok(other.clone())
    }
}
