//! The binary fuse filter.

use bouquet_bits::ByteArray;
use bouquet_core::{Key, KeyHash, KeyHasher, Spec};
use bouquet_hash::Folded;

use crate::{BuildError, Builder, Fingerprint, Geometry, build::word, table::Table};

/// The binary fuse filter: built once of all its keys, it keeps a fingerprint of each in 9/8 of the
/// fingerprint's bits. Keys cannot be added or removed later.
///
/// ```
/// use bouquet_fuse::FuseFilter;
///
/// let filter = FuseFilter::from_keys(["rose", "tulip"])?;
/// assert!(filter.contains("rose") && !filter.contains("daisy"));
/// # Ok::<(), bouquet_fuse::BuildError>(())
/// ```
///
/// See the [crate documentation](crate) for its costs and for when to use another filter.
#[derive(Clone, Debug)]
pub struct FuseFilter<F: Fingerprint = u8, H: KeyHasher = Folded> {
    pub(crate) table: Table<F>,
    pub(crate) hasher: H,
    pub(crate) array: ByteArray,
    /// Different keys.
    pub(crate) keys: u64,
    /// The keys that the filter is sized for, and its FPR; not compared by `==`.
    pub(crate) spec: Spec,
}

impl FuseFilter {
    /// A filter of these keys with fingerprints of 8 bits, hashed with [`Folded`]. Repeated keys
    /// count once. For other fingerprints, hashers or more keys than memory see [`Builder`].
    ///
    /// # Errors
    ///
    /// [`BuildError`]: the memory cannot be allocated.
    ///
    /// ```
    /// use bouquet_fuse::FuseFilter;
    ///
    /// let filter = FuseFilter::from_keys(0..1_000_000_u64)?;
    /// assert!((0..1_000_000_u64).all(|key| filter.contains(&key)));
    /// assert!(filter.size_bits() < 9_100_000);
    /// # Ok::<(), bouquet_fuse::BuildError>(())
    /// ```
    pub fn from_keys<K: Key>(keys: impl IntoIterator<Item = K>) -> Result<Self, BuildError> {
        Builder::new(Folded::new()).from_keys(keys)
    }
}

impl<F: Fingerprint, H: KeyHasher> FuseFilter<F, H> {
    /// Whether the filter may contain the key; `false`: it is definitely absent.
    ///
    /// Reads three slots, in segments that follow each other.
    #[inline]
    #[doc(alias("check", "contains_key", "exists", "test"))]
    #[doc(alias("mightContain", "might_contain"))]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hash(key))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        self.table.contains(self.array.bytes(), word(hash))
    }

    /// The hash of a key. It is valid for every filter with an equal hasher.
    #[inline]
    pub fn hash<K: Key + ?Sized>(&self, key: &K) -> KeyHash {
        self.hasher.hash_key(key)
    }

    pub(crate) fn of(
        geometry: Geometry,
        array: ByteArray,
        keys: u64,
        spec: Spec,
        hasher: H,
    ) -> Self {
        Self {
            table: Table::new(geometry, array.bytes()),
            hasher,
            array,
            keys,
            spec,
        }
    }

    /// The exact number of different keys; two keys with the same hash are one.
    pub fn keys(&self) -> u64 {
        self.keys
    }

    /// Keys the filter is sized for (n): its own, and at least 1.
    pub fn capacity(&self) -> u64 {
        self.spec.capacity()
    }

    /// Bits of storage (m): the slots times the width of a fingerprint.
    pub fn size_bits(&self) -> u64 {
        self.geometry().size_bits()
    }

    /// The number of probes per key (k): three slots.
    pub fn hashes(&self) -> u32 {
        3
    }

    /// The sizes that locate the keys.
    pub fn geometry(&self) -> Geometry {
        self.table.geometry
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }
}

bouquet_core::query_traits!([F: Fingerprint, H: KeyHasher] FuseFilter<F, H>);

/// Two filters are equal if their sizes, hasher (with its seed) and fingerprints are equal; filters
/// of the same keys are.
impl<F: Fingerprint, H: KeyHasher> PartialEq for FuseFilter<F, H> {
    fn eq(&self, other: &Self) -> bool {
        self.geometry() == other.geometry()
            && self.hasher == other.hasher
            && self.array == other.array
    }
}

impl<F: Fingerprint, H: KeyHasher> Eq for FuseFilter<F, H> {}
