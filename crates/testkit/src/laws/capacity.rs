//! Laws about a filter's statements on its remaining capacity.

use std::fmt::Debug;

use bouquet_core::{Inspect, Spec, TryInsert};

use super::{Verdict, fill, spec, specs};
use crate::keys::member;

/// Number of filters tested per spec, because some exceed their target FPR by chance before their
/// capacity, and others only later.
const SEEDS: u64 = 8;

/// `is_over` returns `true` exactly if the FPR estimated from the bits is above the target, tested
/// with zero to three times as many keys as the capacity.
///
/// `is_over_capacity` is an inherent method, so it is passed as a closure.
///
/// # Errors
///
/// The number of keys at which this is violated, and the FPR there.
pub fn over_capacity<F>(make: impl Fn(Spec, u64) -> F, is_over: impl Fn(&F) -> bool) -> Verdict
where
    F: TryInsert<Error: Debug> + Inspect,
{
    for spec in specs()? {
        for seed in 0..SEEDS {
            let mut filter = make(spec, seed);
            for keys in 0..=3 * spec.capacity() {
                let (over, fpr) = (is_over(&filter), filter.estimated_fpr());
                ensure!(
                    over == (fpr > spec.target_fpr()),
                    "over capacity: {over}, with {keys} keys and an FPR of {fpr}, {spec:?}"
                );
                if filter.try_insert(&member(keys)).is_err() {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// `keys_left` is, within one key, the number of keys at which the expected FPR reaches the target,
/// minus the estimated number of keys present. This is tested with zero to almost twice as many
/// keys as the capacity, for capacities of ten keys or more: for fewer keys the expected value over
/// many filters is far from that of a single filter.
///
/// `keys_left` is an inherent method, so it is passed as a closure.
///
/// # Errors
///
/// The number that was returned, and the expected one.
pub fn keys_left<F>(make: impl Fn(Spec, u64) -> F, keys_left: impl Fn(&F) -> u64) -> Verdict
where
    F: TryInsert<Error: Debug> + Inspect,
{
    let specs = specs()?.into_iter().chain([spec(20_000, 0.01)?]);
    for spec in specs.filter(|spec| spec.capacity() >= 10) {
        let mut filter = make(spec, 85);
        let fits = most_keys(&filter, spec.target_fpr()) as f64;
        for quarter in 0..8 {
            let left = keys_left(&filter) as f64;
            let want = (fits - filter.estimated_keys()).max(0.0);
            ensure!(
                (left - want).abs() < 1.5,
                "{left} keys are left where {want} are, {quarter} quarters full, {spec:?}"
            );
            let keys = |quarters| quarters * spec.capacity() / 4;
            fill(&mut filter, (keys(quarter)..keys(quarter + 1)).map(member))?;
        }
    }
    Ok(())
}

/// The largest number of keys at which the expected FPR is within the target.
fn most_keys(filter: &impl Inspect, target_fpr: f64) -> u64 {
    let (mut fits, mut over) = (0, 1);
    while filter.expected_fpr(over) <= target_fpr {
        (fits, over) = (over, 2 * over);
    }
    while over - fits > 1 {
        let middle = fits.midpoint(over);
        match filter.expected_fpr(middle) <= target_fpr {
            true => fits = middle,
            false => over = middle,
        }
    }
    fits
}
