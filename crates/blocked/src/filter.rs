//! The filter type and its operations.

use core::fmt;

use bouquet_bits::{BitArray, OutOfMemory};
use bouquet_core::{Inner, Key, KeyHash, KeyHasher, Spec, SpecError, batch::of_iter, from_keys};
use bouquet_hash::Folded;

use crate::{
    Geometry, Layout, Words64,
    block::{Array, Best},
};

/// A blocked Bloom filter: all probes of a key go to one block.
///
/// ```
/// use bouquet_blocked::BlockedBloom;
///
/// let mut seen = BlockedBloom::new(1_000_000, 0.01)?; // a million keys at 1 %
/// assert!(seen.insert("rose")); // definitely new
/// assert!(!seen.insert("rose"));
/// assert!(seen.contains("rose") && !seen.contains("tulip"));
/// seen.extend(["lily", "iris"]);
/// assert!(seen.estimated_keys() > 2.5 && seen.estimated_fpr() < 0.01);
/// assert!(!seen.is_empty());
/// # Ok::<(), bouquet_blocked::SpecError>(())
/// ```
///
/// See the [crate documentation](crate) for its costs and for when to use another filter.
#[derive(Clone)]
// In this order, what each operation reads is together, in 40 bytes with the default hasher.
#[repr(C)]
pub struct BlockedBloom<L: Layout = Words64, H: KeyHasher = Folded> {
    pub(crate) hasher: H,
    /// The vector instructions that the processor has; ignored when filters are compared.
    best: Best,
    pub(crate) bits: Array<L>,
    /// The requested capacity and target FPR; ignored when filters are compared.
    pub(crate) spec: Spec,
}

impl BlockedBloom {
    /// Creates a filter for `capacity` different keys at an FPR of at most `target_fpr`, hashed
    /// with [`Folded`].
    ///
    /// # Errors
    ///
    /// [`SpecError`] if an argument is out of range, if the memory cannot be allocated, or if a
    /// target FPR below about 1e-9 would need more than [`MAX_RATIO`](crate::MAX_RATIO) times
    /// the bits of a standard filter.
    ///
    /// ```
    /// use bouquet_blocked::BlockedBloom;
    ///
    /// let filter = BlockedBloom::new(1_000_000, 0.01)?;
    /// assert_eq!((filter.size_bits(), filter.hashes()), (10_099_712, 8));
    /// # Ok::<(), bouquet_blocked::SpecError>(())
    /// ```
    #[doc(alias("reserve", "with_capacity", "with_false_pos", "with_rate"))]
    pub fn new(capacity: usize, target_fpr: f64) -> Result<Self, SpecError> {
        Self::with_hasher(Spec::new(capacity as u64, target_fpr)?, Folded::default())
    }
}

impl<L: Layout, H: KeyHasher> BlockedBloom<L, H> {
    /// Inserts a key; returns `true` if it was definitely not present before.
    ///
    /// Reads and writes one block.
    #[inline]
    #[doc(alias("add", "put", "set"))]
    pub fn insert<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        let hash = self.hash(key);
        self.insert_hash(hash)
    }

    /// Returns whether the filter may contain the key; `false` means that it is definitely
    /// absent.
    ///
    /// Reads one block.
    #[inline]
    #[doc(alias("check", "contains_key", "exists", "test"))]
    #[doc(alias("mightContain", "might_contain"))]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hash(key))
    }

    /// Creates a filter for `spec` in a layout of your choice, with the number of hashes that
    /// is optimal for that layout.
    ///
    /// # Errors
    ///
    /// Those of [`with_hasher`](BlockedBloom::with_hasher), and [`SpecError::Wasteful`] if a
    /// target FPR below 1e-6 would need more than [`MAX_RATIO`](crate::MAX_RATIO) times the
    /// bits of a standard filter. (A later stage of a scalable filter may need more: a filter
    /// that already has keys must not stop growing for that reason.)
    ///
    /// ```
    /// use bouquet_blocked::{BlockedBloom, Folded, Line, Spec};
    ///
    /// let spec = Spec::new(1_000_000, 0.01)?;
    /// let filter = BlockedBloom::<Line, _>::with_layout(spec, Folded::default())?;
    /// assert_eq!((filter.size_bits(), filter.hashes()), (9_918_464, 6));
    /// # Ok::<(), bouquet_blocked::SpecError>(())
    /// ```
    pub fn with_layout(spec: Spec, hasher: H) -> Result<Self, SpecError> {
        let geometry = Self::geometry_for(&spec)?;
        geometry.expect_economy(&spec)?;
        Self::with_geometry(geometry, spec, hasher)
    }

    /// Creates a filter with exactly `blocks` blocks of a layout.
    ///
    /// Its capacity is the number of keys that fill about half of it, ln(2) m/k, and its target
    /// FPR is the FPR expected at that capacity.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if there are no blocks or more than 2^48 bits of them, or if the memory
    /// cannot be allocated.
    ///
    /// ```
    /// use bouquet_blocked::{BlockedBloom, Folded, Line, Words64};
    ///
    /// let words = BlockedBloom::from_parts(100, Words64, Folded::default())?;
    /// let line = BlockedBloom::from_parts(100, Line::new(6)?, Folded::default())?;
    /// assert_eq!((words.size_bits(), line.size_bits()), (51_200, 51_200));
    /// # Ok::<(), bouquet_blocked::SpecError>(())
    /// ```
    pub fn from_parts(blocks: u64, layout: L, hasher: H) -> Result<Self, SpecError> {
        let geometry = Geometry::new(blocks, layout)?;
        Self::reaching(geometry, geometry.best_capacity(), hasher)
    }

    /// Creates an empty filter of a known geometry. The filter reports the capacity and the
    /// target FPR of `spec`, even if the geometry does not match them.
    ///
    /// This computes no sizes and only allocates the memory, which takes a tenth of a
    /// microsecond for small filters: a thousand filters of one geometry need a single search
    /// for it. [`Geometry::from_spec`] does that search, but considers only the blocks;
    /// [`with_layout`](Self::with_layout) also accounts for the probability that two keys have
    /// the same hash, and rejects a filter that needs too many bits.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if the memory cannot be allocated.
    ///
    /// ```
    /// use bouquet_blocked::{BlockedBloom, Folded, Geometry, Spec, Words64};
    ///
    /// let spec = Spec::new(1_000, 0.01)?;
    /// let geometry = Geometry::<Words64>::from_spec(&spec)?;
    /// let make = || BlockedBloom::with_geometry(geometry, spec, Folded::default());
    /// let many: Vec<BlockedBloom> = (0..100).map(|_| make()).collect::<Result<_, _>>()?;
    /// assert!(many.iter().all(|filter| filter.size_bits() == geometry.size_bits()));
    /// # Ok::<(), bouquet_blocked::SpecError>(())
    /// ```
    pub fn with_geometry(geometry: Geometry<L>, spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::over(
            BitArray::in_lines(geometry.size_bits()),
            geometry,
            spec,
            hasher,
        )
    }

    /// Creates the filter of this geometry over `bits`, unless `bits` is an allocation error.
    pub(crate) fn over(
        bits: Result<BitArray, OutOfMemory>,
        geometry: Geometry<L>,
        spec: Spec,
        hasher: H,
    ) -> Result<Self, SpecError> {
        let bits = bits.map_err(|error| SpecError::OutOfMemory { bytes: error.bytes })?;
        Ok(Self::of(Array::new(bits, geometry), spec, hasher))
    }

    pub(crate) fn of(bits: Array<L>, spec: Spec, hasher: H) -> Self {
        let best = Best::here();
        Self {
            bits,
            hasher,
            best,
            spec,
        }
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
        let (layout, best) = (self.bits.geometry().layout(), self.best);
        let (block, probe) = self.bits.block_mut(hash);
        layout.take(best, block, probe)
    }

    /// Returns whether the filter may contain the key with this hash; `false` means that it is
    /// definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        let (block, probe) = self.bits.block(hash);
        self.bits.geometry().layout().holds(self.best, block, probe)
    }

    /// The k slots of a key, in probe order, as bit numbers in the whole filter.
    pub fn locations<K: Key + ?Sized>(&self, key: &K) -> impl Iterator<Item = u64> + use<K, L, H> {
        self.geometry().slots(self.hash(key))
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
        self.geometry().size_bits()
    }

    /// Probes per key (k).
    pub fn hashes(&self) -> u32 {
        self.geometry().hashes()
    }

    /// The geometry: the number of blocks, their layout and the slot arithmetic.
    pub fn geometry(&self) -> Geometry<L> {
        self.bits.geometry()
    }

    /// The hasher, with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }

    /// The bit array.
    pub fn bits(&self) -> &BitArray {
        self.bits.bits()
    }
}

impl BlockedBloom {
    /// Creates a filter of the given keys, sized for their number (repeats included).
    ///
    /// Needs 16 bytes of memory per key until all keys are read.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new).
    ///
    /// ```
    /// use bouquet_blocked::BlockedBloom;
    ///
    /// let filter = BlockedBloom::from_keys(["rose", "tulip"], 0.001)?;
    /// assert!(filter.contains("rose") && filter.contains("tulip"));
    /// # Ok::<(), bouquet_blocked::SpecError>(())
    /// ```
    pub fn from_keys<K: Key>(
        keys: impl IntoIterator<Item = K>,
        target_fpr: f64,
    ) -> Result<Self, SpecError> {
        from_keys(keys, target_fpr, Folded::default(), Self::with_hasher)
    }

    /// Creates a filter with `bits_per_key` bits for each of `capacity` keys, rounded up to
    /// whole blocks.
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

impl<H: KeyHasher> BlockedBloom<Words64, H> {
    /// Creates a filter for `spec` with a hasher of your choice: one with another seed,
    /// [`Xxh3Wide`](crate::Xxh3Wide) for a very low FPR, `SipKeyed` for adversarial keys, or
    /// your own.
    ///
    /// # Errors
    ///
    /// Those of [`new`](BlockedBloom::new), and [`SpecError::BelowHashFloor`] if the hasher has
    /// too few bits for the target.
    pub fn with_hasher(spec: Spec, hasher: H) -> Result<Self, SpecError> {
        Self::with_layout(spec, hasher)
    }
}

bouquet_core::query_traits!([L: Layout, H: KeyHasher] BlockedBloom<L, H>);

bouquet_core::insert_traits!([L: Layout, H: KeyHasher] BlockedBloom<L, H>);

bouquet_core::bit_sets!([L: Layout, H: KeyHasher] BlockedBloom<L, H>);

/// Inserts the keys in batches, like [`insert_batch`](BlockedBloom::insert_batch).
impl<K: Key, L: Layout, H: KeyHasher> Extend<K> for BlockedBloom<L, H> {
    #[inline]
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        of_iter(keys, |keys| _ = self.insert_batch(keys));
    }
}

/// Filters are equal if their geometries, hashers (with seeds) and bits are equal.
impl<L: Layout, H: KeyHasher> PartialEq for BlockedBloom<L, H> {
    fn eq(&self, other: &Self) -> bool {
        self.hasher == other.hasher && self.bits == other.bits
    }
}

impl<L: Layout, H: KeyHasher> Eq for BlockedBloom<L, H> {}

impl<L: Layout, H: KeyHasher> fmt::Debug for BlockedBloom<L, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockedBloom")
            .field("layout", &self.geometry().layout())
            .field("blocks", &self.geometry().blocks())
            .field("size_bits", &self.size_bits())
            .field("hasher", &self.hasher)
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}
