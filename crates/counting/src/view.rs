//! The view: a stored filter that answers queries from borrowed bytes.

use bouquet_bits::Counters;
use bouquet_core::{Key, KeyHash, KeyHasher, Spec, batch::Ready};
use bouquet_format::{DecodeError, InnerView, Record, View};
use bouquet_hash::Folded;

use crate::{
    CountingBloom, Geometry,
    batch::{all_nonzero, query},
    codec::geometry_of,
};

/// A stored [`CountingBloom`](crate::CountingBloom) that answers queries directly from its
/// bytes, which need not be aligned.
///
/// Opening reads only the header and compares the length, whatever the size. It does not detect
/// damage to the slots: [`verify`](View::verify) does, and reads all bytes. The
/// [statistics](bouquet_core::Inspect), which equal those of the filter, read all bytes too.
///
/// ```
/// use bouquet_counting::{CountingBloom, CountingView, View};
///
/// let stored = CountingBloom::from_keys(["rose", "tulip"], 0.001)?.encode();
/// let view: CountingView = View::open(&stored)?;
/// assert!(view.contains("rose") && !view.contains("daisy"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CountingView<'a, H: KeyHasher = Folded> {
    geometry: Geometry,
    hasher: H,
    pub(crate) record: Record<'a>,
}

impl<H: KeyHasher> CountingView<'_, H> {
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
        all_nonzero(self.counters(), self.geometry.slots(hash))
    }

    /// Queries many keys at once: `found[i]` becomes the answer of [`contains`](Self::contains)
    /// for `keys[i]`.
    ///
    /// Runs the same code as
    /// [`CountingBloom::contains_batch`](crate::CountingBloom::contains_batch), and is about as
    /// fast, for bytes at any address.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    #[inline]
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        query(self.geometry, self.counters(), &self.hasher, keys, found);
    }

    /// Same as [`contains_batch`](Self::contains_batch), for the hashes of the keys.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        query(self.geometry, self.counters(), Ready, hashes, found);
    }

    /// The estimated number of times that the key is present; see
    /// [`CountingBloom::estimated_count`](crate::CountingBloom::estimated_count).
    pub fn estimated_count<K: Key + ?Sized>(&self, key: &K) -> u32 {
        let slots = self.geometry.slots(self.hasher.hash_key(key));
        let counters = self.counters();
        slots.fold(u32::MAX, |least, slot| least.min(counters.get(slot).into()))
    }

    #[inline]
    fn counters(&self) -> Counters<'_, [[u8; 8]]> {
        Counters::new(self.record.words(), self.geometry.counter_bits())
    }

    /// The geometry: m, k, the counter width and the slot arithmetic.
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

impl<'a, H: KeyHasher> View<'a> for CountingView<'a, H> {
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

impl<'a, H: KeyHasher> InnerView<'a> for CountingView<'a, H> {
    type Filter = CountingBloom<H>;

    fn geometry(&self) -> Geometry {
        self.geometry
    }
}

bouquet_core::query_traits!([H: KeyHasher] CountingView<'_, H>);
