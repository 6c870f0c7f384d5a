//! Our own filters.

use anyhow::Result;
use bouquet_core::{
    Inspect, KeyHash, KeyHasher, Locate, Spec, TryInsert,
    math::{expected_fill, fill_variance},
};
use bouquet_hash::Xxh3;
use bouquet_standard::StandardBloom;

use super::{Entry, Size, State, Subject};
use crate::schemes::{Located, Locator};

/// What theory and the harness know of a filter beyond what it tells itself.
trait Native: TryInsert + Inspect {
    /// Mean and standard deviation of the fill with so many keys.
    fn expected_fill(&self, _keys: u64) -> Option<(f64, f64)> {
        None
    }

    /// The standard deviation of the FPR from one filter to the next.
    fn expected_fpr_sd(&self, _keys: u64) -> Option<f64> {
        None
    }

    /// Removes a key, where the filter can.
    fn take_back(&mut self, _key: &[u8]) -> bool {
        false
    }
}

impl<F: Native> Subject for F {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.try_insert(key).is_ok()
    }

    fn contains(&self, key: &[u8]) -> bool {
        bouquet_core::Filter::contains(self, key)
    }

    fn remove(&mut self, key: &[u8]) -> bool {
        self.take_back(key)
    }

    fn state(&self, keys: u64) -> State {
        State {
            size_bits: self.size_bits(),
            hashes: self.hashes(),
            memory_bytes: self.memory_bytes() as u64,
            fill_ratio: self.fill_ratio(),
            expected_fill: self.expected_fill(keys),
            fpr_given_bits: Some(self.estimated_fpr()),
            expected_fpr: self.expected_fpr(keys),
            expected_fpr_sd: self.expected_fpr_sd(keys),
        }
    }
}

/// What most of ours have in common.
fn native() -> Entry {
    Entry {
        name: "",
        about: "",
        role: "ours",
        promises_no_false_negatives: true,
        reproducible_by_seed: true,
        removes: false,
        grows: false,
        concurrent: false,
        theory: "",
        scheme: "",
        fixed_size: None,
        build: |_| anyhow::bail!("no way to build it"),
        locate: None,
    }
}

fn located<G>(geometry: G, seed: u64) -> Result<Box<dyn Locator>>
where
    G: Locate<Hash = KeyHash> + 'static,
{
    let hasher = Xxh3::with_seed(seed);
    let hash = move |key: &[u8]| hasher.hash(key);
    Ok(Box::new(Located::whole(geometry, hash)))
}

pub fn standard() -> Entry {
    use bouquet_standard::Geometry;
    Entry {
        name: "standard",
        about: "The classic Bloom filter: one bit array, k probes",
        theory: "exact, by recurrence over the probed slots (Bose et al. 2008; Christensen, \
                 Roginsky and Jimeno 2010)",
        scheme: "default",
        build: |ask| {
            let hasher = Xxh3::with_seed(ask.seed);
            Ok(match ask.size {
                Size::TargetFpr(fpr) => Box::new(StandardBloom::with_hasher(
                    Spec::new(ask.capacity, fpr)?,
                    hasher,
                )?),
                Size::BitsPerKey(bits) => {
                    let geometry = Geometry::with_bits_per_key(ask.capacity, bits)?;
                    Box::new(StandardBloom::from_parts(
                        geometry.size_bits(),
                        geometry.hashes(),
                        hasher,
                    )?)
                }
            })
        },
        locate: Some(|slots, probes, seed| located(Geometry::new(slots, probes)?, seed)),
        ..native()
    }
}

impl Native for StandardBloom {
    fn expected_fill(&self, keys: u64) -> Option<(f64, f64)> {
        let throws = keys as f64 * f64::from(self.hashes());
        let slots = self.size_bits();
        let sd = fill_variance(slots, throws).sqrt();
        Some((expected_fill(slots, throws), sd))
    }

    fn expected_fpr_sd(&self, keys: u64) -> Option<f64> {
        let (fill, sd) = Native::expected_fill(self, keys)?;
        Some(f64::from(self.hashes()) * sd / fill * self.expected_fpr(keys))
    }
}
