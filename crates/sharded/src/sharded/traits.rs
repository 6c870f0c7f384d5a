//! Implementations of the traits that all filters have.

use std::{convert::Infallible, fmt, ptr::from_ref};

use bouquet_core::{
    BatchError, ConcurrentInsert, FilterExt, Incompatible, Inner, Inspect, Intersect, Key, KeyHash,
    Remove, TryInsert, Union,
};

use super::{ShardedBloom, filter::insert_into, shard::Shard};
use crate::{geometry::expected_fpr, lock::RwLock};

bouquet_core::query_traits!([F: Inner] ShardedBloom<F>);

/// Exclusive access needs no lock.
impl<F: Inner> TryInsert for ShardedBloom<F> {
    type Error = Infallible;

    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, Infallible> {
        let (shard, rest) = self.geometry.split(hash);
        Ok(insert_into(self.shards[shard as usize].get_mut(), rest))
    }

    fn try_insert_batch<K: Key>(&mut self, keys: &[K]) -> Result<usize, BatchError<Infallible>> {
        Ok(self.insert_batch(keys))
    }

    fn try_insert_hash_batch(
        &mut self,
        hashes: &[KeyHash],
    ) -> Result<usize, BatchError<Infallible>> {
        Ok(self.insert_hash_batch(hashes))
    }
}

/// Exclusive access needs no lock.
impl<F: Inner + Remove> Remove for ShardedBloom<F> {
    fn remove_hash(&mut self, hash: KeyHash) -> bool {
        let (shard, rest) = self.geometry.split(hash);
        self.shards[shard as usize].get_mut().remove_hash(rest)
    }
}

impl<F: Inner> ConcurrentInsert for ShardedBloom<F>
where
    Self: Sync,
{
    fn insert_hash_shared(&self, hash: KeyHash) -> bool {
        self.insert_hash(hash)
    }
}

bouquet_core::inherent_sets!([F: Inner + Union + Intersect] ShardedBloom<F>);
bouquet_core::not_collected!([F: Inner] ShardedBloom<F>);

impl<F: Inner + Union> Union for ShardedBloom<F> {
    fn union_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        self.combine(other, F::union_with)
    }
}

impl<F: Inner + Intersect> Intersect for ShardedBloom<F> {
    fn intersect_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        self.combine(other, F::intersect_with)
    }
}

bouquet_core::inherent_statistics!([F: Inner] ShardedBloom<F>);

/// The statistics of all shards together.
impl<F: Inner> Inspect for ShardedBloom<F> {
    fn capacity(&self) -> u64 {
        self.capacity()
    }

    fn size_bits(&self) -> u64 {
        self.size_bits()
    }

    fn hashes(&self) -> u32 {
        self.hashes()
    }

    fn fill_ratio(&self) -> f64 {
        self.mean(F::fill_ratio)
    }

    fn memory_bytes(&self) -> usize {
        // `memory_bytes` of a shard's filter includes the filter value itself, which is stored in
        // the shard.
        let beside = size_of::<Shard<F>>() - size_of::<F>();
        size_of::<Self>() + self.sum(|shard| shard.memory_bytes() + beside)
    }

    /// The mean over the random numbers of keys in a shard; see
    /// [`mean_over_loads`](crate::math::mean_over_loads).
    fn expected_fpr(&self, keys: u64) -> f64 {
        expected_fpr::<F>(self.geometry.shards(), *self.geometry.shard(), keys)
    }

    fn estimated_fpr(&self) -> f64 {
        self.mean(F::estimated_fpr)
    }

    fn estimated_keys(&self) -> f64 {
        self.sum(F::estimated_keys)
    }
}

impl<F: Inner, K: Key> Extend<K> for ShardedBloom<F> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        self.extend_keys(keys);
    }
}

/// Copies every shard, each under its lock.
impl<F: Inner + Clone> Clone for ShardedBloom<F> {
    fn clone(&self) -> Self {
        let copy = |shard: &Shard<F>| Shard(RwLock::new(shard.read().clone()));
        Self {
            geometry: self.geometry,
            hasher: self.hasher.clone(),
            shards: self.shards.iter().map(copy).collect(),
            spec: self.spec,
        }
    }
}

/// Two filters are equal if their geometry, hasher (with its seed) and shards are equal.
impl<F: Inner + PartialEq> PartialEq for ShardedBloom<F> {
    fn eq(&self, other: &Self) -> bool {
        if from_ref(self) == from_ref(other) {
            // A thread that holds a lock for reading must not take it again, because another thread
            // may be waiting to write.
            return true;
        }
        if self.geometry != other.geometry || self.hasher != other.hasher {
            return false;
        }
        // The locks are always taken in the order of the addresses, so that two threads that
        // compare the same filters cannot deadlock.
        let (one, two) = if from_ref(self) < from_ref(other) {
            (self, other)
        } else {
            (other, self)
        };
        let mut pairs = one.shards.iter().zip(&two.shards);
        pairs.all(|(one, two)| *one.read() == *two.read())
    }
}

impl<F: Inner + Eq> Eq for ShardedBloom<F> {}

impl<F: Inner> fmt::Debug for ShardedBloom<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShardedBloom")
            .field("geometry", &self.geometry)
            .field("hasher", &self.hasher)
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}
