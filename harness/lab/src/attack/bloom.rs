//! Bloom filters of bits, as an attacker sees them.

use std::rc::Rc;

use anyhow::Result;
use bouquet_catalogue::{Variant as _, standard::Standard};
use bouquet_core::{Inspect, KeyHasher, math};
use bouquet_standard::StandardBloom;

use super::case::Attacked;
use crate::schemes::Locator;

/// A filter of which the bits and the locations are known to him who has its
/// hasher.
pub trait Bloom: Sized {
    fn name(&self) -> &'static str;
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

    /// What it is with so many keys, for its row.
    fn subject(&self, keys: u64) -> Attacked {
        Attacked {
            filter: self.name(),
            size_bits: self.size_bits(),
            hashes: self.hashes(),
            expected_fpr: math::expected_fpr(self.size_bits(), self.hashes(), keys),
        }
    }
}

impl<H: KeyHasher> Bloom for StandardBloom<H> {
    fn name(&self) -> &'static str {
        Standard::FACTS.name
    }

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

/// Bits under a location scheme of another system or a textbook.
#[derive(Clone)]
pub struct ByScheme {
    locator: Rc<dyn Locator>,
    bits: Vec<bool>,
}

impl ByScheme {
    /// An empty one of as many bits as the scheme has slots.
    pub fn new(locator: Box<dyn Locator>) -> Result<Self> {
        let bits = vec![false; usize::try_from(locator.slots())?];
        Ok(Self {
            locator: locator.into(),
            bits,
        })
    }

    /// Whether all bits of the key are as `set` says.
    fn all_are(&self, key: &[u8], set: bool) -> bool {
        let mut all = true;
        self.locator
            .locate(key, &mut |slot| all &= self.bits[slot as usize] == set);
        all
    }
}

impl Bloom for ByScheme {
    fn name(&self) -> &'static str {
        "bits"
    }

    fn size_bits(&self) -> u64 {
        self.bits.len() as u64
    }

    fn hashes(&self) -> u32 {
        self.locator.probes()
    }

    fn insert(&mut self, key: &[u8]) {
        let bits = &mut self.bits;
        self.locator
            .locate(key, &mut |slot| bits[slot as usize] = true);
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.all_are(key, true)
    }

    fn locations(&self, key: &[u8]) -> Vec<u64> {
        let mut slots = Vec::new();
        self.locator.locate(key, &mut |slot| slots.push(slot));
        slots
    }

    fn is_all_fresh(&self, key: &[u8]) -> bool {
        self.all_are(key, false)
    }

    fn fill_ratio(&self) -> f64 {
        let set = self.bits.iter().filter(|bit| **bit).count();
        set as f64 / self.bits.len() as f64
    }

    fn over_bits_of(&self, other: &Self) -> Result<Self> {
        Ok(Self {
            locator: Rc::clone(&self.locator),
            bits: other.bits.clone(),
        })
    }
}
