//! Queries and inserts of many keys at once.

use bouquet_bits::Words;
use bouquet_core::{
    Key, KeyHash, KeyHasher,
    batch::{self, Hashes, Ready},
};

use crate::{
    BlockedBloom, Geometry, Layout,
    block::{self, Array, Block, Blocks},
};

impl<L: Layout, H: KeyHasher> BlockedBloom<L, H> {
    /// Queries many keys at once: `found[i]` becomes the answer of [`contains`](Self::contains)
    /// for `keys[i]`.
    ///
    /// On x86-64 with AVX2 or AVX-512 and on AArch64, the words of a block are tested together.
    /// In a filter above 8 MiB the blocks of 32 keys are fetched in parallel. That is done
    /// above 256 KiB already if a key needs more work: if it has more than 16 bytes or no fixed
    /// length, if the hasher has a secret key, or with the layout [`Line`](crate::Line), whose
    /// bits are tested one after the other. While the filter fits in the innermost caches, a
    /// batch with `Line` takes up to a sixth longer than single queries, and its inserts up to
    /// half as long again. Allocates nothing.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    ///
    /// ```
    /// use bouquet_blocked::BlockedBloom;
    ///
    /// let mut filter = BlockedBloom::new(1_000, 0.01)?;
    /// assert_eq!(filter.insert_batch(&["rose", "tulip", "rose"]), 2);
    /// let mut found = [false; 3];
    /// filter.contains_batch(&["tulip", "daisy", "rose"], &mut found);
    /// assert_eq!(found, [true, false, true]);
    /// # Ok::<(), bouquet_blocked::SpecError>(())
    /// ```
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

    /// Inserts keys in order and returns how many were definitely new.
    ///
    /// The resulting filter is the same as with [`insert`](Self::insert) for each key. It is
    /// faster than single inserts in the same cases and for the same reasons as
    /// [`contains_batch`](Self::contains_batch).
    #[inline]
    pub fn insert_batch<K: Key>(&mut self, keys: &[K]) -> usize {
        let mut new = 0;
        self.take_keys(keys, |_, is_new| new += usize::from(is_new));
        new
    }

    /// Same as [`insert_batch`](Self::insert_batch), for the hashes of the keys.
    pub fn insert_hash_batch(&mut self, hashes: &[KeyHash]) -> usize {
        let mut new = 0;
        self.take_hashes(hashes, |_, is_new| new += usize::from(is_new));
        new
    }

    /// Inserts keys in order: `new[i]` becomes whether key `i` was definitely new.
    #[inline]
    pub(crate) fn insert_each<K: Key>(&mut self, keys: &[K], new: &mut [bool]) {
        assert_eq!(keys.len(), new.len(), "one answer per key");
        self.take_keys(keys, |i, is_new| new[i] = is_new);
    }

    /// Same as [`insert_each`](Self::insert_each), for the hashes of the keys.
    pub(crate) fn insert_hash_each(&mut self, hashes: &[KeyHash], new: &mut [bool]) {
        assert_eq!(hashes.len(), new.len(), "one answer per key");
        self.take_hashes(hashes, |i, is_new| new[i] = is_new);
    }

    #[inline]
    fn take_keys<K: Key>(&mut self, keys: &[K], tell: impl FnMut(usize, bool)) {
        take(&mut self.bits, keys, &self.hasher, tell);
    }

    #[inline]
    fn take_hashes(&mut self, hashes: &[KeyHash], tell: impl FnMut(usize, bool)) {
        take(&mut self.bits, hashes, Ready, tell);
    }

    #[inline]
    fn query<K>(&self, keys: &[K], hashing: impl Hashes<K>, found: &mut [bool]) {
        let words = self.bits.bits().words();
        let blocks = L::Block::all(words);
        query(self.bits.geometry(), words, blocks, keys, hashing, found);
    }
}

/// Whether a key needs so little work, and the memory is so near, that the processor overlaps
/// the cache lines of many keys by itself. In that case, storing hashes and prefetching takes
/// up to twice as long.
#[inline]
fn is_quick<L: Layout, K, S: Hashes<K>>(geometry: Geometry<L>) -> bool {
    L::IS_QUICK && S::ARE_QUICK && geometry.size_bits() <= batch::FAR_BITS
}

/// Queries blocks, either an array's own or those in a file; `words` are the words of these
/// blocks.
#[inline]
pub(crate) fn query<L: Layout, K, S: Hashes<K>>(
    geometry: Geometry<L>,
    words: &(impl Words + ?Sized),
    blocks: impl Blocks<L::Block>,
    keys: &[K],
    hashing: S,
    found: &mut [bool],
) {
    assert_eq!(keys.len(), found.len(), "one answer per key");
    let is_quick = is_quick::<L, K, S>(geometry);
    if is_quick && !S::IN_BATCHES {
        block::hold_all(geometry, blocks, keys, |key| hashing.one(key), found);
        return;
    }
    let fetch = |_: &[bool], hashes: &[KeyHash]| {
        if !is_quick && words.prefetch_pays() {
            prefetch(geometry, words, hashes);
        }
    };
    let is_far = geometry.size_bits() > batch::FAR_BITS;
    batch::in_chunks(
        keys,
        is_far,
        hashing,
        found,
        fetch,
        |found, first, hashes| {
            let found = &mut found[first..][..hashes.len()];
            block::hold_all(geometry, blocks, hashes, |hash| *hash, found);
        },
    );
}

/// Inserts keys in order and reports for each key its index and whether it was definitely new.
#[inline]
pub(crate) fn take<L: Layout, K, S: Hashes<K>>(
    bits: &mut Array<L>,
    keys: &[K],
    hashing: S,
    mut tell: impl FnMut(usize, bool),
) {
    let geometry = bits.geometry();
    let is_quick = is_quick::<L, K, S>(geometry);
    if is_quick && !S::IN_BATCHES {
        let words = bits.words_mut();
        block::take_all(geometry, words, keys, |key| hashing.one(key), tell);
        return;
    }
    let fetch = |bits: &Array<L>, hashes: &[KeyHash]| {
        if !is_quick && bits.bits().prefetch_pays() {
            prefetch(geometry, bits.bits().words(), hashes);
        }
    };
    let is_far = geometry.size_bits() > batch::FAR_BITS;
    batch::in_chunks(keys, is_far, hashing, bits, fetch, |bits, first, hashes| {
        let tell = |i, is_new| tell(first + i, is_new);
        block::take_all(geometry, bits.words_mut(), hashes, |hash| *hash, tell);
    });
}

#[inline]
fn prefetch<L: Layout>(geometry: Geometry<L>, words: &(impl Words + ?Sized), hashes: &[KeyHash]) {
    for hash in hashes {
        let (block, _) = geometry.place(*hash);
        let first = block as u64 * L::BLOCK_BITS;
        words.prefetch_bit(first);
        if words.splits_lines() {
            words.prefetch_bit(first + L::BLOCK_BITS - 1);
        }
    }
}
