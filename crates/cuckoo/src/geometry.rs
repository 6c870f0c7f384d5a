//! Sizing, and the buckets in which a key's fingerprint may be.

use bouquet_core::{KeyHash, Locate, MAX_SIZE_BITS, Spec, SpecError};
use bouquet_hash::reduce::multiply_shift;

use crate::{
    FingerprintBits,
    math::{BUCKET_SLOTS, buckets_for, buckets_for_fpr, capacity_of, expected_fpr},
};

/// The number of buckets and the fingerprint width of a [`CuckooFilter`](crate::CuckooFilter). It
/// computes the fingerprint and the two buckets of a hash, without access to the slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    buckets: u64,
    fingerprint_bits: FingerprintBits,
}

impl Geometry {
    /// A geometry of exactly `buckets` buckets of four slots, with at most 2^48 bits in total.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if `buckets` is out of range.
    pub fn new(buckets: u64, fingerprint_bits: FingerprintBits) -> Result<Self, SpecError> {
        if buckets == 0 {
            return Err(SpecError::ZeroSizeBits);
        }
        let bucket_bits = BUCKET_SLOTS * u64::from(fingerprint_bits.bits());
        if buckets > MAX_SIZE_BITS / bucket_bits {
            return Err(SpecError::TooLarge {
                size_bits: buckets as f64 * bucket_bits as f64,
            });
        }
        Ok(Self {
            buckets,
            fingerprint_bits,
        })
    }

    /// The geometry with the fewest bits that has room for the capacity and meets the target FPR
    /// there. At most 95 % of the slots are used at capacity, and fewer if spare slots are cheaper
    /// than wider fingerprints.
    ///
    /// # Errors
    ///
    /// [`SpecError::BelowFingerprintFloor`] if even the widest fingerprints are not enough;
    /// [`SpecError::TooLarge`].
    pub fn from_spec(spec: &Spec) -> Result<Self, SpecError> {
        let (capacity, target_fpr) = (spec.capacity(), spec.target_fpr());
        let least = buckets_for(capacity);
        // With more than twice the necessary slots the next width is always cheaper, and with the
        // widest fingerprints the number of bits would grow as 1/FPR.
        let most = 2 * least;
        let kept = |width: &FingerprintBits| {
            let buckets = buckets_for_fpr(capacity, target_fpr, width.bits(), least, most)?;
            Some((buckets, *width))
        };
        let cheapest = FingerprintBits::ALL
            .iter()
            .filter_map(kept)
            .min_by_key(|(buckets, width)| u128::from(*buckets) * u128::from(width.bits()));
        let Some((buckets, width)) = cheapest else {
            let fingerprint_bits = FingerprintBits::ThirtyTwo.bits();
            return Err(SpecError::BelowFingerprintFloor {
                target_fpr,
                floor: expected_fpr(most, fingerprint_bits, capacity),
                fingerprint_bits,
            });
        };
        Self::new(buckets, width)
    }

    /// A geometry with `bits_per_key` bits for each of `capacity` keys: the widest fingerprints for
    /// which they suffice, and as many slots as the bits allow. If they suffice for none, the
    /// narrowest fingerprints with enough room for the capacity.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if an argument is out of range.
    pub fn with_bits_per_key(capacity: u64, bits_per_key: f64) -> Result<Self, SpecError> {
        if capacity == 0 {
            return Err(SpecError::ZeroCapacity);
        }
        if !(bits_per_key > 0.0 && bits_per_key.is_finite()) {
            return Err(SpecError::BitsPerKeyOutOfRange { bits_per_key });
        }
        let room = buckets_for(capacity);
        // The cast saturates.
        let paid = |width: FingerprintBits| {
            let bucket_bits = BUCKET_SLOTS as f64 * f64::from(width.bits());
            (capacity as f64 * bits_per_key / bucket_bits) as u64
        };
        let widest = FingerprintBits::ALL
            .into_iter()
            .rev()
            .find(|width| paid(*width) >= room)
            .unwrap_or(FingerprintBits::Eight);
        Self::new(paid(widest).max(room), widest)
    }

    /// The number of buckets of four slots (B).
    pub const fn buckets(&self) -> u64 {
        self.buckets
    }

    /// The width of a fingerprint (f).
    pub const fn fingerprint_bits(&self) -> FingerprintBits {
        self.fingerprint_bits
    }

    /// The number of bits of storage: the slots times the width.
    pub const fn size_bits(&self) -> u64 {
        self.buckets * BUCKET_SLOTS * self.fingerprint_bits.bits() as u64
    }

    /// The fingerprint of a hash, 1 to 2^f - 1. It depends only on `probe`.
    #[inline]
    pub fn fingerprint(&self, hash: KeyHash) -> u32 {
        1 + multiply_shift(hash.probe, self.fingerprint_bits.max().into()) as u32
    }

    /// The two buckets of a hash. The first one depends only on `place`.
    #[inline]
    pub fn buckets_of(&self, hash: KeyHash) -> [u64; 2] {
        let (first, _) = hash.split(self.buckets);
        [first, self.partner(first, self.fingerprint(hash))]
    }

    /// The other bucket of a fingerprint that has `bucket` (below B) as one of its two buckets.
    ///
    /// The sum of the two buckets modulo B is a number that depends on the fingerprint. So the
    /// partner of the partner is the bucket itself, for any B; the `XOR` of the paper requires a
    /// power of two. If B is even, this number is odd: then one bucket is odd and the other even,
    /// so they are never the same. If B is odd, each fingerprint has one bucket that is its own
    /// partner.
    ///
    /// A `bucket` of B or more is reduced modulo B.
    ///
    /// ```
    /// use bouquet_cuckoo::{FingerprintBits, Geometry};
    ///
    /// let geometry = Geometry::new(1_000, FingerprintBits::Twelve)?;
    /// let partner = geometry.partner(42, 7);
    /// assert_eq!(geometry.partner(partner, 7), 42);
    /// # Ok::<(), bouquet_cuckoo::SpecError>(())
    /// ```
    #[inline]
    pub fn partner(&self, bucket: u64, fingerprint: u32) -> u64 {
        let mixed = KeyHash::from_word(fingerprint.into()).probe;
        let sum = multiply_shift(mixed, self.buckets) | u64::from(self.buckets.is_multiple_of(2));
        let bucket = if bucket < self.buckets {
            bucket
        } else {
            bucket % self.buckets
        };
        if sum >= bucket {
            sum - bucket
        } else {
            sum + self.buckets - bucket
        }
    }

    /// The largest number of keys for which these buckets have room according to
    /// [`buckets_for`](crate::math::buckets_for).
    pub(crate) fn best_capacity(&self) -> u64 {
        capacity_of(self.buckets)
    }

    pub(crate) fn expected_fpr(&self, keys: u64) -> f64 {
        expected_fpr(self.buckets, self.fingerprint_bits.bits(), keys)
    }
}

/// The locations are buckets: a lookup visits both buckets of a key, and the key is in a slot of
/// one of them. So up to four keys use the same location, and a key's second location depends on
/// its fingerprint.
impl Locate for Geometry {
    type Hash = KeyHash;

    /// The number of buckets.
    fn slots(&self) -> u64 {
        self.buckets
    }

    fn probes(&self) -> u32 {
        2
    }

    fn locate(&self, hash: &KeyHash, visit: &mut dyn FnMut(u64)) {
        self.buckets_of(*hash).into_iter().for_each(visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn geometry(buckets: u64, width: FingerprintBits) -> Geometry {
        Geometry::new(buckets, width).unwrap()
    }

    #[test]
    fn the_partner_of_the_partner_is_the_bucket() {
        let large = [1_009, 65_536, (1 << 41) - 1, 1 << 41];
        for buckets in (1..=130).chain(large) {
            let geometry = geometry(buckets, FingerprintBits::Eight);
            for fingerprint in 1..=255 {
                let edges = [0, 1, buckets / 2, buckets - 1].map(|bucket| bucket % buckets);
                for bucket in (0..buckets.min(200)).chain(edges) {
                    let partner = geometry.partner(bucket, fingerprint);
                    assert!(partner < buckets);
                    assert_eq!(geometry.partner(partner, fingerprint), bucket);
                    let differ = partner % 2 != bucket % 2;
                    assert!(differ || !buckets.is_multiple_of(2), "{buckets} {bucket}");
                }
            }
        }
    }

    #[test]
    fn a_number_past_the_buckets_counts_modulo() {
        for buckets in [1, 7, 1_000, 1 << 41] {
            let geometry = geometry(buckets, FingerprintBits::Eight);
            for other in [buckets, u64::MAX - 1, u64::MAX] {
                let want = geometry.partner(other % buckets, 5);
                assert_eq!(geometry.partner(other, 5), want);
            }
        }
    }

    #[test]
    fn an_odd_number_of_buckets_has_one_self_paired_bucket_per_fingerprint() {
        for buckets in [1, 3, 5, 101, 1_023] {
            let geometry = geometry(buckets, FingerprintBits::Twelve);
            for fingerprint in 1..=500 {
                let lone = |bucket: &u64| geometry.partner(*bucket, fingerprint) == *bucket;
                assert_eq!((0..buckets).filter(lone).count(), 1);
            }
        }
    }

    /// A chi-square test in both directions, with bounds that are exceeded with probability 1e-6.
    fn even(counts: &[u32], draws: f64) {
        let expected = draws / counts.len() as f64;
        let degrees = counts.len() as f64 - 1.0;
        let distance = |count: &u32| (f64::from(*count) - expected).powi(2) / expected;
        let chi = counts.iter().map(distance).sum::<f64>();
        let allowed = 5.0 * (2.0 * degrees).sqrt();
        assert!((chi - degrees).abs() < allowed, "{chi} of {degrees}");
    }

    #[test]
    fn fingerprints_and_both_buckets_are_even() {
        for buckets in [128, 255] {
            let geometry = geometry(buckets, FingerprintBits::Eight);
            let mut fingerprints = vec![0; 255];
            let mut firsts = vec![0; buckets as usize];
            let mut seconds = firsts.clone();
            let mut pairs = vec![0; 255 * 16];
            for i in 0..200_000u64 {
                let hash = KeyHash::from_word(KeyHash::from_word(i).probe);
                let fingerprint = geometry.fingerprint(hash) as usize - 1;
                let mut located = vec![];
                geometry.locate(&hash, &mut |bucket| located.push(bucket));
                assert_eq!(located, geometry.buckets_of(hash));
                fingerprints[fingerprint] += 1;
                firsts[located[0] as usize] += 1;
                seconds[located[1] as usize] += 1;
                // The bucket and the fingerprint use different bits of the hash, so they are
                // independent.
                pairs[fingerprint * 16 + (located[0] * 16 / buckets) as usize] += 1;
            }
            even(&fingerprints, 2e5);
            even(&firsts, 2e5);
            even(&seconds, 2e5);
            if buckets == 128 {
                even(&pairs, 2e5);
            }
        }
    }

    #[test]
    fn every_fingerprint_is_met_and_none_is_empty() {
        for width in FingerprintBits::ALL {
            let geometry = geometry(2, width);
            let of = |probe| geometry.fingerprint(KeyHash::new(0, probe));
            assert_eq!((of(0), of(u64::MAX)), (1, width.max()));
            assert_eq!(of(1 << 63), width.max() / 2 + 1);
        }
    }

    #[test]
    fn the_target_is_met_at_every_size() {
        for capacity in (1..100).chain([1_000, 1_000_000, 1_000_000_000]) {
            for target_fpr in [0.999, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6, 1e-8] {
                let spec = Spec::new(capacity, target_fpr).unwrap();
                let geometry = Geometry::from_spec(&spec).unwrap();
                assert!(geometry.expected_fpr(capacity) <= target_fpr, "{spec:?}");
                assert!(
                    geometry.best_capacity() >= capacity,
                    "{spec:?} {geometry:?}"
                );
            }
        }
    }

    /// No other width meets the target with fewer bits.
    #[test]
    fn the_cheapest_width_is_taken() {
        for target_fpr in [0.5, 0.03, 0.02, 0.01, 0.005, 1e-3, 1e-4, 7e-5, 1e-6, 1e-9] {
            let spec = Spec::new(100_000, target_fpr).unwrap();
            let taken = Geometry::from_spec(&spec).unwrap();
            for width in FingerprintBits::ALL {
                let buckets = taken.size_bits() / (4 * u64::from(width.bits()));
                if buckets > buckets_for(100_000) {
                    // The largest even number of buckets of this width that takes fewer bits than
                    // the chosen geometry.
                    let other = geometry((buckets - 1) / 2 * 2, width);
                    let fewer = other.size_bits() < taken.size_bits();
                    let keeps = other.expected_fpr(100_000) <= target_fpr;
                    assert!(
                        !fewer || !keeps || other.best_capacity() < 100_000,
                        "{width:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_fingerprints_cannot_reach_is_rejected() {
        let spec = |target_fpr| Spec::new(1_000_000, target_fpr).unwrap();
        assert!(Geometry::from_spec(&spec(1e-9)).is_ok());
        let error = Geometry::from_spec(&spec(1e-12)).unwrap_err();
        let SpecError::BelowFingerprintFloor { floor, .. } = error else {
            panic!("{error}");
        };
        assert!(Geometry::from_spec(&spec(floor)).is_ok());
        assert!(Geometry::from_spec(&spec(floor * 0.999)).is_err());
        assert!(Geometry::from_spec(&Spec::new(1 << 50, 0.01).unwrap()).is_err());
        assert!(Geometry::from_spec(&Spec::new(u64::MAX, 0.9).unwrap()).is_err());
    }

    #[test]
    fn bits_per_key_are_spent() {
        let size = |capacity, bits| Geometry::with_bits_per_key(capacity, bits);
        let at = |bits| size(100_000, bits).unwrap();
        for (bits, width) in [
            (9.0, FingerprintBits::Eight),
            (10.0, FingerprintBits::Eight),
            (11.0, FingerprintBits::Ten),
            (16.0, FingerprintBits::Fourteen),
            (17.0, FingerprintBits::Sixteen),
            (100.0, FingerprintBits::ThirtyTwo),
        ] {
            assert_eq!(at(bits).fingerprint_bits(), width);
            let spent = at(bits).size_bits() as f64 / 1e5;
            assert!(spent <= bits && spent > bits - 0.01, "{bits}: {spent}");
        }
        // The smallest possible geometry.
        assert_eq!(
            at(0.1),
            geometry(buckets_for(100_000), FingerprintBits::Eight)
        );
        assert_eq!(size(0, 10.0), Err(SpecError::ZeroCapacity));
        assert!(size(1, f64::NAN).is_err());
        assert!(size(1, 0.0).is_err());
        assert!(size(u64::MAX, 1.0).is_err());
        assert!(size(1_000, 1e300).is_err());
    }

    #[test]
    fn parts_out_of_range() {
        for width in FingerprintBits::ALL {
            let new = |buckets| Geometry::new(buckets, width);
            assert_eq!(new(0), Err(SpecError::ZeroSizeBits));
            let most = MAX_SIZE_BITS / (4 * u64::from(width.bits()));
            assert!(new(most).is_ok());
            assert!(matches!(new(most + 1), Err(SpecError::TooLarge { .. })));
            assert!(new(u64::MAX).is_err());
            assert_eq!(new(1_021).map(|g| g.buckets()), Ok(1_021));
        }
    }
}
