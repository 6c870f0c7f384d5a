//! Laws: inserted keys are present, and `insert` reports correctly whether the key was new.

use std::fmt::Debug;

use bouquet_core::{Filter, Inspect, Spec, TryInsert};

use super::{Verdict, all_present, fill, must_insert, spec, specs};
use crate::{
    Rng,
    keys::{member, non_member, odd, show},
};

/// There are no false negatives: after every insert into a small filter, with odd, sequential and
/// random keys, at capacity and at three times the capacity.
///
/// A filter may reject keys beyond its capacity; the keys that it accepted must be present.
///
/// # Errors
///
/// The false negative, and when it was found.
pub fn members<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug>,
{
    odd_keys(&make)?;
    for spec in specs()? {
        let keys: Vec<_> = (0..spec.capacity()).map(member).collect();
        let mut filter = make(spec, 1);
        for (i, key) in keys.iter().enumerate() {
            must_insert(&mut filter, key)?;
            all_present(&filter, &keys[..=i], &format!("after insert {i}, {spec:?}"))?;
        }
    }
    let spec = spec(1_000, 0.01)?;
    let mut rng = Rng::new(2);
    let sequential: Vec<Vec<u8>> = (0..3_000u64).map(|i| i.to_le_bytes().to_vec()).collect();
    let mut random = || {
        let len = 1 + rng.below(40) as usize;
        rng.bytes(len)
    };
    let random: Vec<Vec<u8>> = (0..3_000).map(|_| random()).collect();
    for (kind, keys) in [("sequential", sequential), ("random", random)] {
        let mut filter = make(spec, 3);
        let (within, past) = keys.split_at(1_000);
        fill(&mut filter, within)?;
        all_present(&filter, within, &format!("at capacity, {kind} keys"))?;
        let taken = past
            .iter()
            .take_while(|key| filter.try_insert(key).is_ok())
            .count();
        all_present(
            &filter,
            &keys[..1_000 + taken],
            &format!("past capacity, {kind} keys"),
        )?;
    }
    Ok(())
}

fn odd_keys<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug>,
{
    let keys = odd();
    let mut filter = make(spec(keys.len() as u64, 0.01)?, 0);
    for (i, key) in keys.iter().enumerate() {
        must_insert(&mut filter, key)?;
        // The large keys are queried only at the end, because hashing them takes long.
        let asked = keys[..=i].iter().filter(|key| key.len() < 1_000);
        all_present(&filter, asked, &format!("after odd key {i}"))?;
    }
    all_present(&filter, &keys, "with all odd keys in")
}

/// `insert` returns `true` exactly if `contains` returned `false` just before, and the key is
/// present afterwards. This is tested by bytes and by hash, up to three times the capacity.
///
/// # Errors
///
/// The key and the wrong answer.
pub fn answers<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug>,
{
    for spec in specs()? {
        let mut filter = make(spec, 4);
        let mut rng = Rng::new(5);
        for step in 0..3 * spec.capacity() {
            let key = member(rng.below(2 * spec.capacity()));
            let before = filter.contains(&key);
            let answer = if step % 2 == 0 {
                filter.try_insert(&key)
            } else {
                filter.try_insert_hash(filter.hash_key(&key))
            };
            // A full filter may reject keys: the law `rejection` tests this.
            let Ok(was_new) = answer else { break };
            ensure!(
                was_new != before,
                "insert {step} returned {was_new} where contains was {before}: {}, {spec:?}",
                show(&key)
            );
            ensure!(
                filter.contains(&key),
                "not present after insert {step}: {}, {spec:?}",
                show(&key)
            );
        }
    }
    Ok(())
}

/// Inserting the same key 100,000 times changes nothing after the first time. Not for counting
/// filters.
///
/// # Errors
///
/// What changed.
pub fn repeats<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + Clone + PartialEq,
{
    let mut filter = make(spec(100, 0.01)?, 6);
    fill(&mut filter, (0..50).map(member))?;
    let once = filter.clone();
    for i in 0..100_000 {
        let was_new = must_insert(&mut filter, &member(7))?;
        ensure!(!was_new, "repeat {i} of a member was reported new");
    }
    ensure!(
        filter == once,
        "100000 repeats of a member changed the filter"
    );
    Ok(())
}

/// A new filter contains none of 1,000 keys and no odd key (see [`odd`]), and every number about
/// its contents is 0.
///
/// # Errors
///
/// The key that is present, or the number that is not 0.
pub fn empty<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: Filter + Inspect,
{
    let odd = odd();
    for spec in specs()? {
        let filter = make(spec, 8);
        for key in (0..1_000).map(non_member) {
            ensure!(
                !filter.contains_bytes(&key),
                "a new filter contains {}, {spec:?}",
                show(&key)
            );
        }
        for key in odd.iter().filter(|key| key.len() < 1_000) {
            ensure!(
                !filter.contains_bytes(key),
                "a new filter contains {}, {spec:?}",
                show(key)
            );
        }
        for (name, number) in [
            ("fill_ratio", filter.fill_ratio()),
            ("estimated_keys", filter.estimated_keys()),
            ("estimated_fpr", filter.estimated_fpr()),
            ("expected_fpr(0)", filter.expected_fpr(0)),
        ] {
            ensure!(
                number == 0.0,
                "{name} of a new filter is {number}, {spec:?}"
            );
        }
    }
    Ok(())
}
