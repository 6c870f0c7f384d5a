//! A law about the limit on a filter's growth.

use std::fmt::Debug;

use bouquet_core::{Spec, TryInsert};

use super::{Verdict, all_present, must_insert, specs};
use crate::keys::member;

/// With the lowest limit of 0 bytes, a filter accepts as many keys as its capacity and rejects a
/// later one. With a limit of one byte less than it needs to grow, it rejects that key again; with
/// exactly as many bytes, or without a limit, it accepts the key.
///
/// `size_bits` and `set_max_bytes` are inherent methods, so they are passed as closures.
///
/// # Errors
///
/// The limit in bytes, and what the filter did.
pub fn max_bytes<F>(
    make: impl Fn(Spec, u64) -> F,
    size_bits: impl Fn(&F) -> u64,
    set_max_bytes: impl Fn(&mut F, Option<u64>),
) -> Verdict
where
    F: TryInsert<Error: Debug> + Clone,
{
    for spec in specs()? {
        let mut filter = make(spec, 90);
        let there = size_bits(&filter);
        set_max_bytes(&mut filter, Some(0));
        let most = 100 * spec.capacity();
        let rejected = (0..most).find(|&i| filter.try_insert(&member(i)).is_err());
        let Some(rejected) = rejected.filter(|_| size_bits(&filter) == there) else {
            return Err(format!(
                "with at most 0 bytes it takes {most} keys or grows, {spec:?}"
            ));
        };
        ensure!(
            rejected >= spec.capacity(),
            "with at most 0 bytes key {rejected} is rejected, within capacity, {spec:?}"
        );
        let key = member(rejected);
        let mut unlimited = filter.clone();
        set_max_bytes(&mut unlimited, None);
        must_insert(&mut unlimited, &key)?;
        let grown = size_bits(&unlimited);
        let needed = grown.div_ceil(8);
        set_max_bytes(&mut filter, Some(needed - 1));
        ensure!(
            filter.try_insert(&key).is_err() && size_bits(&filter) == there,
            "grows to {needed} bytes, one more than are allowed, {spec:?}"
        );
        set_max_bytes(&mut filter, Some(needed));
        ensure!(
            filter.try_insert(&key).is_ok() && size_bits(&filter) == grown,
            "does not grow to the {needed} bytes that are allowed, {spec:?}"
        );
        all_present(&filter, (0..=rejected).map(member), "once it has grown")?;
    }
    Ok(())
}
