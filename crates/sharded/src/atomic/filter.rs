//! The filter type and its operations.

use std::fmt;

use bouquet_bits::{AtomicBitArray, BitArray, OutOfMemory};
use bouquet_core::{
    ConcurrentInsert, Incompatible, Key, KeyHash, KeyHasher, Parameter, Spec, SpecError,
    batch::of_iter,
    from_keys,
    math::{best_capacity, expected_fpr},
};
use bouquet_hash::{Folded, Probes};
use bouquet_standard::Geometry;

/// The classic Bloom filter, shared by threads without a lock: one array of atomic words in which
/// every key sets the same bits as in a [`StandardBloom`](crate::StandardBloom) of the same size
/// and hasher.
///
/// ```
/// use bouquet_sharded::AtomicBloom;
///
/// let seen = AtomicBloom::new(1_000_000, 0.01)?; // a million keys at 1 %
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
/// After an insert has returned, the key is present for every thread that knows that the insert has
/// returned. Keys whose inserts are still running may or may not be found. No key is ever lost, and
/// at the end the bits are those that a single thread would have set, in any order.
///
/// `insert` returns `true` if it has set at least one bit. If no other thread inserts the key at
/// the same time, that is the result of a single-threaded filter. If several threads insert the
/// same absent key at the same time, **more than one may get `true`**, if each of them has set some
/// of the bits, and **none may get it if inserts of other keys meanwhile set all these bits**: then
/// the key has become a false positive before its own bits were set. If no other keys are inserted
/// meanwhile, at least one thread gets `true`. (If exactly one thread must get it, use
/// [`ShardedBloom`](crate::ShardedBloom).)
#[derive(Clone)]
pub struct AtomicBloom<H: KeyHasher = Folded> {
    pub(super) geometry: Geometry,
    pub(super) hasher: H,
    pub(super) bits: AtomicBitArray,
    /// The requested capacity and target FPR; not compared by `==`.
    pub(super) spec: Spec,
}

impl AtomicBloom {
    /// A filter for `capacity` different keys at an FPR of at most
    /// `target_fpr`, hashed with [`Folded`].
    ///
    /// # Errors
    ///
    /// [`SpecError`]: an argument is out of range, or the memory cannot be allocated.
    ///
    /// ```
    /// use bouquet_sharded::AtomicBloom;
    ///
    /// let filter = AtomicBloom::new(1_000_000, 0.01)?;
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| filter.insert("rose"));
    ///     scope.spawn(|| filter.insert("tulip"));
    /// });
    /// assert!(filter.contains("rose") && filter.contains("tulip"));
    /// # Ok::<(), bouquet_sharded::SpecError>(())
    /// ```
    #[doc(alias("reserve", "with_capacity", "with_false_pos", "with_rate"))]
    pub fn new(capacity: usize, target_fpr: f64) -> Result<Self, SpecError> {
        Self::with_hasher(Spec::new(capacity as u64, target_fpr)?, Folded::default())
    }
}

impl<H: KeyHasher> AtomicBloom<H> {
    /// Inserts a key; `true` if it was definitely not present before. If several threads insert the
    /// same key, see [above](Self#threads).
    ///
    /// O(k): k atomic writes. If threads insert the same few keys again and again, call
    /// [`contains`](Self::contains) first, because memory that is only read can stay in the caches
    /// of all threads.
    #[inline]
    #[doc(alias("add", "put", "set"))]
    pub fn insert<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.insert_hash(self.hash(key))
    }

    /// Whether the filter may contain the key. `false` means that no insert of the key had returned
    /// as far as this thread could know.
    ///
    /// O(k); two and a half probes on average for a non-member.
    #[inline]
    #[doc(alias("check", "contains_key", "exists", "test"))]
    #[doc(alias("mightContain", "might_contain"))]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hash(key))
    }

    /// A filter for `spec` with a hasher of your choice.
    ///
    /// # Errors
    ///
    /// As [`new`](AtomicBloom::new), and [`SpecError::BelowHashFloor`] if the
    /// hasher is too narrow for the target.
    pub fn with_hasher(spec: Spec, hasher: H) -> Result<Self, SpecError> {
        let geometry = Geometry::from_spec(&spec.for_bits::<H>()?)?;
        Self::with_geometry(geometry, spec, hasher)
    }

    /// A filter of this geometry, with the capacity and the target FPR of `spec`, even if the
    /// geometry does not match them. Use it to make many filters of the same size while computing
    /// the size only once. See
    /// [`StandardBloom::with_geometry`](crate::StandardBloom::with_geometry).
    ///
    /// # Errors
    ///
    /// [`SpecError`]: the memory cannot be allocated.
    pub fn with_geometry(geometry: Geometry, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::over(
            AtomicBitArray::new(geometry.size_bits()),
            geometry,
            spec,
            hasher,
        )
    }

    /// A filter of this geometry over `bits`, or the error of their allocation.
    pub(crate) fn over(
        bits: Result<AtomicBitArray, OutOfMemory>,
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

    /// A filter of exactly `size_bits` bits (m) and `hashes` probes per key (k).
    ///
    /// Its capacity is the number of keys for which this m and k are best, about ln(2) m/k, and its
    /// target is the FPR expected at that capacity.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: m is not within 1 to 2^48, k is not within 1 to 128, or the memory cannot be
    /// allocated.
    pub fn from_parts(size_bits: u64, hashes: u32, hasher: H) -> Result<Self, SpecError> {
        let geometry = Geometry::new(size_bits, hashes)?;
        Self::of(geometry, hasher, best_capacity(size_bits, hashes))
    }

    /// A filter of this geometry whose target is the FPR expected at `capacity`.
    pub(super) fn of(geometry: Geometry, hasher: H, capacity: u64) -> Result<Self, SpecError> {
        let fpr = expected_fpr(geometry.size_bits(), geometry.hashes(), capacity);
        let spec = Spec::reached_by_bits::<H>(capacity, fpr)?;
        Self::with_geometry(geometry, spec, hasher)
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
        let mut probes = Probes::new(hash);
        self.bits.set_scaled(self.hashes(), || probes.next_word())
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        let mut probes = Probes::new(hash);
        self.bits.test_scaled(self.hashes(), || probes.next_word())
    }

    /// The k slots of a key in probe order. The same slot may occur twice.
    pub fn locations<K: Key + ?Sized>(&self, key: &K) -> impl Iterator<Item = u64> + use<K, H> {
        self.geometry.slots(self.hash(key))
    }

    /// Removes all keys. The memory stays allocated.
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

    /// Bits of storage (m).
    pub fn size_bits(&self) -> u64 {
        self.geometry.size_bits()
    }

    /// Probes per key (k).
    pub fn hashes(&self) -> u32 {
        self.geometry.hashes()
    }

    /// m and k, which locate the slots of a key.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }

    /// The bits.
    pub fn bits(&self) -> &AtomicBitArray {
        &self.bits
    }

    /// A copy of the bits, which are those of a [`StandardBloom`](crate::StandardBloom) of this
    /// size and hasher. It contains every key whose insert returned before the call.
    ///
    /// # Errors
    ///
    /// [`SpecError::OutOfMemory`].
    pub fn to_bits(&self) -> Result<BitArray, SpecError> {
        self.bits.to_bits().map_err(out_of_memory)
    }

    pub(super) fn check_compatible(&self, other: &Self) -> Result<(), Incompatible> {
        let (here, there) = (self.geometry, other.geometry);
        Incompatible::unless_equal(Parameter::SizeBits, here.size_bits(), there.size_bits())?;
        Incompatible::unless_equal(Parameter::Hashes, here.hashes(), there.hashes())?;
        Incompatible::unless_same_hasher(&self.hasher, &other.hasher)
    }
}

impl AtomicBloom {
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

    /// A filter that uses `bits_per_key` bits for each of `capacity` keys, with the best number of
    /// hashes.
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

pub(super) fn out_of_memory(error: OutOfMemory) -> SpecError {
    SpecError::OutOfMemory { bytes: error.bytes }
}

bouquet_core::query_traits!([H: KeyHasher] AtomicBloom<H>);

bouquet_core::insert_traits!([H: KeyHasher] AtomicBloom<H>);

impl<H: KeyHasher + Sync> ConcurrentInsert for AtomicBloom<H> {
    fn insert_hash_shared(&self, hash: KeyHash) -> bool {
        self.insert_hash(hash)
    }
}

bouquet_core::bit_sets!([H: KeyHasher] AtomicBloom<H>);

/// Inserts the keys in batches, like [`insert_batch`](AtomicBloom::insert_batch).
impl<H: KeyHasher, K: Key> Extend<K> for AtomicBloom<H> {
    #[inline]
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        of_iter(keys, |keys| _ = self.insert_batch(keys));
    }
}

/// Two filters are equal if their geometry, hasher (with its seed) and bits are equal.
impl<H: KeyHasher> PartialEq for AtomicBloom<H> {
    fn eq(&self, other: &Self) -> bool {
        self.geometry == other.geometry && self.hasher == other.hasher && self.bits == other.bits
    }
}

impl<H: KeyHasher> Eq for AtomicBloom<H> {}

impl<H: KeyHasher> fmt::Debug for AtomicBloom<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AtomicBloom")
            .field("size_bits", &self.size_bits())
            .field("hashes", &self.hashes())
            .field("hasher", &self.hasher)
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}
