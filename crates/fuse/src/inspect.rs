//! Statistics of the contents.

use bouquet_core::{Inspect, KeyHasher, math::with_hash_floor};

use crate::{Fingerprint, FuseFilter, FuseView, Geometry};

bouquet_core::inherent_statistics!([F: Fingerprint, H: KeyHasher] FuseFilter<F, H>);

impl<F: Fingerprint, H: KeyHasher> Inspect for FuseFilter<F, H> {
    fn capacity(&self) -> u64 {
        self.capacity()
    }

    fn size_bits(&self) -> u64 {
        self.size_bits()
    }

    fn hashes(&self) -> u32 {
        self.hashes()
    }

    /// The share of the slots that keep a key's fingerprint: the keys over the slots. Needs no pass
    /// over the slots.
    fn fill_ratio(&self) -> f64 {
        fill(self.geometry(), self.keys)
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.array.memory_bytes()
    }

    /// 1 in 2 to the power of the fingerprint's bits, whatever the number of keys, and 0 for none.
    fn expected_fpr(&self, keys: u64) -> f64 {
        expected_fpr::<F>(keys)
    }

    /// That of the filter's own keys.
    fn estimated_fpr(&self) -> f64 {
        expected_fpr::<F>(self.keys)
    }

    /// The exact number of different keys.
    fn estimated_keys(&self) -> f64 {
        self.keys as f64
    }
}

bouquet_core::inspect_view! {
    [F: Fingerprint, H: KeyHasher] FuseView<'_, F, H>;

    /// The keys over the slots.
    fn fill_ratio(&self) -> f64 {
        fill(self.geometry(), self.keys())
    }

    /// Like that of the filter: the same for every number of keys, and 0 for none.
    fn expected_fpr(&self, keys: u64) -> f64 {
        expected_fpr::<F>(keys)
    }

    /// That of the filter's own keys.
    fn estimated_fpr(&self) -> f64 {
        expected_fpr::<F>(self.keys())
    }

    /// The exact number of different keys.
    fn estimated_keys(&self) -> f64 {
        self.keys() as f64
    }
}

fn fill(geometry: Geometry, keys: u64) -> f64 {
    keys as f64 / geometry.slots().max(1) as f64
}

/// One word of the hash is used, whatever the hasher.
pub(crate) fn expected_fpr<F: Fingerprint>(keys: u64) -> f64 {
    if keys == 0 {
        return 0.0;
    }
    with_hash_floor(1.0 / (1_u64 << F::BITS) as f64, keys, u64::BITS)
}
