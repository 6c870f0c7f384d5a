//! Laws about when two filters are equal, and about copies, `extend`, `clear` and `Debug`.

use std::fmt::Debug;

use bouquet_core::{Filter, Spec, TryInsert};

use super::{Verdict, all_present, fill, spec, specs};
use crate::{
    Rng,
    keys::{member, non_member},
};

/// Inserting the same keys in the same order into filters from the same [`Spec`] and seed makes
/// equal filters. Another seed changes which non-members are false positives.
///
/// # Errors
///
/// Which of these two statements is violated.
pub fn determinism<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq,
{
    for spec in specs()? {
        let (mut one, mut two) = (make(spec, 10), make(spec, 10));
        fill(&mut one, (0..spec.capacity()).map(member))?;
        fill(&mut two, (0..spec.capacity()).map(member))?;
        ensure!(
            one == two,
            "equal keys, Spec and seed make different filters, {spec:?}"
        );
        for key in (0..1_000).map(non_member) {
            ensure!(
                one.contains(&key) == two.contains(&key),
                "equal filters answer differently, {spec:?}"
            );
        }
    }
    let spec = spec(100, 0.1)?;
    let answers = |seed| -> Result<Vec<bool>, String> {
        let mut filter = make(spec, seed);
        fill(&mut filter, (0..100).map(member))?;
        // Enough queries for every filter to have some false positives: small shards have a tenth
        // of the target FPR.
        Ok((0..20_000)
            .map(|i| filter.contains(&non_member(i)))
            .collect())
    };
    ensure!(
        answers(1)? != answers(2)?,
        "seeds 1 and 2 have the same false positives"
    );
    Ok(())
}

/// The order of the keys does not matter: inserting them forwards, backwards and shuffled makes
/// equal filters.
///
/// # Errors
///
/// The order that made a different filter.
pub fn order_free<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq,
{
    for spec in specs()? {
        let mut keys: Vec<_> = (0..spec.capacity()).map(member).collect();
        let build = |keys: &[[u8; 8]]| -> Result<F, String> {
            let mut filter = make(spec, 11);
            fill(&mut filter, keys)?;
            Ok(filter)
        };
        let forwards = build(&keys)?;
        keys.reverse();
        ensure!(
            forwards == build(&keys)?,
            "backwards makes another filter, {spec:?}"
        );
        Rng::new(12).shuffle(&mut keys);
        ensure!(
            forwards == build(&keys)?,
            "shuffled makes another filter, {spec:?}"
        );
    }
    Ok(())
}

/// Two filters are equal only if geometry, seed and contents are equal. (If equality ignored the
/// seed, a union could cause false negatives.)
///
/// # Errors
///
/// The property in which two filters differ that compare equal.
pub fn equality<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq,
{
    let base = spec(100, 0.01)?;
    let new = make(base, 13);
    ensure!(
        new == make(base, 13),
        "two new filters from one Spec and seed differ"
    );
    ensure!(
        new != make(base, 14),
        "filters with different seeds are equal"
    );
    ensure!(
        new != make(spec(1_000, 0.01)?, 13),
        "filters for 100 and 1000 keys are equal"
    );
    ensure!(
        new != make(spec(100, 1e-6)?, 13),
        "filters for FPR 0.01 and 1e-6 are equal"
    );
    let mut one_key = make(base, 13);
    fill(&mut one_key, [member(0)])?;
    ensure!(new != one_key, "an empty filter equals one with a key");
    Ok(())
}

/// A clone is equal to its original, and changes of one do not affect the other.
///
/// # Errors
///
/// Which of the two changed.
pub fn clone<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq + Clone,
{
    for seed in 0..4 {
        for spec in specs()? {
            clone_of(|| make(spec, seed), spec.capacity())
                .map_err(|why| format!("{why}, seed {seed}, {spec:?}"))?;
        }
    }
    Ok(())
}

fn clone_of<F>(make: impl Fn() -> F, n: u64) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq + Clone,
{
    let half = n.div_ceil(2);
    let (mut original, mut reference) = (make(), make());
    fill(&mut original, (0..half).map(member))?;
    fill(&mut reference, (0..half).map(member))?;
    let mut copy = original.clone();
    ensure!(copy == original, "a clone differs from its original");
    fill(&mut copy, (half..n).map(member))?;
    ensure!(
        original == reference,
        "inserting into a clone changed the original"
    );
    all_present(&copy, (0..n).map(member), "in a clone")?;
    let full = copy.clone();
    ensure!(copy == full, "a clone of a full filter differs from it");
    fill(
        &mut original,
        (n..n + half).map(member).take((n - half) as usize),
    )?;
    ensure!(
        copy == full,
        "inserting into the original changed its clone"
    );
    Ok(())
}

/// `extend` has the same effect as inserting each key.
///
/// # Errors
///
/// A message if the effect differs.
pub fn extend<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq + Extend<Vec<u8>>,
{
    for spec in specs()? {
        let keys = || (0..spec.capacity()).map(|i| member(i).to_vec());
        let (mut extended, mut inserted) = (make(spec, 16), make(spec, 16));
        extended.extend(keys());
        fill(&mut inserted, keys())?;
        all_present(&extended, keys(), "after extend")?;
        ensure!(
            extended == inserted,
            "extending and inserting make different filters, {spec:?}"
        );
    }
    Ok(())
}

/// A cleared filter is equal to a new one, and later inserts have the same effect as in a new
/// filter, including growth.
///
/// `clear` is an inherent method, so it is passed as a closure.
///
/// # Errors
///
/// How it differs from a new filter.
pub fn clear<F>(make: impl Fn(Spec, u64) -> F, clear: impl Fn(&mut F)) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq,
{
    for spec in specs()? {
        let (mut filter, mut new) = (make(spec, 17), make(spec, 17));
        // Inserts beyond the capacity until a key is rejected, because `clear` must also undo
        // growth.
        let fill = |filter: &mut F| {
            let keys = (0..4 * spec.capacity()).map(member);
            keys.map(|key| filter.try_insert(&key))
                .take_while(Result::is_ok)
                .count()
        };
        fill(&mut filter);
        clear(&mut filter);
        ensure!(
            filter == new,
            "a cleared filter differs from a new one, {spec:?}"
        );
        let (again, first) = (fill(&mut filter), fill(&mut new));
        ensure!(
            again == first && filter == new,
            "a cleared filter takes {again} keys where a new one takes {first}, or becomes \
             another, {spec:?}"
        );
    }
    Ok(())
}

/// `Debug` prints the geometry, not the bits: for a filter for 100,000 keys it prints less than
/// 2,000 bytes.
///
/// # Errors
///
/// The number of bytes printed.
pub fn debug<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: Filter + Debug,
{
    let printed = format!("{:?}", make(spec(100_000, 0.01)?, 18)).len();
    ensure!(printed < 2_000, "Debug prints {printed} bytes");
    ensure!(printed > 0, "Debug prints nothing");
    Ok(())
}
