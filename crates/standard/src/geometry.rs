//! The geometry of the filter: its size and its slot arithmetic.

use bouquet_core::{
    Fill, KeyHash, Locate, Spec, SpecError,
    math::{
        Occupancy, best_capacity, best_hashes, expected_fpr, fpr_deviation, min_bits_in_steps,
        steps_for,
    },
};
use bouquet_hash::scheme::{RotateAdd, Rows, array::Slots};

/// The parameters m and k of a [`StandardBloom`](crate::StandardBloom), with the arithmetic
/// that maps a hash to its slots. It needs no bit array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    scheme: RotateAdd,
}

impl Geometry {
    /// A geometry of exactly `size_bits` bits (m, 1 to 2^48) and `hashes` probes per key (k, 1
    /// to 128).
    ///
    /// # Errors
    ///
    /// [`SpecError`] if an argument is out of range.
    pub fn new(size_bits: u64, hashes: u32) -> Result<Self, SpecError> {
        Ok(Self {
            scheme: RotateAdd::new(size_bits, hashes)?,
        })
    }

    /// The smallest size, in whole 64-bit words, that meets the target FPR at capacity by the
    /// exact formula, with the optimal k for that size.
    ///
    /// # Errors
    ///
    /// [`SpecError::TooLarge`].
    pub fn from_spec(spec: &Spec) -> Result<Self, SpecError> {
        let parameters = min_bits_in_steps(spec.capacity(), spec.target_fpr(), 64)?;
        Self::new(parameters.size_bits, parameters.hashes)
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

    /// Bits of storage (m).
    pub fn size_bits(&self) -> u64 {
        Locate::slots(&self.scheme)
    }

    /// Probes per key (k).
    pub fn hashes(&self) -> u32 {
        self.scheme.probes()
    }

    /// The slots of a hash, in probe order; a slot may occur more than once.
    #[inline]
    pub fn slots(&self, hash: KeyHash) -> impl Iterator<Item = u64> + Clone + use<> {
        self.scheme.locations(hash)
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

    /// The number of keys for which this m and k are optimal: about half the bits are set then.
    pub(crate) fn best_capacity(&self) -> u64 {
        best_capacity(self.size_bits(), self.hashes())
    }

    pub(crate) fn expected_fpr(&self, keys: u64) -> f64 {
        expected_fpr(self.size_bits(), self.hashes(), keys)
    }
}

impl Locate for Geometry {
    type Hash = KeyHash;

    fn slots(&self) -> u64 {
        self.size_bits()
    }

    fn probes(&self) -> u32 {
        self.hashes()
    }

    fn locate(&self, hash: &KeyHash, visit: &mut dyn FnMut(u64)) {
        self.scheme.locate(hash, visit);
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
        Rows::new(self.scheme)
    }
}

impl Fill for Geometry {
    fn occupancy(&self) -> Occupancy {
        Occupancy {
            groups: 1,
            ranges: 1,
            slots: self.size_bits(),
            throws: self.hashes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use bouquet_core::{
        MAX_SIZE_BITS,
        math::{expected_fill, fill_variance},
    };

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
                assert_eq!(geometry.size_bits() % 64, 0);
            }
        }
    }

    #[test]
    fn bits_per_key_round_up_to_words() {
        let size =
            |capacity, bits| Geometry::with_bits_per_key(capacity, bits).map(|g| g.size_bits());
        assert_eq!(size(64, 10.0), Ok(640));
        assert_eq!(size(100, 10.0), Ok(1_024));
        assert_eq!(size(64, 10.001), Ok(704));
        assert_eq!(size(1, 0.1), Ok(64));
        assert_eq!(size(0, 1.0), Err(SpecError::ZeroCapacity));
        assert!(size(1, f64::NAN).is_err());
        assert!(size(1, 0.0).is_err());
        assert!(size(u64::MAX, 1.0).is_err());
    }

    #[test]
    fn parts_out_of_range() {
        assert_eq!(Geometry::new(0, 1), Err(SpecError::ZeroSizeBits));
        assert!(Geometry::new(MAX_SIZE_BITS + 1, 1).is_err());
        assert!(Geometry::new(1, 0).is_err());
        assert!(Geometry::new(1, 129).is_err());
        assert_eq!(Geometry::new(1_021, 3).map(|g| g.size_bits()), Ok(1_021));
    }

    #[test]
    fn the_fill_is_that_of_k_throws_per_key() {
        let geometry = Geometry::new(1_021, 3).unwrap();
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
