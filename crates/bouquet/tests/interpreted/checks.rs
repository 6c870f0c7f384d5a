//! What is done with each filter.

use std::fmt::Debug;

use bouquet::{
    Decode, DecodeError, Encode, FilterExt, Fold, Inspect, Intersect, KeyHash, Prehashed,
    SeededHasher, TryInsert, Union,
};

/// More than two chunks of a batch, and no multiple of one; for the interpreter one and some more,
/// which takes half as long and uses both buffers of a batch too.
pub const KEYS: u64 = if cfg!(miri) { 36 } else { 70 };

/// Keys that are asked for and were not inserted.
const OTHERS: u64 = if cfg!(miri) { 5 } else { KEYS };

/// Places where bytes are cut and damaged, at most.
pub const CUTS: usize = if cfg!(miri) { 3 } else { 11 };

/// Where bytes begin, from an aligned address on.
const OFFSETS: &[usize] = if cfg!(miri) { &[0, 1] } else { &[0, 1, 4, 7] };

pub fn members() -> Vec<u64> {
    (0..KEYS).collect()
}

/// The members, and others.
fn asked() -> Vec<u64> {
    (0..KEYS + OTHERS).collect()
}

/// The filter with all members, which is the same in whatever way they came.
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

/// What it answers for each key, which all ways to ask agree on.
pub fn answers<F: Prehashed<Hash = KeyHash>>(filter: &F) -> Vec<bool> {
    let keys = asked();
    let answers: Vec<bool> = keys.iter().map(|key| filter.contains_key(key)).collect();
    assert!(answers[..KEYS as usize].iter().all(|found| *found));
    let none = || vec![false; keys.len()];
    let (mut typed, mut by_hash, mut by_bytes) = (none(), none(), none());
    filter.contains_keys(&keys, &mut typed);
    assert_eq!(typed, answers);
    filter.contains_hash_batch(&hashes_of(filter, &keys), &mut by_hash);
    assert_eq!(by_hash, answers);
    let bytes: Vec<[u8; 8]> = keys.iter().map(|key| key.to_le_bytes()).collect();
    let slices: Vec<&[u8]> = bytes.iter().map(|key| &key[..]).collect();
    filter.contains_batch(&slices, &mut by_bytes);
    assert_eq!(by_bytes, answers);
    answers
}

/// Its bytes: read again, in place at every kind of address, and rejected where they are cut
/// or damaged. `view` verifies them and answers from them.
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

/// The statistics, which read every slot.
pub fn inspected<F: Inspect>(new: &F, filter: &F) {
    assert_eq!(new.estimated_keys(), 0.0);
    assert!(filter.estimated_keys() > 0.0 && filter.estimated_fpr() < 1.0);
    assert!(filter.fill_ratio() > 0.0 && filter.memory_bytes() > 0);
    assert!(filter.expected_fpr(KEYS) <= 1.0 && filter.size_bits() > 0);
}

/// United with itself it is what it was, and so it is intersected; with a new filter nothing is
/// left. (Counters add up: what is compared are answers.)
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

/// In half its slots it has every key.
pub fn halved<F: Fold + Prehashed<Hash = KeyHash>>(filter: &F) {
    answers(&filter.halved().unwrap());
}
