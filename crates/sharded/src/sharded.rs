//! Shards behind locks.

mod batch;
pub(crate) mod codec;
mod fold;
mod traits;

use std::sync::{PoisonError, TryLockError, TryLockResult};

use bouquet_core::{
    Incompatible, Inner, Inspect, Key, KeyHash, KeyHasher, Locate, Parameter, Remove, Spec,
    SpecError, from_keys, math::best_capacity,
};
use bouquet_hash::Folded;
use bouquet_standard::{Geometry, StandardBloom};

use crate::{
    ShardedGeometry,
    geometry::{check_size, default_shards, expected_fpr, shard_spec},
    lock::{RwLock, RwLockReadGuard, RwLockWriteGuard},
};

/// Any filter, shared by threads: independent shards, each behind a lock of its
/// own, picked by the key's hash.
///
/// See the [crate documentation](crate) for what it costs and when to take
/// another.
///
/// # Threads
///
/// Everything that happens to one key happens under one lock, one operation after the
/// other. So of all threads that insert an absent key exactly one gets
/// `true`, and once an insert has returned the key is present for every thread.
/// Operations that span shards ([`Inspect`], `clone`, `==`, union) lock one after the
/// other: they see every key whose insert returned before they began, and any of
/// those that come meanwhile.
///
/// Threads make exactly the filter, bit for bit, that one thread would have made
/// with the same shards, if the inner filter does not depend on the order of its
/// keys: the standard, partitioned and blocked filters do not, nor does the
/// counting one as long as nothing is removed. With any other, each shard is
/// what one thread would have made of its keys in some order: same geometry,
/// same hasher, no key lost.
///
/// # Panics within a lock
///
/// A thread that panics while it inserts poisons the shard's lock, and the next
/// one takes the shard as it is. That is sound, because an [`Inner`] filter guarantees
/// that all keys present before are present still. Of the key being inserted any part may
/// be set; its insert has not returned, so no one relies on it.
///
/// # Inner filters that reject keys
///
/// A scalable filter is not an [`Inner`] one: it rejects keys when it is full, and
/// here every insert succeeds. Put it behind a lock of your own.
pub struct ShardedBloom<F: Inner = StandardBloom> {
    geometry: ShardedGeometry<F::Geometry>,
    hasher: F::Hasher,
    shards: Box<[Shard<F>]>,
    /// What was requested; not part of the filter's identity.
    spec: Spec,
}

/// On cache lines of its own (two: processors fetch them in pairs), so that
/// locks beside each other do not slow each other down. That is as much as a
/// shard's header takes in a file, so decoding takes no more than its bytes.
#[repr(align(128))]
struct Shard<F>(RwLock<F>);

impl<F> Shard<F> {
    fn read(&self) -> RwLockReadGuard<'_, F> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, F> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// `None` if it does not wait and another writes, or waits to.
    fn read_if(&self, waits: bool) -> Option<RwLockReadGuard<'_, F>> {
        if waits {
            return Some(self.read());
        }
        unless_taken(self.0.try_read())
    }

    /// `None` if it does not wait and another reads or writes.
    fn write_if(&self, waits: bool) -> Option<RwLockWriteGuard<'_, F>> {
        if waits {
            return Some(self.write());
        }
        unless_taken(self.0.try_write())
    }

    fn get_mut(&mut self) -> &mut F {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a lock guards, if it was free; poisoned or not, as everywhere here.
fn unless_taken<G>(tried: TryLockResult<G>) -> Option<G> {
    match tried {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(guard)) => Some(guard.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

impl ShardedBloom {
    /// A filter for `capacity` different keys at an FPR of at most
    /// `target_fpr`, hashed with [`Folded`], in shards of at least
    /// [`KEYS_PER_SHARD`](crate::KEYS_PER_SHARD) keys, 64 at most.
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
    #[doc(alias("reserve", "with_capacity", "with_rate"))]
    pub fn new(capacity: u64, target_fpr: f64) -> Result<Self, SpecError> {
        Self::with_hasher(Spec::new(capacity, target_fpr)?, Folded::default())
    }

    /// A filter of the given keys, sized for their number (repeats counted).
    ///
    /// Keeps 16 bytes per key until all are seen.
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

    /// A filter that spends `bits_per_key` bits on each of `capacity` keys,
    /// with the number of hashes that is best for equal shards.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_bits_per_key(capacity: u64, bits_per_key: f64) -> Result<Self, SpecError> {
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
    /// A filter of `shards` shards, each of exactly `shard_bits` bits and with
    /// `hashes` probes per key (k).
    ///
    /// Its capacity is that of the shards together, and its target the FPR
    /// expected there.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: the bits of all shards are not within 1 to 2^48, k not
    /// within 1 to 128, or the memory cannot be allocated.
    pub fn from_parts(
        shards: u32,
        shard_bits: u64,
        hashes: u32,
        hasher: H,
    ) -> Result<Self, SpecError> {
        let geometry = ShardedGeometry::new(shards, Geometry::new(shard_bits, hashes)?)?;
        // No overflow: it is below the bits of all shards, or one per shard.
        let capacity = best_capacity(shard_bits, hashes) * u64::from(shards);
        Self::of(geometry, capacity, hasher)
    }

    /// A filter of this geometry whose target is what it reaches at capacity.
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

impl<F: Inner> ShardedBloom<F> {
    /// A filter for `spec` with a hasher of your choice; shards as
    /// [`new`](ShardedBloom::new).
    ///
    /// # Errors
    ///
    /// As [`new`](ShardedBloom::new), and [`SpecError::BelowHashFloor`] if the
    /// hasher is too narrow for the target.
    pub fn with_hasher(spec: Spec, hasher: F::Hasher) -> Result<Self, SpecError> {
        Self::with_shards(spec, default_shards(spec.capacity()), hasher)
    }

    /// A filter for `spec` of exactly `shards` shards; it need not be a power of
    /// two.
    ///
    /// Twice as many as there are threads is few, 16 times as many plenty.
    /// Only memory limits it: a shard of the standard filter takes 128
    /// bytes and an allocation beside its bits, so that a million of them take
    /// 128 MB.
    /// Each gets an equal share of the capacity and of the bits, and a few bits
    /// more, since keys fall into shards at random and a shard with more than
    /// its share has more than its share of false positives: under 1 % more
    /// from a thousand keys per shard, much more below a hundred.
    ///
    /// # Errors
    ///
    /// As [`with_hasher`](Self::with_hasher), and [`SpecError::ZeroSizeBits`]
    /// for no shards; [`SpecError::Wasteful`] where the filter of a shard would be
    /// rejected for it.
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

    /// `own` is the spec of each shard.
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

    /// Inserts a key; `true` if it was definitely not present before.
    ///
    /// Locks one shard for as long as its filter takes.
    #[inline]
    #[doc(alias("add", "put", "set"))]
    pub fn insert<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.insert_hash(self.hash(key))
    }

    /// Whether the filter may contain the key; `false`: it is definitely absent.
    ///
    /// Locks one shard for reading, beside other readers.
    #[inline]
    #[doc(alias("check", "contains_key", "exists", "test"))]
    #[doc(alias("mightContain", "might_contain"))]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hash(key))
    }

    /// The hash of a key, good for every filter with an equal hasher.
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

    /// Drops all keys and keeps the memory.
    #[doc(alias("reset"))]
    pub fn clear(&mut self) {
        self.each_mut().for_each(F::clear);
    }

    /// Whether more keys seem to be present than the target FPR allows: the FPR
    /// that the bits give is above the target. Costs a pass over the bits.
    pub fn is_over_capacity(&self) -> bool {
        self.estimated_fpr() > self.target_fpr()
    }

    /// About how many more different keys can be inserted until the target FPR
    /// is exceeded: those with which the expected FPR reaches it, minus those that
    /// seem to be present; 0 if there are more.
    ///
    /// Costs a pass over the bits and ten to a hundred evaluations of
    /// [`expected_fpr`](Inspect::expected_fpr).
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
        // Casting saturates: negative is 0.
        (fits as f64 - self.estimated_keys()) as u64
    }

    /// The highest FPR allowed at capacity.
    pub fn target_fpr(&self) -> f64 {
        self.spec.target_fpr()
    }

    /// Keys the filter is sized for (n), over all shards.
    pub fn capacity(&self) -> u64 {
        self.spec.capacity()
    }

    /// Bits of storage (m), over all shards.
    pub fn size_bits(&self) -> u64 {
        u64::from(self.geometry.shards()) * F::size_bits_of(*self.geometry.shard())
    }

    /// Probes per key (k).
    pub fn hashes(&self) -> u32 {
        self.geometry.probes()
    }

    /// The shards and their geometry, with the slot arithmetic.
    pub fn geometry(&self) -> ShardedGeometry<F::Geometry> {
        self.geometry
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &F::Hasher {
        &self.hasher
    }

    /// The filters of the shards, in order. Each contains what was left of its
    /// keys' hashes when the shard was [split](ShardedGeometry::split) off.
    pub fn into_shards(self) -> Vec<F> {
        let shards = self.shards.into_iter();
        shards
            .map(|shard| shard.0.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect()
    }

    fn each_mut(&mut self) -> impl Iterator<Item = &mut F> {
        self.shards.iter_mut().map(Shard::get_mut)
    }

    /// The sum of something over all shards.
    fn sum<T: std::iter::Sum>(&self, of: impl Fn(&F) -> T) -> T {
        self.shards.iter().map(|shard| of(&shard.read())).sum()
    }

    /// The mean of something over all shards.
    fn mean(&self, of: impl Fn(&F) -> f64) -> f64 {
        self.sum(of) / f64::from(self.geometry.shards())
    }

    fn check_compatible(&self, other: &Self) -> Result<(), Incompatible> {
        let (left, right) = (self.geometry.shards(), other.geometry.shards());
        Incompatible::unless_equal(Parameter::Other("shards"), left, right)
    }

    /// Combines shard by shard. All shards have one geometry and one hasher, so
    /// that if one fails, the first does, and nothing has changed.
    fn combine(
        &mut self,
        other: &Self,
        combine: impl Fn(&mut F, &F) -> Result<(), Incompatible>,
    ) -> Result<(), Incompatible> {
        self.check_compatible(other)?;
        let mut pairs = self.each_mut().zip(&other.shards);
        pairs.try_for_each(|(left, right)| combine(left, &right.read()))
    }
}

impl<F: Inner + Remove> ShardedBloom<F> {
    /// Removes a key once; see [`Remove`] for what may be removed. Other
    /// threads see it present or removed, nothing between.
    ///
    /// Locks one shard for as long as its filter takes.
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
fn insert_into<F: Inner>(shard: &mut F, hash: KeyHash) -> bool {
    match shard.try_insert_hash(hash) {
        Ok(was_new) => was_new,
    }
}
