//! The filter type and its operations.

use alloc::vec::Vec;
use core::{fmt, iter, mem};

use bouquet_core::{
    BatchError, Inner, Key, KeyHash, KeyHasher, Spec, SpecError, TryInsert, batch::of_iter,
};
use bouquet_hash::Folded;
use bouquet_standard::StandardBloom;

use crate::{Full, Policy, PolicyError, Stage};

/// A Bloom filter that grows: a series of stages. Each stage is larger than the previous one
/// and has a lower FPR, so that all together meet the target FPR.
///
/// ```
/// use bouquet_scalable::ScalableBloom;
///
/// let mut seen = ScalableBloom::new(1_000, 0.01)?; // a first stage of 1,000 keys
/// assert!(seen.insert("rose")); // definitely new
/// assert!(!seen.insert("rose"));
/// assert!(seen.contains("rose") && !seen.contains("tulip"));
/// for key in 0..100_000 {
///     seen.insert(&key);
/// }
/// assert!(!seen.is_empty());
/// # Ok::<(), bouquet_scalable::SpecError>(())
/// ```
///
/// See the [crate documentation](crate) for its costs and for when to use another filter.
#[derive(Clone)]
pub struct ScalableBloom<F: Inner = StandardBloom> {
    policy: Policy,
    /// All stages except the newest, oldest first.
    pub(crate) older: Vec<Stage<F>>,
    pub(crate) newest: Stage<F>,
    /// Why there can be no next stage, once this is known, so that a full filter returns at
    /// once; ignored when filters are compared.
    pub(crate) end: Option<Full>,
}

impl ScalableBloom {
    /// Creates a filter for any number of different keys at an FPR of at most `target_fpr`,
    /// hashed with [`Folded`]. Its first stage has room for `first_capacity` keys.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if an argument is out of range or the memory cannot be allocated.
    ///
    /// ```
    /// use bouquet_scalable::ScalableBloom;
    ///
    /// let mut filter = ScalableBloom::new(1_000, 0.01)?;
    /// for key in 0..10_000u64 {
    ///     filter.insert(&key);
    /// }
    /// assert_eq!(filter.stages().count(), 4);
    /// # Ok::<(), bouquet_scalable::SpecError>(())
    /// ```
    #[doc(alias("reserve", "with_capacity", "with_false_pos", "with_rate"))]
    pub fn new(first_capacity: usize, target_fpr: f64) -> Result<Self, SpecError> {
        Self::with_hasher(
            Spec::new(first_capacity as u64, target_fpr)?,
            Folded::default(),
        )
    }
}

impl<F: Inner> ScalableBloom<F> {
    /// Inserts a key; returns `true` if it was definitely not present before.
    ///
    /// A key that the filter may contain already changes nothing. Hashes the key once and
    /// queries every stage; occasionally creates the next stage.
    ///
    /// If there can be no next stage, because of a limit or for lack of memory, the key is
    /// inserted into the last stage nevertheless: no key is lost, and the FPR rises above the
    /// target, which [`estimated_fpr`](Self::estimated_fpr) and
    /// [`is_over_capacity`](Self::is_over_capacity) show. If that must not happen, use
    /// [`try_insert`](Self::try_insert).
    #[inline]
    #[doc(alias("add", "put", "set"))]
    pub fn insert<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        let hash = self.hash(key);
        self.insert_hash(hash)
    }

    /// Returns whether the filter may contain the key; `false` means that it is definitely
    /// absent.
    ///
    /// Queries the newest stage first. A non-member needs about two probes per stage.
    #[inline]
    #[doc(alias("check", "contains_key", "exists", "test"))]
    #[doc(alias("mightContain", "might_contain"))]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hash(key))
    }

    /// Creates a filter whose first stage has the capacity of `spec` and which meets its target
    /// FPR, with a hasher of your choice and the default [policy](Policy::new).
    ///
    /// # Errors
    ///
    /// Those of [`new`](ScalableBloom::new), and [`SpecError::BelowHashFloor`] if the hasher
    /// has too few bits for the first stage.
    pub fn with_hasher(spec: Spec, hasher: F::Hasher) -> Result<Self, SpecError> {
        let policy = Policy::new(spec);
        let first = policy.first_stage()?;
        let geometry = F::geometry_for(&first)?;
        F::expect_economy(geometry, &first)?;
        let stage = Stage::new(geometry, first, hasher, false)?;
        Ok(Self::of(policy, Vec::new(), stage))
    }

    /// Creates a filter that starts, grows and stops growing according to `policy`.
    ///
    /// # Errors
    ///
    /// [`PolicyError::Bytes`] if the policy's limit leaves no room for the first stage;
    /// [`PolicyError::FirstStage`] with the errors of [`with_hasher`](Self::with_hasher).
    pub fn with_policy(policy: Policy, hasher: F::Hasher) -> Result<Self, PolicyError> {
        let first = policy.first_stage().map_err(PolicyError::FirstStage)?;
        let geometry = F::geometry_for(&first).map_err(PolicyError::FirstStage)?;
        F::expect_economy(geometry, &first).map_err(PolicyError::FirstStage)?;
        let needed = bytes_of(F::size_bits_of(geometry));
        if let Some(max) = policy.byte_cap().filter(|max| needed > *max) {
            return Err(PolicyError::Bytes { max, needed });
        }
        let stage = Stage::new(geometry, first, hasher, false).map_err(PolicyError::FirstStage)?;
        Ok(Self::of(policy, Vec::new(), stage))
    }

    fn of(policy: Policy, older: Vec<Stage<F>>, newest: Stage<F>) -> Self {
        Self {
            policy,
            older,
            newest,
            end: None,
        }
    }

    /// Creates a filter from existing stages, oldest first, that continues to grow from the
    /// last stage according to `policy`.
    ///
    /// # Errors
    ///
    /// [`PolicyError::NoStages`], [`PolicyError::HashersDiffer`],
    /// [`PolicyError::StageTooSmall`].
    pub fn from_stages(policy: Policy, mut stages: Vec<Stage<F>>) -> Result<Self, PolicyError> {
        let newest = stages.pop().ok_or(PolicyError::NoStages)?;
        let hasher = newest.filter().hasher();
        if stages.iter().any(|stage| stage.filter().hasher() != hasher) {
            return Err(PolicyError::HashersDiffer);
        }
        let mut all = stages.iter().chain(iter::once(&newest));
        if let Some(stage) = all.find(|stage| !stage.is_plausible()) {
            return Err(PolicyError::StageTooSmall {
                capacity: stage.capacity(),
                size_bits: stage.filter().size_bits(),
            });
        }
        Ok(Self::of(policy, stages, newest))
    }

    /// Inserts a key unless the filter is full; returns `true` if the key was definitely not
    /// present before.
    ///
    /// A key that the filter may contain already changes nothing, even if the filter is full.
    ///
    /// # Errors
    ///
    /// [`Full`] if the newest stage is full and there can be no next one. The key is not
    /// inserted, and nothing has changed.
    #[inline]
    pub fn try_insert<K: Key + ?Sized>(&mut self, key: &K) -> Result<bool, Full> {
        let hash = self.hash(key);
        self.try_insert_hash(hash)
    }

    /// The hash of a key, which can be used with every filter that has an equal hasher.
    #[inline]
    pub fn hash<K: Key + ?Sized>(&self, key: &K) -> KeyHash {
        self.hasher().hash_key(key)
    }

    /// Inserts the key with this hash, like [`insert`](Self::insert); returns `true` if it was
    /// definitely not present before.
    #[inline]
    pub fn insert_hash(&mut self, hash: KeyHash) -> bool {
        let is_new = !self.contains_hash(hash);
        if is_new {
            self.add(hash);
        }
        is_new
    }

    /// Inserts the key with this hash unless the filter is full; returns `true` if the key was
    /// definitely not present before.
    ///
    /// # Errors
    ///
    /// Those of [`try_insert`](Self::try_insert).
    #[inline]
    pub fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, Full> {
        if self.contains_hash(hash) {
            return Ok(false);
        }
        self.take(hash)?;
        Ok(true)
    }

    /// Inserts the key with this hash, which no stage may contain; inserts it into a full stage
    /// if necessary.
    #[inline]
    pub(crate) fn add(&mut self, hash: KeyHash) {
        if self.take(hash).is_err() {
            self.newest.insert(hash);
        }
    }

    /// Inserts the key with this hash, which no stage may contain, unless the filter is full.
    #[inline]
    pub(crate) fn take(&mut self, hash: KeyHash) -> Result<(), Full> {
        if self.newest.is_full() {
            self.grow()?;
        }
        self.newest.insert(hash);
        Ok(())
    }

    /// Returns whether the filter may contain the key with this hash; `false` means that it is
    /// definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        self.newest.filter().contains_hash(hash)
            || self
                .older
                .iter()
                .rev()
                .any(|stage| stage.filter().contains_hash(hash))
    }

    /// Inserts every key of an iterator; returns how many were definitely new.
    ///
    /// A version of `Extend` that can fail.
    ///
    /// # Errors
    ///
    /// The first rejected key, by its index: the keys before it are present, that key and those
    /// after it are not.
    pub fn try_extend<K: Key>(
        &mut self,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<u64, BatchError<Full>> {
        let mut new = 0;
        for (index, key) in keys.into_iter().enumerate() {
            let was_new = self.try_insert(&key);
            new += u64::from(was_new.map_err(|error| BatchError::new(index, error))?);
        }
        Ok(new)
    }

    /// Removes all keys and all stages except the first, whose memory is kept.
    #[doc(alias("reset"))]
    pub fn clear(&mut self) {
        self.older.truncate(1);
        if let Some(first) = self.older.pop() {
            self.newest = first;
        }
        self.newest.clear();
        self.end = None;
    }

    /// The stages, oldest first; there is at least one.
    pub fn stages(&self) -> impl Iterator<Item = &Stage<F>> {
        self.older.iter().chain(iter::once(&self.newest))
    }

    /// The number of keys that were definitely new when they were inserted: the number of
    /// different keys minus those that were false positives, whose share is at most the FPR.
    pub fn keys(&self) -> u64 {
        let keys = self.stages().map(Stage::keys);
        keys.fold(0, u64::saturating_add)
    }

    /// Sets the largest number of bytes that the bits of all stages may take when the next
    /// stage is created; `None` removes the limit. This changes the [policy's
    /// limit](Policy::max_bytes) of an existing filter.
    ///
    /// A filter from a file grows as its file states, so set the limit before you insert keys
    /// into a filter from an untrusted source. Existing stages are kept, however large they
    /// are.
    ///
    /// ```
    /// use bouquet_scalable::{Full, Limits, ScalableBloom};
    /// # use bouquet_scalable::Decode;
    ///
    /// let bytes = ScalableBloom::new(100, 0.01)?.encode();
    /// let mut filter: ScalableBloom = Decode::decode_with_limits(&bytes, &Limits::new())?;
    /// filter.set_max_bytes(Some(1 << 20));
    /// let full = (0..1_000_000u64).find_map(|key| filter.try_insert(&key).err());
    /// assert!(matches!(full, Some(Full::Bytes { max: 1_048_576, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_max_bytes(&mut self, max: Option<u64>) {
        self.policy.max_bytes = max;
        self.end = None;
    }

    /// How the filter starts, grows and stops growing.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// Whether the target FPR seems to be exceeded: whether the estimated FPR is above it. That
    /// can happen if a single stage is near its capacity; it is unlikely in a filter that grows
    /// with a tightening of 0.5 or more.
    ///
    /// There is no `keys_left`, because more keys create more stages. Scans all bits.
    pub fn is_over_capacity(&self) -> bool {
        self.estimated_fpr() > self.target_fpr()
    }

    /// The highest FPR allowed, however many keys are inserted.
    pub fn target_fpr(&self) -> f64 {
        self.policy.target_fpr()
    }

    /// The number of keys that the existing stages are sized for. It rises as the filter grows.
    pub fn capacity(&self) -> u64 {
        let capacities = self.stages().map(Stage::capacity);
        capacities.fold(0, u64::saturating_add)
    }

    /// Bits of storage (m) of all stages together.
    pub fn size_bits(&self) -> u64 {
        self.stages().map(|stage| stage.filter().size_bits()).sum()
    }

    /// The number of probes of all stages (k): the most that a query needs. An insert sets the
    /// probes of the newest stage.
    pub fn hashes(&self) -> u32 {
        let hashes = self.stages().map(|stage| stage.filter().hashes());
        hashes.fold(0, u32::saturating_add)
    }

    /// The hasher, with its seed.
    pub fn hasher(&self) -> &F::Hasher {
        self.newest.filter().hasher()
    }

    pub(crate) fn growth(&self) -> Growth<F::Geometry> {
        Growth {
            spec: self.newest.spec(),
            stages: self.older.len() as u64 + 1,
            size_bits: self.size_bits(),
            geometry: self.newest.filter().geometry(),
        }
    }

    /// Creates the next stage and makes it the newest. On an error nothing has changed.
    #[cold]
    fn grow(&mut self) -> Result<(), Full> {
        if let Some(full) = self.end {
            return Err(full);
        }
        let next = self.growth().next::<F>(&self.policy);
        let next = next.inspect_err(|full| self.end = Some(*full))?;
        if self.older.try_reserve(1).is_err() {
            let bytes = size_of::<Stage<F>>() as u64;
            return Err(Full::NextStage(SpecError::OutOfMemory { bytes }));
        }
        let most = self.size_bits().saturating_mul(DENSE_GROWTH);
        let is_sparse = F::size_bits_of(next.geometry) > most;
        let stage = Stage::new(next.geometry, next.spec, self.hasher().clone(), is_sparse);
        let stage = stage.map_err(Full::NextStage)?;
        self.older.push(mem::replace(&mut self.newest, stage));
        Ok(())
    }
}

impl ScalableBloom {
    /// Creates a filter of the given keys, whose first stage is sized for their number (repeats
    /// included).
    ///
    /// Needs 16 bytes of memory per key until all keys are read.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new).
    pub fn from_keys<K: Key>(
        keys: impl IntoIterator<Item = K>,
        target_fpr: f64,
    ) -> Result<Self, SpecError> {
        let hasher = Folded::default();
        let hashes: Vec<KeyHash> = keys.into_iter().map(|key| hasher.hash_key(&key)).collect();
        let mut filter = Self::new(hashes.len().max(1), target_fpr)?;
        for hash in hashes {
            // The first stage has room for all keys, so none is rejected.
            if !filter.contains_hash(hash) {
                filter.newest.insert(hash);
            }
        }
        Ok(filter)
    }
}

/// A stage with more than this many times the bits of all previous stages together may never be
/// filled: a forged file can request such growth, and then a single key must not occupy a huge
/// page for each of its probes.
const DENSE_GROWTH: u64 = 16;

/// The state of growth of a filter, reached or planned.
pub(crate) struct Growth<G> {
    /// The spec of the last stage.
    pub(crate) spec: Spec,
    /// The geometry of the last stage.
    pub(crate) geometry: G,
    pub(crate) stages: u64,
    /// The number of bits of all stages.
    pub(crate) size_bits: u64,
}

impl<G: Copy> Growth<G> {
    /// The state with one more stage. Allocates no memory.
    pub(crate) fn next<F: Inner<Geometry = G>>(&self, policy: &Policy) -> Result<Self, Full> {
        if let Some(max) = policy
            .stage_cap()
            .filter(|max| self.stages >= (*max).into())
        {
            return Err(Full::Stages { max });
        }
        let spec = policy.next_stage(&self.spec).map_err(Full::NextStage)?;
        let geometry = F::geometry_for(&spec).map_err(Full::NextStage)?;
        let own = F::size_bits_of(geometry);
        let size_bits = self.size_bits.saturating_add(own);
        let needed = bytes_of(size_bits);
        if let Some(max) = policy.byte_cap().filter(|max| needed > *max) {
            return Err(Full::Bytes { max, needed });
        }
        Ok(Self {
            spec,
            geometry,
            stages: self.stages + 1,
            size_bits,
        })
    }
}

pub(crate) fn bytes_of(size_bits: u64) -> u64 {
    size_bits.div_ceil(8)
}

bouquet_core::query_traits!([F: Inner] ScalableBloom<F>);

/// A full filter rejects keys, like [`try_insert`](ScalableBloom::try_insert): so code that is
/// generic over filters does not exceed the target FPR.
impl<F: Inner> TryInsert for ScalableBloom<F> {
    type Error = Full;

    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, Full> {
        self.try_insert_hash(hash)
    }

    fn try_insert_batch<K: Key>(&mut self, keys: &[K]) -> Result<usize, BatchError<Full>> {
        self.try_insert_batch(keys)
    }

    fn try_insert_hash_each(
        &mut self,
        hashes: &[KeyHash],
        new: &mut [bool],
    ) -> Result<(), BatchError<Full>> {
        self.try_insert_hash_each(hashes, new)
    }

    fn try_insert_hash_batch(&mut self, hashes: &[KeyHash]) -> Result<usize, BatchError<Full>> {
        self.try_insert_hash_batch(hashes)
    }
}

bouquet_core::not_collected!([F: Inner] ScalableBloom<F>);

/// Inserts the keys in batches, with [`insert_batch`](ScalableBloom::insert_batch).
impl<K: Key, F: Inner> Extend<K> for ScalableBloom<F> {
    #[inline]
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        of_iter(keys, |keys| _ = self.insert_batch(keys));
    }
}

/// Filters are equal if their policies, hashers (with seeds) and stages are equal.
impl<F: Inner + PartialEq> PartialEq for ScalableBloom<F> {
    fn eq(&self, other: &Self) -> bool {
        self.policy == other.policy && self.older == other.older && self.newest == other.newest
    }
}

impl<F: Inner + Eq> Eq for ScalableBloom<F> {}

impl<F: Inner> fmt::Debug for ScalableBloom<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScalableBloom")
            .field("stages", &(self.older.len() + 1))
            .field("keys", &self.keys())
            .field("size_bits", &self.size_bits())
            .field("hasher", self.hasher())
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}
