//! Statistics of the filter's current contents.

use bouquet_core::{Inspect, KeyHasher, math::with_hash_floor};

use crate::{BlockedBloom, BlockedView, Layout, block::Block};

impl<L: Layout, H: KeyHasher> BlockedBloom<L, H> {
    /// Whether the filter seems to have more keys than the target FPR allows: whether its
    /// estimated FPR is above the target.
    ///
    /// At capacity the expected FPR is just below the target, and the FPR varies from filter to
    /// filter by about k/sqrt(m) of its value; so close to capacity the answer can be either.
    /// Scans all bits.
    pub fn is_over_capacity(&self) -> bool {
        self.estimated_fpr() > self.target_fpr()
    }

    /// The estimated number of different keys that can still be inserted before the target FPR
    /// is exceeded, computed from the bits; 0 if it is exceeded already. Scans all bits.
    pub fn keys_left(&self) -> u64 {
        let until = self
            .geometry()
            .keys_until_fpr(self.target_fpr(), self.capacity());
        // The cast saturates: a negative difference becomes 0.
        (until as f64 - self.estimated_keys()) as u64
    }
}

bouquet_core::inherent_statistics!([L: Layout, H: KeyHasher] BlockedBloom<L, H>);

impl<L: Layout, H: KeyHasher> Inspect for BlockedBloom<L, H> {
    fn capacity(&self) -> u64 {
        self.capacity()
    }

    fn size_bits(&self) -> u64 {
        self.size_bits()
    }

    fn hashes(&self) -> u32 {
        self.hashes()
    }

    fn fill_ratio(&self) -> f64 {
        self.bits().count_ones() as f64 / self.size_bits() as f64
    }

    fn is_empty(&self) -> bool {
        self.bits().first_set().is_none()
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.bits().memory_bytes()
    }

    fn expected_fpr(&self, keys: u64) -> f64 {
        with_hash_floor(self.geometry().expected_fpr(keys), keys, H::HASH_BITS)
    }

    fn estimated_fpr(&self) -> f64 {
        let blocks = L::Block::all(self.bits().words());
        self.geometry().estimated_fpr(blocks.iter().copied())
    }

    fn estimated_keys(&self) -> f64 {
        self.geometry().estimated_keys(self.fill_ratio())
    }
}

bouquet_core::inspect_view! {
    [L: Layout, H: KeyHasher] BlockedView<'_, L, H>;

    fn fill_ratio(&self) -> f64 {
        self.record.count_ones(self.size_bits()) as f64 / self.size_bits() as f64
    }

    fn expected_fpr(&self, keys: u64) -> f64 {
        with_hash_floor(self.geometry().expected_fpr(keys), keys, H::HASH_BITS)
    }

    fn estimated_fpr(&self) -> f64 {
        let stored = L::Block::all_stored(self.record.words());
        let blocks = stored.iter().take(self.geometry().blocks() as usize);
        let blocks = blocks.map(L::Block::of);
        self.record.pass(|| self.geometry().estimated_fpr(blocks))
    }

    fn estimated_keys(&self) -> f64 {
        self.geometry().estimated_keys(self.fill_ratio())
    }
}
