//! A static filter that is small and obviously right: a sorted array of fingerprints.

use bouquet_core::{Filter, Inspect, KeyHasher, Spec};
use bouquet_format::{Decode, DecodeError, Encode, Header, Reader, Stopped, Writer};

/// Of the range of users' own variants.
pub const VARIANT: u16 = 0x8001;

/// A fingerprint of each key, below the number of keys by the target FPR.
pub struct Sorted<H> {
    spec: Spec,
    hasher: H,
    fingerprints: Vec<u64>,
}

impl<H: KeyHasher> Sorted<H> {
    /// A filter of these keys, in any order and as often as they come.
    pub fn of_keys(spec: Spec, hasher: H, keys: &[&[u8]]) -> Self {
        let fingerprints = Vec::new();
        let mut filter = Self {
            spec,
            hasher,
            fingerprints,
        };
        filter.fingerprints = keys.iter().map(|key| filter.fingerprint(key)).collect();
        filter.fingerprints.sort_unstable();
        filter.fingerprints.dedup();
        filter
    }

    fn range(&self) -> f64 {
        (self.spec.capacity() as f64 / self.spec.target_fpr()).ceil()
    }

    fn fingerprint(&self, key: &[u8]) -> u64 {
        let word = self.hasher.hash(key).probe;
        ((u128::from(word) * self.range() as u128) >> 64) as u64
    }

    /// Its fingerprints and their number, whose payload has no other way to say how many.
    fn slots(&self) -> u64 {
        64 * self.fingerprints.len() as u64
    }
}

impl<H: KeyHasher> Filter for Sorted<H> {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        let fingerprint = self.fingerprint(key);
        self.fingerprints.binary_search(&fingerprint).is_ok()
    }
}

impl<H: KeyHasher> Inspect for Sorted<H> {
    fn capacity(&self) -> u64 {
        self.spec.capacity()
    }

    fn size_bits(&self) -> u64 {
        self.slots()
    }

    fn hashes(&self) -> u32 {
        1
    }

    fn fill_ratio(&self) -> f64 {
        self.estimated_fpr()
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Self>() + 8 * self.fingerprints.capacity()
    }

    fn expected_fpr(&self, keys: u64) -> f64 {
        -(keys as f64 * (-1.0 / self.range()).ln_1p()).exp_m1()
    }

    fn estimated_fpr(&self) -> f64 {
        self.fingerprints.len() as f64 / self.range()
    }

    fn estimated_keys(&self) -> f64 {
        self.fingerprints.len() as f64
    }
}

impl<H: KeyHasher> Encode for Sorted<H> {
    fn header(&self) -> Header {
        let header = Header::new(VARIANT, &self.hasher, self.spec);
        let keys = self.fingerprints.len() as u64;
        header.with_parameters(&[keys]).with_slots(self.slots())
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        out.words(&self.fingerprints)
    }
}

impl<H: KeyHasher> Decode for Sorted<H> {
    type Hasher = H;

    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &H,
    ) -> Result<Self, DecodeError> {
        header.expect_variant(VARIANT)?;
        header.expect_parameters(1)?;
        header.expect_no_keys()?;
        let bits = header.parameters()[0].checked_mul(64);
        let bits = bits.ok_or_else(|| header.invalid_parameter(0, "keys", "is too large"))?;
        header.expect_slots(bits)?;
        let mut fingerprints = Vec::new();
        payload.words(bits, |_, word| fingerprints.push(word))?;
        let filter = Self {
            spec: header.spec(),
            hasher: hasher.clone(),
            fingerprints,
        };
        let is_below = |last: &u64| (*last as f64) < filter.range();
        if !filter.fingerprints.is_sorted_by(|one, next| one < next)
            || !filter.fingerprints.last().is_none_or(is_below)
        {
            return Err(header.invalid_slots(0, "are not sorted fingerprints"));
        }
        Ok(filter)
    }
}
