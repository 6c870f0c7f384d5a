//! The filter.

use alloc::vec::Vec;
use core::fmt;

use bouquet_core::{
    BatchError, Key, KeyHash, KeyHasher, Locate, Remove, Spec, SpecError, TryInsert,
};
use bouquet_hash::Folded;

use crate::{FingerprintBits, Full, Geometry, math::BUCKET_SLOTS, room::Entry, table::Table};

/// The cuckoo filter: of each key a fingerprint, in a slot of one of the key's
/// two buckets of four. Keys can be removed.
///
/// See the [crate documentation](crate) for what it costs and when to take
/// another.
#[derive(Clone)]
pub struct CuckooFilter<H: KeyHasher = Folded> {
    pub(crate) geometry: Geometry,
    pub(crate) hasher: H,
    pub(crate) table: Table,
    /// The one fingerprint that was accepted and has no slot, once there is one.
    pub(crate) victim: Option<Entry>,
    /// Fingerprints stored, including the victim.
    pub(crate) keys: u64,
    /// What was requested; not part of the filter's identity.
    pub(crate) spec: Spec,
}

impl CuckooFilter {
    /// A filter for `capacity` different keys at an FPR of at most
    /// `target_fpr`, hashed with [`Folded`].
    ///
    /// # Errors
    ///
    /// [`SpecError`]: an argument is out of range, fingerprints of 32 bits are not
    /// enough for the target, or the memory cannot be allocated.
    ///
    /// ```
    /// use bouquet_cuckoo::{CuckooFilter, FingerprintBits};
    ///
    /// let filter = CuckooFilter::new(1_000_000, 0.01)?;
    /// assert_eq!(filter.fingerprint_bits(), FingerprintBits::Ten);
    /// assert_eq!(filter.size_bits(), 10_526_560);
    /// # Ok::<(), bouquet_cuckoo::SpecError>(())
    /// ```
    #[doc(alias("reserve", "with_capacity", "with_rate"))]
    pub fn new(capacity: u64, target_fpr: f64) -> Result<Self, SpecError> {
        Self::with_hasher(Spec::new(capacity, target_fpr)?, Folded::default())
    }

    /// A filter of the given keys, sized for their number. Of repeated keys one
    /// copy is kept.
    ///
    /// Keeps 16 bytes per key until all are seen. If its number of keys does not
    /// find room, which is nearly impossible, it makes a larger filter.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    ///
    /// ```
    /// use bouquet_cuckoo::CuckooFilter;
    ///
    /// let filter = CuckooFilter::from_keys(["rose", "tulip"], 0.001)?;
    /// assert!(filter.contains("rose") && filter.contains("tulip"));
    /// # Ok::<(), bouquet_cuckoo::SpecError>(())
    /// ```
    pub fn from_keys<K: Key>(
        keys: impl IntoIterator<Item = K>,
        target_fpr: f64,
    ) -> Result<Self, SpecError> {
        let hasher = Folded::default();
        let hashes = keys.into_iter().map(|key| hasher.hash_key(&key));
        let mut hashes: Vec<KeyHash> = hashes.collect();
        hashes.sort_unstable_by_key(|hash| (hash.place, hash.probe));
        hashes.dedup();
        let mut capacity = (hashes.len() as u64).max(1);
        loop {
            let mut filter = Self::new(capacity, target_fpr)?;
            if hashes.iter().all(|hash| filter.insert_hash(*hash).is_ok()) {
                return Ok(filter);
            }
            capacity += capacity / 16 + 1;
        }
    }

    /// A filter that spends `bits_per_key` bits on each of `capacity` keys: on the
    /// widest fingerprints that they suffice for, and the rest on spare slots.
    ///
    /// At least what the narrowest take: about 8.4 per key, and more for small
    /// capacities, which need spare slots: 64 for one key, 9.3 for 200.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_bits_per_key(capacity: u64, bits_per_key: f64) -> Result<Self, SpecError> {
        let geometry = Geometry::with_bits_per_key(capacity, bits_per_key)?;
        Self::of(geometry, Folded::default(), capacity)
    }
}

impl<H: KeyHasher> CuckooFilter<H> {
    /// A filter for `spec` with a hasher of your choice: another seed,
    /// [`Xxh3Wide`](crate::Xxh3Wide) for a very low FPR, `SipKeyed` for
    /// adversarial keys, your own.
    ///
    /// # Errors
    ///
    /// As [`new`](CuckooFilter::new), and [`SpecError::BelowHashFloor`] if the
    /// hasher is too narrow for the target.
    pub fn with_hasher(spec: Spec, hasher: H) -> Result<Self, SpecError> {
        let geometry = Geometry::from_spec(&spec.for_bits::<H>()?)?;
        Self::with_geometry(geometry, hasher, spec)
    }

    /// A filter of exactly `buckets` buckets of four slots, for fingerprints of
    /// this width.
    ///
    /// Its capacity is the number of keys that find room in them, about 95 % of
    /// the slots, and its target the FPR expected there.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: there are no buckets or they come to more than 2^48 bits, or
    /// the memory cannot be allocated.
    pub fn from_parts(
        buckets: u64,
        fingerprint_bits: FingerprintBits,
        hasher: H,
    ) -> Result<Self, SpecError> {
        let geometry = Geometry::new(buckets, fingerprint_bits)?;
        Self::of(geometry, hasher, geometry.best_capacity())
    }

    /// A filter of this geometry whose target is what it reaches at capacity.
    fn of(geometry: Geometry, hasher: H, capacity: u64) -> Result<Self, SpecError> {
        let spec = Spec::reached_by_bits::<H>(capacity, geometry.expected_fpr(capacity))?;
        Self::with_geometry(geometry, hasher, spec)
    }

    fn with_geometry(geometry: Geometry, hasher: H, spec: Spec) -> Result<Self, SpecError> {
        let table = Table::new(geometry.buckets(), geometry.fingerprint_bits())
            .map_err(|error| SpecError::OutOfMemory { bytes: error.bytes })?;
        Ok(Self {
            geometry,
            hasher,
            table,
            victim: None,
            keys: 0,
            spec,
        })
    }

    /// Inserts a key once more; `true` if it was definitely not present before.
    ///
    /// Every insert stores a copy of its own, also of a key that is present, so that
    /// every one can be removed: `Ok(false)` takes a slot as well. (Two keys may
    /// have one fingerprint and the same buckets. With one copy for both, removing
    /// one would remove the other.) There is room for eight copies of a key, but
    /// for four in a filter with an odd number of buckets, if the key's two are the
    /// same there, which they are for one key in as many as there are buckets. To
    /// store each key once, call [`contains`](Self::contains) first; and remove
    /// none in that case.
    ///
    /// Two buckets, and in a filter near capacity a search for room in others,
    /// of at most 2,000 steps.
    ///
    /// # Errors
    ///
    /// [`Full`]: no room was found. Nothing has changed. Up to capacity that is
    /// nearly impossible for keys that differ.
    #[inline]
    #[doc(alias("add", "put", "set"))]
    pub fn insert<K: Key + ?Sized>(&mut self, key: &K) -> Result<bool, Full> {
        let hash = self.hash(key);
        self.insert_hash(hash)
    }

    /// Whether the filter may contain the key; `false`: it is definitely absent.
    ///
    /// Two buckets, for a key found in its first one.
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

    /// Inserts every key of an iterator; returns how many were definitely new.
    ///
    /// A fallible `Extend`.
    ///
    /// # Errors
    ///
    /// The first rejected key, by its index: those before it are present, it and
    /// those after it are not.
    pub fn try_extend<K: Key>(
        &mut self,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<u64, BatchError<Full>> {
        let mut new = 0;
        for (index, key) in keys.into_iter().enumerate() {
            let was_new = self.insert(&key);
            new += u64::from(was_new.map_err(|error| BatchError { index, error })?);
        }
        Ok(new)
    }

    /// The two buckets of a key.
    pub fn buckets<K: Key + ?Sized>(&self, key: &K) -> [u64; 2] {
        self.geometry.buckets_of(self.hash(key))
    }

    /// Drops all keys and keeps the memory.
    #[doc(alias("reset"))]
    pub fn clear(&mut self) {
        self.table.clear();
        self.victim = None;
        self.keys = 0;
    }

    /// Keys stored: those inserted minus those removed, including copies. Exact.
    pub fn keys(&self) -> u64 {
        self.keys
    }

    /// Slots, one fingerprint each.
    pub fn slots(&self) -> u64 {
        self.geometry.buckets() * BUCKET_SLOTS
    }

    /// Whether a key has been accepted that found no slot. It is stored beside the
    /// slots, where there is room for one; until a removal makes room for it, keys
    /// are rejected unless one of their two buckets has an empty slot.
    pub fn is_full(&self) -> bool {
        self.victim.is_some()
    }

    /// Whether more keys are stored than the filter is sized for. They may still
    /// find room, up to about 97 % of the slots. The FPR at capacity is often far
    /// below the target, so that this need not mean that it is exceeded.
    pub fn is_over_capacity(&self) -> bool {
        self.keys > self.capacity()
    }

    /// How many more keys the filter is sized for; 0 if none.
    pub fn keys_left(&self) -> u64 {
        self.capacity().saturating_sub(self.keys)
    }

    /// The highest FPR allowed at capacity.
    pub fn target_fpr(&self) -> f64 {
        self.spec.target_fpr()
    }

    /// Keys the filter is sized for (n).
    pub fn capacity(&self) -> u64 {
        self.spec.capacity()
    }

    /// Bits of storage (m): the slots times the width of a fingerprint.
    pub fn size_bits(&self) -> u64 {
        self.geometry.size_bits()
    }

    /// Probes per key (k): the two buckets.
    pub fn hashes(&self) -> u32 {
        self.geometry.probes()
    }

    /// How wide the fingerprints are.
    pub fn fingerprint_bits(&self) -> FingerprintBits {
        self.geometry.fingerprint_bits()
    }

    /// Buckets and width, with the arithmetic.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }
}

bouquet_core::query_traits!([H: KeyHasher] CuckooFilter<H>);

impl<H: KeyHasher> TryInsert for CuckooFilter<H> {
    type Error = Full;

    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, Full> {
        self.insert_hash(hash)
    }
}

impl<H: KeyHasher> Remove for CuckooFilter<H> {
    fn remove_hash(&mut self, hash: KeyHash) -> bool {
        self.remove_hash(hash)
    }
}

bouquet_core::not_collected!([H: KeyHasher] CuckooFilter<H>);

/// Equal geometry, hasher with seed, and slots: the same keys, inserted and
/// removed in the same order. Equal filters stay equal under equal operations.
/// Filters of the same keys in another order answer alike for these keys, and
/// need not be equal: their fingerprints may be in other slots.
impl<H: KeyHasher> PartialEq for CuckooFilter<H> {
    fn eq(&self, other: &Self) -> bool {
        self.geometry == other.geometry
            && self.hasher == other.hasher
            && self.victim == other.victim
            && self.table == other.table
    }
}

impl<H: KeyHasher> Eq for CuckooFilter<H> {}

impl<H: KeyHasher> fmt::Debug for CuckooFilter<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CuckooFilter")
            .field("buckets", &self.geometry.buckets())
            .field("fingerprint_bits", &self.fingerprint_bits())
            .field("keys", &self.keys)
            .field("hasher", &self.hasher)
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}
