//! Computes the size and the FPR of a filter for a target, without allocating it.

use std::rc::Rc;

use anyhow::Result;
use bouquet_core::{Inner, Spec, math::with_hash_floor};
use bouquet_hash::Folded;
use bouquet_scalable::math::{compound_fpr, first_fpr};
use bouquet_sharded::{KEYS_PER_SHARD, MAX_DEFAULT_SHARDS, math::mean_over_loads, shard_spec};
use bouquet_standard::{Geometry, StandardBloom};

/// Number of hash bits of the default hasher and of the keyed hasher.
pub const HASH_BITS: u32 = 64;

/// The FPR as a function of the number of keys; `None` if a filter would reject that many keys.
pub type Fpr = Rc<dyn Fn(u64) -> Option<f64>>;

/// The size in bits and the FPR of a filter that has only one part.
pub fn whole<F: Inner>(_: u64, spec: &Spec) -> Result<(f64, Fpr)>
where
    F::Geometry: 'static,
{
    let geometry = F::geometry_for(spec)?;
    F::expect_economy(geometry, spec)?;
    let fpr = move |keys| {
        let own = F::expected_fpr_of(geometry, keys);
        Some(with_hash_floor(own, keys, HASH_BITS))
    };
    Ok((F::size_bits_of(geometry) as f64, Rc::new(fpr)))
}

/// The same for a filter in shards: the default number of shards, each sized as the filter does it.
pub fn shards<F: Inner>(_: u64, spec: &Spec) -> Result<(f64, Fpr)>
where
    F::Geometry: 'static,
{
    let shards = (spec.capacity() / KEYS_PER_SHARD).clamp(1, MAX_DEFAULT_SHARDS.into()) as u32;
    let shard = shard_spec::<F>(spec, shards)?;
    let geometry = F::geometry_for(&shard)?;
    F::expect_economy(geometry, &shard)?;
    let bits = F::size_bits_of(geometry) as f64 * f64::from(shards);
    let fpr = move |keys| {
        let own = mean_over_loads(keys, shards, F::fprs_of(geometry));
        Some(with_hash_floor(own, keys, HASH_BITS))
    };
    Ok((bits, Rc::new(fpr)))
}

/// A stage: its geometry and its capacity.
type Stage = (Geometry, u64);

/// The same for a series of stages; the first stage is sized for `first` keys.
pub fn staged(first: u64, spec: &Spec) -> Result<(f64, Fpr)> {
    let (bits, stages) = stages(first, spec.capacity(), spec.target_fpr())?;
    let fpr = move |keys| Some(fpr_of_stages(&stages, keys));
    Ok((bits, Rc::new(fpr)))
}

/// The stages for this number of keys by the default policy: each stage has twice the capacity of
/// the one before and 0.8 of its FPR (Almeida et al. 2007).
fn stages(first: u64, keys: u64, target_fpr: f64) -> Result<(f64, Vec<Stage>)> {
    let (mut stages, mut covered, mut bits): (Vec<Stage>, u64, f64) = (Vec::new(), 0, 0.0);
    let (mut fpr, mut room) = (first_fpr(target_fpr, 0.8), first);
    while covered < keys {
        let geometry = <StandardBloom>::geometry_for(&Spec::new(room, fpr)?)?;
        bits += geometry.size_bits() as f64;
        stages.push((geometry, room));
        covered = covered.saturating_add(room);
        (room, fpr) = (room.saturating_mul(2), 0.8 * fpr);
    }
    Ok((bits, stages))
}

/// The FPR when the stages are filled one after the other. Keys beyond the capacity of all stages
/// are counted only in the hash-collision floor.
fn fpr_of_stages(stages: &[Stage], keys: u64) -> f64 {
    let mut left = keys;
    let own = stages.iter().map(|(geometry, room)| {
        let here = left.min(*room);
        left -= here;
        StandardBloom::<Folded>::expected_fpr_of(*geometry, here)
    });
    with_hash_floor(compound_fpr(own.collect::<Vec<_>>()), keys, HASH_BITS)
}
