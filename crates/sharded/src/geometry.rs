//! Sizing of the sharded filter, and the slots of a key.

use core::f64::consts::LN_2;

use bouquet_core::{
    Fill, Inner, KeyHash, KeyHasher, Locate, MAX_SIZE_BITS, Spec, SpecError,
    math::{Occupancy, with_hash_floor},
};

use crate::math::mean_over_loads;

/// The largest default number of shards. With four threads and 64 locks, two threads contend for
/// the same lock one time in eleven.
pub const MAX_DEFAULT_SHARDS: u32 = 64;

/// The smallest default number of keys per shard. With at least as many, the random differences
/// between shards add less than 1 % to the FPR at a target of 1 %.
pub const KEYS_PER_SHARD: u64 = 1_000;

/// The default number of shards for a capacity: one per thousand keys, from 1 to 64.
pub(crate) fn default_shards(capacity: u64) -> u32 {
    (capacity / KEYS_PER_SHARD).clamp(1, MAX_DEFAULT_SHARDS.into()) as u32
}

/// The number of shards, and the geometry that all of them have.
///
/// The slots are numbered over all shards: those of the first shard come first, then those of the
/// second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShardedGeometry<G> {
    shards: u32,
    shard: G,
}

impl<G: Locate<Hash = KeyHash>> ShardedGeometry<G> {
    /// A geometry of `shards` shards (at least 1), each with the geometry `shard`, with at most
    /// 2^48 slots in total.
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroSizeBits`] if `shards` is 0; [`SpecError::TooLarge`].
    pub fn new(shards: u32, shard: G) -> Result<Self, SpecError> {
        if shards == 0 {
            return Err(SpecError::ZeroSizeBits);
        }
        let slots = u64::from(shards).checked_mul(shard.slots());
        if slots.is_none_or(|slots| slots > MAX_SIZE_BITS) {
            return Err(SpecError::TooLarge {
                size_bits: f64::from(shards) * shard.slots() as f64,
            });
        }
        Ok(Self { shards, shard })
    }

    /// The number of shards.
    pub const fn shards(&self) -> u32 {
        self.shards
    }

    /// The geometry of each shard.
    pub const fn shard(&self) -> &G {
        &self.shard
    }

    /// The index of the shard for a hash, and the rest of the hash, which locates the key in the
    /// shard.
    #[inline]
    pub fn split(&self, hash: KeyHash) -> (u64, KeyHash) {
        hash.split(self.shards.into())
    }
}

impl<G: Locate<Hash = KeyHash>> Locate for ShardedGeometry<G> {
    type Hash = KeyHash;

    fn slots(&self) -> u64 {
        u64::from(self.shards) * self.shard.slots()
    }

    fn probes(&self) -> u32 {
        self.shard.probes()
    }

    fn locate(&self, hash: &KeyHash, visit: &mut dyn FnMut(u64)) {
        let (shard, rest) = self.split(*hash);
        let first = shard * self.shard.slots();
        self.shard.locate(&rest, &mut |slot| visit(first + slot));
    }
}

/// The spec of each of `shards` shards such that the whole filter meets `spec`. Each shard has the
/// same target FPR as the filter. Its capacity is an equal share of the filter's capacity plus a
/// number of keys that compensates for shards that get more than their share by chance.
///
/// A lower target FPR at the equal share would compensate for them too, but less efficiently: the
/// larger number of probes is worst in the shards with more keys.
///
/// Allocates nothing. Evaluates the mean FPR about five times, which takes 0.1 to 5 ms.
///
/// # Errors
///
/// [`SpecError`]: a shard cannot have the necessary size, or all shards together have more than
/// 2^48 bits.
///
/// ```
/// use bouquet_sharded::{Spec, StandardBloom, shard_spec};
///
/// let shard = shard_spec::<StandardBloom>(&Spec::new(64_000, 0.01)?, 64)?;
/// assert_eq!((shard.capacity(), shard.target_fpr()), (1_001, 0.01));
/// # Ok::<(), bouquet_sharded::SpecError>(())
/// ```
pub fn shard_spec<F: Inner>(spec: &Spec, shards: u32) -> Result<Spec, SpecError> {
    let (share, target) = (spec.capacity().div_ceil(shards.into()), spec.target_fpr());
    let shard = |more: u64| Spec::new(share.saturating_add(more), target);
    if shards == 1 {
        // A single shard is a filter of this spec.
        check_size::<F>(shards, F::geometry_for(spec)?)?;
        return shard(0);
    }
    // By how much the FPR is above the target; it meets the target if this is 0 or less.
    let excess = |more: u64| -> Result<f64, SpecError> {
        let geometry = F::geometry_for(&shard(more)?)?;
        check_size::<F>(shards, geometry)?;
        Ok(expected_fpr::<F>(shards, geometry, spec.capacity()) - target)
    };
    let mut below = (0, excess(0)?);
    if below.1 <= 0.0 {
        return shard(0);
    }
    // Sizing a shard for twice its share squares its FPR p, so the slope is p ln(1/p) per share.
    let steepness = target * -about_log2(target) * LN_2 / share as f64;
    let guess = (below.1 / steepness) as u64;
    let mut above = (guess.clamp(1, share), 0.0);
    // This loop ends, because a shard that has room for all keys meets the FPR for any
    // distribution.
    loop {
        above.1 = excess(above.0)?;
        if above.1 <= 0.0 {
            break;
        }
        let stride = (above.0 / 16).max(1);
        below = above;
        above.0 += stride;
    }
    let mut steps = 0_u32;
    while above.0 - below.0 > 1 {
        let between = above.0 - below.0;
        // Linear interpolation between the two points; every fourth step bisects, in case the
        // function is strongly curved.
        let crossing = (between as f64 * below.1 / (below.1 - above.1)) as u64 + 1;
        steps += 1;
        let step = if steps.is_multiple_of(4) {
            between / 2
        } else {
            crossing
        };
        let middle = below.0 + step.clamp(1, between - 1);
        let found = (middle, excess(middle)?);
        if found.1 <= 0.0 {
            above = found;
        } else {
            below = found;
        }
    }
    shard(above.0)
}

/// The binary logarithm with an error of at most 0.09, for initial guesses: the exponent, plus the
/// fraction as it is stored in the bits.
fn about_log2(x: f64) -> f64 {
    x.to_bits() as f64 / (1_u64 << 52) as f64 - 1_023.0
}

/// The mean FPR of filters of `shards` shards of this geometry with `keys` different keys in total.
pub(crate) fn expected_fpr<F: Inner>(shards: u32, shard: F::Geometry, keys: u64) -> f64 {
    let of_bits = mean_over_loads(keys, shards, F::fprs_of(shard));
    with_hash_floor(of_bits, keys, F::Hasher::HASH_BITS)
}

pub(crate) fn check_size<F: Inner>(shards: u32, shard: F::Geometry) -> Result<(), SpecError> {
    let size_bits = f64::from(shards) * F::size_bits_of(shard) as f64;
    if size_bits > MAX_SIZE_BITS as f64 {
        return Err(SpecError::TooLarge { size_bits });
    }
    Ok(())
}

/// For every shard geometry whose own fill is known. The random distribution of keys over shards is
/// taken into account.
impl<G: Fill> Fill for ShardedGeometry<G> {
    fn occupancy(&self) -> Occupancy {
        self.shard.occupancy().in_shards(self.shards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouquet_standard::{Geometry, StandardBloom};

    #[test]
    fn the_target_is_met_at_every_size() {
        for shards in [1, 2, 3, 64, 1_000] {
            for capacity in [1, 2, 10, 64, 100, 1_000, 64_000, 10_000_000, 1_000_000_000] {
                for target_fpr in [0.999, 0.1, 0.01, 1e-4, 1e-9] {
                    let spec = Spec::new(capacity, target_fpr).unwrap();
                    let shard = shard_spec::<StandardBloom>(&spec, shards).unwrap();
                    let geometry = <StandardBloom>::geometry_for(&shard).unwrap();
                    let fpr = expected_fpr::<StandardBloom>(shards, geometry, capacity);
                    assert!(fpr <= target_fpr, "{shards} {spec:?}: {fpr}");
                }
            }
        }
    }

    #[test]
    fn the_allowance_is_small_from_a_thousand_keys_per_shard() {
        let bits = |shards| {
            let spec = Spec::new(64_000, 0.01).unwrap();
            let shard = shard_spec::<StandardBloom>(&spec, shards).unwrap();
            u64::from(shards) * <StandardBloom>::geometry_for(&shard).unwrap().size_bits()
        };
        assert!(bits(64) as f64 <= 1.01 * bits(1) as f64);
        assert!(bits(64) > bits(1));
        assert_eq!((default_shards(999), default_shards(3_999)), (1, 3));
        assert_eq!(default_shards(u64::MAX), 64);
    }

    #[test]
    fn the_slots_of_all_shards_are_bounded() {
        let of = |shards, bits| ShardedGeometry::new(shards, Geometry::new(bits, 1).unwrap());
        assert_eq!(of(0, 64), Err(SpecError::ZeroSizeBits));
        assert!(of(1 << 8, 1 << 40).is_ok_and(|all| all.slots() == MAX_SIZE_BITS));
        for (shards, bits) in [((1 << 8) + 1, 1 << 40), (u32::MAX, MAX_SIZE_BITS)] {
            assert!(matches!(of(shards, bits), Err(SpecError::TooLarge { .. })));
        }
    }

    #[test]
    fn slots_of_a_shard_lie_together() {
        let shard = Geometry::new(100, 3).unwrap();
        let geometry = ShardedGeometry::new(4, shard).unwrap();
        assert_eq!((geometry.slots(), geometry.probes()), (400, 3));
        let hash = KeyHash::from_word(0xc0ff_ee00_dead_beef);
        let (own, rest) = hash.split(4);
        let mut slots = Vec::new();
        geometry.locate(&hash, &mut |slot| slots.push(slot));
        let want: Vec<u64> = shard.slots(rest).map(|slot| own * 100 + slot).collect();
        assert_eq!(slots, want);
    }
}
