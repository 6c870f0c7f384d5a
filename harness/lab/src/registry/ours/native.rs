//! A filter of ours as a subject, with what theory knows of it beyond what it
//! tells itself.

use std::any::Any;

use anyhow::Result;
use bouquet_blocked::{BlockedBloom, Layout};
use bouquet_core::{ConcurrentInsert, Fill, Inspect, Remove, TryInsert, Union};
use bouquet_counting::CountingBloom;
use bouquet_cuckoo::CuckooFilter;
use bouquet_hash::Xxh3;
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::ScalableBloom;
use bouquet_sharded::{AtomicBloom, ShardedBloom};
use bouquet_standard::{Decode, Encode, StandardBloom};

use super::groups::fpr_spread;
use crate::registry::{BatchInserted, State, Subject};

/// The inherent methods for many keys at once, which users call. Those of the traits
/// of the same names go another way in filters that may refuse a key.
pub trait Batches {
    fn insert_all(&mut self, keys: &[&[u8]]) -> BatchInserted;
    fn ask_all(&self, keys: &[&[u8]], found: &mut [bool]);
    /// `false`: it has no `Extend`.
    fn extend_by(&mut self, keys: &[&[u8]]) -> bool;
}

macro_rules! batches {
    ($($filter:ty: $([$layout:ident])? $kind:ident;)*) => {$(
        impl$(<$layout: Layout>)? Batches for $filter {
            fn insert_all(&mut self, keys: &[&[u8]]) -> BatchInserted {
                batches!(@insert $kind <$filter>::insert_batch(self, keys))
            }

            fn ask_all(&self, keys: &[&[u8]], found: &mut [bool]) {
                <$filter>::contains_batch(self, keys, found);
            }

            fn extend_by(&mut self, _keys: &[&[u8]]) -> bool {
                batches!(@extend $kind self, _keys)
            }
        }
    )*};
    (@insert takes_all $new:expr) => {
        BatchInserted::All { new: $new as u64 }
    };
    (@insert may_refuse $done:expr) => {
        match $done {
            Ok(new) => BatchInserted::All { new: new as u64 },
            Err(refused) => BatchInserted::RefusedAt(refused.index),
        }
    };
    (@extend takes_all $self:ident, $keys:ident) => {{
        Extend::extend($self, $keys.iter().copied());
        true
    }};
    (@extend may_refuse $self:ident, $keys:ident) => {
        false
    };
}
batches! {
    StandardBloom: takes_all;
    CountingBloom: takes_all;
    PartitionedBloom: takes_all;
    BlockedBloom<L>: [L] takes_all;
    ScalableBloom: may_refuse;
    ShardedBloom: takes_all;
    AtomicBloom: takes_all;
    CuckooFilter: may_refuse;
}

pub trait Native: Batches + TryInsert + Inspect + Encode + Decode<Hasher = Xxh3> + 'static {
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

    /// As in [`Subject::unite`].
    fn take_in(&mut self, _other: &Self) -> Option<Result<()>> {
        None
    }

    /// As in [`Subject::insert_from_threads`].
    fn take_from_threads(&self, _keys: &[Vec<u8>], _threads: usize) -> bool {
        false
    }

    /// As in [`Subject::slots`].
    fn counted_slots(&self) -> Option<u64> {
        None
    }
}

fn union<F: Union>(filter: &mut F, other: &F) -> Option<Result<()>> {
    Some(filter.union_with(other).map_err(anyhow::Error::msg))
}

/// Each thread takes every so-manieth key.
fn share_out(filter: &impl ConcurrentInsert, keys: &[Vec<u8>], threads: usize) {
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let own = keys.iter().skip(thread).step_by(threads);
            scope.spawn(move || {
                own.for_each(|key| {
                    filter.insert_shared(key);
                })
            });
        }
    });
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

    fn insert_batch(&mut self, keys: &[&[u8]]) -> Option<BatchInserted> {
        Some(Batches::insert_all(self, keys))
    }

    fn contains_batch(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        Batches::ask_all(self, keys, found);
        true
    }

    fn extend(&mut self, keys: &[&[u8]]) -> bool {
        Batches::extend_by(self, keys)
    }

    fn unite(&mut self, other: &dyn Subject) -> Option<Result<()>> {
        let other: &dyn Any = other;
        self.take_in(other.downcast_ref()?)
    }

    fn reload(&mut self) -> Option<Result<()>> {
        let read = F::decode(&self.encode());
        Some(
            read.map(|filter| *self = filter)
                .map_err(anyhow::Error::new),
        )
    }

    fn encoded(&self) -> Option<Vec<u8>> {
        Some(self.encode())
    }

    fn insert_from_threads(&self, keys: &[Vec<u8>], threads: usize) -> bool {
        self.take_from_threads(keys, threads)
    }

    fn slots(&self) -> Option<u64> {
        self.counted_slots()
    }
}

impl Native for StandardBloom {
    fn fill_theory(&self, keys: u64) -> Option<(f64, f64)> {
        fill(self.geometry(), keys)
    }

    fn fpr_deviation(&self, keys: u64) -> Option<f64> {
        Some(self.geometry().fpr_deviation(keys))
    }

    fn take_in(&mut self, other: &Self) -> Option<Result<()>> {
        union(self, other)
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

    fn take_in(&mut self, other: &Self) -> Option<Result<()>> {
        union(self, other)
    }

    fn counted_slots(&self) -> Option<u64> {
        Some(self.geometry().counters())
    }
}

impl Native for PartitionedBloom {
    fn fill_theory(&self, keys: u64) -> Option<(f64, f64)> {
        fill(self.geometry(), keys)
    }

    fn fpr_deviation(&self, keys: u64) -> Option<f64> {
        Some(self.geometry().fpr_deviation(keys))
    }

    fn take_in(&mut self, other: &Self) -> Option<Result<()>> {
        union(self, other)
    }
}

impl Native for AtomicBloom {
    fn fill_theory(&self, keys: u64) -> Option<(f64, f64)> {
        fill(self.geometry(), keys)
    }

    fn fpr_deviation(&self, keys: u64) -> Option<f64> {
        Some(self.geometry().fpr_deviation(keys))
    }

    fn take_in(&mut self, other: &Self) -> Option<Result<()>> {
        union(self, other)
    }

    fn take_from_threads(&self, keys: &[Vec<u8>], threads: usize) -> bool {
        share_out(self, keys, threads);
        true
    }
}

impl<L: Layout> Native for BlockedBloom<L> {
    fn fill_theory(&self, keys: u64) -> Option<(f64, f64)> {
        fill(self.geometry(), keys)
    }

    fn fpr_deviation(&self, keys: u64) -> Option<f64> {
        Some(self.expected_fpr(keys) * fpr_spread(self.geometry(), keys)?)
    }

    fn take_in(&mut self, other: &Self) -> Option<Result<()>> {
        union(self, other)
    }
}

impl Native for ShardedBloom {
    fn fill_theory(&self, keys: u64) -> Option<(f64, f64)> {
        fill(self.geometry(), keys)
    }

    fn fpr_deviation(&self, keys: u64) -> Option<f64> {
        Some(self.expected_fpr(keys) * fpr_spread(self.geometry(), keys)?)
    }

    fn take_in(&mut self, other: &Self) -> Option<Result<()>> {
        union(self, other)
    }

    fn take_from_threads(&self, keys: &[Vec<u8>], threads: usize) -> bool {
        share_out(self, keys, threads);
        true
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
