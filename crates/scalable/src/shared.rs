//! The filter behind `&self`, for threads.

use alloc::{boxed::Box, vec::Vec};
use core::{convert::Infallible, fmt, ptr::from_ref};
use std::{
    io,
    sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use bouquet_core::{
    BatchError, ConcurrentInsert, Inner, Inspect, Key, KeyHash, KeyHasher, Spec, SpecError,
    TryInsert,
};
use bouquet_format::{
    Decode, DecodeError, Encode, HEADER_BYTES, Header, LINE_BYTES, Reader, Stopped, Writer, variant,
};
use bouquet_hash::Folded;
use bouquet_standard::StandardBloom;

use crate::{Policy, ScalableBloom};

/// The default shards have at least as many keys at first, and are at most so many.
const KEYS_PER_SHARD: u64 = 1_000;
const MOST_SHARDS: u64 = 64;
/// Stages that double fill all memory before a shard has so many.
const MOST_STAGES: u64 = 64;

/// A [`ScalableBloom`] that threads share: every method takes `&self`.
///
/// It consists of shards, each a scalable filter behind a lock of its own, and each key is in the
/// one that its hash picks. A shard adds its stages while it is locked; the others go on. Where the
/// number of keys is known, `ShardedBloom` of the crate bouquet-sharded takes less memory.
///
/// ```
/// use bouquet_scalable::SharedScalable;
///
/// let seen = SharedScalable::new(10_000, 0.01)?; // as many keys at first
/// std::thread::scope(|scope| {
///     for thread in 0..4_u64 {
///         let seen = &seen;
///         scope.spawn(move || (0..5_000).for_each(|i| drop(seen.insert(&(4 * i + thread)))));
///     }
/// });
/// assert!((0..20_000_u64).all(|key| seen.contains(&key)));
/// # Ok::<(), bouquet_scalable::SpecError>(())
/// ```
pub struct SharedScalable<F: Inner = StandardBloom> {
    hasher: F::Hasher,
    shards: Box<[Shard<F>]>,
    spec: Spec,
}

/// Its two cache lines, which processors fetch in pairs, are its own: neighbouring locks do not
/// slow each other down.
#[repr(align(128))]
struct Shard<F: Inner>(RwLock<ScalableBloom<F>>);

/// What one of `shards` shards begins with.
fn own_spec(spec: &Spec, shards: u64) -> Result<Spec, SpecError> {
    Spec::new(spec.capacity().div_ceil(shards.max(1)), spec.target_fpr())
}

impl<F: Inner> Shard<F> {
    // After a panic of another thread all keys inserted before are still there.
    fn read(&self) -> RwLockReadGuard<'_, ScalableBloom<F>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, ScalableBloom<F>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SharedScalable {
    /// A filter for `first_capacity` keys at first, and for as many as memory holds; its FPR stays
    /// at or below `target_fpr`. Hashed with [`Folded`].
    /// Below 2,000 keys it has one shard, at which threads take turns.
    ///
    /// # Errors
    ///
    /// Those of [`ScalableBloom::new`].
    #[doc(alias("reserve", "with_capacity"))]
    pub fn new(first_capacity: usize, target_fpr: f64) -> Result<Self, SpecError> {
        let spec = Spec::new(first_capacity as u64, target_fpr)?;
        Self::with_hasher(spec, Folded::default())
    }
}

impl<F: Inner> SharedScalable<F> {
    /// Inserts a key; `true` if it was definitely not present before. Locks one shard.
    #[inline]
    #[doc(alias("add", "put", "set"))]
    pub fn insert<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.insert_hash(self.hash(key))
    }

    /// Whether the filter may contain the key; `false`: it is definitely absent.
    #[inline]
    #[doc(alias("check", "contains_key", "exists", "test"))]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hash(key))
    }

    /// Like [`new`](SharedScalable::new), with a hasher of your choice. It has at most 64 shards,
    /// each for at least 1,000 keys at first.
    ///
    /// # Errors
    ///
    /// Those of [`ScalableBloom::with_hasher`].
    pub fn with_hasher(spec: Spec, hasher: F::Hasher) -> Result<Self, SpecError> {
        let shards = (spec.capacity() / KEYS_PER_SHARD).clamp(1, MOST_SHARDS);
        Self::with_shards(spec, shards as u32, hasher)
    }

    /// Like [`with_hasher`](Self::with_hasher), with exactly `shards` shards: 16 times as many as
    /// threads are plenty.
    ///
    /// # Errors
    ///
    /// Those of [`ScalableBloom::with_hasher`], and [`SpecError::ZeroSizeBits`] if `shards` is 0.
    pub fn with_shards(spec: Spec, shards: u32, hasher: F::Hasher) -> Result<Self, SpecError> {
        if shards == 0 {
            return Err(SpecError::ZeroSizeBits);
        }
        let own = own_spec(&spec, shards.into())?;
        let mut all = Vec::new();
        let bytes = u64::from(shards) * size_of::<Shard<F>>() as u64;
        let reserved = all.try_reserve_exact(shards as usize);
        reserved.map_err(|_| SpecError::OutOfMemory { bytes })?;
        for _ in 0..shards {
            let shard = ScalableBloom::with_hasher(own, hasher.clone())?;
            all.push(Shard(RwLock::new(shard)));
        }
        Ok(Self {
            hasher,
            shards: all.into(),
            spec,
        })
    }

    /// The hash of a key. It is valid for every filter with an equal hasher.
    #[inline]
    pub fn hash<K: Key + ?Sized>(&self, key: &K) -> KeyHash {
        self.hasher.hash_key(key)
    }

    /// Inserts the key with this hash; `true` if it was definitely not present before.
    #[inline]
    pub fn insert_hash(&self, hash: KeyHash) -> bool {
        let (shard, rest) = self.split(hash);
        shard.write().insert_hash(rest)
    }

    /// Whether the filter may contain the key with this hash.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        let (shard, rest) = self.split(hash);
        shard.read().contains_hash(rest)
    }

    /// Inserts keys one after the other, and returns how many were definitely new.
    pub fn insert_batch<K: Key>(&self, keys: &[K]) -> usize {
        keys.iter().filter(|key| self.insert(*key)).count()
    }

    /// `found[i]` becomes the answer of [`contains`](Self::contains) for `keys[i]`.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        assert_eq!(keys.len(), found.len(), "one answer per key");
        for (key, found) in keys.iter().zip(found) {
            *found = self.contains(key);
        }
    }

    /// Like [`contains_batch`](Self::contains_batch), with the hashes of the keys.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        assert_eq!(hashes.len(), found.len(), "one answer per key");
        for (hash, found) in hashes.iter().zip(found) {
            *found = self.contains_hash(*hash);
        }
    }

    /// The keys inserted, without those that seemed to be present already.
    pub fn keys(&self) -> u64 {
        self.total(ScalableBloom::keys)
    }

    /// Removes all keys; each shard keeps its first stage.
    #[doc(alias("reset"))]
    pub fn clear(&mut self) {
        self.shards.iter().for_each(|shard| shard.write().clear());
    }

    /// The FPR that is never exceeded.
    pub fn target_fpr(&self) -> f64 {
        self.spec.target_fpr()
    }

    /// The keys that all stages of all shards have room for; more make more stages.
    pub fn capacity(&self) -> u64 {
        self.total(ScalableBloom::capacity)
    }

    /// Bits of storage in all (m), which grows with the keys.
    pub fn size_bits(&self) -> u64 {
        self.total(ScalableBloom::size_bits)
    }

    /// The most probes per key (k), of all stages of a shard.
    pub fn hashes(&self) -> u32 {
        let hashes = self.shards.iter().map(|shard| shard.read().hashes());
        hashes.max().unwrap_or(0)
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &F::Hasher {
        &self.hasher
    }

    /// The filters of the shards, in order: each contains its keys by what is left of their hashes
    /// after [`KeyHash::split`] by the number of shards.
    pub fn into_shards(self) -> Vec<ScalableBloom<F>> {
        let shards = self.shards.into_iter();
        let own = |shard: Shard<F>| shard.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        shards.map(own).collect()
    }

    #[inline]
    fn split(&self, hash: KeyHash) -> (&Shard<F>, KeyHash) {
        let (shard, rest) = hash.split(self.shards.len() as u64);
        (&self.shards[shard as usize], rest)
    }

    fn sum<T: core::iter::Sum>(&self, of: impl Fn(&ScalableBloom<F>) -> T) -> T {
        self.shards.iter().map(|shard| of(&shard.read())).sum()
    }

    /// A sum that a file with forged numbers cannot make overflow.
    fn total(&self, of: impl Fn(&ScalableBloom<F>) -> u64) -> u64 {
        let all = self.shards.iter().map(|shard| of(&shard.read()));
        all.fold(0, u64::saturating_add)
    }

    fn mean(&self, of: impl Fn(&ScalableBloom<F>) -> f64) -> f64 {
        self.sum(of) / self.shards.len() as f64
    }

    /// All shards, locked for reading in their order: none changes until this is dropped.
    fn stopped(&self) -> All<RwLockReadGuard<'_, ScalableBloom<F>>, F::Hasher> {
        All {
            shards: self.shards.iter().map(Shard::read).collect(),
            hasher: self.hasher.clone(),
            spec: self.spec,
        }
    }
}

bouquet_core::query_traits!([F: Inner] SharedScalable<F>);
bouquet_core::not_collected!([F: Inner] SharedScalable<F>);
bouquet_core::inherent_statistics!([F: Inner] SharedScalable<F>);

impl<F: Inner> TryInsert for SharedScalable<F> {
    type Error = Infallible;

    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, Infallible> {
        Ok(self.insert_hash(hash))
    }

    fn try_insert_batch<K: Key>(&mut self, keys: &[K]) -> Result<usize, BatchError<Infallible>> {
        Ok(self.insert_batch(keys))
    }
}

impl<F: Inner> ConcurrentInsert for SharedScalable<F>
where
    Self: Sync,
{
    fn insert_hash_shared(&self, hash: KeyHash) -> bool {
        self.insert_hash(hash)
    }
}

/// The statistics of all shards together.
impl<F: Inner> Inspect for SharedScalable<F> {
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
        let set = self.sum(|shard| shard.fill_ratio() * shard.size_bits() as f64);
        set / self.size_bits() as f64
    }

    fn memory_bytes(&self) -> usize {
        let beside = size_of::<Shard<F>>() - size_of::<ScalableBloom<F>>();
        size_of::<Self>() + self.sum(|shard| shard.memory_bytes() + beside)
    }

    /// The mean over the random number of keys in a shard, whose distribution is taken as normal.
    fn expected_fpr(&self, keys: u64) -> f64 {
        let shards = self.shards.len() as f64;
        let mean = keys as f64 / shards;
        let deviation = (mean * (1.0 - 1.0 / shards)).sqrt();
        let first = self.shards[0].read();
        let (mut fpr, mut weights) = (0.0, 0.0);
        for step in -16..=16 {
            let z = f64::from(step) / 4.0;
            let (weight, load) = ((-z * z / 2.0).exp(), mean + z * deviation);
            // The cast saturates, and rounds to the nearest.
            fpr += weight * first.expected_fpr((load + 0.5) as u64);
            weights += weight;
        }
        fpr / weights
    }

    fn estimated_fpr(&self) -> f64 {
        self.mean(ScalableBloom::estimated_fpr)
    }

    fn estimated_keys(&self) -> f64 {
        self.sum(ScalableBloom::estimated_keys)
    }
}

impl<F: Inner, K: Key> Extend<K> for SharedScalable<F> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(&key);
        }
    }
}

/// Copies every shard, each under its lock.
impl<F: Inner + Clone> Clone for SharedScalable<F> {
    fn clone(&self) -> Self {
        let copy = |shard: &Shard<F>| Shard(RwLock::new(shard.read().clone()));
        Self {
            hasher: self.hasher.clone(),
            shards: self.shards.iter().map(copy).collect(),
            spec: self.spec,
        }
    }
}

/// Two filters are equal if their hashers (with seeds) and shards are.
impl<F: Inner + PartialEq> PartialEq for SharedScalable<F> {
    fn eq(&self, other: &Self) -> bool {
        // A thread that reads must not lock again, as another may be waiting to write; and all lock
        // in the order of addresses, so that none waits for another that waits for it.
        let (one, two) = (from_ref(self), from_ref(other));
        if one == two || self.hasher != other.hasher || self.shards.len() != other.shards.len() {
            return one == two;
        }
        let (one, two) = if one < two {
            (self, other)
        } else {
            (other, self)
        };
        let mut pairs = one.shards.iter().zip(&two.shards);
        pairs.all(|(one, two)| *one.read() == *two.read())
    }
}

impl<F: Inner + Eq> Eq for SharedScalable<F> {}

impl<F: Inner> fmt::Debug for SharedScalable<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedScalable")
            .field("shards", &self.shards.len())
            .field("hasher", &self.hasher)
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}

/// What is encoded: shards that do not grow in the meantime.
struct All<S, H> {
    shards: Vec<S>,
    hasher: H,
    spec: Spec,
}

impl<S, F, H> Encode for All<S, H>
where
    S: core::ops::Deref<Target = ScalableBloom<F>>,
    F: Inner<Hasher = H> + Encode,
    H: KeyHasher,
{
    fn header(&self) -> Header {
        let bytes = self
            .shards
            .iter()
            .map(|shard| shard.header().record_bytes());
        let bytes = bytes.fold(0, u64::saturating_add);
        Header::new(variant::SHARDED, &self.hasher, self.spec)
            .with_parts(self.shards.len() as u64, bytes)
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        self.shards.iter().try_for_each(|shard| out.part(&**shard))
    }
}

bouquet_format::inherent_bytes!([F: Inner + Encode] SharedScalable<F>, by default SharedScalable);
bouquet_format::inherent_files!(
    [F: Inner + Encode]
    [F: Inner + Decode<Hasher = <F as Inner>::Hasher>]
    SharedScalable<F>, by default SharedScalable
);

/// Inserts wait until the filter is encoded.
impl<F: Inner + Encode> Encode for SharedScalable<F> {
    fn header(&self) -> Header {
        self.stopped().header()
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        self.stopped().write_payload(out)
    }

    fn encode(&self) -> Vec<u8> {
        self.stopped().encode()
    }

    fn encode_to(&self, writer: impl io::Write) -> io::Result<()> {
        self.stopped().encode_to(writer)
    }
}

impl<F> Decode for SharedScalable<F>
where
    F: Inner + Decode<Hasher = <F as Inner>::Hasher>,
{
    type Hasher = <F as Inner>::Hasher;

    fn from_record(
        header: &Header,
        payload: &mut Reader<'_>,
        hasher: &<F as Inner>::Hasher,
    ) -> Result<Self, DecodeError> {
        header.expect_variant(variant::SHARDED)?;
        header.expect_parameters(0)?;
        header.expect_no_keys()?;
        // A scalable filter, its stage and the filter in that have a header each.
        let count = header.expect_parts(3 * HEADER_BYTES + LINE_BYTES)?;
        let mut shards = Vec::new();
        let bytes = count.saturating_mul(size_of::<Shard<F>>() as u64);
        let reserved = shards.try_reserve_exact(usize::try_from(count).unwrap_or(usize::MAX));
        reserved.map_err(|_| header.out_of_memory(bytes))?;
        let own = own_spec(&header.spec(), count).map_err(|error| header.invalid_spec(0, error))?;
        payload.parts(header, |part, payload| {
            if part.parts() > MOST_STAGES {
                return Err(part.invalid_parts("must be at most 64 in a shard"));
            }
            let shard = ScalableBloom::from_record(part, payload, hasher)?;
            if shard.policy() != Policy::new(own) {
                let rule = "must be the shard's share, with stages that double";
                return Err(part.invalid_parameter(0, "growth", rule));
            }
            shards.push(Shard(RwLock::new(shard)));
            Ok(())
        })?;
        if shards.is_empty() {
            return Err(header.invalid_parts("must be at least 1"));
        }
        Ok(Self {
            hasher: hasher.clone(),
            shards: shards.into(),
            spec: header.spec(),
        })
    }
}
