//! The filter.

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

/// The counting Bloom filter: one array of m small counters, k probes per key,
/// and keys can be removed.
///
/// See the [crate documentation](crate) for what it costs and when to take
/// another.
#[derive(Clone)]
pub struct CountingBloom<H: KeyHasher = Folded> {
    pub(crate) geometry: Geometry,
    pub(crate) hasher: H,
    pub(crate) counters: CounterArray,
    /// What was requested; not part of the filter's identity.
    pub(crate) spec: Spec,
}

impl CountingBloom {
    /// A filter for `capacity` different keys at an FPR of at most
    /// `target_fpr`, hashed with [`Folded`], in counters of 4 bits.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: an argument is out of range, or the memory cannot be allocated.
    ///
    /// ```
    /// use bouquet_counting::CountingBloom;
    ///
    /// let filter = CountingBloom::new(1_000_000, 0.01)?;
    /// assert_eq!((filter.size_bits(), filter.hashes()), (4 * 9_592_960, 7));
    /// # Ok::<(), bouquet_counting::SpecError>(())
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

    /// A filter that spends `bits_per_key` bits on each of `capacity` keys, in
    /// counters of 4, with the number of hashes that is best for them.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_bits_per_key(capacity: u64, bits_per_key: f64) -> Result<Self, SpecError> {
        let geometry = Geometry::with_bits_per_key(capacity, bits_per_key, CounterBits::Four)?;
        Self::reaching(geometry, capacity, Folded::default())
    }
}

impl<H: KeyHasher> CountingBloom<H> {
    /// A filter for `spec` with a hasher of your choice: another seed,
    /// [`Xxh3Wide`](crate::Xxh3Wide) for a very low FPR, `SipKeyed` for
    /// adversarial keys, your own.
    ///
    /// # Errors
    ///
    /// As [`new`](CountingBloom::new), and [`SpecError::BelowHashFloor`] if the
    /// hasher is too narrow for the target.
    pub fn with_hasher(spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::with_counter_bits(spec, CounterBits::Four, hasher)
    }

    /// A filter for `spec` in counters of this width.
    ///
    /// Take 8 bits, at twice the memory, if keys are inserted more than a dozen
    /// times each and their removal must free their counters: 15 copies of one
    /// key saturate its counters of 4 bits.
    ///
    /// # Errors
    ///
    /// As [`with_hasher`](Self::with_hasher).
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

    /// A filter of exactly `counters` counters (m) of this width and `hashes`
    /// probes per key (k).
    ///
    /// Its capacity is the number of keys that this m and k are best for, about
    /// ln(2) m/k, and its target the FPR expected there.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: m is 0 or comes to more than 2^48 bits, k is not within 1
    /// to 128, or the memory cannot be allocated.
    pub fn from_parts(
        counters: u64,
        hashes: u32,
        counter_bits: CounterBits,
        hasher: H,
    ) -> Result<Self, SpecError> {
        let geometry = Geometry::new(counters, hashes, counter_bits)?;
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

    /// The filter of this geometry whose keys are in `counters`, if there was memory for them.
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

    /// Inserts a key once more; `true` if it was definitely not present before.
    ///
    /// Each of the k probes adds one to its counter, twice if two of them collide: O(k).
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
        count_up(&mut self.counters, self.geometry.slots(hash))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        all_nonzero(self.counters.reading(), self.geometry.slots(hash))
    }

    /// The k slots of a key, in probe order; a slot may come twice.
    pub fn locations<K: Key + ?Sized>(&self, key: &K) -> impl Iterator<Item = u64> + use<K, H> {
        self.geometry.slots(self.hash(key))
    }

    /// Drops all keys and keeps the memory.
    #[doc(alias("reset"))]
    pub fn clear(&mut self) {
        self.counters.clear_all();
    }

    /// The highest FPR allowed at capacity.
    pub fn target_fpr(&self) -> f64 {
        self.spec.target_fpr()
    }

    /// Keys the filter is sized for (n).
    pub fn capacity(&self) -> u64 {
        self.spec.capacity()
    }

    /// Bits of storage: the counters (m) times their width.
    pub fn size_bits(&self) -> u64 {
        self.geometry.size_bits()
    }

    /// Probes per key (k).
    pub fn hashes(&self) -> u32 {
        self.geometry.hashes()
    }

    /// How wide the counters are.
    pub fn counter_bits(&self) -> CounterBits {
        self.geometry.counter_bits()
    }

    /// m, k and the width, with the slot arithmetic.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }

    /// The counters.
    pub fn counters(&self) -> &CounterArray {
        &self.counters
    }
}

bouquet_core::query_traits!([H: KeyHasher] CountingBloom<H>);

bouquet_core::insert_traits!([H: KeyHasher] CountingBloom<H>);

bouquet_core::inherent_sets!([H: KeyHasher] CountingBloom<H>);

/// Counters are added: a key present three times here and twice there is present five
/// times, and can be removed as often.
impl<H: KeyHasher> Union for CountingBloom<H> {
    fn union_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        self.check_compatible(other)?;
        self.counters.add_with(&other.counters).map_err(named)
    }
}

/// The lower of two counters is kept: a key present three times here and twice
/// there is present at least twice. Keys of one filter alone are no longer members,
/// even those for which `contains` still returns `true`: do not remove them.
impl<H: KeyHasher> Intersect for CountingBloom<H> {
    fn intersect_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        self.check_compatible(other)?;
        self.counters.min_with(&other.counters).map_err(named)
    }
}

/// Names the parameter for an error that equal geometries rule out.
fn named(error: CountersMismatch) -> Incompatible {
    let (parameter, left, right) = match error {
        CountersMismatch::Length { left, right } => (Parameter::SizeBits, left, right),
        CountersMismatch::Width { left, right } => (
            Parameter::Other("counter_bits"),
            left.bits().into(),
            right.bits().into(),
        ),
    };
    Incompatible {
        parameter,
        left,
        right,
    }
}

/// In batches, as [`insert_batch`](CountingBloom::insert_batch) does.
impl<K: Key, H: KeyHasher> Extend<K> for CountingBloom<H> {
    #[inline]
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        of_iter(keys, |keys| _ = self.insert_batch(keys));
    }
}

/// Equal geometry, hasher with seed, and counters.
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
