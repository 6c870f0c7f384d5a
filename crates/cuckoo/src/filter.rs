//! The cuckoo filter.

use alloc::vec::Vec;
use core::fmt;

use bouquet_core::{
    BatchError, Key, KeyHash, KeyHasher, Locate, Remove, Spec, SpecError, TryInsert,
};
use bouquet_hash::Folded;

use crate::{FingerprintBits, Full, Geometry, math::BUCKET_SLOTS, room::Entry, table::Table};

/// The cuckoo filter: it stores a fingerprint of each key in a slot of one of the key's two
/// buckets, each of which has four slots. Keys can be removed.
///
/// ```
/// use bouquet_cuckoo::CuckooFilter;
///
/// let mut seen = CuckooFilter::new(1_000, 0.01)?; // a thousand keys at 1 %
/// assert!(seen.insert("rose")?); // definitely new
/// assert!(!seen.insert("rose")?);
/// assert!(seen.contains("rose") && !seen.contains("tulip"));
/// seen.insert("iris")?;
/// assert!(seen.remove("iris") && !seen.contains("iris"));
/// assert!(!seen.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// See the [crate documentation](crate) for its costs and for when to use another filter.
#[derive(Clone)]
pub struct CuckooFilter<H: KeyHasher = Folded> {
    pub(crate) geometry: Geometry,
    pub(crate) hasher: H,
    pub(crate) table: Table,
    /// The victim: a fingerprint that was accepted but has no slot. There is at most one.
    pub(crate) victim: Option<Entry>,
    /// The number of fingerprints stored, including the victim.
    pub(crate) keys: u64,
    /// The requested capacity and target FPR; not compared by `==`.
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
    #[doc(alias("reserve", "with_capacity", "with_false_pos", "with_rate"))]
    pub fn new(capacity: usize, target_fpr: f64) -> Result<Self, SpecError> {
        Self::with_hasher(Spec::new(capacity as u64, target_fpr)?, Folded::default())
    }
}

impl<H: KeyHasher> CuckooFilter<H> {
    /// Inserts a copy of a key; `true` if the key was definitely not present before.
    ///
    /// Every insert stores another copy, even of a key that is already present, so that each copy
    /// can be removed: an insert that returns `Ok(false)` uses a slot too. (Two keys may have the
    /// same fingerprint and the same buckets. If they shared one copy, removing one key would
    /// remove the other.) There is room for eight copies of a key, or for four if its two buckets
    /// are the same, which is possible only if the number of buckets is odd, and then for one key
    /// in as many as there are buckets. To store each key only once, call
    /// [`contains`](Self::contains) first; in that case never remove keys.
    ///
    /// Visits two buckets. In a filter near its capacity it may search other buckets for room, in
    /// at most 2,000 steps.
    ///
    /// # Errors
    ///
    /// [`Full`]: no room was found, and the filter is unchanged. Up to the capacity this is nearly
    /// impossible for different keys.
    #[inline]
    #[doc(alias("add", "put", "set"))]
    pub fn insert<K: Key + ?Sized>(&mut self, key: &K) -> Result<bool, Full> {
        let hash = self.hash(key);
        self.insert_hash(hash)
    }

    /// Whether the filter may contain the key; `false`: it is definitely absent.
    ///
    /// Visits two buckets, or only one if the key is found in its first bucket.
    #[inline]
    #[doc(alias("check", "contains_key", "exists", "test"))]
    #[doc(alias("mightContain", "might_contain"))]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hash(key))
    }

    /// A filter for `spec` with a hasher of your choice: another seed,
    /// [`Xxh3Wide`](crate::Xxh3Wide) for a very low FPR, `SipKeyed` for adversarial keys, or your
    /// own hasher.
    ///
    /// # Errors
    ///
    /// As [`new`](CuckooFilter::new), and [`SpecError::BelowHashFloor`] if the
    /// hasher is too narrow for the target.
    pub fn with_hasher(spec: Spec, hasher: H) -> Result<Self, SpecError> {
        let geometry = Geometry::from_spec(&spec.for_bits::<H>()?)?;
        Self::with_geometry(geometry, hasher, spec)
    }

    /// A filter of exactly `buckets` buckets of four slots with fingerprints of this width.
    ///
    /// Its capacity is the number of keys for which these buckets have room, about 95 % of the
    /// slots, and its target is the FPR expected at that capacity.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: `buckets` is 0, the buckets need more than 2^48 bits, or the memory cannot be
    /// allocated.
    pub fn from_parts(
        buckets: u64,
        fingerprint_bits: FingerprintBits,
        hasher: H,
    ) -> Result<Self, SpecError> {
        let geometry = Geometry::new(buckets, fingerprint_bits)?;
        Self::of(geometry, hasher, geometry.best_capacity())
    }

    /// A filter of this geometry whose target is the FPR expected at `capacity`.
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

    /// The hash of a key. It is valid for every filter with an equal hasher.
    #[inline]
    pub fn hash<K: Key + ?Sized>(&self, key: &K) -> KeyHash {
        self.hasher.hash_key(key)
    }

    /// Inserts every key of an iterator; returns how many were definitely new.
    ///
    /// This is `Extend` with an error.
    ///
    /// # Errors
    ///
    /// The first rejected key, with its index: the keys before it were inserted, and it and the
    /// keys after it were not.
    pub fn try_extend<K: Key>(
        &mut self,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<u64, BatchError<Full>> {
        let mut new = 0;
        for (index, key) in keys.into_iter().enumerate() {
            let was_new = self.insert(&key);
            new += u64::from(was_new.map_err(|error| BatchError::new(index, error))?);
        }
        Ok(new)
    }

    /// The two buckets of a key.
    pub fn buckets<K: Key + ?Sized>(&self, key: &K) -> [u64; 2] {
        self.geometry.buckets_of(self.hash(key))
    }

    /// Removes all keys. The memory stays allocated.
    #[doc(alias("reset"))]
    pub fn clear(&mut self) {
        self.table.clear();
        self.victim = None;
        self.keys = 0;
    }

    /// The exact number of keys stored: those inserted minus those removed, including copies.
    pub fn keys(&self) -> u64 {
        self.keys
    }

    /// The number of slots, each for one fingerprint.
    pub fn slots(&self) -> u64 {
        self.geometry.buckets() * BUCKET_SLOTS
    }

    /// Whether the filter has accepted a key for which it found no slot. Such a key is stored
    /// beside the slots, where there is room for only one. Until a removal makes room for it, a key
    /// is rejected unless one of its two buckets has an empty slot.
    pub fn is_full(&self) -> bool {
        self.victim.is_some()
    }

    /// Whether more keys are stored than the filter is sized for. There may still be room for more,
    /// up to about 97 % of the slots. The FPR at capacity is often far below the target, so the
    /// target is not necessarily exceeded.
    pub fn is_over_capacity(&self) -> bool {
        self.keys > self.capacity()
    }

    /// How many more keys can be stored up to the capacity; 0 if the capacity is exceeded.
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

    /// The number of probes per key (k): the two buckets.
    pub fn hashes(&self) -> u32 {
        self.geometry.probes()
    }

    /// The width of the fingerprints.
    pub fn fingerprint_bits(&self) -> FingerprintBits {
        self.geometry.fingerprint_bits()
    }

    /// The number of buckets and the width of fingerprints, which locate the keys.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }
}

impl CuckooFilter {
    /// A filter of the given keys, sized for their number. Of repeated keys only one copy is kept.
    ///
    /// Uses 16 bytes per key until all keys are read. If a filter of this size has no room for the
    /// keys, which is nearly impossible, a larger filter is made.
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
        let mut capacity = hashes.len().max(1);
        loop {
            let mut filter = Self::new(capacity, target_fpr)?;
            if hashes.iter().all(|hash| filter.insert_hash(*hash).is_ok()) {
                return Ok(filter);
            }
            capacity += capacity / 16 + 1;
        }
    }

    /// A filter that uses `bits_per_key` bits for each of `capacity` keys: it has the widest
    /// fingerprints for which they suffice, and uses the rest for spare slots.
    ///
    /// The filter has at least the size needed for the narrowest fingerprints: about 8.4 bits per
    /// key, and more for small capacities, which need spare slots: 64 for one key, 9.3 for 200
    /// keys.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_bits_per_key(capacity: usize, bits_per_key: f64) -> Result<Self, SpecError> {
        let capacity = capacity as u64;
        let geometry = Geometry::with_bits_per_key(capacity, bits_per_key)?;
        Self::of(geometry, Folded::default(), capacity)
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

/// Two filters are equal if their geometry, hasher (with its seed) and slots are equal. They are
/// equal if the same keys were inserted and removed in the same order, and equal filters stay equal
/// under the same operations. Filters of the same keys in another order need not be equal, because
/// the fingerprints may be in other slots.
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
