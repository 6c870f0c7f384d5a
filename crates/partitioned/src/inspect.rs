//! Statistics of the filter's current contents.

use bouquet_core::{Inspect, KeyHasher, math::with_hash_floor};

use crate::{
    Geometry, PartitionedBloom, PartitionedView,
    math::{estimated_keys, keys_until_fpr},
};

impl<H: KeyHasher> PartitionedBloom<H> {
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
        let partition_bits = self.geometry().partition_bits();
        let until = keys_until_fpr(partition_bits, self.hashes(), self.target_fpr());
        // The cast saturates: a negative difference becomes 0.
        (until - self.estimated_keys()) as u64
    }

    /// The share of set bits in each of the k partitions, in order. Scans all bits.
    ///
    /// Their product is the FPR of this filter; their mean is its fill ratio.
    pub fn fills(&self) -> impl Iterator<Item = f64> + '_ {
        fills(self.geometry(), self.bits().words(), |word| *word)
    }
}

bouquet_core::inherent_statistics!([H: KeyHasher] PartitionedBloom<H>);

impl<H: KeyHasher> Inspect for PartitionedBloom<H> {
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
        self.fills().product()
    }

    fn estimated_keys(&self) -> f64 {
        estimated_keys(self.geometry().partition_bits(), self.fill_ratio())
    }
}

bouquet_core::inspect_view! {
    [H: KeyHasher] PartitionedView<'_, H>;

    fn fill_ratio(&self) -> f64 {
        self.record.count_ones(self.size_bits()) as f64 / self.size_bits() as f64
    }

    fn expected_fpr(&self, keys: u64) -> f64 {
        with_hash_floor(self.geometry().expected_fpr(keys), keys, H::HASH_BITS)
    }

    fn estimated_fpr(&self) -> f64 {
        let value = |word: &[u8; 8]| u64::from_le_bytes(*word);
        let fills = fills(self.geometry(), self.record.words(), value);
        self.record.pass(|| fills.product())
    }

    fn estimated_keys(&self) -> f64 {
        estimated_keys(self.geometry().partition_bits(), self.fill_ratio())
    }
}

/// The share of set bits in each partition. `value` reads a word, which may be in a file.
fn fills<W>(
    geometry: Geometry,
    words: &[W],
    value: impl Fn(&W) -> u64,
) -> impl Iterator<Item = f64> {
    let s = geometry.partition_bits();
    (0..u64::from(geometry.hashes()))
        .map(move |i| ones_between(words, &value, i * s, (i + 1) * s) as f64 / s as f64)
}

/// The number of set bits from `start` up to but not including `end`, which must be above
/// `start`.
fn ones_between<W>(words: &[W], value: impl Fn(&W) -> u64, start: u64, end: u64) -> u64 {
    let words = &words[(start / 64) as usize..end.div_ceil(64) as usize];
    let ones = |word: &W| u64::from(value(word).count_ones());
    let all: u64 = words.iter().map(ones).sum();
    let before = value(&words[0]) & !(u64::MAX << (start % 64));
    let after = value(&words[words.len() - 1]) & !(u64::MAX >> (63 - (end - 1) % 64));
    all - u64::from(before.count_ones()) - u64::from(after.count_ones())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_are_counted_between_any_two_bits() {
        let words = [0x9e37_79b9_7f4a_7c15, u64::MAX, 0, 0xbf58_476d_1ce4_e5b9];
        let bit = |i: u64| words[(i / 64) as usize] >> (i % 64) & 1;
        for start in 0..256 {
            let mut want = 0;
            for end in start + 1..=256 {
                want += bit(end - 1);
                let got = ones_between(&words, |word| *word, start, end);
                assert_eq!(got, want, "{start} to {end}");
            }
        }
    }
}
