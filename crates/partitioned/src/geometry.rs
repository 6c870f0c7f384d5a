//! The geometry of the filter: its size and its slot arithmetic.

use bouquet_core::{
    Fill, KeyHash, Locate, MAX_SIZE_BITS, Spec, SpecError,
    math::{MAX_HASHES, Occupancy, Parameters, best_capacity, fpr_deviation, steps_for},
};
use bouquet_hash::{
    reduce::multiply_shift,
    scheme::{Probes, Rows, array::Slots},
};

use crate::math::{best_hashes, expected_fpr, min_bits_in_words};

/// The parameters k and s of a [`PartitionedBloom`](crate::PartitionedBloom), with the
/// arithmetic that maps a hash to its slots. It needs no bit array.
///
/// Partition i consists of the slots from i*s up to but not including (i+1)*s, and m = k*s.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    partition_bits: u64,
    hashes: u32,
}

impl Geometry {
    /// A geometry of `hashes` partitions (k, 1 to 128) within `size_bits` bits (k to 2^48).
    ///
    /// The partitions have equal sizes, s = floor(`size_bits`/k), so the
    /// [`size_bits`](Self::size_bits) of the geometry is the largest multiple of k that does
    /// not exceed the request.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if an argument is out of range; [`SpecError::FewerBitsThanHashes`].
    pub fn new(size_bits: u64, hashes: u32) -> Result<Self, SpecError> {
        if size_bits == 0 {
            return Err(SpecError::ZeroSizeBits);
        }
        if size_bits > MAX_SIZE_BITS {
            return Err(SpecError::TooLarge {
                size_bits: size_bits as f64,
            });
        }
        if hashes == 0 || hashes > MAX_HASHES {
            return Err(SpecError::HashesOutOfRange {
                hashes,
                max: MAX_HASHES,
            });
        }
        if size_bits < hashes.into() {
            return Err(SpecError::FewerBitsThanHashes { size_bits, hashes });
        }
        Ok(Self {
            partition_bits: size_bits / u64::from(hashes),
            hashes,
        })
    }

    /// The smallest size, in whole 64-bit words, that meets the target FPR at capacity by the
    /// exact formula, with the optimal k for that size.
    ///
    /// # Errors
    ///
    /// [`SpecError::TooLarge`].
    pub fn from_spec(spec: &Spec) -> Result<Self, SpecError> {
        let Parameters { size_bits, hashes } =
            min_bits_in_words(spec.capacity(), spec.target_fpr())?;
        Self::new(size_bits, hashes)
    }

    /// `bits_per_key` bits for each of `capacity` keys, rounded up to a multiple of 64, with
    /// the optimal k.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if an argument is out of range.
    pub fn with_bits_per_key(capacity: u64, bits_per_key: f64) -> Result<Self, SpecError> {
        let size_bits = 64 * steps_for(capacity, bits_per_key, 64)?;
        Self::new(size_bits, best_hashes(size_bits, capacity))
    }

    /// Bits of storage (m = k*s).
    pub const fn size_bits(&self) -> u64 {
        self.partition_bits * self.hashes as u64
    }

    /// The number of probes per key and of partitions (k).
    pub const fn hashes(&self) -> u32 {
        self.hashes
    }

    /// Bits in a partition (s).
    pub const fn partition_bits(&self) -> u64 {
        self.partition_bits
    }

    /// The slots of a hash, in probe order: the i-th slot is in partition i.
    #[inline]
    pub fn slots(&self, hash: KeyHash) -> impl Iterator<Item = u64> + Clone + use<> {
        let partition_bits = self.partition_bits;
        Probes::new(hash).zip(0..self.hashes).map(move |(word, i)| {
            u64::from(i) * partition_bits + multiply_shift(word, partition_bits)
        })
    }

    /// The standard deviation of the FPR from filter to filter, with `keys` different keys:
    /// about 0.55 k/sqrt(m) times the FPR at half fill.
    ///
    /// Computed by the delta method, with
    /// [`math::fpr_deviation`](bouquet_core::math::fpr_deviation).
    pub fn fpr_deviation(&self, keys: u64) -> f64 {
        let (mean, variance) = (self.fill_mean(keys), self.fill_variance(keys));
        fpr_deviation(self.expected_fpr(keys), self.hashes(), mean, variance)
    }

    /// The number of keys for which this s is optimal: about half the bits are set then.
    pub(crate) fn best_capacity(&self) -> u64 {
        best_capacity(self.partition_bits, 1)
    }

    pub(crate) fn expected_fpr(&self, keys: u64) -> f64 {
        expected_fpr(self.partition_bits, self.hashes, keys)
    }
}

impl Locate for Geometry {
    type Hash = KeyHash;

    fn slots(&self) -> u64 {
        self.size_bits()
    }

    fn probes(&self) -> u32 {
        self.hashes
    }

    fn locate(&self, hash: &KeyHash, visit: &mut dyn FnMut(u64)) {
        self.slots(*hash).for_each(visit);
    }
}

impl Slots for Geometry {
    #[inline]
    fn bits(self) -> u64 {
        self.size_bits()
    }

    #[inline]
    fn slots_of(self, hash: KeyHash) -> impl Iterator<Item = u64> + Clone {
        self.slots(hash)
    }

    #[inline]
    fn all_rows(self) -> Option<Rows> {
        Rows::in_partitions(self.partition_bits, self.hashes)
    }
}

impl Fill for Geometry {
    fn occupancy(&self) -> Occupancy {
        Occupancy {
            groups: 1,
            ranges: self.hashes.into(),
            slots: self.partition_bits,
            throws: 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use bouquet_core::math::{expected_fill, fill_variance};

    use super::*;

    #[test]
    fn the_target_is_met_at_every_size() {
        for capacity in (1..100).chain([1_000, 1_000_000, 1_000_000_000]) {
            for target_fpr in [0.999, 0.1, 0.01, 1e-4, 1e-12] {
                let spec = Spec::new(capacity, target_fpr).unwrap();
                let geometry = Geometry::from_spec(&spec).unwrap();
                assert!(
                    geometry.expected_fpr(capacity) <= target_fpr,
                    "{spec:?} {geometry:?}"
                );
                // Every 64-bit word holds at least one slot of the filter.
                let spare = geometry.size_bits().next_multiple_of(64) - geometry.size_bits();
                assert!(spare < u64::from(geometry.hashes), "{geometry:?}");
            }
        }
    }

    #[test]
    fn bits_per_key_round_up_to_words_and_down_to_partitions() {
        let size = |capacity, bits| {
            Geometry::with_bits_per_key(capacity, bits).map(|g| (g.partition_bits, g.hashes))
        };
        assert_eq!(size(64, 10.0), Ok((91, 7)));
        assert_eq!(size(100, 10.0), Ok((146, 7)));
        assert_eq!(size(64, 10.001), Ok((88, 8)));
        assert_eq!(size(0, 1.0), Err(SpecError::ZeroCapacity));
        assert!(size(1, f64::NAN).is_err());
        assert!(size(1, 0.0).is_err());
        assert!(size(u64::MAX, 1.0).is_err());
    }

    #[test]
    fn parts_out_of_range() {
        assert_eq!(Geometry::new(0, 1), Err(SpecError::ZeroSizeBits));
        assert!(Geometry::new(MAX_SIZE_BITS + 1, 1).is_err());
        assert!(Geometry::new(1_000, 0).is_err());
        assert!(Geometry::new(1_000, 129).is_err());
        assert_eq!(
            Geometry::new(4, 5),
            Err(SpecError::FewerBitsThanHashes {
                size_bits: 4,
                hashes: 5
            })
        );
        assert_eq!(Geometry::new(1_021, 3).map(|g| g.size_bits()), Ok(1_020));
        assert_eq!(
            Geometry::new(MAX_SIZE_BITS, 1).map(|g| g.size_bits()),
            Ok(MAX_SIZE_BITS)
        );
    }

    #[test]
    fn the_last_slots_of_the_largest_filter() {
        let geometry = Geometry::new(MAX_SIZE_BITS, 128).unwrap();
        // With a step of 0, a word of ones does not change from probe to probe.
        let slots = geometry.slots(KeyHash::new(0, u64::MAX));
        let s = geometry.partition_bits;
        assert!(slots.eq((1..=128).map(|i| i * s - 1)));
    }

    #[test]
    fn the_fill_is_that_of_k_filters_of_one_throw() {
        let geometry = Geometry::new(1_021, 3).unwrap();
        for keys in [1, 10, 100, 1_000] {
            let throws = 1.0 * keys as f64;
            let (mean, variance) = (expected_fill(340, throws), fill_variance(340, throws) / 3.0);
            assert!((geometry.fill_mean(keys) / mean - 1.0).abs() < 1e-12);
            assert!((geometry.fill_variance(keys) - variance).abs() < 1e-12 * mean / 1_021.0);
        }
        // The relative deviation is 0.55 k/sqrt(m) at half fill.
        let relative = geometry.fpr_deviation(236) / geometry.expected_fpr(236);
        assert!(
            (relative / (0.55 * 3.0 / f64::sqrt(1_021.0)) - 1.0).abs() < 0.02,
            "{relative}"
        );
    }
}
