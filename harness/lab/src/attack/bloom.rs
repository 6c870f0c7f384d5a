//! Bloom filters of bits, as an attacker sees them.

use std::rc::Rc;

use anyhow::Result;
use bouquet_bits::BitArray;
use bouquet_catalogue::{Variant as _, standard::Standard};
use bouquet_core::KeyHasher;
use bouquet_standard::StandardBloom;
use bouquet_stats::witness::Array;

use crate::schemes::Locator;
use bouquet_ground::record::AttackRow;

/// A filter of which the bits and the locations are known to him who has its
/// hasher.
pub trait Bloom: Sized {
    fn name(&self) -> &'static str;
    fn hashes(&self) -> u32;
    fn bits(&self) -> &BitArray;
    fn insert(&mut self, key: &[u8]);
    fn contains(&self, key: &[u8]) -> bool;
    /// Calls `visit` with the slots of a key.
    fn locate(&self, key: &[u8], visit: impl FnMut(u64));
    /// This one's hasher over the bits of `other`.
    fn over_bits_of(&self, other: &Self) -> Result<Self>;

    fn size_bits(&self) -> u64 {
        self.bits().len()
    }

    fn fill_ratio(&self) -> f64 {
        self.bits().count_ones() as f64 / self.size_bits() as f64
    }

    /// Whether every probe of the key meets an empty slot.
    fn is_all_fresh(&self, key: &[u8]) -> bool {
        let mut fresh = true;
        self.locate(key, |slot| fresh &= !self.bits().test(slot));
        fresh
    }

    /// What it is with so many keys, for its row.
    fn subject(&self, keys: u64) -> AttackRow {
        AttackRow {
            filter: self.name().into(),
            size_bits: self.size_bits(),
            hashes: self.hashes(),
            expected_fpr: Array::whole(self.size_bits(), self.hashes()).fpr(keys).mean,
            ..AttackRow::default()
        }
    }
}

impl<H: KeyHasher> Bloom for StandardBloom<H> {
    fn name(&self) -> &'static str {
        Standard::FACTS.name
    }

    fn hashes(&self) -> u32 {
        self.hashes()
    }

    fn bits(&self) -> &BitArray {
        self.bits()
    }

    fn insert(&mut self, key: &[u8]) {
        self.insert(key);
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.contains(key)
    }

    fn locate(&self, key: &[u8], visit: impl FnMut(u64)) {
        self.locations(key).for_each(visit);
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
pub struct ByScheme {
    locator: Rc<dyn Locator>,
    bits: BitArray,
}

impl ByScheme {
    /// An empty one of as many bits as the scheme has slots.
    pub fn new(locator: Box<dyn Locator>) -> Result<Self> {
        let bits = BitArray::new(locator.slots())?;
        Ok(Self {
            locator: locator.into(),
            bits,
        })
    }
}

impl Bloom for ByScheme {
    fn name(&self) -> &'static str {
        "bits"
    }

    fn hashes(&self) -> u32 {
        self.locator.probes()
    }

    fn bits(&self) -> &BitArray {
        &self.bits
    }

    fn insert(&mut self, key: &[u8]) {
        let bits = &mut self.bits;
        self.locator.locate(key, &mut |slot| _ = bits.set(slot));
    }

    fn contains(&self, key: &[u8]) -> bool {
        let mut found = true;
        self.locate(key, |slot| found &= self.bits.test(slot));
        found
    }

    fn locate(&self, key: &[u8], mut visit: impl FnMut(u64)) {
        self.locator.locate(key, &mut visit);
    }

    fn over_bits_of(&self, other: &Self) -> Result<Self> {
        Ok(Self {
            locator: Rc::clone(&self.locator),
            bits: other.bits.try_clone()?,
        })
    }
}
