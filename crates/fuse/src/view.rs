//! A view of the filter in borrowed bytes.

use bouquet_core::{Filter, Key, KeyHash, KeyHasher, Prehashed, Spec};
use bouquet_format::{DecodeError, Record, View};
use bouquet_hash::Folded;

use crate::{
    Fingerprint, Geometry,
    build::word,
    codec::{check, geometry_of},
    table::{Table, bytes_of},
};

/// A stored [`FuseFilter`](crate::FuseFilter) that answers queries directly from its bytes, which
/// need not be aligned.
///
/// Opening a view checks only the header and the length, so it takes the same time for every size.
/// It does not detect damaged slots; [`verify`](View::verify) does, and reads all bytes. All
/// [statistics](bouquet_core::Inspect) are those of the filter.
///
/// ```
/// use bouquet_fuse::{FuseFilter, FuseView, View};
///
/// let stored = FuseFilter::from_keys(["rose", "tulip"])?.encode();
/// let view: FuseView = View::open(&stored)?;
/// assert!(view.contains("rose") && !view.contains("daisy"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FuseView<'a, F: Fingerprint = u8, H: KeyHasher = Folded> {
    table: Table<F>,
    hasher: H,
    record: Record<'a>,
}

impl<F: Fingerprint, H: KeyHasher> FuseView<'_, F, H> {
    /// Whether the filter may contain the key; `false`: it is definitely absent.
    #[inline]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hasher.hash_key(key))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        self.table.contains(self.record.payload, word(hash))
    }

    /// The exact number of different keys, as the header has it.
    pub fn keys(&self) -> u64 {
        self.record.header.keys()
    }

    /// The sizes that locate the keys.
    pub fn geometry(&self) -> Geometry {
        self.table.geometry
    }

    /// The capacity and the FPR.
    pub fn spec(&self) -> Spec {
        self.record.header.spec()
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }
}

impl<'a, F: Fingerprint, H: KeyHasher> View<'a> for FuseView<'a, F, H> {
    type Hasher = H;

    fn of(record: Record<'a>, hasher: &H) -> Result<Self, DecodeError> {
        let geometry = geometry_of::<F>(&record.header)?;
        Ok(Self {
            table: Table::new(geometry, record.payload),
            hasher: hasher.clone(),
            record,
        })
    }

    fn check(&self) -> Result<(), DecodeError> {
        let geometry = self.geometry();
        self.record.expect_zero_from(8 * bytes_of(geometry))?;
        check(&self.record.header, geometry, self.record.payload)
    }
}

impl<F: Fingerprint, H: KeyHasher> Filter for FuseView<'_, F, H> {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        self.contains(key)
    }
}

impl<F: Fingerprint, H: KeyHasher> Prehashed for FuseView<'_, F, H> {
    type Hash = KeyHash;

    fn hash_key(&self, key: &[u8]) -> KeyHash {
        self.hasher.hash(key)
    }

    fn contains_hash(&self, hash: KeyHash) -> bool {
        self.contains_hash(hash)
    }
}
