//! Laws about batches in filters that are larger than any cache.

use std::fmt::Debug;

use bouquet_core::{Inspect, Spec, TryInsert, batch::FAR_BITS};

use super::{Verdict, spec};
use crate::keys::{member, non_member, show};

/// Number of keys in a batch; it is not a multiple of the number that filters process at a time.
const BATCH: usize = 20_011;
/// A low target FPR, so that few keys fill a large filter.
const TARGET_FPR: f64 = 1e-6;

/// In a filter that is larger than a processor's last-level cache and filled to its capacity,
/// batches have the same effect as inserting and querying their keys one by one: they make the same
/// filter, count the same keys as new, stop at the same key if one is rejected, and give the same
/// answers.
///
/// # Errors
///
/// What differs.
pub fn far<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + Inspect + PartialEq + Clone,
{
    // Just enough keys for a filter slightly larger than `FAR_BITS`.
    let sample = spec(100_000, TARGET_FPR)?;
    let bits_per_key = make(sample, 0).size_bits() as f64 / sample.capacity() as f64;
    let capacity = (1.02 * FAR_BITS as f64 / bits_per_key) as u64;
    let mut filter = make(spec(capacity, TARGET_FPR)?, 95);
    let bits = filter.size_bits();
    ensure!(
        bits > FAR_BITS,
        "{bits} bits for {capacity} keys are not far"
    );

    let within: Vec<_> = (0..capacity).map(member).collect();
    for batch in within.chunks(BATCH) {
        let taken = filter.try_insert_batch(batch);
        taken.map_err(|stopped| format!("rejected within capacity: {:?}", stopped.error))?;
    }
    same_answers(&filter, &within)?;
    // A filter that rejects keys does so before the last of these keys.
    let past: Vec<_> = (capacity..capacity + capacity / 16).map(member).collect();
    let mut one_by_one = filter.clone();
    for batch in past.chunks(BATCH) {
        let by_batch = filter
            .try_insert_batch(batch)
            .map_err(|stopped| stopped.index);
        let by_key = insert_each(&mut one_by_one, batch);
        ensure!(
            by_batch == by_key,
            "of {BATCH} keys are new, or the first rejected is: {by_batch:?} in a batch, {by_key:?} \
             one by one"
        );
        if by_key.is_err() {
            break;
        }
    }
    ensure!(
        filter == one_by_one,
        "a full filter is another by batches than by their keys one by one"
    );
    same_answers(&filter, &past)
}

/// Inserts keys one by one: returns the number of new keys, or the index of the rejected key.
fn insert_each<F: TryInsert>(filter: &mut F, keys: &[[u8; 8]]) -> Result<usize, usize> {
    let mut new = 0;
    for (index, key) in keys.iter().enumerate() {
        new += usize::from(filter.try_insert(key).map_err(|_| index)?);
    }
    Ok(new)
}

/// Compares the answers of batches with single queries, for some of these keys and the same number
/// of absent keys.
fn same_answers<F: TryInsert>(filter: &F, keys: &[[u8; 8]]) -> Verdict {
    let absent = (0..BATCH as u64).map(non_member);
    let asked: Vec<_> = keys
        .iter()
        .copied()
        .zip(absent)
        .flat_map(<[_; 2]>::from)
        .collect();
    let slices: Vec<&[u8]> = asked.iter().map(<[u8; 8]>::as_slice).collect();
    // The buffer starts with the wrong answers, so that an answer that is not written is detected.
    let answers: Vec<bool> = slices.iter().map(|key| filter.contains(key)).collect();
    let mut found: Vec<bool> = answers.iter().map(|answer| !answer).collect();
    filter.contains_bytes_batch(&slices, &mut found);
    for (key, (found, answer)) in slices.iter().zip(found.into_iter().zip(answers)) {
        ensure!(
            found == answer,
            "in a full filter contains returns {answer}, contains_batch {found}: {}",
            show(key)
        );
    }
    Ok(())
}
