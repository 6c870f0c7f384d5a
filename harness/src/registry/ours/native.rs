//! A filter of ours as a subject, with what theory knows of it beyond what it
//! tells itself.

use bouquet_blocked::{BlockedBloom, Layout};
use bouquet_core::{Fill, Inspect, Remove, TryInsert};
use bouquet_counting::CountingBloom;
use bouquet_cuckoo::CuckooFilter;
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::ScalableBloom;
use bouquet_sharded::{AtomicBloom, ShardedBloom};
use bouquet_standard::StandardBloom;

use crate::registry::{State, Subject};

pub trait Native: TryInsert + Inspect + 'static {
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
        fill(self.geometry(), keys)
    }

    fn fpr_deviation(&self, keys: u64) -> Option<f64> {
        Some(self.geometry().fpr_deviation(keys))
    }
}

impl Native for CountingBloom {
    fn fill_theory(&self, keys: u64) -> Option<(f64, f64)> {
        fill(self.geometry(), keys)
    }

    fn fpr_deviation(&self, keys: u64) -> Option<f64> {
        Some(self.geometry().fpr_deviation(keys))
    }

    fn take_back(&mut self, key: &[u8]) -> bool {
        Remove::remove(self, key)
    }
}

impl Native for PartitionedBloom {
    fn fill_theory(&self, keys: u64) -> Option<(f64, f64)> {
        fill(self.geometry(), keys)
    }

    fn fpr_deviation(&self, keys: u64) -> Option<f64> {
        Some(self.geometry().fpr_deviation(keys))
    }
}

impl Native for AtomicBloom {
    fn fill_theory(&self, keys: u64) -> Option<(f64, f64)> {
        fill(self.geometry(), keys)
    }

    fn fpr_deviation(&self, keys: u64) -> Option<f64> {
        Some(self.geometry().fpr_deviation(keys))
    }
}

impl<L: Layout> Native for BlockedBloom<L> {
    fn fill_theory(&self, keys: u64) -> Option<(f64, f64)> {
        fill(self.geometry(), keys)
    }
}

impl Native for ShardedBloom {
    fn fill_theory(&self, keys: u64) -> Option<(f64, f64)> {
        fill(self.geometry(), keys)
    }
}

/// Its load is a count, not a chance.
impl Native for CuckooFilter {
    fn take_back(&mut self, key: &[u8]) -> bool {
        Remove::remove(self, key)
    }
}

/// Its stages differ, and the fill of all together says little.
impl Native for ScalableBloom {}

fn fill(geometry: impl Fill, keys: u64) -> Option<(f64, f64)> {
    Some((geometry.fill_mean(keys), geometry.fill_variance(keys)))
}
