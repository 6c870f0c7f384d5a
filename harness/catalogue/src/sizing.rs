//! Computes the size and the FPR of a filter without allocating it.

use std::rc::Rc;

use anyhow::Result;
use bouquet_core::{
    Fill, Inner, Locate as _, Spec,
    math::{Occupancy, with_hash_floor},
};
use bouquet_hash::Folded;
use bouquet_scalable::math::{compound_fpr, first_fpr};
use bouquet_sharded::{KEYS_PER_SHARD, MAX_DEFAULT_SHARDS, math::mean_over_loads, shard_spec};
use bouquet_standard::{Geometry, StandardBloom};

/// Number of hash bits of the default hasher and of the keyed hasher.
pub const HASH_BITS: u32 = 64;

/// The FPR as a function of the number of keys; `None` if a filter would reject that many keys.
pub type Fpr = Rc<dyn Fn(u64) -> Option<f64>>;

/// The size of a filter, with the FPR and other values that follow from the size.
pub struct Outline {
    pub size_bits: f64,
    pub fpr: Fpr,
    /// The number of hashes k; `None` if the filter has no hashes, or stages with different k.
    pub hashes: Option<u32>,
    pub occupancy: Option<Occupancy>,
}

impl Outline {
    pub fn new(size_bits: f64, fpr: impl Fn(u64) -> Option<f64> + 'static) -> Self {
        Self {
            size_bits,
            fpr: Rc::new(fpr),
            hashes: None,
            occupancy: None,
        }
    }

    fn of_shards<F: Inner<Geometry: Fill + 'static>>(shards: u32, geometry: F::Geometry) -> Self {
        let fpr = move |keys| {
            let own = mean_over_loads(keys, shards, F::fprs_of(geometry));
            Some(with_hash_floor(own, keys, HASH_BITS))
        };
        Self {
            hashes: Some(geometry.probes()),
            occupancy: Some(geometry.occupancy().in_shards(shards)),
            ..Self::new(F::size_bits_of(geometry) as f64 * f64::from(shards), fpr)
        }
    }
}

/// The size, FPR and hashes of a filter without shards or stages.
pub fn whole<F: Inner<Geometry: Fill + 'static>>(_: u64, spec: &Spec) -> Result<Outline> {
    let geometry = F::geometry_for(spec)?;
    F::expect_economy(geometry, spec)?;
    Ok(Outline::of_shards::<F>(1, geometry))
}

/// The size, FPR and hashes of a filter with the default number of shards.
pub fn shards<F: Inner<Geometry: Fill + 'static>>(_: u64, spec: &Spec) -> Result<Outline> {
    let shards = (spec.capacity() / KEYS_PER_SHARD).clamp(1, MAX_DEFAULT_SHARDS.into()) as u32;
    let shard = shard_spec::<F>(spec, shards)?;
    let geometry = F::geometry_for(&shard)?;
    F::expect_economy(geometry, &shard)?;
    Ok(Outline::of_shards::<F>(shards, geometry))
}

/// Computes the [`Outline`] of a filter of a given size.
#[derive(Clone, Copy, Debug)]
pub struct BySize {
    /// The size must be a multiple of this many bits.
    pub unit: u64,
    /// The number of hashes if only one is possible; 0 if the filter has no hashes.
    pub only_hashes: Option<u32>,
    /// The arguments are the capacity, the size in bits and the number of hashes.
    pub outline: fn(u64, u64, u32) -> Result<Outline>,
}

/// A filter whose geometry follows from a size and a number of hashes.
pub trait Sizable: Inner<Geometry: Fill + 'static> {
    const UNIT: u64 = 1;
    const ONLY_HASHES: Option<u32> = None;

    fn of_size_bits(size_bits: u64, hashes: u32) -> Result<Self::Geometry>;
}

impl BySize {
    pub const fn whole<F: Sizable>() -> Self {
        Self {
            unit: F::UNIT,
            only_hashes: F::ONLY_HASHES,
            outline: |_, bits, hashes| {
                Ok(Outline::of_shards::<F>(1, F::of_size_bits(bits, hashes)?))
            },
        }
    }

    /// For a filter in shards; assumes the largest default number of shards.
    pub const fn shards<F: Sizable>() -> Self {
        Self {
            unit: F::UNIT * MAX_DEFAULT_SHARDS as u64,
            only_hashes: F::ONLY_HASHES,
            outline: |_, bits, hashes| {
                let shard = F::of_size_bits(bits / u64::from(MAX_DEFAULT_SHARDS), hashes)?;
                Ok(Outline::of_shards::<F>(MAX_DEFAULT_SHARDS, shard))
            },
        }
    }
}

/// The size and the FPR of a scalable filter with the default policy (Almeida et al. 2007): each
/// stage has twice the capacity of the previous one and 0.8 times its FPR. The first stage is sized
/// for `first` keys.
pub fn staged(first: u64, spec: &Spec) -> Result<Outline> {
    let mut stages: Vec<(Geometry, u64)> = Vec::new();
    let (mut covered, mut bits) = (0_u64, 0.0);
    let (mut fpr, mut room) = (first_fpr(spec.target_fpr(), 0.8), first);
    while covered < spec.capacity() {
        let geometry = <StandardBloom>::geometry_for(&Spec::new(room, fpr)?)?;
        bits += geometry.size_bits() as f64;
        stages.push((geometry, room));
        covered = covered.saturating_add(room);
        (room, fpr) = (room.saturating_mul(2), 0.8 * fpr);
    }
    // Keys fill the stages in order. Keys beyond the capacity of all stages add only to the FPR
    // that hash collisions cause.
    let fpr = move |keys: u64| {
        let mut left = keys;
        let own = stages.iter().map(|(geometry, room)| {
            let here = left.min(*room);
            left -= here;
            StandardBloom::<Folded>::expected_fpr_of(*geometry, here)
        });
        let own = compound_fpr(own.collect::<Vec<_>>());
        Some(with_hash_floor(own, keys, HASH_BITS))
    };
    Ok(Outline::new(bits, fpr))
}
