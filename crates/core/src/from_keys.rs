//! A constructor that takes keys instead of a capacity.

use alloc::vec::Vec;

use crate::{Insert, Key, KeyHash, KeyHasher, Spec, SpecError};

/// Builds a filter of the given keys: `make` creates it, with the number of keys (repeats
/// included) as its capacity. This is what `from_keys` of most filters does.
///
/// Needs 16 bytes of memory per key until all keys are read.
///
/// # Errors
///
/// Those of [`Spec::new`] and of `make`.
pub fn from_keys<K, H, F>(
    keys: impl IntoIterator<Item = K>,
    target_fpr: f64,
    hasher: H,
    make: impl FnOnce(Spec, H) -> Result<F, SpecError>,
) -> Result<F, SpecError>
where
    K: Key,
    H: KeyHasher,
    F: Insert<Hash = KeyHash>,
{
    let hashes: Vec<KeyHash> = keys.into_iter().map(|key| hasher.hash_key(&key)).collect();
    let spec = Spec::new((hashes.len() as u64).max(1), target_fpr)?;
    let mut filter = make(spec, hasher)?;
    filter.insert_hash_batch(&hashes);
    Ok(filter)
}
