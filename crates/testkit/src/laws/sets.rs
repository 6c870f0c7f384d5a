//! Laws about union and intersection.

use std::fmt::Debug;

use bouquet_core::{Incompatible, Inspect, Intersect, Parameter, Spec, TryInsert, Union};

use super::{Verdict, all_present, fill, spec, specs};
use crate::keys::{member, non_member, show};

/// A union is equal to a filter into which the keys of both filters were inserted, whether they
/// overlap or not. A filter with another geometry or seed leads to an error that names the
/// parameter, and nothing changes.
///
/// # Errors
///
/// The key sets with a wrong union, or the wrong error.
pub fn union<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + Union + Inspect + PartialEq + Clone,
{
    for spec in specs()? {
        for [left, right] in ranges(spec.capacity()) {
            let (mut united, mut other, mut both) =
                (make(spec, 20), make(spec, 20), make(spec, 20));
            fill(&mut united, left.clone().map(member))?;
            fill(&mut other, right.clone().map(member))?;
            fill(&mut both, left.clone().chain(right.clone()).map(member))?;
            let at = format!("the union of keys {left:?} and {right:?}, {spec:?}");
            united
                .union_with(&other)
                .map_err(|error| format!("{at} was rejected: {error}"))?;
            all_present(&united, left.chain(right).map(member), &at)?;
            ensure!(united == both, "{at} is not the filter of both");
        }
    }
    check_errors(make, "union", |filter, other| filter.union_with(other))
}

/// An intersection contains every key that both filters contain, and no key that is absent from one
/// of them. A filter with another geometry or seed leads to an error that names the parameter, and
/// nothing changes.
///
/// # Errors
///
/// The key that is missing or superfluous, or the wrong error.
pub fn intersect<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + Intersect + Inspect + PartialEq + Clone,
{
    for spec in specs()? {
        for [left, right] in ranges(spec.capacity()) {
            let (mut one, mut other) = (make(spec, 21), make(spec, 21));
            fill(&mut one, left.clone().map(member))?;
            fill(&mut other, right.clone().map(member))?;
            let before = one.clone();
            let at = format!("the intersection of keys {left:?} and {right:?}, {spec:?}");
            one.intersect_with(&other)
                .map_err(|error| format!("{at} was rejected: {error}"))?;
            let common = left.clone().filter(|i| right.contains(i));
            all_present(&one, common.map(member), &at)?;
            for key in left
                .chain(right)
                .map(member)
                .chain((0..500).map(non_member))
            {
                let allowed = before.contains(&key) && other.contains(&key);
                ensure!(
                    allowed || !one.contains(&key),
                    "{at} contains a key that is absent from one: {}",
                    show(&key)
                );
            }
        }
    }
    check_errors(make, "intersection", |filter, other| {
        filter.intersect_with(other)
    })
}

/// Pairs of ranges: disjoint, overlapping, one within the other, equal, and one empty.
fn ranges(n: u64) -> [[std::ops::Range<u64>; 2]; 5] {
    let half = n / 2;
    [
        [0..half, half..n],
        [0..n.div_ceil(2), n / 3..n],
        [0..n, half..n],
        [0..half, 0..half],
        [0..n, 0..0],
    ]
}

/// Two filters are not equal, and can be neither united nor intersected, if their hashers differ
/// although `seed()` is the same. The error names the seed.
///
/// `make` must give its filter a hasher that depends on the seed but reports the same `seed()` for
/// all seeds, like two secret keys with the same check value:
/// [`HasherFault::SeedNotReported`](crate::toy::HasherFault::SeedNotReported).
///
/// # Errors
///
/// What was possible with two such filters.
pub fn other_key<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + Union + Intersect + PartialEq + Clone,
{
    let spec = spec(100, 0.01)?;
    for seed in 24..28 {
        let (mut filter, other) = (make(spec, seed), make(spec, seed + 1));
        ensure!(
            filter != other,
            "new filters are equal though their hashers are not"
        );
        fill(&mut filter, (0..10).map(member))?;
        for (what, combine) in [
            ("union", F::union_with as fn(&mut F, &F) -> _),
            ("intersection", F::intersect_with),
        ] {
            let error = rejected(&mut filter, &other, what, "the key of the hasher", combine)?;
            ensure!(
                error.parameter == Parameter::Seed,
                "filters with other hashers were rejected for their {}",
                error.parameter
            );
        }
    }
    Ok(())
}

fn check_errors<F>(
    make: impl Fn(Spec, u64) -> F,
    what: &str,
    combine: impl Fn(&mut F, &F) -> Result<(), Incompatible>,
) -> Verdict
where
    F: TryInsert<Error: Debug> + Inspect + PartialEq + Clone,
{
    let mut filter = make(spec(100, 0.01)?, 22);
    fill(&mut filter, (0..50).map(member))?;
    for (differ_in, capacity, target_fpr, seed) in [
        ("capacity", 1_000, 0.01, 22),
        ("target FPR", 100, 1e-6, 22),
        ("seed", 100, 0.01, 23),
    ] {
        let mut other = make(spec(capacity, target_fpr)?, seed);
        fill(&mut other, (50..100).map(member))?;
        let error = rejected(&mut filter, &other, what, differ_in, &combine)?;
        ensure!(
            (error.parameter == Parameter::Seed) == (differ_in == "seed"),
            "filters that differ in {differ_in} were rejected for their {}",
            error.parameter
        );
        let (ours, theirs) = match error.parameter {
            Parameter::SizeBits => (filter.size_bits(), other.size_bits()),
            Parameter::Hashes => (filter.hashes().into(), other.hashes().into()),
            _ => (error.left, error.right),
        };
        ensure!(
            error.left != error.right && ours.cmp(&theirs) == error.left.cmp(&error.right),
            "rejected for {}, {} and {}, but they are {ours} and {theirs}",
            error.parameter,
            error.left,
            error.right
        );
    }
    Ok(())
}

/// Asserts that combining the two filters returns an error that names `differ_in`.
fn rejected<F: PartialEq + Clone>(
    filter: &mut F,
    other: &F,
    what: &str,
    differ_in: &str,
    combine: impl Fn(&mut F, &F) -> Result<(), Incompatible>,
) -> Result<Incompatible, String> {
    let before = filter.clone();
    let Err(error) = combine(filter, other) else {
        return Err(format!(
            "{what} succeeded though the filters differ in {differ_in}"
        ));
    };
    ensure!(
        *filter == before,
        "a rejected {what} changed the filter ({differ_in})"
    );
    Ok(error)
}
