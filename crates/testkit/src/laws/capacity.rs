//! What a filter says of the room that it has left.

use std::fmt::Debug;

use bouquet_core::{Inspect, Spec, TryInsert};

use super::{Verdict, fill, spec, specs};
use crate::keys::member;

/// Filters differ by chance: some are past their target below capacity, some not yet above it.
const SEEDS: u64 = 8;

/// A filter is over capacity exactly if the FPR that its bits give is above its target, with
/// none to three times the keys that it is for.
///
/// `is_over_capacity` is an inherent method, so it comes as a closure.
///
/// # Errors
///
/// The keys at which it is not, and the FPR there.
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

/// The keys left are, to one, those with which theory reaches the target, minus those that seem
/// to be present, with none to twice the keys that the filter is for: ten or more, since what
/// theory expects of many filters for fewer is far from what it expects of this one's bits.
///
/// `keys_left` is an inherent method, so it comes as a closure.
///
/// # Errors
///
/// How many are left, and how many should be.
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

/// The most keys at which the expected FPR is within the target.
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
