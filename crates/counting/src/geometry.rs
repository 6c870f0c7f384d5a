//! The geometry of the filter: its size and its slot arithmetic.

use bouquet_bits::CounterBits;
use bouquet_core::{
    Fill, KeyHash, Locate, MAX_SIZE_BITS, Spec, SpecError,
    batch::{CHUNK, FAR_BITS},
    math::{
        MAX_HASHES, Occupancy, best_capacity, best_hashes, expected_fpr, fpr_deviation,
        min_bits_in_steps, steps_for,
    },
};
use bouquet_hash::{
    reduce::multiply_shift,
    scheme::{Probes, RotateAdd, Rows},
};

use crate::math::counter_at_least;

/// The parameters m, k and counter width of a [`CountingBloom`](crate::CountingBloom), with the
/// arithmetic that maps a hash to its slots. It needs no array.
///
/// The slots of a hash are those of a standard filter of m bits and k hashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    counters: u64,
    hashes: u32,
    counter_bits: CounterBits,
}

impl Geometry {
    /// A geometry of exactly `counters` counters (m, at least 1, up to 2^48 bits in total) of
    /// this width and `hashes` probes per key (k, 1 to 128).
    ///
    /// # Errors
    ///
    /// [`SpecError`] if an argument is out of range.
    pub fn new(counters: u64, hashes: u32, counter_bits: CounterBits) -> Result<Self, SpecError> {
        if counters == 0 {
            return Err(SpecError::ZeroSizeBits);
        }
        let width = u64::from(counter_bits.bits());
        if counters > MAX_SIZE_BITS / width {
            return Err(SpecError::TooLarge {
                size_bits: counters as f64 * width as f64,
            });
        }
        if hashes == 0 || hashes > MAX_HASHES {
            return Err(SpecError::HashesOutOfRange {
                hashes,
                max: MAX_HASHES,
            });
        }
        Ok(Self {
            counters,
            hashes,
            counter_bits,
        })
    }

    /// The same k as the standard filter for `spec`, and as many counters as that filter has
    /// bits: the smallest multiple of 64 that meets the target FPR at capacity.
    ///
    /// # Errors
    ///
    /// [`SpecError::TooLarge`].
    pub fn from_spec(spec: &Spec, counter_bits: CounterBits) -> Result<Self, SpecError> {
        let parameters = min_bits_in_steps(spec.capacity(), spec.target_fpr(), 64)?;
        Self::new(parameters.size_bits, parameters.hashes, counter_bits)
    }

    /// `bits_per_key` bits of storage for each of `capacity` keys, rounded up to a multiple of
    /// 64 counters, with the optimal k. So 40 bits per key with counters of 4 bits give the FPR
    /// of 10 bits per key in a standard filter.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if an argument is out of range.
    pub fn with_bits_per_key(
        capacity: u64,
        bits_per_key: f64,
        counter_bits: CounterBits,
    ) -> Result<Self, SpecError> {
        let step_bits = 64 * u64::from(counter_bits.bits());
        let counters = 64 * steps_for(capacity, bits_per_key, step_bits)?;
        Self::new(counters, best_hashes(counters, capacity), counter_bits)
    }

    /// The number of counters (m).
    pub const fn counters(&self) -> u64 {
        self.counters
    }

    /// Probes per key (k).
    pub const fn hashes(&self) -> u32 {
        self.hashes
    }

    /// The width of a counter.
    pub const fn counter_bits(&self) -> CounterBits {
        self.counter_bits
    }

    /// Bits of storage: m times the counter width.
    pub const fn size_bits(&self) -> u64 {
        self.counters * self.counter_bits.bits() as u64
    }

    /// The slots of a hash, in probe order; a slot may occur more than once.
    #[inline]
    pub fn slots(&self, hash: KeyHash) -> impl Iterator<Item = u64> + Clone + use<> {
        let Self {
            counters, hashes, ..
        } = *self;
        Probes::new(hash)
            .take(hashes as usize)
            .map(move |word| multiply_shift(word, counters))
    }

    /// Rows of slots, for many keys in parallel, if computing the slots is the bottleneck: if
    /// the filter fits in the processor's caches and there are enough keys for a chunk.
    #[inline]
    pub(crate) fn rows(&self, keys: usize) -> Option<Rows> {
        if keys < CHUNK || self.size_bits() > FAR_BITS {
            return None;
        }
        Rows::new(RotateAdd::new(self.counters, self.hashes).ok()?)
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

    /// The number of keys for which this m and k are optimal: about half the counters are above
    /// zero then.
    pub(crate) fn best_capacity(&self) -> u64 {
        best_capacity(self.counters, self.hashes)
    }

    pub(crate) fn expected_fpr(&self, keys: u64) -> f64 {
        expected_fpr(self.counters, self.hashes, keys)
    }

    pub(crate) fn expected_saturated(&self, keys: u64) -> f64 {
        let max = self.counter_bits.max().into();
        self.counters as f64 * counter_at_least(self.counters, self.hashes, keys, max)
    }
}

impl Locate for Geometry {
    type Hash = KeyHash;

    fn slots(&self) -> u64 {
        self.counters
    }

    fn probes(&self) -> u32 {
        self.hashes
    }

    fn locate(&self, hash: &KeyHash, visit: &mut dyn FnMut(u64)) {
        self.slots(*hash).for_each(visit);
    }
}

impl Fill for Geometry {
    fn occupancy(&self) -> Occupancy {
        Occupancy {
            groups: 1,
            ranges: 1,
            slots: self.counters,
            throws: self.hashes,
        }
    }
}

#[cfg(test)]
mod tests {
    use bouquet_core::math::{expected_fill, fill_variance};

    use super::*;

    const WIDTHS: [CounterBits; 2] = [CounterBits::Four, CounterBits::Eight];

    #[test]
    fn the_target_is_met_at_every_size() {
        for capacity in (1..100).chain([1_000, 1_000_000, 1_000_000_000]) {
            for target_fpr in [0.999, 0.1, 0.01, 1e-4, 1e-12] {
                let spec = Spec::new(capacity, target_fpr).unwrap();
                let geometry = Geometry::from_spec(&spec, CounterBits::Four).unwrap();
                assert!(
                    geometry.expected_fpr(capacity) <= target_fpr,
                    "{spec:?} {geometry:?}"
                );
                assert_eq!(geometry.counters % 64, 0);
            }
        }
    }

    #[test]
    fn bits_per_key_are_of_storage_and_round_up() {
        let counters = |capacity, bits, width| {
            Geometry::with_bits_per_key(capacity, bits, width).map(|g| g.counters)
        };
        let (four, eight) = (CounterBits::Four, CounterBits::Eight);
        assert_eq!(counters(64, 40.0, four), Ok(640));
        assert_eq!(counters(64, 80.0, eight), Ok(640));
        assert_eq!(counters(100, 40.0, four), Ok(1_024));
        assert_eq!(counters(64, 40.001, four), Ok(704));
        assert_eq!(counters(1, 0.1, four), Ok(64));
        assert_eq!(counters(0, 1.0, four), Err(SpecError::ZeroCapacity));
        assert!(counters(1, f64::NAN, four).is_err());
        assert!(counters(1, 0.0, four).is_err());
        assert!(counters(u64::MAX, 1.0, four).is_err());
    }

    #[test]
    fn parts_out_of_range() {
        for width in WIDTHS {
            let new = |counters, hashes| Geometry::new(counters, hashes, width);
            assert_eq!(new(0, 1), Err(SpecError::ZeroSizeBits));
            let most = MAX_SIZE_BITS / u64::from(width.bits());
            assert_eq!(new(most, 1).map(|g| g.size_bits()), Ok(MAX_SIZE_BITS));
            assert!(new(most + 1, 1).is_err());
            assert!(new(u64::MAX, 1).is_err());
            assert!(new(1, 0).is_err());
            assert!(new(1, 129).is_err());
            assert_eq!(new(1_021, 3).map(|g| g.counters), Ok(1_021));
        }
    }

    #[test]
    fn the_fill_is_that_of_k_throws_per_key() {
        let geometry = Geometry::new(1_021, 3, CounterBits::Four).unwrap();
        for keys in [1, 10, 100, 1_000] {
            let throws = 3.0 * keys as f64;
            let (mean, variance) = (expected_fill(1_021, throws), fill_variance(1_021, throws));
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
