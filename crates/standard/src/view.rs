//! The filter over borrowed bytes.

use bouquet_core::{Key, KeyHash, KeyHasher, Spec, batch::Ready};
use bouquet_format::{DecodeError, InnerView, Record, View};
use bouquet_hash::{Folded, scheme::array};

use crate::{Geometry, StandardBloom};

/// A stored [`StandardBloom`](crate::StandardBloom) that answers in place, from
/// bytes that need not be aligned.
///
/// Opening reads the header and the length, whatever the size. It does not find
/// damage to the slots: [`verify`](View::verify) does, and reads all. So do the
/// [statistics](bouquet_core::Inspect), which are those of the filter.
///
/// ```
/// use bouquet_standard::{StandardBloom, StandardView, View};
///
/// let stored = StandardBloom::from_keys(["rose", "tulip"], 0.001)?.encode();
/// let view: StandardView = View::open(&stored)?;
/// assert!(view.contains("rose") && !view.contains("daisy"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StandardView<'a, H: KeyHasher = Folded> {
    geometry: Geometry,
    hasher: H,
    pub(crate) record: Record<'a>,
}

impl<H: KeyHasher> StandardView<'_, H> {
    /// Whether the filter may contain the key; `false`: it is definitely absent.
    #[inline]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hasher.hash_key(key))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        array::contains(self.geometry, self.record.words(), hash)
    }

    /// Queries many keys at once: `found[i]` answers for `keys[i]`, as
    /// [`contains`](Self::contains) does.
    ///
    /// The same code as [`StandardBloom::contains_batch`](crate::StandardBloom::contains_batch), and about as
    /// fast, from bytes at any address.
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

    /// [`contains_batch`](Self::contains_batch) by the keys' hashes.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        array::contains_batch(self.geometry, self.record.words(), Ready, hashes, found);
    }

    /// m and k, with the slot arithmetic.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// What the filter is sized for.
    pub fn spec(&self) -> Spec {
        self.record.header.spec()
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }
}

impl<'a, H: KeyHasher> View<'a> for StandardView<'a, H> {
    type Hasher = H;

    fn of(record: Record<'a>, hasher: &H) -> Result<Self, DecodeError> {
        Ok(Self {
            geometry: Geometry::from_header(&record.header)?,
            hasher: hasher.clone(),
            record,
        })
    }

    fn check(&self) -> Result<(), DecodeError> {
        self.record.expect_zero_from(self.geometry.size_bits())
    }
}

impl<'a, H: KeyHasher> InnerView<'a> for StandardView<'a, H> {
    type Filter = StandardBloom<H>;

    fn geometry(&self) -> Geometry {
        self.geometry
    }
}

bouquet_core::query_traits!([H: KeyHasher] StandardView<'_, H>);
