//! Laws about removing keys.

use std::fmt::Debug;

use bouquet_core::{Remove, Spec, TryInsert};

use super::{Verdict, all_present, fill, must_insert, spec, specs};
use crate::{
    Rng,
    keys::{member, non_member, show},
};

/// Removing a member causes no false negative, however often keys were inserted, and removing the
/// only key leaves a filter that is equal to a new one.
///
/// There are three parts: one key is inserted and removed; one key is inserted 300 times, which
/// brings every counter of up to eight bits to its maximum; every other key of a full filter is
/// removed. The law [`sequences`](super::sequences()) tests random steps.
///
/// # Errors
///
/// The false negative, and when it was found.
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
            "one key inserted and removed leaves a trace: {}, seed {i}",
            show(&member(i))
        );
    }
    hot_key(&make)?;
    specs()?
        .into_iter()
        .try_for_each(|spec| every_other(&make, spec))
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
        all_present(
            &filter,
            (0..20).map(member),
            &format!("with one key inserted {copies} times"),
        )?;
    }
    for taken in 1..copies {
        ensure!(
            filter.remove(&hot),
            "removal {taken} of a key inserted {copies} times returned false"
        );
        all_present(
            &filter,
            (0..20).map(member),
            &format!("after {taken} removals of a key inserted {copies} times"),
        )?;
    }
    Ok(())
}

/// Removes every other key of a full filter, by bytes and by hash, in an order different from that
/// of the inserts.
fn every_other<F>(make: impl Fn(Spec, u64) -> F, spec: Spec) -> Verdict
where
    F: TryInsert<Error: Debug> + Remove,
{
    let n = spec.capacity();
    let mut filter = make(spec, 32);
    fill(&mut filter, (0..n).map(member))?;
    let mut leaving: Vec<u64> = (0..n).step_by(2).collect();
    Rng::new(33).shuffle(&mut leaving);
    for (left, i) in leaving.iter().enumerate() {
        let key = member(*i);
        let answer = match left % 2 {
            0 => filter.remove(&key),
            _ => filter.remove_hash(filter.hash_key(&key)),
        };
        ensure!(answer, "removing a member returned false: {}", show(&key));
        let staying = leaving[left + 1..].iter().copied();
        let staying = staying.chain((1..n).step_by(2)).map(member);
        all_present(
            &filter,
            staying,
            &format!("after {} removals, {spec:?}", left + 1),
        )?;
    }
    Ok(())
}

/// Removing a definitely absent key returns `false` and changes nothing.
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
        for key in (0..500).map(non_member) {
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
