//! The view: a stored filter that answers queries from borrowed bytes.

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

/// A stored [`BlockedBloom`](crate::BlockedBloom) that answers queries directly from its bytes,
/// which need not be aligned.
///
/// Opening reads only the header and compares the length, whatever the size. It does not detect
/// damage to the slots: [`verify`](View::verify) does, and reads all bytes. The
/// [statistics](bouquet_core::Inspect), which equal those of the filter, read all bytes too.
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
        // Queried as a batch of one, whose code loads a block from any address. For the code of
        // single keys the block would first have to be copied, which takes two to three times
        // as long again.
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

    /// Queries many keys at once: `found[i]` becomes the answer of [`contains`](Self::contains)
    /// for `keys[i]`.
    ///
    /// Runs the same code as
    /// [`BlockedBloom::contains_batch`](crate::BlockedBloom::contains_batch), and is as fast if
    /// the bytes begin at a cache line, as those of a mapped file do. Otherwise a block may lie
    /// in two lines: that takes up to 1.5 times as long in the caches, and 1.5 to 2.5 times if
    /// both lines come from memory, most with [`Line`](crate::Line).
    ///
    /// For single keys, a view takes 1.2 to 2 times as long as the filter; with
    /// [`Line`](crate::Line), whose blocks are copied first, up to 4 times in the innermost
    /// caches.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    #[inline]
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        self.query(keys, &self.hasher, found);
    }

    /// Same as [`contains_batch`](Self::contains_batch), for the hashes of the keys.
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

    /// The geometry: the number of blocks, their layout and the slot arithmetic.
    pub fn geometry(&self) -> Geometry<L> {
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
