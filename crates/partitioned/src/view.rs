//! The view: a stored filter that answers queries from borrowed bytes.

use bouquet_core::{Key, KeyHash, KeyHasher, Spec, batch::Ready};
use bouquet_format::{DecodeError, InnerView, Record, View};
use bouquet_hash::{Folded, scheme::array};

use crate::{Geometry, PartitionedBloom, codec::geometry_of};

/// A stored [`PartitionedBloom`](crate::PartitionedBloom) that answers queries directly from
/// its bytes, which need not be aligned.
///
/// Opening reads only the header and compares the length, whatever the size. It does not detect
/// damage to the slots: [`verify`](View::verify) does, and reads all bytes. The
/// [statistics](bouquet_core::Inspect), which equal those of the filter, read all bytes too.
///
/// ```
/// use bouquet_partitioned::{PartitionedBloom, PartitionedView, View};
///
/// let stored = PartitionedBloom::from_keys(["rose", "tulip"], 0.001)?.encode();
/// let view: PartitionedView = View::open(&stored)?;
/// assert!(view.contains("rose") && !view.contains("daisy"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PartitionedView<'a, H: KeyHasher = Folded> {
    geometry: Geometry,
    hasher: H,
    pub(crate) record: Record<'a>,
}

impl<H: KeyHasher> PartitionedView<'_, H> {
    /// Returns whether the filter may contain the key; `false` means that it is definitely
    /// absent.
    #[inline]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hasher.hash_key(key))
    }

    /// Returns whether the filter may contain the key with this hash; `false` means that it is
    /// definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        array::contains(self.geometry, self.record.words(), hash)
    }

    /// Queries many keys at once: `found[i]` becomes the answer of [`contains`](Self::contains)
    /// for `keys[i]`.
    ///
    /// Runs the same code as
    /// [`PartitionedBloom::contains_batch`](crate::PartitionedBloom::contains_batch), and is
    /// about as fast, for bytes at any address.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    #[inline]
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        array::contains_batch(
            self.geometry,
            self.record.words(),
            &self.hasher,
            keys,
            found,
        );
    }

    /// Same as [`contains_batch`](Self::contains_batch), for the hashes of the keys.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        array::contains_batch(self.geometry, self.record.words(), Ready, hashes, found);
    }

    /// The geometry: m, k, s and the slot arithmetic.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The spec that the filter is sized for: capacity and target FPR.
    pub fn spec(&self) -> Spec {
        self.record.header.spec()
    }

    /// The hasher, with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }
}

impl<'a, H: KeyHasher> View<'a> for PartitionedView<'a, H> {
    type Hasher = H;

    fn of(record: Record<'a>, hasher: &H) -> Result<Self, DecodeError> {
        Ok(Self {
            geometry: geometry_of(&record.header)?,
            hasher: hasher.clone(),
            record,
        })
    }

    fn check(&self) -> Result<(), DecodeError> {
        self.record.expect_zero_from(self.geometry.size_bits())
    }
}

impl<'a, H: KeyHasher> InnerView<'a> for PartitionedView<'a, H> {
    type Filter = PartitionedBloom<H>;

    fn geometry(&self) -> Geometry {
        self.geometry
    }
}

bouquet_core::query_traits!([H: KeyHasher] PartitionedView<'_, H>);
