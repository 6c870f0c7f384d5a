//! A filter in shards that a program puts behind locks of its own: `ShardedBloom` takes
//! none that may reject a key.

use anyhow::Result;
use bouquet_core::Spec;
use bouquet_sharded::{KEYS_PER_SHARD, MAX_DEFAULT_SHARDS};

use crate::{Fpr, SizingFn};

/// A shard that must not be full before all keys are in it has room for so many standard
/// deviations more than its share: one of 64 is full in one of ten million filters.
const DEVIATIONS: f64 = 6.0;

/// How many shards there are for a capacity: as many as `ShardedBloom` has.
pub fn count(capacity: u64) -> u64 {
    (capacity / KEYS_PER_SHARD).clamp(1, MAX_DEFAULT_SHARDS.into())
}

/// The keys that each of so many is sized for.
pub fn room(capacity: u64, count: u64, grows: bool) -> u64 {
    let share = capacity.div_ceil(count);
    if grows || count == 1 {
        return share;
    }
    share + (DEVIATIONS * (share as f64).sqrt()).ceil() as u64
}

/// The bits and the FPR of all shards, by those of one.
///
/// # Errors
///
/// Those of one shard.
pub fn sizing(one: SizingFn, grows: bool, at_first: u64, spec: &Spec) -> Result<(f64, Fpr)> {
    let count = count(at_first);
    let own = |keys| room(keys, count, grows);
    let spec = Spec::new(own(spec.capacity()), spec.target_fpr())?;
    let (bits, fpr) = one(own(at_first), &spec)?;
    // Shards have nearly the same load, and their FPR is nearly straight in it.
    let fpr = move |keys: u64| {
        fpr(room(keys, count, grows))?;
        fpr(keys.div_ceil(count))
    };
    Ok((bits * count as f64, std::rc::Rc::new(fpr)))
}
