//! RedisBloom's filter chains.

use std::io::{self, Write};

use anyhow::{Result, bail};
use bouquet_catalogue::keys_until;
use bouquet_core::math::{estimated_keys, expected_fpr, fpr_given_fill};
use bouquet_interop::{RedisBloom, redisbloom::Sizing};

use super::{Array, System};
use crate::{Facts, Format, any_filter::Load, native::GROWS};

/// The number of bits that keys are mapped to: a power of two, which may be less than all bits.
fn slots(link: &Sizing) -> u64 {
    match link.size_log2 {
        0 => link.size_bits,
        log2 => 1 << log2,
    }
}

impl System for RedisBloom {
    fn describe(&self) -> Facts {
        let first = self.links().next();
        let lone = self.links().len() == 1;
        // RedisBloom sizes the first link of a growing chain for half of the requested FPR.
        let share = if self.expansion().is_some() { 2.0 } else { 1.0 };
        Facts {
            filter: "RedisBloom chain".into(),
            hash: "MurmurHash2-64A, twice".into(),
            capacity: Some(self.capacity()),
            target_fpr: first.map(|link| share * link.target_fpr),
            size_bits: self.size_bits(),
            hashes: first.filter(|_| lone).map(|link| link.hashes),
            made_of: Some(("links", self.links().len() as u64)),
            note: self.expansion().map(|_| GROWS),
            ..Facts::default()
        }
    }

    as_usual!(write);

    fn insert_bytes(&mut self, key: &[u8]) -> Result<()> {
        self.insert(key)?;
        Ok(())
    }

    fn arrays(&self) -> Vec<Array<'_>> {
        let links = self.links().map(slots).zip(self.words());
        links.map(|(slots, words)| Array { slots, words }).collect()
    }

    fn load(&self, arrays: &[Array<'_>], target_fpr: Option<f64>) -> Load {
        let (mut passed, mut keys, mut ones) = (1.0, 0.0, 0.0);
        for (link, array) in self.links().zip(arrays) {
            let fill = array.fill();
            keys += estimated_keys(array.slots, link.hashes, fill);
            passed *= 1.0 - fpr_given_fill(fill, link.hashes);
            ones += fill * array.slots as f64;
        }
        let all: u64 = arrays.iter().map(|array| array.slots).sum();
        Load {
            fill_ratio: ones / all.max(1) as f64,
            counted_keys: Some(self.keys()),
            estimated_keys: keys,
            estimated_fpr: 1.0 - passed,
            keys_left: keys_left(self, target_fpr),
        }
    }

    fn union(&mut self, _: &Self) -> Result<()> {
        bail!(
            "chains cannot be united: the links of two were filled by different keys, and the \
             header counts them; build one of the keys of both"
        )
    }
}

/// A growing chain always has room; a chain that does not grow rejects keys beyond its capacity,
/// whatever its FPR.
fn keys_left(chain: &RedisBloom, target_fpr: Option<f64>) -> Option<u64> {
    if chain.expansion().is_some() {
        return None;
    }
    let link = chain.links().next()?;
    let of_fpr = |target| keys_until(target, |keys| expected_fpr(slots(link), link.hashes, keys));
    let until = target_fpr.map_or(u64::MAX, of_fpr).min(chain.capacity());
    Some(until.saturating_sub(chain.keys()))
}
