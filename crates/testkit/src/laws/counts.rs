//! Laws about how often a key is present.

use std::fmt::Debug;

use bouquet_core::{Inspect, Remove, Spec, TryInsert};

use super::{Verdict, fill, must_insert, spec};
use crate::keys::{member, non_member, show};

/// The estimated count of a key is above zero exactly if the filter contains the key. It is never
/// lower than the number of copies, and too high as rarely as a key is a false positive. For a key
/// that is alone in the filter it is exact, unless copies were removed.
///
/// `estimated_count` is an inherent method, so it is passed as a closure.
///
/// # Errors
///
/// The key, its estimated count and its number of copies.
pub fn counts<F>(make: impl Fn(Spec, u64) -> F, count: impl Fn(&F, &[u8]) -> u32) -> Verdict
where
    F: TryInsert<Error: Debug> + Remove + Inspect,
{
    alone(&make, &count)?;
    // The keys are inserted once, twice or three times each.
    const KEYS: u64 = 1_000;
    let copies = |i: u64| 1 + (i % 3) as u32;
    let mut filter = make(spec(4 * KEYS, 0.05)?, 80);
    for i in 0..KEYS {
        fill(&mut filter, (0..copies(i)).map(|_| member(i)))?;
    }
    let mut too_high = 0.0;
    for (key, copies) in (0..KEYS).map(|i| (member(i), copies(i))) {
        let counted = count(&filter, &key);
        ensure!(
            counted >= copies,
            "counted {counted} times, inserted {copies} times: {}",
            show(&key)
        );
        too_high += f64::from(u8::from(counted > copies));
    }
    let chance = KEYS as f64 * filter.estimated_fpr();
    ensure!(
        too_high <= chance + 5.0 * chance.sqrt(),
        "{too_high} of {KEYS} counts are too high, by chance {chance}"
    );
    for key in (0..5 * KEYS).map(non_member) {
        let (counted, found) = (count(&filter, &key), filter.contains(&key));
        ensure!(
            found == (counted > 0),
            "contains is {found}, but the count is {counted}: {}",
            show(&key)
        );
    }
    Ok(())
}

fn alone<F>(make: impl Fn(Spec, u64) -> F, count: impl Fn(&F, &[u8]) -> u32) -> Verdict
where
    F: TryInsert<Error: Debug> + Remove,
{
    for seed in 0..100 {
        let (mut filter, key) = (make(spec(100, 0.01)?, seed), member(seed));
        for (added, want) in [
            (true, 1),
            (true, 2),
            (true, 3),
            (false, 2),
            (false, 1),
            (false, 0),
        ] {
            match added {
                true => _ = must_insert(&mut filter, &key)?,
                false => _ = filter.remove(&key),
            }
            let counted = count(&filter, &key);
            ensure!(
                counted == want,
                "a key alone is counted {counted} times and present {want} times: {}",
                show(&key)
            );
        }
    }
    Ok(())
}
