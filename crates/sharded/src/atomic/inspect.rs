//! Statistics of the current contents.

use bouquet_core::{
    Inspect, KeyHasher,
    math::{estimated_keys, expected_fpr, fpr_given_fill, keys_until_fpr, with_hash_floor},
};

use super::AtomicBloom;

impl<H: KeyHasher> AtomicBloom<H> {
    /// Whether the filter seems to contain more keys than the target FPR allows: the FPR estimated
    /// from the bits is above the target.
    ///
    /// A filter at its capacity is just below its target FPR, and the FPRs of filters differ from
    /// each other by about 0.55 k/sqrt(m) (relative), so near the capacity the answer can be
    /// either. Reads all bits.
    pub fn is_over_capacity(&self) -> bool {
        self.estimated_fpr() > self.target_fpr()
    }

    /// An estimate, from the bits, of how many more different keys can be inserted before the
    /// target FPR is exceeded; 0 if it already is. Reads all bits.
    pub fn keys_left(&self) -> u64 {
        let until = keys_until_fpr(self.size_bits(), self.hashes(), self.target_fpr());
        // The cast saturates: a negative number becomes 0.
        (until - self.estimated_keys()) as u64
    }
}

bouquet_core::inherent_statistics!([H: KeyHasher] AtomicBloom<H>);

impl<H: KeyHasher> Inspect for AtomicBloom<H> {
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
        self.bits.count_ones() as f64 / self.size_bits() as f64
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.bits.memory_bytes()
    }

    fn expected_fpr(&self, keys: u64) -> f64 {
        let fpr = expected_fpr(self.size_bits(), self.hashes(), keys);
        with_hash_floor(fpr, keys, H::HASH_BITS)
    }

    fn estimated_fpr(&self) -> f64 {
        fpr_given_fill(self.fill_ratio(), self.hashes())
    }

    fn estimated_keys(&self) -> f64 {
        estimated_keys(self.size_bits(), self.hashes(), self.fill_ratio())
    }
}
