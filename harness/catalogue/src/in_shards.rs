//! Sizes filters that a program itself divides into shards, each behind a lock: the filters whose
//! insertion can fail, which `ShardedBloom` does not support.

use anyhow::Result;
use bouquet_core::Spec;
use bouquet_sharded::{KEYS_PER_SHARD, MAX_DEFAULT_SHARDS};

use crate::{Outline, SizingFn};

/// A shard that cannot grow is sized for its share of the keys plus this many standard deviations.
/// With 64 shards, the probability that any of them is full too early is about 1 in 10 million.
const DEVIATIONS: f64 = 6.0;

/// The number of shards for a capacity, the same as in `ShardedBloom`.
pub fn count(capacity: u64) -> u64 {
    (capacity / KEYS_PER_SHARD).clamp(1, MAX_DEFAULT_SHARDS.into())
}

/// The number of keys that each shard is sized for.
pub fn room(capacity: u64, count: u64, grows: bool) -> u64 {
    let share = capacity.div_ceil(count);
    if grows || count == 1 {
        return share;
    }
    share + (DEVIATIONS * (share as f64).sqrt()).ceil() as u64
}

/// The size and the FPR of all shards together; `one` is the function that sizes one shard.
///
/// # Errors
///
/// If a shard cannot be sized.
pub fn sizing(one: SizingFn, grows: bool, at_first: u64, spec: &Spec) -> Result<Outline> {
    let count = count(at_first);
    let own = |keys| room(keys, count, grows);
    let spec = Spec::new(own(spec.capacity()), spec.target_fpr())?;
    let Outline { size_bits, fpr, .. } = one(own(at_first), &spec)?;
    // The FPR is computed at the mean number of keys per shard, because shards differ little in
    // this number and the FPR is nearly linear in it.
    let fpr = move |keys: u64| {
        fpr(room(keys, count, grows))?;
        fpr(keys.div_ceil(count))
    };
    Ok(Outline::new(size_bits * count as f64, fpr))
}
