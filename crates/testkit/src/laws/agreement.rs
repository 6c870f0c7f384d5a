//! Compares the interfaces of one filter: bytes, hashes, batches, typed keys.

use std::fmt::Debug;

use bouquet_core::{Key, Spec, TryInsert};

use super::{Verdict, must_insert, spec, specs};
use crate::keys::{member, non_member, odd, show};

/// Inserting by bytes, by hashes, and in batches of either makes equal filters, counts the same
/// keys as new, and gives the same answers.
///
/// # Errors
///
/// The two interfaces that differ, and the key or the batch.
pub fn agreement<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq,
{
    for spec in specs()? {
        // Some keys occur twice, so that not all are new.
        let keys = (0..spec.capacity()).map(|i| member(i * i % spec.capacity()).to_vec());
        same_filters(|| make(spec, 1), &keys.collect::<Vec<_>>())?;
    }
    // A filter that is larger than the nearest caches: its batches prefetch memory.
    let far = spec(400_000, 0.01)?;
    let keys: Vec<_> = (0..300).map(|i| member(i * i % 289).to_vec()).collect();
    same_filters(|| make(far, 1), &keys)?;
    let spec = spec(1_000, 0.01)?;
    same_filters(|| make(spec, 1), &odd())
}

fn same_filters<F>(make: impl Fn() -> F, keys: &[Vec<u8>]) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq,
{
    let slices: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
    let (mut by_bytes, mut by_hash) = (make(), make());
    let (mut by_batch, mut by_hash_batch) = (make(), make());
    let (mut by_hash_each, mut by_key_each) = (make(), make());
    let mut one_by_one = make();
    let mut new = [0; 4];
    for key in &slices {
        new[0] += usize::from(must_insert(&mut by_bytes, key)?);
        // A hash is valid for every filter with an equal hasher.
        let was_new = by_hash.try_insert_hash(by_bytes.hash_key(key));
        new[1] += usize::from(was_new.map_err(|error| format!("rejected by hash: {error:?}"))?);
        ensure!(
            by_bytes == by_hash,
            "try_insert and try_insert_hash differ: {}",
            show(key)
        );
    }
    for batch in batches(&slices) {
        let were_new = by_batch.try_insert_batch(batch);
        new[2] +=
            were_new.map_err(|stopped| format!("rejected in a batch: {:?}", stopped.error))?;
        let hashes: Vec<F::Hash> = batch.iter().map(|key| by_bytes.hash_key(key)).collect();
        let were_new = by_hash_batch.try_insert_hash_batch(&hashes);
        new[3] += were_new.map_err(|stopped| format!("rejected by hashes: {:?}", stopped.error))?;
        let mut new_of_hashes = vec![false; hashes.len()];
        let taken = by_hash_each.try_insert_hash_each(&hashes, &mut new_of_hashes);
        taken.map_err(|stopped| format!("rejected by each hash: {:?}", stopped.error))?;
        for (i, (hash, was_new)) in hashes.iter().zip(new_of_hashes.iter().copied()).enumerate() {
            ensure!(
                one_by_one.try_insert_hash(*hash).ok() == Some(was_new),
                "try_insert_hash_each and try_insert_hash differ in key {i} of {}: {}",
                hashes.len(),
                show(batch[i])
            );
        }
        ensure!(
            by_hash_each == one_by_one,
            "try_insert_hash and try_insert_hash_each of {} keys differ",
            hashes.len()
        );
        let mut new_of_keys = vec![false; batch.len()];
        let taken = by_key_each.try_insert_keys_each(batch, &mut new_of_keys);
        taken.map_err(|stopped| format!("rejected by each key: {:?}", stopped.error))?;
        ensure!(
            new_of_keys == new_of_hashes && by_key_each == one_by_one,
            "try_insert_hash_each and try_insert_keys_each of {} keys differ",
            batch.len()
        );
    }
    let n = keys.len();
    ensure!(
        by_bytes == by_batch,
        "try_insert and try_insert_batch of {n} keys differ"
    );
    ensure!(
        by_bytes == by_hash_batch,
        "try_insert and try_insert_hash_batch of {n} keys differ"
    );
    ensure!(
        new.iter().all(|count| *count == new[0]),
        "of {n} keys were new: {} by bytes, {} by hash, {} by batch, {} by a batch of hashes",
        new[0],
        new[1],
        new[2],
        new[3]
    );
    same_answers(&by_bytes, keys)
}

/// Splits the keys into batches of 0, 1, 2, … keys, so that every remainder modulo a small block
/// size occurs. The last batch is longer than any block.
fn batches<'a>(mut keys: &'a [&'a [u8]]) -> Vec<&'a [&'a [u8]]> {
    let mut batches = Vec::new();
    while !keys.is_empty() {
        let n = batches.len();
        let (batch, rest) = keys.split_at(if n > 20 {
            keys.len()
        } else {
            n.min(keys.len())
        });
        batches.push(batch);
        keys = rest;
    }
    batches
}

fn same_answers<F: TryInsert>(filter: &F, members: &[Vec<u8>]) -> Verdict {
    let mut asked: Vec<Vec<u8>> = (0..1_000).map(|i| non_member(i).to_vec()).collect();
    asked.extend(members.iter().filter(|key| key.len() < 1_000).cloned());
    asked.extend(odd().into_iter().filter(|key| key.len() < 1_000));
    let slices: Vec<&[u8]> = asked.iter().map(Vec::as_slice).collect();
    for batch in batches(&slices) {
        let answers: Vec<bool> = batch.iter().map(|key| filter.contains_bytes(key)).collect();
        // The buffer starts with the wrong answers, so that an answer that is not written is
        // detected.
        let mut found: Vec<bool> = answers.iter().map(|answer| !answer).collect();
        filter.contains_bytes_batch(batch, &mut found);
        let hashes: Vec<F::Hash> = batch.iter().map(|key| filter.hash_key(key)).collect();
        let mut by_hashes: Vec<bool> = answers.iter().map(|answer| !answer).collect();
        filter.contains_hash_batch(&hashes, &mut by_hashes);
        ensure!(
            by_hashes == answers,
            "contains and contains_hash_batch of {} keys differ",
            batch.len()
        );
        let mut of_keys: Vec<bool> = answers.iter().map(|answer| !answer).collect();
        filter.contains_batch(batch, &mut of_keys);
        ensure!(
            of_keys == answers,
            "contains and contains_batch of {} keys differ",
            batch.len()
        );
        for (i, key) in batch.iter().enumerate() {
            ensure!(
                filter.contains(*key) == answers[i],
                "contains and contains_bytes differ: {}",
                show(key)
            );
            let by_hash = filter.contains_hash(filter.hash_key(key));
            ensure!(
                by_hash == answers[i],
                "contains returns {}, contains_hash {by_hash}: {}",
                answers[i],
                show(key)
            );
            ensure!(
                found[i] == answers[i],
                "contains returns {}, contains_bytes_batch {} at {i} of {}: {}",
                answers[i],
                found[i],
                batch.len(),
                show(key)
            );
        }
    }
    Ok(())
}

/// Different bytes are different keys: of the odd keys (see [`odd`]) every other one is inserted,
/// and the rest must not be found. Among them is the number 42 in four, eight and sixteen bytes,
/// which differ only in zeros at the end.
///
/// # Errors
///
/// The first two false positives. (A single one is attributed to chance.)
pub fn keys<F>(make: impl Fn(Spec, u64) -> F) -> Verdict
where
    F: TryInsert<Error: Debug>,
{
    for parity in [0, 1] {
        let mut filter = make(spec(1_000, 1e-4)?, 9);
        let odd = odd();
        for key in odd.iter().skip(parity).step_by(2) {
            must_insert(&mut filter, key)?;
        }
        let others = odd.iter().skip(1 - parity).step_by(2);
        let wrong: Vec<_> = others
            .filter(|key| filter.contains(key))
            .map(|key| show(key))
            .collect();
        ensure!(
            wrong.len() <= 1,
            "{} absent keys are found, such as {} and {}",
            wrong.len(),
            wrong[0],
            wrong[1]
        );
    }
    Ok(())
}

/// One step of the law `inherent` of [`laws!`](crate::laws!): `typed` has inserted `key` with its
/// inherent `insert`, and `found` is the result of its inherent `contains` afterwards. `raw` is a
/// new filter from the same [`Spec`] and seed.
///
/// # Errors
///
/// How the two filters differ.
pub fn typed_key<F, K>(typed: &F, found: bool, mut raw: F, key: &K) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq,
    K: Key + ?Sized,
{
    key.with_bytes(|bytes| {
        ensure!(
            found,
            "the inherent contains does not find what the inherent insert took: {}",
            show(bytes)
        );
        ensure!(
            typed.contains(bytes),
            "inserted by type, not found by its bytes {}",
            show(bytes)
        );
        must_insert(&mut raw, bytes)?;
        ensure!(
            *typed == raw,
            "inserted by type and as its bytes {} make different filters",
            show(bytes)
        );
        Ok(())
    })
}

/// The possible results of an inherent `insert_batch`: a count, or a `Result` of a count.
pub trait Counted {
    /// The count, if no key was rejected.
    fn counted(self) -> Option<usize>;
}

impl Counted for usize {
    fn counted(self) -> Option<usize> {
        Some(self)
    }
}

impl<E> Counted for Result<usize, E> {
    fn counted(self) -> Option<usize> {
        self.ok()
    }
}

/// The other step of the law `inherent`: `typed` has inserted `keys` with its inherent
/// `insert_batch`, which returned `reported`, and `found` is the result of its inherent
/// `contains_batch` afterwards. `raw` is a new filter from the same [`Spec`] and seed.
///
/// # Errors
///
/// How the two filters differ.
pub fn typed_batch<F, K>(
    typed: &F,
    reported: impl Counted,
    found: &[bool],
    mut raw: F,
    keys: &[K],
) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq,
    K: Key,
{
    let mut new = 0;
    for key in keys {
        new += usize::from(key.with_bytes(|bytes| must_insert(&mut raw, bytes))?);
    }
    let n = keys.len();
    ensure!(
        *typed == raw,
        "the inherent insert_batch of {n} keys and their bytes make different filters"
    );
    let reported = reported.counted();
    ensure!(
        reported == Some(new),
        "of {n} keys {new} were new, but the inherent insert_batch reports {reported:?}"
    );
    ensure!(
        found.iter().all(|found| *found),
        "the inherent contains_batch misses one of {n} keys that insert_batch took"
    );
    Ok(())
}
