//! The checks that are made with each filter.

use std::fmt::Debug;

use bouquet::{
    Decode, DecodeError, Encode, FilterExt, Fold, Inspect, Intersect, KeyHash, Prehashed,
    SeededHasher, TryInsert, Union,
};

/// Number of keys: more than two chunks of a batch, and not a multiple of a chunk. Under the
/// interpreter (Miri) slightly more than one chunk, which takes half as long and also uses both
/// buffers of a batch.
pub const KEYS: u64 = if cfg!(miri) { 36 } else { 70 };

/// Number of queried keys that were not inserted.
const OTHERS: u64 = if cfg!(miri) { 5 } else { KEYS };

/// The maximum number of places at which bytes are truncated or damaged.
pub const CUTS: usize = if cfg!(miri) { 3 } else { 11 };

/// Offsets from an aligned address at which the bytes of a filter begin.
const OFFSETS: &[usize] = if cfg!(miri) { &[0, 1] } else { &[0, 1, 4, 7] };

pub fn members() -> Vec<u64> {
    (0..KEYS).collect()
}

/// The members, and keys that were not inserted.
fn asked() -> Vec<u64> {
    (0..KEYS + OTHERS).collect()
}

/// Inserts all members in every way, checks that the filters are equal, and returns one of them.
pub fn filled<F>(new: &F) -> F
where
    F: TryInsert<Error: Debug> + Clone + PartialEq + Debug,
{
    let keys = members();
    let mut filter = new.clone();
    for key in &keys {
        let before = filter.contains_key(key);
        assert_eq!(filter.try_insert(key).unwrap(), !before);
        assert!(filter.contains_key(key));
    }
    let hashes = hashes_of(new, &keys);
    let mut by_hash = new.clone();
    for hash in &hashes {
        by_hash.try_insert_hash(*hash).unwrap();
    }
    assert_eq!(by_hash, filter);
    let (mut batch, mut hash_batch) = (new.clone(), new.clone());
    assert!(batch.try_insert_batch(&keys).is_ok());
    assert_eq!(batch, filter);
    assert!(hash_batch.try_insert_hash_batch(&hashes).is_ok());
    assert_eq!(hash_batch, filter);
    answers(&filter);
    filter
}

fn hashes_of<F: Prehashed<Hash = KeyHash>>(filter: &F, keys: &[u64]) -> Vec<KeyHash> {
    let hash = |key: &u64| filter.hash_key(&key.to_le_bytes());
    keys.iter().map(hash).collect()
}

/// The answers for each key; all ways of querying must agree.
pub fn answers<F: Prehashed<Hash = KeyHash>>(filter: &F) -> Vec<bool> {
    let keys = asked();
    let answers: Vec<bool> = keys.iter().map(|key| filter.contains_key(key)).collect();
    assert!(answers[..KEYS as usize].iter().all(|found| *found));
    let none = || vec![false; keys.len()];
    let (mut typed, mut by_hash, mut by_bytes) = (none(), none(), none());
    filter.contains_batch(&keys, &mut typed);
    assert_eq!(typed, answers);
    filter.contains_hash_batch(&hashes_of(filter, &keys), &mut by_hash);
    assert_eq!(by_hash, answers);
    let bytes: Vec<[u8; 8]> = keys.iter().map(|key| key.to_le_bytes()).collect();
    let slices: Vec<&[u8]> = bytes.iter().map(|key| &key[..]).collect();
    filter.contains_bytes_batch(&slices, &mut by_bytes);
    assert_eq!(by_bytes, answers);
    answers
}

/// Checks the filter's bytes: they decode to the same filter, a view answers from them at addresses
/// of every alignment, and truncated or damaged bytes are rejected. `view` verifies the bytes and
/// answers from them.
pub fn stored<F>(filter: &F, view: impl Fn(&[u8]) -> Result<Vec<bool>, DecodeError>)
where
    F: Prehashed<Hash = KeyHash> + Encode + Decode<Hasher: SeededHasher> + PartialEq + Debug,
{
    let bytes = filter.encode();
    assert_eq!(&F::decode(&bytes).unwrap(), filter);
    let mut streamed = Vec::new();
    filter.encode_to(&mut streamed).unwrap();
    assert_eq!(streamed, bytes);
    assert_eq!(
        &F::decode_from(&bytes[..], bytes.len() as u64).unwrap(),
        filter
    );
    let want = answers(filter);
    let mut moved = vec![0; bytes.len() + 16];
    let aligned = moved.as_ptr().align_offset(8);
    for offset in OFFSETS {
        let place = &mut moved[aligned + offset..][..bytes.len()];
        place.copy_from_slice(&bytes);
        assert_eq!(view(place).unwrap(), want);
    }
    let apart = bytes.len() / CUTS + 1;
    for at in (0..bytes.len()).step_by(apart) {
        assert!(F::decode(&bytes[..at]).is_err() && view(&bytes[..at]).is_err());
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(F::decode(&damaged).is_err() && view(&damaged).is_err());
    }
}

/// Checks the statistics, which read every slot.
pub fn inspected<F: Inspect>(new: &F, filter: &F) {
    assert_eq!(new.estimated_keys(), 0.0);
    assert!(filter.estimated_keys() > 0.0 && filter.estimated_fpr() < 1.0);
    assert!(filter.fill_ratio() > 0.0 && filter.memory_bytes() > 0);
    assert!(filter.expected_fpr(KEYS) <= 1.0 && filter.size_bits() > 0);
}

/// A union or an intersection of a filter with itself, and a union with a new filter, contain the
/// same keys as before; an intersection with a new filter is empty. (Counters add up, so answers
/// are compared.)
pub fn combined<F>(new: &F, filter: &F)
where
    F: Union + Intersect + Prehashed<Hash = KeyHash> + Clone,
{
    let mut all = filter.clone();
    all.union_with(new).unwrap();
    all.union_with(filter).unwrap();
    assert_eq!(answers(&all), answers(filter));
    all.intersect_with(filter).unwrap();
    assert_eq!(answers(&all), answers(filter));
    all.intersect_with(new).unwrap();
    assert!(!members().iter().any(|key| all.contains_key(key)));
}

/// A filter folded to half of its slots contains every key.
pub fn halved<F: Fold + Prehashed<Hash = KeyHash>>(filter: &F) {
    answers(&filter.halved().unwrap());
}
