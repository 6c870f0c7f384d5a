//! The filter over borrowed bytes.

use bouquet_core::{
    Key, KeyHash, KeyHasher, Spec,
    batch::{Hashes, Ready},
};
use bouquet_format::{DecodeError, InnerView, Record, View};
use bouquet_hash::Folded;

use crate::{
    BlockedBloom, Geometry, Layout, Words64, batch,
    block::{self, Best, Block, Stored},
    codec::geometry_of,
};

/// A stored [`BlockedBloom`](crate::BlockedBloom) that answers in place, from
/// bytes that need not be aligned.
///
/// Opening reads the header and the length, whatever the size. It does not find
/// damage to the slots: [`verify`](View::verify) does, and reads all. So do the
/// [statistics](bouquet_core::Inspect), which are those of the filter.
///
/// ```
/// use bouquet_blocked::{BlockedBloom, BlockedView, View};
///
/// let stored = BlockedBloom::from_keys(["rose", "tulip"], 0.001)?.encode();
/// let view: BlockedView = View::open(&stored)?;
/// assert!(view.contains("rose") && !view.contains("daisy"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlockedView<'a, L: Layout = Words64, H: KeyHasher = Folded> {
    geometry: Geometry<L>,
    hasher: H,
    pub(crate) record: Record<'a>,
    best: Best,
}

impl<L: Layout, H: KeyHasher> BlockedView<'_, L, H> {
    /// Whether the filter may contain the key; `false`: it is definitely absent.
    #[inline]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hasher.hash_key(key))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        // As a batch of one, whose code loads a block from wherever it lies. For that of single
        // keys it would have to be copied first, which takes two to three times as long again.
        let (blocks, hash) = (self.blocks(), [hash]);
        let mut found = [false];
        block::hold_all_by(
            self.best,
            self.geometry,
            blocks,
            &hash,
            |hash| *hash,
            &mut found,
        );
        found[0]
    }

    /// Queries many keys at once: `found[i]` answers for `keys[i]`, as
    /// [`contains`](Self::contains) does.
    ///
    /// The same code as [`BlockedBloom::contains_batch`](crate::BlockedBloom::contains_batch), and as
    /// fast where the bytes begin with a cache line, as those of a mapped file do. Elsewhere a block
    /// may lie in two lines: that takes up to 1.5 times as long in the caches, and 1.5 to 2.5
    /// times where both come from memory, with [`Line`](crate::Line) the most.
    ///
    /// One key at a time a view takes 1.2 to 2 times as long as the filter; with
    /// [`Line`](crate::Line), whose blocks are copied first, up to 4 times in the nearest caches.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    #[inline]
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        self.query(keys, &self.hasher, found);
    }

    /// [`contains_batch`](Self::contains_batch) by the keys' hashes.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        self.query(hashes, Ready, found);
    }

    #[inline]
    fn query<K>(&self, keys: &[K], hashing: impl Hashes<K>, found: &mut [bool]) {
        let words = self.record.words();
        batch::query(self.geometry, words, self.blocks(), keys, hashing, found);
    }

    #[inline]
    fn blocks(&self) -> Stored<'_, L::Block> {
        Stored(L::Block::all_stored(self.record.words()))
    }

    /// Blocks and layout, with the slot arithmetic.
    pub fn geometry(&self) -> Geometry<L> {
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

impl<'a, L: Layout, H: KeyHasher> View<'a> for BlockedView<'a, L, H> {
    type Hasher = H;

    fn of(record: Record<'a>, hasher: &H) -> Result<Self, DecodeError> {
        Ok(Self {
            geometry: geometry_of(&record.header)?,
            hasher: hasher.clone(),
            record,
            best: Best::here(),
        })
    }

    fn check(&self) -> Result<(), DecodeError> {
        self.record.expect_zero_from(self.geometry.size_bits())
    }
}

impl<'a, L: Layout, H: KeyHasher> InnerView<'a> for BlockedView<'a, L, H> {
    type Filter = BlockedBloom<L, H>;

    fn geometry(&self) -> Geometry<L> {
        self.geometry
    }
}

bouquet_core::query_traits!([L: Layout, H: KeyHasher] BlockedView<'_, L, H>);
