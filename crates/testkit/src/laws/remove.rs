//! Taking keys back.

use std::{collections::BTreeMap, fmt::Debug};

use bouquet_core::{Remove, Spec, TryInsert};

use super::{Verdict, fill, held, must_insert, spec};
use crate::{
    Rng,
    keys::{member, show, stranger},
};

/// Removing a member hides no other, however often keys were inserted, and
/// removing the only key leaves a filter like new.
///
/// Three parts: one key in and out; one key inserted 300 times, which brings
/// every counter of up to eight bits to its maximum; thousands of random steps
/// against a multiset.
///
/// # Errors
///
/// The key that was lost, with step and seed.
pub fn remove<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + Remove + PartialEq,
{
    for i in 0..100 {
        let mut filter = make(spec(100, 0.01)?, i);
        must_insert(&mut filter, &member(i))?;
        ensure!(
            filter.remove(&member(i)),
            "the only member could not be removed: {}",
            show(&member(i))
        );
        let new = make(spec(100, 0.01)?, i);
        ensure!(
            filter == new,
            "one key in and out leaves a trace: {}, seed {i}",
            show(&member(i))
        );
    }
    hot_key(&make)?;
    (0..8).try_for_each(|seed| against_multiset(&make, seed))
}

fn hot_key<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + Remove,
{
    let mut filter = make(spec(20, 0.01)?, 30);
    fill(&mut filter, (1..20).map(member))?;
    let hot = member(0);
    let mut copies = 0;
    while copies < 300 && filter.try_insert(&hot).is_ok() {
        copies += 1;
        held(
            &filter,
            (0..20).map(member),
            &format!("with one key inserted {copies} times"),
        )?;
    }
    for taken in 1..copies {
        ensure!(
            filter.remove(&hot),
            "removal {taken} of a key inserted {copies} times was denied"
        );
        held(
            &filter,
            (0..20).map(member),
            &format!("after {taken} removals of a key inserted {copies} times"),
        )?;
    }
    Ok(())
}

fn against_multiset<F>(make: impl Fn(Spec, u64) -> F, seed: u64) -> Verdict
where
    F: TryInsert<Error: Debug> + Remove,
{
    let mut rng = Rng::new(seed);
    let capacity = 10 + rng.below(60);
    let mut filter = make(spec(capacity, 0.02)?, seed);
    let mut model: BTreeMap<[u8; 8], u32> = BTreeMap::new();
    for step in 0..2_000 {
        // The lower of two draws: some keys are hot.
        let key = member(rng.below(2 * capacity).min(rng.below(2 * capacity)));
        let at = format!("seed {seed}, step {step}, capacity {capacity}");
        if rng.below(100) < 55 {
            if filter.try_insert(&key).is_ok() {
                *model.entry(key).or_default() += 1;
            }
        } else if let Some(copies) = model.get_mut(&key) {
            ensure!(
                filter.remove(&key),
                "removing a member was denied: {}; {at}",
                show(&key)
            );
            *copies -= 1;
            if *copies == 0 {
                model.remove(&key);
            }
        }
        held(&filter, model.keys(), &at)?;
    }
    Ok(())
}

/// Removing a key that `contains` denies answers `false` and changes nothing.
///
/// # Errors
///
/// The key, and what happened.
pub fn remove_absent<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + Remove + PartialEq + Clone,
{
    let mut filter = make(spec(100, 0.1)?, 31);
    for keys in [0..1, 1..50, 50..100] {
        fill(&mut filter, keys.map(member))?;
        let before = filter.clone();
        for key in (0..500).map(stranger) {
            if filter.contains(&key) {
                continue;
            }
            ensure!(
                !filter.remove(&key),
                "an absent key was removed: {}",
                show(&key)
            );
            ensure!(
                filter == before,
                "removing an absent key changed the filter: {}",
                show(&key)
            );
        }
    }
    Ok(())
}
