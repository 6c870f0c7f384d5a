//! The filter type and its operations.

use std::sync::PoisonError;

use bouquet_core::{
    Incompatible, Inner, Inspect, Key, KeyHash, KeyHasher, Locate, Parameter, Remove, Spec,
    SpecError, from_keys, math::best_capacity,
};
use bouquet_hash::Folded;
use bouquet_standard::{Geometry, StandardBloom};

use super::shard::Shard;
use crate::{
    ShardedGeometry,
    geometry::{check_size, default_shards, expected_fpr, shard_spec},
    lock::RwLock,
};

/// Any filter, shared by threads: independent shards, each behind a lock of its own. The hash of a
/// key selects its shard.
///
/// ```
/// use bouquet_sharded::ShardedBloom;
///
/// let seen = ShardedBloom::new(1_000_000, 0.01)?; // a million keys at 1 %
/// std::thread::scope(|threads| {
///     for first in [0, 1_000] {
///         let seen = &seen;
///         threads.spawn(move || (first..first + 1_000).for_each(|key| _ = seen.insert(&key)));
///     }
/// });
/// assert!(seen.contains(&1_999) && !seen.contains(&2_000));
/// # Ok::<(), bouquet_sharded::SpecError>(())
/// ```
///
/// See the [crate documentation](crate) for its costs and for when to use another filter.
///
/// # Threads
///
/// All operations on one key happen under the same lock, one after the other. So if several threads
/// insert an absent key, exactly one of them gets `true`, and after an insert has returned the key
/// is present for every thread. Operations on all shards ([`Inspect`], `clone`, `==`, union) lock
/// one shard after the other: they see every key whose insert returned before they began, and may
/// see keys inserted meanwhile.
///
/// Threads make exactly the same filter, bit for bit, as a single thread with the same shards, if
/// the inner filter does not depend on the order of its keys. This applies to the standard,
/// partitioned and blocked filters, and to the counting filter as long as nothing is removed. With
/// any other inner filter, each shard is the filter that a single thread would have made from the
/// shard's keys in some order: it has the same geometry and the same hasher, and no key is lost.
///
/// A thread that panics during an insert poisons the shard's lock, and the next thread uses the
/// shard in the state in which it is. That is safe, because an [`Inner`] filter guarantees that all
/// keys present before are still present. The key that was being inserted may be partly set; its
/// insert has not returned, so no one relies on it.
///
/// # Inner filters that reject keys
///
/// A scalable filter is not an [`Inner`] filter: its size changes, and it rejects keys when it is
/// full. Threads share `SharedScalable` of the crate bouquet-scalable.
pub struct ShardedBloom<F: Inner = StandardBloom> {
    pub(super) geometry: ShardedGeometry<F::Geometry>,
    pub(super) hasher: F::Hasher,
    pub(super) shards: Box<[Shard<F>]>,
    /// The requested capacity and target FPR; not compared by `==`.
    pub(super) spec: Spec,
}

impl ShardedBloom {
    /// A filter for `capacity` different keys at an FPR of at most `target_fpr`, hashed with
    /// [`Folded`]. It has at most 64 shards, each for at least
    /// [`KEYS_PER_SHARD`](crate::KEYS_PER_SHARD) keys.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: an argument is out of range, or the memory cannot be allocated.
    ///
    /// ```
    /// use bouquet_sharded::ShardedBloom;
    ///
    /// let filter = ShardedBloom::new(1_000_000, 0.01)?;
    /// std::thread::scope(|scope| {
    ///     for thread in 0..4u64 {
    ///         let filter = &filter;
    ///         scope.spawn(move || (0..1_000).for_each(|i| {
    ///             filter.insert(&(4 * i + thread));
    ///         }));
    ///     }
    /// });
    /// assert!((0..4_000u64).all(|key| filter.contains(&key)));
    /// # Ok::<(), bouquet_sharded::SpecError>(())
    /// ```
    #[doc(alias("reserve", "with_capacity", "with_false_pos", "with_rate"))]
    pub fn new(capacity: usize, target_fpr: f64) -> Result<Self, SpecError> {
        Self::with_hasher(Spec::new(capacity as u64, target_fpr)?, Folded::default())
    }
}

impl<F: Inner> ShardedBloom<F> {
    /// Inserts a key; `true` if it was definitely not present before.
    ///
    /// Locks one shard for the duration of the insert.
    #[inline]
    #[doc(alias("add", "put", "set"))]
    pub fn insert<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.insert_hash(self.hash(key))
    }

    /// Whether the filter may contain the key; `false`: it is definitely absent.
    ///
    /// Locks one shard for reading; other readers can hold the lock at the same time.
    #[inline]
    #[doc(alias("check", "contains_key", "exists", "test"))]
    #[doc(alias("mightContain", "might_contain"))]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hash(key))
    }

    /// A filter for `spec` with a hasher of your choice. The number of shards is that of
    /// [`new`](ShardedBloom::new).
    ///
    /// # Errors
    ///
    /// As [`new`](ShardedBloom::new), and [`SpecError::BelowHashFloor`] if the
    /// hasher is too narrow for the target.
    pub fn with_hasher(spec: Spec, hasher: F::Hasher) -> Result<Self, SpecError> {
        Self::with_shards(spec, default_shards(spec.capacity()), hasher)
    }

    /// A filter for `spec` with exactly `shards` shards. Their number need not be a power of two.
    ///
    /// Twice as many shards as threads are few, 16 times as many are plenty. Only memory limits
    /// their number: a shard of the standard filter takes 128 bytes and an allocation in addition
    /// to its bits, so a million shards take 128 MB. Each shard gets an equal share of the capacity
    /// and of the bits, and a few bits more: keys are distributed over shards at random, and a
    /// shard with more keys than its share has more false positives than its share. This takes less
    /// than 1 % more bits if there are at least a thousand keys per shard, and many more below a
    /// hundred.
    ///
    /// # Errors
    ///
    /// As [`with_hasher`](Self::with_hasher), and [`SpecError::ZeroSizeBits`] if `shards` is 0;
    /// [`SpecError::Wasteful`] if the inner filter would return this error for the spec of a shard.
    pub fn with_shards(spec: Spec, shards: u32, hasher: F::Hasher) -> Result<Self, SpecError> {
        if shards == 0 {
            return Err(SpecError::ZeroSizeBits);
        }
        spec.for_bits::<F::Hasher>()?;
        let shard = shard_spec::<F>(&spec, shards)?;
        let geometry = ShardedGeometry::new(shards, F::geometry_for(&shard)?)?;
        F::expect_economy(*geometry.shard(), &shard)?;
        Self::with_geometry(geometry, spec, shard, hasher)
    }

    /// Makes the shards; `own` is the spec of each of them.
    fn with_geometry(
        geometry: ShardedGeometry<F::Geometry>,
        spec: Spec,
        own: Spec,
        hasher: F::Hasher,
    ) -> Result<Self, SpecError> {
        check_size::<F>(geometry.shards(), *geometry.shard())?;
        let count = geometry.shards() as usize;
        let mut shards = Vec::new();
        let bytes = count as u64 * size_of::<Shard<F>>() as u64;
        let reserved = shards.try_reserve_exact(count);
        reserved.map_err(|_| SpecError::OutOfMemory { bytes })?;
        for _ in 0..count {
            let shard = F::with_geometry(*geometry.shard(), own, hasher.clone())?;
            shards.push(Shard(RwLock::new(shard)));
        }
        Ok(Self {
            geometry,
            hasher,
            shards: shards.into(),
            spec,
        })
    }

    /// The hash of a key. It is valid for every filter with an equal hasher.
    #[inline]
    pub fn hash<K: Key + ?Sized>(&self, key: &K) -> KeyHash {
        self.hasher.hash_key(key)
    }

    /// Inserts the key with this hash; `true` if it was definitely not present
    /// before.
    #[inline]
    pub fn insert_hash(&self, hash: KeyHash) -> bool {
        let (shard, rest) = self.geometry.split(hash);
        insert_into(&mut *self.shards[shard as usize].write(), rest)
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        let (shard, rest) = self.geometry.split(hash);
        self.shards[shard as usize].read().contains_hash(rest)
    }

    /// Removes all keys. The memory stays allocated.
    #[doc(alias("reset"))]
    pub fn clear(&mut self) {
        self.each_mut().for_each(F::clear);
    }

    /// Whether the filter seems to contain more keys than the target FPR allows: the FPR estimated
    /// from the bits is above the target. Reads all bits.
    pub fn is_over_capacity(&self) -> bool {
        self.estimated_fpr() > self.target_fpr()
    }

    /// An estimate of how many more different keys can be inserted before the target FPR is
    /// exceeded: the number of keys at which the expected FPR reaches the target, minus the
    /// estimated number of keys present; 0 if that is negative.
    ///
    /// Reads all bits, and evaluates [`expected_fpr`](Inspect::expected_fpr) ten to a hundred
    /// times.
    pub fn keys_left(&self) -> u64 {
        let keeps = |keys| self.expected_fpr(keys) <= self.target_fpr();
        let (mut fits, mut over) = (0, self.capacity());
        while over < u64::MAX && keeps(over) {
            (fits, over) = (over, over.saturating_mul(2));
        }
        while over - fits > 1 {
            let middle = fits + (over - fits) / 2;
            if keeps(middle) {
                fits = middle;
            } else {
                over = middle;
            }
        }
        // The cast saturates: a negative number becomes 0.
        (fits as f64 - self.estimated_keys()) as u64
    }

    /// The highest FPR allowed at capacity.
    pub fn target_fpr(&self) -> f64 {
        self.spec.target_fpr()
    }

    /// The total number of keys the filter is sized for (n).
    pub fn capacity(&self) -> u64 {
        self.spec.capacity()
    }

    /// The total number of bits of storage (m).
    pub fn size_bits(&self) -> u64 {
        u64::from(self.geometry.shards()) * F::size_bits_of(*self.geometry.shard())
    }

    /// Probes per key (k).
    pub fn hashes(&self) -> u32 {
        self.geometry.probes()
    }

    /// The number of shards and their geometry, which locate the slots of a key.
    pub fn geometry(&self) -> ShardedGeometry<F::Geometry> {
        self.geometry
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &F::Hasher {
        &self.hasher
    }

    /// The filters of the shards, in order. Each contains its keys by the rest of their hashes that
    /// remains after the shard was [split](ShardedGeometry::split) off.
    pub fn into_shards(self) -> Vec<F> {
        let shards = self.shards.into_iter();
        shards
            .map(|shard| shard.0.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect()
    }

    pub(super) fn each_mut(&mut self) -> impl Iterator<Item = &mut F> {
        self.shards.iter_mut().map(Shard::get_mut)
    }

    /// The sum of `of(shard)` over all shards.
    pub(super) fn sum<T: std::iter::Sum>(&self, of: impl Fn(&F) -> T) -> T {
        self.shards.iter().map(|shard| of(&shard.read())).sum()
    }

    /// The mean of `of(shard)` over all shards.
    pub(super) fn mean(&self, of: impl Fn(&F) -> f64) -> f64 {
        self.sum(of) / f64::from(self.geometry.shards())
    }

    pub(super) fn check_compatible(&self, other: &Self) -> Result<(), Incompatible> {
        let (left, right) = (self.geometry.shards(), other.geometry.shards());
        Incompatible::unless_equal(Parameter::Other("shards"), left, right)
    }

    /// Combines the filters shard by shard. All shards have the same geometry and hasher, so an
    /// error can occur only at the first shard, before anything has changed.
    pub(super) fn combine(
        &mut self,
        other: &Self,
        combine: impl Fn(&mut F, &F) -> Result<(), Incompatible>,
    ) -> Result<(), Incompatible> {
        self.check_compatible(other)?;
        let mut pairs = self.each_mut().zip(&other.shards);
        pairs.try_for_each(|(left, right)| combine(left, &right.read()))
    }
}

impl ShardedBloom {
    /// A filter of the given keys, sized for their number (including repeated keys).
    ///
    /// Uses 16 bytes per key until all keys are read.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn from_keys<K: Key>(
        keys: impl IntoIterator<Item = K>,
        target_fpr: f64,
    ) -> Result<Self, SpecError> {
        from_keys(keys, target_fpr, Folded::default(), Self::with_hasher)
    }

    /// A filter that uses `bits_per_key` bits for each of `capacity` keys, with the number of
    /// hashes that is best if all shards get the same number of keys.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_bits_per_key(capacity: usize, bits_per_key: f64) -> Result<Self, SpecError> {
        let capacity = capacity as u64;
        let shards = default_shards(capacity);
        let own = capacity.div_ceil(shards.into());
        let shard = Geometry::with_bits_per_key(own, bits_per_key)?;
        Self::of(
            ShardedGeometry::new(shards, shard)?,
            capacity,
            Folded::default(),
        )
    }
}

impl<H: KeyHasher> ShardedBloom<StandardBloom<H>> {
    /// A filter of `shards` shards, each with exactly `shard_bits` bits and `hashes` probes per key
    /// (k).
    ///
    /// Its capacity is the sum of the shards' capacities, and its target is the FPR expected there.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: the total number of bits is not within 1 to 2^48, k is not within 1 to 128,
    /// or the memory cannot be allocated.
    pub fn from_parts(
        shards: u32,
        shard_bits: u64,
        hashes: u32,
        hasher: H,
    ) -> Result<Self, SpecError> {
        let geometry = ShardedGeometry::new(shards, Geometry::new(shard_bits, hashes)?)?;
        // This cannot overflow: the product is below the total number of bits, or is one key per
        // shard.
        let capacity = best_capacity(shard_bits, hashes) * u64::from(shards);
        Self::of(geometry, capacity, hasher)
    }

    /// A filter of this geometry whose target is the FPR expected at `capacity`.
    fn of(
        geometry: ShardedGeometry<Geometry>,
        capacity: u64,
        hasher: H,
    ) -> Result<Self, SpecError> {
        let (shards, shard) = (geometry.shards(), *geometry.shard());
        let reached = |shards, keys| {
            let fpr = expected_fpr::<StandardBloom<H>>(shards, shard, keys);
            Spec::reached(keys, fpr)
        };
        let own = reached(1, capacity.div_ceil(shards.into()))?;
        Self::with_geometry(geometry, reached(shards, capacity)?, own, hasher)
    }
}

impl<F: Inner + Remove> ShardedBloom<F> {
    /// Removes a key once; see [`Remove`] for what may be removed. Other threads see the key either
    /// present or removed, never a state in between.
    ///
    /// Locks one shard for the duration of the removal.
    ///
    /// ```
    /// use bouquet_counting::CountingBloom;
    /// use bouquet_sharded::{Folded, ShardedBloom, Spec};
    ///
    /// let spec = Spec::new(1_000, 0.01)?;
    /// let online = ShardedBloom::<CountingBloom>::with_hasher(spec, Folded::default())?;
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| online.insert("alice"));
    ///     scope.spawn(|| (online.insert("bob"), online.remove("bob")));
    /// });
    /// assert!(online.contains("alice") && !online.contains("bob"));
    /// # Ok::<(), bouquet_sharded::SpecError>(())
    /// ```
    #[inline]
    #[doc(alias("delete"))]
    pub fn remove<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.remove_hash(self.hash(key))
    }

    /// Removes the key with this hash once; see [`remove`](Self::remove).
    #[inline]
    pub fn remove_hash(&self, hash: KeyHash) -> bool {
        let (shard, rest) = self.geometry.split(hash);
        self.shards[shard as usize].write().remove_hash(rest)
    }
}

#[inline]
pub(super) fn insert_into<F: Inner>(shard: &mut F, hash: KeyHash) -> bool {
    match shard.try_insert_hash(hash) {
        Ok(was_new) => was_new,
    }
}
