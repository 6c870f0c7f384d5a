//! The filter type and its operations.

use core::fmt;

use bouquet_bits::{CounterArray, CounterBits, CountersMismatch, OutOfMemory};
use bouquet_core::{
    Incompatible, Inner, Intersect, Key, KeyHash, KeyHasher, Parameter, Spec, SpecError, Union,
    batch::of_iter, from_keys,
};
use bouquet_hash::Folded;

use crate::{
    Geometry,
    batch::{all_nonzero, count_up},
};

/// The counting Bloom filter: one array of m small counters, k probes per key. It supports
/// removal of keys.
///
/// ```
/// use bouquet_counting::CountingBloom;
///
/// let mut seen = CountingBloom::new(1_000_000, 0.01)?; // a million keys at 1 %
/// assert!(seen.insert("rose")); // definitely new
/// assert!(!seen.insert("rose"));
/// assert!(seen.contains("rose") && !seen.contains("tulip"));
/// seen.insert("iris");
/// assert!(seen.remove("iris") && !seen.contains("iris"));
/// assert!(!seen.is_empty());
/// # Ok::<(), bouquet_counting::SpecError>(())
/// ```
///
/// See the [crate documentation](crate) for its costs and for when to use another filter.
#[derive(Clone)]
pub struct CountingBloom<H: KeyHasher = Folded> {
    pub(crate) geometry: Geometry,
    pub(crate) hasher: H,
    pub(crate) counters: CounterArray,
    /// The requested capacity and target FPR; ignored when filters are compared.
    pub(crate) spec: Spec,
}

impl CountingBloom {
    /// Creates a filter for `capacity` different keys at an FPR of at most `target_fpr`, hashed
    /// with [`Folded`], with counters of 4 bits.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if an argument is out of range or the memory cannot be allocated.
    ///
    /// ```
    /// use bouquet_counting::CountingBloom;
    ///
    /// let filter = CountingBloom::new(1_000_000, 0.01)?;
    /// assert_eq!((filter.size_bits(), filter.hashes()), (4 * 9_592_960, 7));
    /// # Ok::<(), bouquet_counting::SpecError>(())
    /// ```
    #[doc(alias("reserve", "with_capacity", "with_false_pos", "with_rate"))]
    pub fn new(capacity: usize, target_fpr: f64) -> Result<Self, SpecError> {
        Self::with_hasher(Spec::new(capacity as u64, target_fpr)?, Folded::default())
    }
}

impl<H: KeyHasher> CountingBloom<H> {
    /// Inserts a key once more; returns `true` if it was definitely not present before.
    ///
    /// Each of the k probes increments its counter, so a counter that two probes share is
    /// incremented twice: O(k).
    #[inline]
    #[doc(alias("add", "put", "set"))]
    pub fn insert<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        let hash = self.hash(key);
        self.insert_hash(hash)
    }

    /// Returns whether the filter may contain the key; `false` means that it is definitely
    /// absent.
    ///
    /// O(k); a non-member needs two probes on average.
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
    /// Those of [`new`](CountingBloom::new), and [`SpecError::BelowHashFloor`] if the hasher
    /// has too few bits for the target.
    pub fn with_hasher(spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::with_counter_bits(spec, CounterBits::Four, hasher)
    }

    /// Creates a filter for `spec` with counters of this width.
    ///
    /// Use 8 bits, at twice the memory, if keys are inserted more than a dozen times each and
    /// their removal must free their counters: 15 copies of one key saturate its counters of 4
    /// bits.
    ///
    /// # Errors
    ///
    /// Those of [`with_hasher`](Self::with_hasher).
    ///
    /// ```
    /// use bouquet_counting::{CounterBits, CountingBloom, Folded, Spec};
    ///
    /// let spec = Spec::new(1_000, 0.01)?;
    /// let mut carts = CountingBloom::with_counter_bits(spec, CounterBits::Eight, Folded::default())?;
    /// for _ in 0..100 {
    ///     carts.insert("tulip");
    /// }
    /// assert_eq!(carts.estimated_count("tulip"), 100);
    /// # Ok::<(), bouquet_counting::SpecError>(())
    /// ```
    pub fn with_counter_bits(
        spec: Spec,
        counter_bits: CounterBits,
        hasher: H,
    ) -> Result<Self, SpecError> {
        let geometry = Geometry::from_spec(&spec.for_bits::<H>()?, counter_bits)?;
        Self::with_geometry(geometry, spec, hasher)
    }

    /// Creates a filter with exactly `counters` counters (m) of this width and `hashes` probes
    /// per key (k).
    ///
    /// Its capacity is the number of keys for which this m and k are optimal, about ln(2) m/k,
    /// and its target FPR is the FPR expected at that capacity.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if m is 0 or needs more than 2^48 bits, k is not within 1 to 128, or the
    /// memory cannot be allocated.
    pub fn from_parts(
        counters: u64,
        hashes: u32,
        counter_bits: CounterBits,
        hasher: H,
    ) -> Result<Self, SpecError> {
        let geometry = Geometry::new(counters, hashes, counter_bits)?;
        Self::reaching(geometry, geometry.best_capacity(), hasher)
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
    /// use bouquet_counting::{CounterBits, CountingBloom, Folded, Geometry, Spec};
    ///
    /// let spec = Spec::new(1_000, 0.01)?;
    /// let geometry = Geometry::from_spec(&spec, CounterBits::Four)?;
    /// let make = || CountingBloom::with_geometry(geometry, spec, Folded::default());
    /// let many: Vec<CountingBloom> = (0..100).map(|_| make()).collect::<Result<_, _>>()?;
    /// assert!(many.iter().all(|filter| filter.size_bits() == geometry.size_bits()));
    /// # Ok::<(), bouquet_counting::SpecError>(())
    /// ```
    pub fn with_geometry(geometry: Geometry, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        let counters = CounterArray::new(geometry.counters(), geometry.counter_bits());
        Self::over(counters, geometry, spec, hasher)
    }

    /// Creates the filter of this geometry over `counters`, unless `counters` is an allocation
    /// error.
    pub(crate) fn over(
        counters: Result<CounterArray, OutOfMemory>,
        geometry: Geometry,
        spec: Spec,
        hasher: H,
    ) -> Result<Self, SpecError> {
        let counters = counters.map_err(|error| SpecError::OutOfMemory { bytes: error.bytes })?;
        Ok(Self {
            geometry,
            hasher,
            counters,
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
        count_up(&mut self.counters, self.geometry.slots(hash))
    }

    /// Returns whether the filter may contain the key with this hash; `false` means that it is
    /// definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        all_nonzero(self.counters.reading(), self.geometry.slots(hash))
    }

    /// The k slots of a key, in probe order; a slot may occur more than once.
    pub fn locations<K: Key + ?Sized>(&self, key: &K) -> impl Iterator<Item = u64> + use<K, H> {
        self.geometry.slots(self.hash(key))
    }

    /// Removes all keys but keeps the allocated memory.
    #[doc(alias("reset"))]
    pub fn clear(&mut self) {
        self.counters.clear_all();
    }

    /// The target FPR: the highest FPR allowed at capacity.
    pub fn target_fpr(&self) -> f64 {
        self.spec.target_fpr()
    }

    /// Keys the filter is sized for (n).
    pub fn capacity(&self) -> u64 {
        self.spec.capacity()
    }

    /// Bits of storage: the number of counters (m) times their width.
    pub fn size_bits(&self) -> u64 {
        self.geometry.size_bits()
    }

    /// Probes per key (k).
    pub fn hashes(&self) -> u32 {
        self.geometry.hashes()
    }

    /// The width of the counters.
    pub fn counter_bits(&self) -> CounterBits {
        self.geometry.counter_bits()
    }

    /// The geometry: m, k, the counter width and the slot arithmetic.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The hasher, with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }

    /// The array of counters.
    pub fn counters(&self) -> &CounterArray {
        &self.counters
    }
}

impl CountingBloom {
    /// Creates a filter of the given keys, sized for their number (repeats included).
    ///
    /// Needs 16 bytes of memory per key until all keys are read.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new).
    ///
    /// ```
    /// use bouquet_counting::CountingBloom;
    ///
    /// let filter = CountingBloom::from_keys(["rose", "tulip"], 0.001)?;
    /// assert!(filter.contains("rose") && filter.contains("tulip"));
    /// # Ok::<(), bouquet_counting::SpecError>(())
    /// ```
    pub fn from_keys<K: Key>(
        keys: impl IntoIterator<Item = K>,
        target_fpr: f64,
    ) -> Result<Self, SpecError> {
        from_keys(keys, target_fpr, Folded::default(), Self::with_hasher)
    }

    /// Creates a filter with `bits_per_key` bits of storage for each of `capacity` keys, in
    /// counters of 4 bits, with the optimal number of hashes.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new).
    pub fn with_bits_per_key(capacity: usize, bits_per_key: f64) -> Result<Self, SpecError> {
        let capacity = capacity as u64;
        let geometry = Geometry::with_bits_per_key(capacity, bits_per_key, CounterBits::Four)?;
        Self::reaching(geometry, capacity, Folded::default())
    }
}

bouquet_core::query_traits!([H: KeyHasher] CountingBloom<H>);

bouquet_core::insert_traits!([H: KeyHasher] CountingBloom<H>);

bouquet_core::inherent_sets!([H: KeyHasher] CountingBloom<H>);

/// Adds the counters: a key that is present three times here and twice there is then present
/// five times, and can be removed five times.
impl<H: KeyHasher> Union for CountingBloom<H> {
    fn union_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        self.check_compatible(other)?;
        self.counters.add_with(&other.counters).map_err(named)
    }
}

/// Keeps the smaller of two counters: a key that is present three times here and twice there is
/// then present at least twice. Keys of only one of the filters are no longer members, even if
/// `contains` still returns `true` for them: do not remove them.
impl<H: KeyHasher> Intersect for CountingBloom<H> {
    fn intersect_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        self.check_compatible(other)?;
        self.counters.min_with(&other.counters).map_err(named)
    }
}

/// Converts the arrays' error; it cannot occur once the geometries are equal.
fn named(error: CountersMismatch) -> Incompatible {
    let (parameter, left, right) = match error {
        CountersMismatch::Length { left, right } => (Parameter::SizeBits, left, right),
        CountersMismatch::Width { left, right } => (
            Parameter::Other("counter_bits"),
            left.bits().into(),
            right.bits().into(),
        ),
    };
    Incompatible::new(parameter, left, right)
}

/// Inserts the keys in batches, like [`insert_batch`](CountingBloom::insert_batch).
impl<K: Key, H: KeyHasher> Extend<K> for CountingBloom<H> {
    #[inline]
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        of_iter(keys, |keys| _ = self.insert_batch(keys));
    }
}

/// Filters are equal if their geometries, hashers (with seeds) and counters are equal.
impl<H: KeyHasher> PartialEq for CountingBloom<H> {
    fn eq(&self, other: &Self) -> bool {
        self.geometry == other.geometry
            && self.hasher == other.hasher
            && self.counters == other.counters
    }
}

impl<H: KeyHasher> Eq for CountingBloom<H> {}

impl<H: KeyHasher> fmt::Debug for CountingBloom<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CountingBloom")
            .field("counters", &self.counters.len())
            .field("counter_bits", &self.counter_bits())
            .field("hashes", &self.hashes())
            .field("hasher", &self.hasher)
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}
