//! The filter type and its operations.

use core::fmt;

use bouquet_bits::{BitArray, OutOfMemory};
use bouquet_core::{Inner, Key, KeyHash, KeyHasher, Spec, SpecError, batch::of_iter, from_keys};
use bouquet_hash::{Folded, Probes};

use crate::Geometry;

/// The classic Bloom filter: one array of m bits, k probes per key.
///
/// ```
/// use bouquet_standard::StandardBloom;
///
/// let mut seen = StandardBloom::new(1_000_000, 0.01)?; // a million keys at 1 %
/// assert!(seen.insert("rose")); // definitely new
/// assert!(!seen.insert("rose"));
/// assert!(seen.contains("rose") && !seen.contains("tulip"));
/// seen.extend(["lily", "iris"]);
/// assert!(seen.estimated_keys() > 2.5 && seen.estimated_fpr() < 0.01);
/// assert!(!seen.is_empty());
/// # Ok::<(), bouquet_standard::SpecError>(())
/// ```
///
/// See the [crate documentation](crate) for its costs and for when to use another filter.
#[derive(Clone)]
pub struct StandardBloom<H: KeyHasher = Folded> {
    pub(crate) geometry: Geometry,
    pub(crate) hasher: H,
    pub(crate) bits: BitArray,
    /// The requested capacity and target FPR; ignored when filters are compared.
    pub(crate) spec: Spec,
}

impl StandardBloom {
    /// Creates a filter for `capacity` different keys at an FPR of at most `target_fpr`, hashed
    /// with [`Folded`].
    ///
    /// # Errors
    ///
    /// [`SpecError`] if an argument is out of range or the memory cannot be allocated.
    ///
    /// ```
    /// use bouquet_standard::StandardBloom;
    ///
    /// let filter = StandardBloom::new(1_000_000, 0.01)?;
    /// assert_eq!((filter.size_bits(), filter.hashes()), (9_592_960, 7));
    /// # Ok::<(), bouquet_standard::SpecError>(())
    /// ```
    #[doc(alias("reserve", "with_capacity", "with_false_pos", "with_rate"))]
    pub fn new(capacity: usize, target_fpr: f64) -> Result<Self, SpecError> {
        Self::with_hasher(Spec::new(capacity as u64, target_fpr)?, Folded::default())
    }
}

impl<H: KeyHasher> StandardBloom<H> {
    /// Inserts a key; returns `true` if it was definitely not present before.
    ///
    /// O(k), one pass over the key's bits.
    #[inline]
    #[doc(alias("add", "put", "set"))]
    pub fn insert<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        let hash = self.hash(key);
        self.insert_hash(hash)
    }

    /// Returns whether the filter may contain the key; `false` means that it is definitely
    /// absent.
    ///
    /// O(k); a non-member needs two and a half probes on average.
    #[inline]
    #[doc(alias("check", "contains_key", "exists", "test"))]
    #[doc(alias("mightContain", "might_contain"))]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hash(key))
    }

    /// Creates a filter for `spec` with a hasher of your choice: one with another seed,
    /// [`Xxh3Wide`](crate::Xxh3Wide) for a very low FPR, `SipKeyed` for adversarial keys, or
    /// your own.
    ///
    /// # Errors
    ///
    /// Those of [`new`](StandardBloom::new), and [`SpecError::BelowHashFloor`] if the hasher
    /// has too few bits for the target.
    pub fn with_hasher(spec: Spec, hasher: H) -> Result<Self, SpecError> {
        let geometry = Self::geometry_for(&spec)?;
        Self::with_geometry(geometry, spec, hasher)
    }

    /// Creates a filter with exactly `size_bits` bits (m) and `hashes` probes per key (k).
    ///
    /// Its capacity is the number of keys for which this m and k are optimal, about ln(2) m/k,
    /// and its target FPR is the FPR expected at that capacity.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if m is not within 1 to 2^48, k is not within 1 to 128, or the memory
    /// cannot be allocated.
    pub fn from_parts(size_bits: u64, hashes: u32, hasher: H) -> Result<Self, SpecError> {
        let geometry = Geometry::new(size_bits, hashes)?;
        Self::reaching(geometry, geometry.best_capacity(), hasher)
    }

    /// Creates a filter from an array of bits, with `hashes` probes per key (k); m is the
    /// length of the array. For bits from a counting filter, a file, or another process.
    ///
    /// It contains the keys of the filter from which the bits were taken, provided that it had
    /// the same m, k and hasher (with its seed), and located keys like [`Geometry`]. The bits
    /// cannot show whether that is the case. Capacity and target FPR are determined as in
    /// [`from_parts`](Self::from_parts).
    ///
    /// # Errors
    ///
    /// [`SpecError`] if m is 0 or k is not within 1 to 128.
    ///
    /// ```
    /// use bouquet_standard::{Folded, StandardBloom};
    ///
    /// let mut filter = StandardBloom::from_parts(1_021, 3, Folded::default())?;
    /// filter.insert("rose");
    /// let again = StandardBloom::from_bits(filter.bits().clone(), 3, Folded::default())?;
    /// assert_eq!(again, filter);
    /// # Ok::<(), bouquet_standard::SpecError>(())
    /// ```
    pub fn from_bits(bits: BitArray, hashes: u32, hasher: H) -> Result<Self, SpecError> {
        let geometry = Geometry::new(bits.len(), hashes)?;
        let capacity = geometry.best_capacity();
        let spec = Spec::reached_by_bits::<H>(capacity, geometry.expected_fpr(capacity))?;
        Self::over(Ok(bits), geometry, spec, hasher)
    }

    /// Creates an empty filter of a known geometry. The filter reports the capacity and the
    /// target FPR of `spec`, even if the geometry does not match them.
    ///
    /// This computes no sizes and only allocates the memory, which takes a tenth of a
    /// microsecond for small filters: a thousand filters of one geometry need a single search
    /// for it. [`Geometry::from_spec`] does that search, but considers only the bits;
    /// [`with_hasher`](Self::with_hasher) also accounts for the probability that two keys have
    /// the same hash, which matters below an FPR of about 1e-9.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if the memory cannot be allocated.
    ///
    /// ```
    /// use bouquet_standard::{Folded, Geometry, Spec, StandardBloom};
    ///
    /// let spec = Spec::new(1_000, 0.01)?;
    /// let geometry = Geometry::from_spec(&spec)?;
    /// let make = || StandardBloom::with_geometry(geometry, spec, Folded::default());
    /// let many: Vec<StandardBloom> = (0..100).map(|_| make()).collect::<Result<_, _>>()?;
    /// assert!(many.iter().all(|filter| filter.size_bits() == geometry.size_bits()));
    /// # Ok::<(), bouquet_standard::SpecError>(())
    /// ```
    pub fn with_geometry(geometry: Geometry, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::over(BitArray::new(geometry.size_bits()), geometry, spec, hasher)
    }

    /// Creates the filter of this geometry over `bits`, unless `bits` is an allocation error.
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

    /// The hash of a key, which can be used with every filter that has an equal hasher.
    #[inline]
    pub fn hash<K: Key + ?Sized>(&self, key: &K) -> KeyHash {
        self.hasher.hash_key(key)
    }

    /// Inserts the key with this hash; `true` if it was definitely not present
    /// before.
    #[inline]
    pub fn insert_hash(&mut self, hash: KeyHash) -> bool {
        let mut probes = Probes::new(hash);
        self.bits.set_scaled(self.hashes(), || probes.next_word())
    }

    /// Returns whether the filter may contain the key with this hash; `false` means that it is
    /// definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        let mut probes = Probes::new(hash);
        self.bits.test_scaled(self.hashes(), || probes.next_word())
    }

    /// The k slots of a key, in probe order; a slot may occur more than once.
    pub fn locations<K: Key + ?Sized>(&self, key: &K) -> impl Iterator<Item = u64> + use<K, H> {
        self.geometry.slots(self.hash(key))
    }

    /// Removes all keys but keeps the allocated memory.
    #[doc(alias("reset"))]
    pub fn clear(&mut self) {
        self.bits.clear_all();
    }

    /// The target FPR: the highest FPR allowed at capacity.
    pub fn target_fpr(&self) -> f64 {
        self.spec.target_fpr()
    }

    /// Keys the filter is sized for (n).
    pub fn capacity(&self) -> u64 {
        self.spec.capacity()
    }

    /// Bits of storage (m).
    pub fn size_bits(&self) -> u64 {
        self.geometry.size_bits()
    }

    /// Probes per key (k).
    pub fn hashes(&self) -> u32 {
        self.geometry.hashes()
    }

    /// The geometry: m, k and the slot arithmetic.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The hasher, with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }

    /// The bit array.
    pub fn bits(&self) -> &BitArray {
        &self.bits
    }
}

impl StandardBloom {
    /// Creates a filter of the given keys, sized for their number (repeats included).
    ///
    /// Needs 16 bytes of memory per key until all keys are read.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new).
    ///
    /// ```
    /// use bouquet_standard::StandardBloom;
    ///
    /// let filter = StandardBloom::from_keys(["rose", "tulip"], 0.001)?;
    /// assert!(filter.contains("rose") && filter.contains("tulip"));
    /// # Ok::<(), bouquet_standard::SpecError>(())
    /// ```
    pub fn from_keys<K: Key>(
        keys: impl IntoIterator<Item = K>,
        target_fpr: f64,
    ) -> Result<Self, SpecError> {
        from_keys(keys, target_fpr, Folded::default(), Self::with_hasher)
    }

    /// Creates a filter with `bits_per_key` bits for each of `capacity` keys, with the optimal
    /// number of hashes.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new).
    pub fn with_bits_per_key(capacity: usize, bits_per_key: f64) -> Result<Self, SpecError> {
        let capacity = capacity as u64;
        let geometry = Geometry::with_bits_per_key(capacity, bits_per_key)?;
        Self::reaching(geometry, capacity, Folded::default())
    }
}

bouquet_core::query_traits!([H: KeyHasher] StandardBloom<H>);

bouquet_core::insert_traits!([H: KeyHasher] StandardBloom<H>);

bouquet_core::bit_sets!([H: KeyHasher] StandardBloom<H>);

/// Inserts the keys in batches without counting the new ones: the fastest way to insert.
impl<K: Key, H: KeyHasher> Extend<K> for StandardBloom<H> {
    #[inline]
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        of_iter(keys, |keys| self.insert_all(keys));
    }
}

/// Filters are equal if their geometries, hashers (with seeds) and bits are equal.
impl<H: KeyHasher> PartialEq for StandardBloom<H> {
    fn eq(&self, other: &Self) -> bool {
        self.geometry == other.geometry && self.hasher == other.hasher && self.bits == other.bits
    }
}

impl<H: KeyHasher> Eq for StandardBloom<H> {}

impl<H: KeyHasher> fmt::Debug for StandardBloom<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StandardBloom")
            .field("size_bits", &self.size_bits())
            .field("hashes", &self.hashes())
            .field("hasher", &self.hasher)
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}
