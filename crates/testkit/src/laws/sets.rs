//! Union and intersection.

use std::fmt::Debug;

use bouquet_core::{Incompatible, Intersect, Parameter, Spec, TryInsert, Union};

use super::{Verdict, fill, held, spec, specs};
use crate::keys::{member, show, stranger};

/// A union equals the filter that got the keys of both, whether they overlap or
/// not; a filter of another geometry or seed is refused by name, and nothing
/// changes.
///
/// # Errors
///
/// The key sets that went wrong, or the refusal that did.
pub fn union<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + Union + PartialEq + Clone,
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
                .map_err(|error| format!("{at} was refused: {error}"))?;
            held(&united, left.chain(right).map(member), &at)?;
            ensure!(united == both, "{at} is not the filter of both");
        }
    }
    refusals(make, "union", |filter, other| filter.union_with(other))
}

/// The intersection holds every key that both hold, and no key that one of them
/// denies; a filter of another geometry or seed is refused by name, and nothing
/// changes.
///
/// # Errors
///
/// The key that is lost or too many, or the refusal that went wrong.
pub fn intersect<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + Intersect + PartialEq + Clone,
{
    for spec in specs()? {
        for [left, right] in ranges(spec.capacity()) {
            let (mut one, mut other) = (make(spec, 21), make(spec, 21));
            fill(&mut one, left.clone().map(member))?;
            fill(&mut other, right.clone().map(member))?;
            let before = one.clone();
            let at = format!("the intersection of keys {left:?} and {right:?}, {spec:?}");
            one.intersect_with(&other)
                .map_err(|error| format!("{at} was refused: {error}"))?;
            let common = left.clone().filter(|i| right.contains(i));
            held(&one, common.map(member), &at)?;
            for key in left.chain(right).map(member).chain((0..500).map(stranger)) {
                let allowed = before.contains(&key) && other.contains(&key);
                ensure!(
                    allowed || !one.contains(&key),
                    "{at} holds a key that one denies: {}",
                    show(&key)
                );
            }
        }
    }
    refusals(make, "intersection", |filter, other| {
        filter.intersect_with(other)
    })
}

/// Disjoint, overlapping, one within the other, equal, one empty.
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

fn refusals<F>(
    make: impl Fn(Spec, u64) -> F,
    what: &str,
    combine: impl Fn(&mut F, &F) -> Result<(), Incompatible>,
) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq + Clone,
{
    let mut filter = make(spec(100, 0.01)?, 22);
    fill(&mut filter, (0..50).map(member))?;
    let before = filter.clone();
    for (differ_in, capacity, target_fpr, seed) in [
        ("capacity", 1_000, 0.01, 22),
        ("target FPR", 100, 1e-6, 22),
        ("seed", 100, 0.01, 23),
    ] {
        let mut other = make(spec(capacity, target_fpr)?, seed);
        fill(&mut other, (50..100).map(member))?;
        let Err(error) = combine(&mut filter, &other) else {
            return Err(format!(
                "{what} was done though the filters differ in {differ_in}"
            ));
        };
        ensure!(
            filter == before,
            "a refused {what} changed the filter ({differ_in})"
        );
        ensure!(
            (error.parameter == Parameter::Seed) == (differ_in == "seed"),
            "filters that differ in {differ_in} were refused for their {}",
            error.parameter
        );
        ensure!(
            error.left != error.right,
            "refused for {}, but both values are {}",
            error.parameter,
            error.left
        );
    }
    Ok(())
}
