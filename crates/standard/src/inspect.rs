//! Statistics of the current contents.

use bouquet_core::{
    Inspect, KeyHasher,
    math::{estimated_keys, fpr_given_fill, keys_until_fpr, with_hash_floor},
};

use crate::{StandardBloom, StandardView};

impl<H: KeyHasher> StandardBloom<H> {
    /// Whether more keys seem to be present than the target FPR allows: the FPR
    /// that the bits give is above the target.
    ///
    /// A filter at capacity is just below its target, and filters differ
    /// from each other by about 0.55 k/sqrt(m) relative; so close to capacity
    /// the answer can be either. Costs a pass over the bits.
    pub fn is_over_capacity(&self) -> bool {
        self.estimated_fpr() > self.target_fpr()
    }

    /// About how many more different keys can be inserted until the target FPR
    /// is exceeded, from the bits; 0 if it is. Costs a pass over them.
    pub fn keys_left(&self) -> u64 {
        let until = keys_until_fpr(self.size_bits(), self.hashes(), self.target_fpr());
        // Casting saturates: negative is 0.
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
