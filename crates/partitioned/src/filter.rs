//! The filter.

use core::fmt;

use bouquet_bits::{BitArray, OutOfMemory};
use bouquet_core::{Inner, Key, KeyHash, KeyHasher, Spec, SpecError, batch::of_iter, from_keys};
use bouquet_hash::{Folded, scheme::array};

use crate::Geometry;

/// The partitioned Bloom filter: k partitions of s bits, and each of a key's k
/// probes goes to its own.
///
/// See the [crate documentation](crate) for what it costs and when to take
/// another.
#[derive(Clone)]
pub struct PartitionedBloom<H: KeyHasher = Folded> {
    pub(crate) geometry: Geometry,
    pub(crate) hasher: H,
    pub(crate) bits: BitArray,
    /// What was requested; not part of the filter's identity.
    pub(crate) spec: Spec,
}

impl PartitionedBloom {
    /// A filter for `capacity` different keys at an FPR of at most
    /// `target_fpr`, hashed with [`Folded`].
    ///
    /// # Errors
    ///
    /// [`SpecError`]: an argument is out of range, or the memory cannot be allocated.
    ///
    /// ```
    /// use bouquet_partitioned::PartitionedBloom;
    ///
    /// let filter = PartitionedBloom::new(1_000_000, 0.01)?;
    /// assert_eq!((filter.size_bits(), filter.hashes()), (9_593_024, 7));
    /// # Ok::<(), bouquet_partitioned::SpecError>(())
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
    ///
    /// ```
    /// use bouquet_partitioned::PartitionedBloom;
    ///
    /// let filter = PartitionedBloom::from_keys(["rose", "tulip"], 0.001)?;
    /// assert!(filter.contains("rose") && filter.contains("tulip"));
    /// # Ok::<(), bouquet_partitioned::SpecError>(())
    /// ```
    pub fn from_keys<K: Key>(
        keys: impl IntoIterator<Item = K>,
        target_fpr: f64,
    ) -> Result<Self, SpecError> {
        from_keys(keys, target_fpr, Folded::default(), Self::with_hasher)
    }

    /// A filter that spends `bits_per_key` bits on each of `capacity` keys,
    /// with the number of hashes that is best for them.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_bits_per_key(capacity: u64, bits_per_key: f64) -> Result<Self, SpecError> {
        let geometry = Geometry::with_bits_per_key(capacity, bits_per_key)?;
        Self::reaching(geometry, capacity, Folded::default())
    }
}

impl<H: KeyHasher> PartitionedBloom<H> {
    /// A filter for `spec` with a hasher of your choice: another seed,
    /// [`Xxh3Wide`](crate::Xxh3Wide) for a very low FPR, `SipKeyed` for
    /// adversarial keys, your own.
    ///
    /// # Errors
    ///
    /// As [`new`](PartitionedBloom::new), and [`SpecError::BelowHashFloor`] if the
    /// hasher is too narrow for the target.
    pub fn with_hasher(spec: Spec, hasher: H) -> Result<Self, SpecError> {
        let geometry = Self::geometry_for(&spec)?;
        Self::with_geometry(geometry, spec, hasher)
    }

    /// A filter of `hashes` partitions (k) of floor(`size_bits`/k) bits each: so
    /// m is `size_bits`, rounded down to a multiple of k.
    ///
    /// Its capacity is the number of keys that this m and k are best for, about
    /// ln(2) m/k, and its target the FPR expected there.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: `size_bits` is not within k to 2^48, k not within 1 to 128,
    /// or the memory cannot be allocated.
    pub fn from_parts(size_bits: u64, hashes: u32, hasher: H) -> Result<Self, SpecError> {
        let geometry = Geometry::new(size_bits, hashes)?;
        Self::reaching(geometry, geometry.best_capacity(), hasher)
    }

    /// An empty filter of a geometry that is known already, with the capacity and
    /// the target FPR of `spec`, whatever the geometry does.
    ///
    /// It does no sizing and costs only its memory, for small filters a tenth of a
    /// microsecond: a thousand alike cost one search for their geometry.
    /// [`Geometry::from_spec`] does that search from the bits alone;
    /// [`with_hasher`](Self::with_hasher) also accounts for the probability that
    /// two keys share a hash, which matters below an FPR of about 1e-9.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: the memory cannot be allocated.
    ///
    /// ```
    /// use bouquet_partitioned::{Folded, Geometry, PartitionedBloom, Spec};
    ///
    /// let spec = Spec::new(1_000, 0.01)?;
    /// let geometry = Geometry::from_spec(&spec)?;
    /// let make = || PartitionedBloom::with_geometry(geometry, spec, Folded::default());
    /// let many: Vec<PartitionedBloom> = (0..100).map(|_| make()).collect::<Result<_, _>>()?;
    /// assert!(many.iter().all(|filter| filter.size_bits() == geometry.size_bits()));
    /// # Ok::<(), bouquet_partitioned::SpecError>(())
    /// ```
    pub fn with_geometry(geometry: Geometry, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::over(BitArray::new(geometry.size_bits()), geometry, spec, hasher)
    }

    /// The filter of this geometry whose keys are in `bits`, if there was memory for them.
    pub(crate) fn over(
        bits: Result<BitArray, OutOfMemory>,
        geometry: Geometry,
        spec: Spec,
        hasher: H,
    ) -> Result<Self, SpecError> {
        let bits = bits.map_err(|error| SpecError::OutOfMemory { bytes: error.bytes })?;
        Ok(Self {
            geometry,
            hasher,
            bits,
            spec,
        })
    }

    /// Inserts a key; `true` if it was definitely not present before.
    ///
    /// O(k), one pass over the key's bits.
    #[inline]
    #[doc(alias("add", "put", "set"))]
    pub fn insert<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        let hash = self.hash(key);
        self.insert_hash(hash)
    }

    /// Whether the filter may contain the key; `false`: it is definitely absent.
    ///
    /// O(k); for a non-member two probes on average.
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
    pub fn insert_hash(&mut self, hash: KeyHash) -> bool {
        self.bits.set_all(self.geometry.slots(hash))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        array::contains(self.geometry, self.bits.words(), hash)
    }

    /// The k slots of a key, in probe order: the i-th is in partition i.
    pub fn locations<K: Key + ?Sized>(&self, key: &K) -> impl Iterator<Item = u64> + use<K, H> {
        self.geometry.slots(self.hash(key))
    }

    /// Drops all keys and keeps the memory.
    #[doc(alias("reset"))]
    pub fn clear(&mut self) {
        self.bits.clear_all();
    }

    /// The highest FPR allowed at capacity.
    pub fn target_fpr(&self) -> f64 {
        self.spec.target_fpr()
    }

    /// Keys the filter is sized for (n).
    pub fn capacity(&self) -> u64 {
        self.spec.capacity()
    }

    /// Bits of storage (m), a multiple of k.
    pub fn size_bits(&self) -> u64 {
        self.geometry.size_bits()
    }

    /// Probes per key and partitions (k).
    pub fn hashes(&self) -> u32 {
        self.geometry.hashes()
    }

    /// m, k and s, with the slot arithmetic.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }

    /// The bits.
    pub fn bits(&self) -> &BitArray {
        &self.bits
    }
}

bouquet_core::query_traits!([H: KeyHasher] PartitionedBloom<H>);

bouquet_core::insert_traits!([H: KeyHasher] PartitionedBloom<H>);

bouquet_core::bit_sets!([H: KeyHasher] PartitionedBloom<H>);

/// In batches, by [`extend_from_slice`](PartitionedBloom::extend_from_slice).
impl<K: Key, H: KeyHasher> Extend<K> for PartitionedBloom<H> {
    #[inline]
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        of_iter(keys, |keys| self.extend_from_slice(keys));
    }
}

/// Equal geometry, hasher with seed, and bits.
impl<H: KeyHasher> PartialEq for PartitionedBloom<H> {
    fn eq(&self, other: &Self) -> bool {
        self.geometry == other.geometry && self.hasher == other.hasher && self.bits == other.bits
    }
}

impl<H: KeyHasher> Eq for PartitionedBloom<H> {}

impl<H: KeyHasher> fmt::Debug for PartitionedBloom<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartitionedBloom")
            .field("size_bits", &self.size_bits())
            .field("hashes", &self.hashes())
            .field("hasher", &self.hasher)
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}
