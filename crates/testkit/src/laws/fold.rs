//! Laws about folding a filter to half of its slots.

use std::fmt::Debug;

use bouquet_core::{Fold, FoldError, Inspect, Spec, TryInsert};

use super::{Verdict, all_present, fill, specs};
use crate::keys::member;

/// Folding a filter gives the filter that the same keys would make in half as many slots; this can
/// be repeated until the number of slots is odd. `fold_to` folds for as long as the FPR stays
/// within its argument.
///
/// # Errors
///
/// The number of foldings after which the filter was wrong, or that no spec could be folded.
pub fn fold<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: Fold + Inspect + TryInsert<Error: Debug> + PartialEq,
{
    let mut halved = 0;
    for spec in specs()? {
        for keys in [0, 1, spec.capacity()] {
            let mut filter = make(spec, 60);
            fill(&mut filter, (0..keys).map(member))?;
            let mut empty = make(spec, 60);
            let mut times = 0;
            while let (Some(half), Some(mut again)) = (half_of(&filter)?, half_of(&empty)?) {
                times += 1;
                let of = format!("halved {times} times, {keys} keys, {spec:?}");
                ensure!(
                    2 * half.size_bits() == filter.size_bits() && half.hashes() == filter.hashes(),
                    "not half the slots with as many hashes, {of}"
                );
                all_present(&half, (0..keys).map(member), &of)?;
                empty = half_of(&empty)?.ok_or("halved once and not again")?;
                fill(&mut again, (0..keys).map(member))?;
                ensure!(half == again, "not the filter of the same keys, {of}");
                filter = half;
            }
            halved += times;
        }
        fold_to(&make, spec)?;
    }
    ensure!(halved > 0, "nothing could be halved: leave this law out");
    Ok(())
}

fn half_of<F: Fold>(filter: &F) -> Result<Option<F>, String> {
    match filter.halved() {
        Ok(half) => Ok(Some(half)),
        Err(FoldError::Odd { .. }) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

fn fold_to<F>(make: impl Fn(Spec, u64) -> F, spec: Spec) -> Verdict
where
    F: Fold + Inspect + TryInsert<Error: Debug>,
{
    let mut filter = make(spec, 61);
    fill(&mut filter, (0..spec.capacity().div_ceil(8)).map(member))?;
    let (size_bits, estimated_fpr) = (filter.size_bits(), filter.estimated_fpr());
    let target_fpr = spec.target_fpr();
    let folded = filter
        .fold_to(target_fpr)
        .map_err(|error| error.to_string())?;
    ensure!(
        folded.estimated_fpr() <= target_fpr.max(estimated_fpr),
        "folded past the target FPR, {spec:?}"
    );
    let further = half_of(&folded)?;
    ensure!(
        further.is_none_or(|half| half.estimated_fpr() > target_fpr),
        "not folded as far as the target FPR allows, {spec:?}: {} of {size_bits} bits",
        folded.size_bits()
    );
    Ok(())
}
