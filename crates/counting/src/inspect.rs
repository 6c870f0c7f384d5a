//! Statistics of the filter's current contents.

use bouquet_core::{
    Inspect, KeyHasher,
    math::{estimated_keys, fpr_given_fill, keys_until_fpr, with_hash_floor},
};

use crate::{CountingBloom, CountingView};

impl<H: KeyHasher> CountingBloom<H> {
    /// Whether the filter seems to have more keys than the target FPR allows: whether its
    /// estimated FPR is above the target.
    ///
    /// At capacity the expected FPR is just below the target, and the FPR varies from filter to
    /// filter by about 0.55 k/sqrt(m) of its value; so close to capacity the answer can be
    /// either. Scans all counters.
    pub fn is_over_capacity(&self) -> bool {
        self.estimated_fpr() > self.target_fpr()
    }

    /// The estimated number of different keys that can still be inserted before the target FPR
    /// is exceeded, computed from the counters; 0 if it is exceeded already. Scans all
    /// counters.
    pub fn keys_left(&self) -> u64 {
        let until = keys_until_fpr(self.counters().len(), self.hashes(), self.target_fpr());
        // The cast saturates: a negative difference becomes 0.
        (until - self.estimated_keys()) as u64
    }
}

bouquet_core::inherent_statistics!([H: KeyHasher] CountingBloom<H>);

impl<H: KeyHasher> Inspect for CountingBloom<H> {
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
        self.counters().count_nonzero() as f64 / self.counters().len() as f64
    }

    fn is_empty(&self) -> bool {
        self.counters().words().iter().all(|word| *word == 0)
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.counters().memory_bytes()
    }

    fn expected_fpr(&self, keys: u64) -> f64 {
        with_hash_floor(self.geometry().expected_fpr(keys), keys, H::HASH_BITS)
    }

    fn estimated_fpr(&self) -> f64 {
        fpr_given_fill(self.fill_ratio(), self.hashes())
    }

    fn estimated_keys(&self) -> f64 {
        estimated_keys(self.counters().len(), self.hashes(), self.fill_ratio())
    }
}

bouquet_core::inspect_view! {
    [H: KeyHasher] CountingView<'_, H>;

    fn fill_ratio(&self) -> f64 {
        let (width, words) = (
            self.geometry().counter_bits(),
            self.record.words_of(self.size_bits()),
        );
        let nonzero = self.record.pass(|| width.count_nonzero(words));
        nonzero as f64 / self.geometry().counters() as f64
    }

    fn expected_fpr(&self, keys: u64) -> f64 {
        with_hash_floor(self.geometry().expected_fpr(keys), keys, H::HASH_BITS)
    }

    fn estimated_fpr(&self) -> f64 {
        fpr_given_fill(self.fill_ratio(), self.hashes())
    }

    fn estimated_keys(&self) -> f64 {
        estimated_keys(self.geometry().counters(), self.hashes(), self.fill_ratio())
    }
}
