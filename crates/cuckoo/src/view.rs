//! A view of the filter in borrowed bytes.

use bouquet_core::{Filter, Key, KeyHash, KeyHasher, Prehashed, Spec};
use bouquet_format::{DecodeError, Record, View};
use bouquet_hash::Folded;

use crate::{
    Geometry,
    codec::{check, geometry_of},
    room::Entry,
    table::{place, slots},
};

/// A stored [`CuckooFilter`](crate::CuckooFilter) that answers queries directly from its bytes,
/// which need not be aligned.
///
/// Opening a view checks only the header and the length, so it takes the same time for every size.
/// It does not detect damaged slots; [`verify`](View::verify) does, and reads all bytes.
/// [`estimated_fpr`](Self::estimated_fpr) reads all bytes too. All
/// [statistics](bouquet_core::Inspect) are those of the filter.
///
/// ```
/// use bouquet_cuckoo::{CuckooFilter, CuckooView, View};
///
/// let stored = CuckooFilter::from_keys(["rose", "tulip"], 0.001)?.encode();
/// let view: CuckooView = View::open(&stored)?;
/// assert!(view.contains("rose") && !view.contains("daisy"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CuckooView<'a, H: KeyHasher = Folded> {
    pub(crate) geometry: Geometry,
    hasher: H,
    /// The victim: the fingerprint that has no slot, if there is one.
    pub(crate) victim: Option<Entry>,
    pub(crate) record: Record<'a>,
}

impl<H: KeyHasher> CuckooView<'_, H> {
    /// Whether the filter may contain the key; `false`: it is definitely absent.
    #[inline]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hasher.hash_key(key))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        let entry = Entry::new(self.geometry, hash);
        self.bucket(entry.bucket).contains(&entry.fingerprint)
            || self
                .bucket(entry.partner(self.geometry))
                .contains(&entry.fingerprint)
            || self
                .victim
                .is_some_and(|victim| victim.is_same(entry, self.geometry))
    }

    #[inline]
    pub(crate) fn bucket(&self, bucket: u64) -> [u32; 4] {
        let width = self.geometry.fingerprint_bits();
        let place = place(bucket, width);
        let first = place.word as u64;
        let (word, next) = (self.record.word(first), self.record.word(first + 1));
        slots(word, next, &place, width)
    }

    /// The number of buckets and the width of fingerprints, which locate the keys.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The capacity and the target FPR for which the filter is sized.
    pub fn spec(&self) -> Spec {
        self.record.header.spec()
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }
}

impl<'a, H: KeyHasher> View<'a> for CuckooView<'a, H> {
    type Hasher = H;

    fn of(record: Record<'a>, hasher: &H) -> Result<Self, DecodeError> {
        let (geometry, victim) = geometry_of(&record.header)?;
        Ok(Self {
            geometry,
            hasher: hasher.clone(),
            victim,
            record,
        })
    }

    fn check(&self) -> Result<(), DecodeError> {
        self.record.expect_zero_from(self.geometry.size_bits())?;
        let header = &self.record.header;
        check(header, self.geometry, self.victim, |i| self.bucket(i))
    }
}

impl<H: KeyHasher> Filter for CuckooView<'_, H> {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        self.contains(key)
    }
}

impl<H: KeyHasher> Prehashed for CuckooView<'_, H> {
    type Hash = KeyHash;

    fn hash_key(&self, key: &[u8]) -> KeyHash {
        self.hasher.hash(key)
    }

    fn contains_hash(&self, hash: KeyHash) -> bool {
        self.contains_hash(hash)
    }
}
