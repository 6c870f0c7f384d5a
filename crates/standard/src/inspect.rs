//! Statistics of the filter's current contents.

use bouquet_core::{
    Inspect, KeyHasher,
    math::{estimated_keys, fpr_given_fill, keys_until_fpr, with_hash_floor},
};

use crate::{StandardBloom, StandardView};

impl<H: KeyHasher> StandardBloom<H> {
    /// Whether the filter seems to have more keys than the target FPR allows: whether its
    /// estimated FPR is above the target.
    ///
    /// At capacity the expected FPR is just below the target, and the FPR varies from filter to
    /// filter by about 0.55 k/sqrt(m) of its value; so close to capacity the answer can be
    /// either. Scans all bits.
    pub fn is_over_capacity(&self) -> bool {
        self.estimated_fpr() > self.target_fpr()
    }

    /// The estimated number of different keys that can still be inserted before the target FPR
    /// is exceeded, computed from the bits; 0 if it is exceeded already. Scans all bits.
    pub fn keys_left(&self) -> u64 {
        let until = keys_until_fpr(self.size_bits(), self.hashes(), self.target_fpr());
        // The cast saturates: a negative difference becomes 0.
        (until - self.estimated_keys()) as u64
    }
}

bouquet_core::inherent_statistics!([H: KeyHasher] StandardBloom<H>);

impl<H: KeyHasher> Inspect for StandardBloom<H> {
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
        fpr_given_fill(self.fill_ratio(), self.hashes())
    }

    fn estimated_keys(&self) -> f64 {
        estimated_keys(self.size_bits(), self.hashes(), self.fill_ratio())
    }
}

bouquet_core::inspect_view! {
    [H: KeyHasher] StandardView<'_, H>;

    fn fill_ratio(&self) -> f64 {
        self.record.count_ones(self.size_bits()) as f64 / self.size_bits() as f64
    }

    fn expected_fpr(&self, keys: u64) -> f64 {
        with_hash_floor(self.geometry().expected_fpr(keys), keys, H::HASH_BITS)
    }

    fn estimated_fpr(&self) -> f64 {
        fpr_given_fill(self.fill_ratio(), self.hashes())
    }

    fn estimated_keys(&self) -> f64 {
        estimated_keys(self.size_bits(), self.hashes(), self.fill_ratio())
    }
}
