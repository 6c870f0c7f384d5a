//! A filter of ours as a subject, with what theory knows of it beyond what it
//! tells itself.

use bouquet_blocked::{BlockedBloom, Layout};
use bouquet_core::{
    Inspect, Remove, TryInsert,
    math::{expected_fill, fill_variance},
};
use bouquet_counting::CountingBloom;
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::ScalableBloom;
use bouquet_sharded::{AtomicBloom, ShardedBloom};
use bouquet_standard::StandardBloom;

use crate::registry::{State, Subject};

pub trait Native: TryInsert + Inspect {
    /// Mean and variance of the fill with so many keys.
    fn fill_theory(&self, _keys: u64) -> Option<(f64, f64)> {
        None
    }

    /// The standard deviation of the FPR from one filter to the next.
    fn fpr_deviation(&self, _keys: u64) -> Option<f64> {
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
            expected_fill: self
                .fill_theory(keys)
                .map(|(mean, variance)| (mean, variance.sqrt())),
            fpr_given_bits: Some(self.estimated_fpr()),
            expected_fpr: self.expected_fpr(keys),
            expected_fpr_sd: self.fpr_deviation(keys),
        }
    }
}

impl Native for StandardBloom {
    fn fill_theory(&self, keys: u64) -> Option<(f64, f64)> {
        Some(classic_fill(self.size_bits(), self.hashes(), keys))
    }

    fn fpr_deviation(&self, keys: u64) -> Option<f64> {
        let classic = classic_fill(self.size_bits(), self.hashes(), keys);
        Some(classic_deviation(classic, self.hashes()) * self.expected_fpr(keys))
    }
}

impl Native for CountingBloom {
    fn fill_theory(&self, keys: u64) -> Option<(f64, f64)> {
        let counters = self.geometry().counters();
        Some(classic_fill(counters, self.hashes(), keys))
    }

    fn fpr_deviation(&self, keys: u64) -> Option<f64> {
        let classic = classic_fill(self.geometry().counters(), self.hashes(), keys);
        Some(classic_deviation(classic, self.hashes()) * self.expected_fpr(keys))
    }

    fn take_back(&mut self, key: &[u8]) -> bool {
        Remove::remove(self, key)
    }
}

impl Native for AtomicBloom {
    fn fill_theory(&self, keys: u64) -> Option<(f64, f64)> {
        Some(classic_fill(self.size_bits(), self.hashes(), keys))
    }

    fn fpr_deviation(&self, keys: u64) -> Option<f64> {
        let classic = classic_fill(self.size_bits(), self.hashes(), keys);
        Some(classic_deviation(classic, self.hashes()) * self.expected_fpr(keys))
    }
}

impl Native for PartitionedBloom {}
impl<L: Layout> Native for BlockedBloom<L> {}
impl Native for ScalableBloom {}
impl Native for ShardedBloom {}

fn classic_fill(slots: u64, hashes: u32, keys: u64) -> (f64, f64) {
    let throws = keys as f64 * f64::from(hashes);
    (expected_fill(slots, throws), fill_variance(slots, throws))
}

/// Relative: fill^k varies k times as much as the fill.
fn classic_deviation((mean, variance): (f64, f64), hashes: u32) -> f64 {
    f64::from(hashes) * variance.sqrt() / mean
}
