//! Ours, each through its inherent methods, as its users call them.

use anyhow::Result;
use bouquet_blocked::{BlockedBloom, Layout, Line, Words32, Words64};
use bouquet_core::{Inner, Inspect, Key, KeyHasher, Spec};
use bouquet_counting::CountingBloom;
use bouquet_cuckoo::CuckooFilter;
use bouquet_hash::Xxh3;
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::ScalableBloom;
use bouquet_sharded::{AtomicBloom, ShardedBloom};
use bouquet_standard::StandardBloom;

use super::{Accepted as _, Family, MakeLane, Racer, racer};
use crate::registry::{Entry, ours};
use crate::speed::{Takes, TakesBatch, batched};

pub fn racers() -> Vec<Racer> {
    use Family::{Blocked, Fingerprints, Spread};
    vec![
        with_batches::<StandardBloom>(ours::standard(), Spread),
        with_batches::<CountingBloom>(ours::counting(), Spread),
        with_batches::<PartitionedBloom>(ours::partitioned(), Spread),
        with_batches::<BlockedBloom<Words64>>(ours::blocked(), Blocked),
        with_batches::<BlockedBloom<Words32>>(ours::blocked_words32(), Blocked),
        with_batches::<BlockedBloom<Line>>(ours::blocked_line(), Blocked),
        with_batches::<ScalableBloom>(ours::scalable(), Spread),
        Racer {
            about: super::shared::SHARDED.into(),
            ..with_batches::<ShardedBloom>(ours::sharded(), Spread)
        },
        with_batches::<AtomicBloom>(ours::atomic(), Spread),
        with_batches::<CuckooFilter>(ours::cuckoo(), Fingerprints),
    ]
}

/// The bytes of the bits of the filter `blocked`.
pub fn blocked_bytes(capacity: u64, target_fpr: f64) -> Result<u64> {
    Ok(BlockedBloom::new(capacity, target_fpr)?.size_bits() / 8)
}

fn with_batches<F>(entry: Entry, family: Family) -> Racer
where
    F: Ours + Takes<u64> + Takes<[u8]> + TakesBatch + 'static,
{
    let release = concat!("bouquet ", env!("CARGO_PKG_VERSION"));
    let make: MakeLane = |kind, capacity, fpr| Ok(batched(F::for_speed(capacity, fpr)?, kind));
    Racer {
        memory_bytes: Some(|capacity, fpr| Ok(F::for_speed(capacity, fpr)?.memory_bytes() as u64)),
        ..racer(entry, release, family, make)
    }
}

/// How one of ours is made for a target, all with the default hasher.
trait Ours: Inspect + Sized {
    fn for_speed(capacity: u64, fpr: f64) -> Result<Self>;
}

impl<L: Layout> Ours for BlockedBloom<L> {
    fn for_speed(capacity: u64, fpr: f64) -> Result<Self> {
        Ok(Self::with_layout(
            Spec::new(capacity, fpr)?,
            Xxh3::default(),
        )?)
    }
}

macro_rules! made_by_new {
    ($($filter:ty)*) => {$(
        impl Ours for $filter {
            fn for_speed(capacity: u64, fpr: f64) -> Result<Self> {
                Ok(Self::new(capacity, fpr)?)
            }
        }
    )*};
}
made_by_new!(
    StandardBloom CountingBloom PartitionedBloom ScalableBloom ShardedBloom AtomicBloom
    CuckooFilter
);

/// The methods are inherent, of one name and one meaning in every filter. What
/// `insert` says beyond refusing is not asked for, of no filter here; who has a
/// quicker way where it is not asked for takes that way.
macro_rules! taken {
    ($([$($generic:tt)*] $filter:ty, $batch:ident;)*) => {$(
        impl<$($generic)* K: Key + ?Sized> Takes<K> for $filter {
            #[inline(always)]
            fn insert(&mut self, key: &K) -> bool {
                <$filter>::insert(self, key).accepted()
            }

            #[inline(always)]
            fn contains(&self, key: &K) -> bool {
                <$filter>::contains(self, key)
            }
        }

        impl<$($generic)*> TakesBatch for $filter {
            #[inline(always)]
            fn insert_batch<K: Key>(&mut self, keys: &[K]) -> u64 {
                taken!(@$batch self, keys, $filter)
            }

            #[inline(always)]
            fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
                <$filter>::contains_batch(self, keys, found);
            }
        }
    )*};
    (@extend_from_slice $self:ident, $keys:ident, $filter:ty) => {{
        <$filter>::extend_from_slice($self, $keys);
        $keys.len() as u64
    }};
    (@insert_batch $self:ident, $keys:ident, $filter:ty) => {{
        <$filter>::insert_batch($self, $keys);
        $keys.len() as u64
    }};
    // What follows the first refusal in a batch is not given again.
    (@until_full $self:ident, $keys:ident, $filter:ty) => {
        match <$filter>::insert_batch($self, $keys) {
            Ok(_) => $keys.len() as u64,
            Err(refused) => refused.index as u64,
        }
    };
}
taken! {
    [H: KeyHasher,] StandardBloom<H>, extend_from_slice;
    [H: KeyHasher,] CountingBloom<H>, insert_batch;
    [H: KeyHasher,] PartitionedBloom<H>, extend_from_slice;
    [L: Layout, H: KeyHasher,] BlockedBloom<L, H>, insert_batch;
    [F: Inner,] ScalableBloom<F>, until_full;
    [F: Inner,] ShardedBloom<F>, insert_batch;
    [H: KeyHasher,] AtomicBloom<H>, insert_batch;
    [H: KeyHasher,] CuckooFilter<H>, until_full;
}
