//! Laws about the numbers that a filter reports.

use std::fmt::Debug;

use bouquet_core::{Inspect, Spec, TryInsert};

use super::{Verdict, fill, spec, specs};
use crate::keys::member;

/// The filter meets its target by its own theory: `expected_fpr` at capacity is at most the target,
/// for 1 to 1,000 keys and targets from 99.9 % to 1 in a million.
///
/// # Errors
///
/// The [`Spec`] and its expected FPR.
pub fn sizing<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: Inspect,
{
    for capacity in [1, 2, 3, 5, 10, 63, 64, 65, 100, 1_000] {
        for target_fpr in [0.999, 0.5, 0.1, 0.01, 1e-3, 1e-6] {
            let filter = make(spec(capacity, target_fpr)?, 70);
            let expected = filter.expected_fpr(capacity);
            ensure!(
                expected <= target_fpr,
                "sized for {capacity} keys at {target_fpr}, expects {expected}: {} bits, {} hashes",
                filter.size_bits(),
                filter.hashes()
            );
            ensure!(
                filter.capacity() >= capacity,
                "sized for {capacity} keys, has capacity {}",
                filter.capacity()
            );
        }
    }
    Ok(())
}

/// The reported numbers are consistent: the memory is large enough for the bits, the fill ratio
/// rises from 0 to at most 1, rates are between 0 and 1, and the expected FPR never decreases with
/// more keys.
///
/// # Errors
///
/// The number that is inconsistent.
pub fn inspect<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + Inspect,
{
    for spec in specs()? {
        let mut filter = make(spec, 71);
        let (bits, bytes) = (filter.size_bits(), filter.memory_bytes());
        ensure!(
            bits > 0 && filter.hashes() > 0,
            "{bits} bits, {} hashes, {spec:?}",
            filter.hashes()
        );
        ensure!(
            bytes as u64 >= bits.div_ceil(8),
            "{bits} bits in {bytes} bytes, {spec:?}"
        );
        let mut last = 0.0;
        for i in 0..spec.capacity() {
            fill(&mut filter, [member(i)])?;
            let now = filter.fill_ratio();
            ensure!(
                (last..=1.0).contains(&now) && now > 0.0,
                "fill went from {last} to {now} at key {i}, {spec:?}"
            );
            let estimated = filter.estimated_fpr();
            ensure!(
                (0.0..=1.0).contains(&estimated),
                "estimated FPR {estimated} at key {i}, {spec:?}"
            );
            ensure!(
                filter.estimated_keys() > 0.0,
                "estimates {} keys at key {i}, {spec:?}",
                filter.estimated_keys()
            );
            last = now;
        }
        let mut last = 0.0;
        for keys in 0..4 * spec.capacity().min(100) {
            let expected = filter.expected_fpr(keys);
            // Small rounding errors are allowed, because the closed forms are sums of many terms.
            ensure!(
                expected <= 1.0 && expected >= last * (1.0 - 1e-9),
                "expected FPR goes from {last} to {expected} at {keys} keys, {spec:?}"
            );
            last = expected;
        }
    }
    Ok(())
}
