//! Laws about filters that can be full.

use std::fmt::Debug;

use bouquet_core::{Spec, TryInsert};

use super::{Verdict, all_present, specs};
use crate::keys::member;

/// A rejected key changes nothing, and accepted keys stay present. A batch stops at the key that
/// its error names, after it has inserted the keys before it. Only for filters that can reject
/// keys: a filter that accepts a thousand times its capacity fails.
///
/// # Errors
///
/// What changed or was lost.
pub fn rejection<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq + Clone,
{
    for spec in specs()? {
        let taken = until_full(&make, spec)?;
        let keys: Vec<_> = (0..taken as u64 + 5).map(member).collect();
        let slices: Vec<&[u8]> = keys.iter().map(<[u8; 8]>::as_slice).collect();
        let (mut one_by_one, mut batch) = (make(spec, 40), make(spec, 40));
        for key in &slices[..taken] {
            one_by_one
                .try_insert(key)
                .map_err(|error| format!("rejected on the second run: {error:?}"))?;
        }
        let Err(stopped) = batch.try_insert_batch(&slices) else {
            return Err(format!(
                "a batch took more than the {taken} keys taken one by one, {spec:?}"
            ));
        };
        ensure!(
            stopped.index == taken,
            "a batch rejects key {}, one by one it is {taken}, {spec:?}",
            stopped.index
        );
        ensure!(
            batch == one_by_one,
            "a stopped batch is not the keys before its error, {spec:?}"
        );
    }
    Ok(())
}

/// Inserts keys until one is rejected; returns the number of accepted keys.
fn until_full<F>(make: impl Fn(Spec, u64) -> F, spec: Spec) -> Result<usize, String>
where
    F: TryInsert<Error: Debug> + PartialEq + Clone,
{
    let mut filter = make(spec, 40);
    let most = 1_000 * spec.capacity();
    for i in 0..most {
        let before = filter.clone();
        if filter.try_insert(&member(i)).is_err() {
            ensure!(
                i >= spec.capacity(),
                "rejected key {i}, within capacity, {spec:?}"
            );
            ensure!(
                filter == before,
                "rejecting key {i} changed the filter, {spec:?}"
            );
            ensure!(
                filter.try_insert_hash(filter.hash_key(&member(i))).is_err(),
                "rejected by bytes, taken by hash, {spec:?}"
            );
            still_unchanged(&mut filter, i)?;
            all_present(&filter, (0..i).map(member), "after a rejected key")?;
            return Ok(i as usize);
        }
    }
    Err(format!(
        "took {most} keys and rejected none: leave this law out, {spec:?}"
    ))
}

/// The rejected key may have been an unlucky one, so more keys are tried: a full filter rejects
/// some of them, if not all.
fn still_unchanged<F>(filter: &mut F, rejected: u64) -> Verdict
where
    F: TryInsert + PartialEq + Clone,
{
    for i in rejected..rejected + 50 {
        let before = filter.clone();
        ensure!(
            filter.try_insert(&member(i)).is_ok() || *filter == before,
            "rejecting key {i} changed the filter, the first rejected was {rejected}"
        );
    }
    Ok(())
}
