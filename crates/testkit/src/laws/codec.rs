//! Laws about encoded filters: they decode to an equal filter, and there is only one encoding.

use std::fmt::Debug;

use bouquet_core::{Filter, Inspect, Spec, TryInsert};
use bouquet_format::{DecodeError, Encode, HEADER_BYTES};

use super::{Verdict, all_present, spec};
use crate::{
    forge,
    keys::{member, non_member},
};

/// A filter decodes from its bytes unchanged: it is equal to the original, has the same bytes,
/// answers and statistics, and further inserts have the same results. With another seed or secret
/// key decoding fails.
///
/// `decode` gets the bytes and the seed of the hasher.
///
/// # Errors
///
/// What was lost, or what should have been rejected.
pub fn encode_round_trip<F>(
    make: impl Fn(Spec, u64) -> F,
    decode: impl Fn(&[u8], u64) -> Result<F, DecodeError>,
) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq + Encode,
{
    for spec in super::specs()? {
        let n = spec.capacity();
        for keys in [0, 1, n.div_ceil(2), n, 3 * n] {
            let mut filter = make(spec, 50);
            // Inserts beyond the capacity, until a key is rejected.
            let taken = (0..keys)
                .take_while(|i| filter.try_insert(&member(*i)).is_ok())
                .count() as u64;
            one_round_trip(filter, taken, &decode)
                .map_err(|why| format!("{why}, {taken} keys, {spec:?}"))?;
        }
    }
    Ok(())
}

fn one_round_trip<F>(
    mut filter: F,
    keys: u64,
    decode: impl Fn(&[u8], u64) -> Result<F, DecodeError>,
) -> Verdict
where
    F: TryInsert<Error: Debug> + PartialEq + Encode,
{
    let (header, bytes) = (filter.header(), filter.encode());
    ensure!(
        bytes.len() as u64 == header.file_bytes(),
        "the header says {} bytes, but there are {}",
        header.file_bytes(),
        bytes.len()
    );
    ensure!(
        bytes[..HEADER_BYTES as usize] == header.to_bytes(),
        "the header returned and the one written differ"
    );
    ensure!(
        bytes == filter.encode(),
        "encoding twice gives different bytes"
    );
    ensure!(
        decode(&bytes, 51).is_err(),
        "decoded with another seed or key than it was made with"
    );
    let mut again = decode(&bytes, 50).map_err(|error| format!("not decoded: {error}"))?;
    ensure!(again == filter, "the decoded filter differs");
    ensure!(
        again.encode() == bytes,
        "the decoded filter has other bytes"
    );
    all_present(&again, (0..keys).map(member), "when decoded")?;
    for key in (0..200).map(non_member) {
        ensure!(
            again.contains(&key) == filter.contains(&key),
            "the decoded filter answers differently"
        );
    }
    for key in (keys..keys + 20).map(member) {
        let (was_new, was_new_again) = (filter.try_insert(&key), again.try_insert(&key));
        ensure!(
            was_new.ok() == was_new_again.ok() && filter == again,
            "the decoded filter takes a further key differently"
        );
    }
    Ok(())
}

/// Bytes that are accepted encode to the same bytes: there is only one way to write a filter, and
/// every bit has a meaning.
///
/// This is tested with every value of every header byte and with every bit of the payload flipped,
/// all with recomputed checksums. A forgery may happen to be a valid filter, for example one with
/// another capacity. Then it must decode to exactly that filter.
///
/// # Errors
///
/// The byte that was accepted although it has no effect.
pub fn canonical<F>(
    make: impl Fn(Spec, u64) -> F,
    decode: impl Fn(&[u8], u64) -> Result<F, DecodeError>,
) -> Verdict
where
    F: TryInsert<Error: Debug> + Encode,
{
    for bytes in small(&make)? {
        forge::each(&bytes, |forged, what| {
            let Ok(filter) = decode(forged, 50) else {
                return Ok(());
            };
            let again = filter.encode();
            let different = again.iter().zip(forged).position(|(a, b)| a != b);
            ensure!(
                again == forged,
                "{what}: accepted, but it encodes to other bytes, from byte {different:?} on"
            );
            // Queries of the decoded filter must not panic, whatever it contains.
            for key in (0..4).map(non_member) {
                filter.contains(&key);
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// The answers of a view and its statistics.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    /// For each key, whether it may be contained.
    pub found: Vec<bool>,
    /// The statistics that depend only on the bytes.
    pub statistics: Statistics,
    /// The view's own memory, which differs from that of a decoded filter.
    pub memory_bytes: usize,
}

/// The statistics that a filter and a view of its bytes must have in common.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Statistics {
    capacity: u64,
    size_bits: u64,
    hashes: u32,
    fill_ratio: f64,
    expected_fpr: [f64; 2],
    estimated_fpr: f64,
    estimated_keys: f64,
}

impl Statistics {
    fn of(filter: &impl Inspect) -> Self {
        Self {
            capacity: filter.capacity(),
            size_bits: filter.size_bits(),
            hashes: filter.hashes(),
            fill_ratio: filter.fill_ratio(),
            expected_fpr: [1, 100].map(|keys| filter.expected_fpr(keys)),
            estimated_fpr: filter.estimated_fpr(),
            estimated_keys: filter.estimated_keys(),
        }
    }
}

/// Collects the statistics of a view and its answers for `keys`: the first half in single queries,
/// the second half in batches of 0, 1, 2, … keys.
pub fn asked<V: Filter + Inspect>(view: &V, keys: &[[u8; 8]]) -> Asked {
    let keys: Vec<&[u8]> = keys.iter().map(<[u8; 8]>::as_slice).collect();
    let (singly, mut keys_left) = keys.split_at(keys.len() / 2);
    let mut found: Vec<bool> = singly.iter().map(|key| view.contains_bytes(key)).collect();
    found.resize(keys.len(), false);
    let mut found_left = &mut found[singly.len()..];
    for len in 0.. {
        let len = keys_left.len().min(len);
        let (batch, keys_after) = keys_left.split_at(len);
        let (answers, found_after) = found_left.split_at_mut(len);
        view.contains_bytes_batch(batch, answers);
        (keys_left, found_left) = (keys_after, found_after);
        if keys_left.is_empty() {
            break;
        }
    }
    Asked {
        found,
        statistics: Statistics::of(view),
        memory_bytes: view.memory_bytes(),
    }
}

/// A view gives the same answers and statistics as the filter, at any alignment of the bytes. It
/// accepts the bytes that can be decoded, and verifies no others.
///
/// `query` opens a view and calls [`asked`] with keys; `verify` verifies the bytes through a view.
///
/// # Errors
///
/// What differs between view and filter.
pub fn view<F>(
    make: impl Fn(Spec, u64) -> F,
    decode: impl Fn(&[u8], u64) -> Result<F, DecodeError>,
    query: impl Fn(&[u8], u64, &[[u8; 8]]) -> Result<Asked, DecodeError>,
    verify: impl Fn(&[u8], u64) -> Result<(), DecodeError>,
) -> Verdict
where
    F: TryInsert<Error: Debug> + Inspect + Encode,
{
    let keys: Vec<_> = (0..100).flat_map(|i| [member(i), non_member(i)]).collect();
    let same = |filter: &F, asked: &Asked| -> Verdict {
        let found: Vec<bool> = keys.iter().map(|key| filter.contains(key)).collect();
        ensure!(asked.found == found, "the view answers differently");
        let (here, there) = (asked.statistics, Statistics::of(filter));
        ensure!(here == there, "the view has {here:?}, the filter {there:?}");
        Ok(())
    };
    // A filter that is larger than the nearest caches: its batches prefetch memory.
    let mut far = make(spec(400_000, 0.01)?, 50);
    let taken = (0..100).take_while(|i| far.try_insert(&member(*i)).is_ok());
    ensure!(taken.count() == 100, "a key of a hundred is rejected");
    for shift in [0, 1] {
        let mut shifted = vec![0xff; shift];
        shifted.extend_from_slice(&far.encode());
        let bytes = &shifted[shift..];
        let asked = query(bytes, 50, &keys).map_err(|error| format!("not opened: {error}"))?;
        same(&far, &asked)
            .map_err(|why| format!("{why}, {shift} bytes into an allocation, a large filter"))?;
        ensure!(
            asked.memory_bytes < bytes.len() / 2,
            "the view of {} bytes takes {}",
            bytes.len(),
            asked.memory_bytes
        );
    }
    for bytes in small(&make)? {
        let filter = decode(&bytes, 50).map_err(|error| format!("not decoded: {error}"))?;
        for shift in 0..16 {
            let mut shifted = vec![0xff; shift];
            shifted.extend_from_slice(&bytes);
            let bytes = &shifted[shift..];
            let asked = query(bytes, 50, &keys).map_err(|error| format!("not opened: {error}"))?;
            same(&filter, &asked)
                .map_err(|why| format!("{why}, {shift} bytes into an allocation"))?;
        }
        verify(&bytes, 50).map_err(|error| format!("not verified: {error}"))?;
        ensure!(
            query(&bytes, 51, &keys).is_err(),
            "opened with another seed or key than it was made with"
        );
        for end in 0..bytes.len() {
            ensure!(
                query(&bytes[..end], 50, &keys).is_err(),
                "opened when cut to {end} bytes"
            );
        }
        let agree = |bytes: &[u8], what: &str| -> Verdict {
            let verified = verify(bytes, 50);
            let Ok(filter) = decode(bytes, 50) else {
                // A view may open these bytes without an error; queries must not panic.
                let _ = query(bytes, 50, &keys[..8]);
                ensure!(verified.is_err(), "{what}: verified, but cannot be decoded");
                return Ok(());
            };
            ensure!(verified.is_ok(), "{what}: decoded, but cannot be verified");
            let asked = query(bytes, 50, &keys);
            let asked = asked.map_err(|error| format!("{what}: decoded, not opened: {error}"))?;
            same(&filter, &asked).map_err(|why| format!("{what}: {why}"))
        };
        forge::each(&bytes, agree)?;
        forge::each_flip(&bytes, agree)?;
    }
    Ok(())
}

/// The encodings of some small filters.
pub(super) fn small<F>(make: impl Fn(Spec, u64) -> F) -> Result<Vec<Vec<u8>>, String>
where
    F: TryInsert<Error: Debug> + Encode,
{
    [(1, 0.5, 1), (10, 0.01, 0), (20, 0.01, 14), (24, 0.2, 70)]
        .into_iter()
        .map(|(capacity, target_fpr, keys)| {
            let mut filter = make(spec(capacity, target_fpr)?, 50);
            let taken = (0..keys).take_while(|i| filter.try_insert(&member(*i)).is_ok());
            let _ = taken.count();
            Ok(filter.encode())
        })
        .collect()
}
