//! Statistics of the contents.

use bouquet_core::{
    Inspect, KeyHasher,
    math::{estimated_keys, with_hash_floor},
};

use crate::{AgingBloom, math::run_probability};

bouquet_core::inherent_statistics!([H: KeyHasher] AgingBloom<H>);

impl<H: KeyHasher> AgingBloom<H> {
    /// The share of set bits of each slice, from the newest to the oldest.
    fn fills(&self) -> impl Iterator<Item = f64> {
        (0..self.geometry().slices()).map(|age| {
            let slice = &self.bits.words()[self.age.words(age)];
            let ones: u64 = slice.iter().map(|word| u64::from(word.count_ones())).sum();
            ones as f64 / self.geometry().slice_bits() as f64
        })
    }
}

impl<H: KeyHasher> Inspect for AgingBloom<H> {
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

    /// The FPR after so many insertions of different keys into an empty filter, generation after
    /// generation. It is highest just before a generation ends, and never above the target.
    fn expected_fpr(&self, keys: u64) -> f64 {
        let remembered = keys.min(self.geometry().remembered_keys());
        with_hash_floor(self.geometry().expected_fpr(keys), remembered, H::HASH_BITS)
    }

    fn estimated_fpr(&self) -> f64 {
        run_probability(self.fills(), self.hashes())
    }

    /// The estimated number of different keys that are not yet forgotten: of every k-th slice, which
    /// have no generation in common.
    fn estimated_keys(&self) -> f64 {
        let remembered = self.geometry().generations() + 1;
        let first = (remembered - 1) % self.hashes();
        let slices = self.fills().take(remembered as usize);
        let apart = slices.skip(first as usize).step_by(self.hashes() as usize);
        let keys = |fill| estimated_keys(self.geometry().slice_bits(), 1, fill);
        apart.map(keys).sum()
    }
}
