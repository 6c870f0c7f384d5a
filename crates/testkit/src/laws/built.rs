//! Static filters: built of all their keys at once, and nothing is inserted after that.

use bouquet_core::{Filter, Spec};
use bouquet_format::{DecodeError, Encode};

use super::{Verdict, all_present, hostile::hostile, spec};
use crate::keys::{member, non_member, odd, show};

fn slices<K: AsRef<[u8]>>(keys: &[K]) -> Vec<&[u8]> {
    keys.iter().map(AsRef::as_ref).collect()
}

fn numbered(keys: u64) -> Vec<[u8; 8]> {
    (0..keys).map(member).collect()
}

/// No false negatives, for odd keys, for none to three times capacity, in batches as singly.
///
/// # Errors
///
/// The false negative, and when.
pub fn built_members<F: Filter>(make: impl Fn(Spec, u64, &[&[u8]]) -> F) -> Verdict {
    let keys = odd();
    let filter = make(spec(keys.len() as u64, 0.01)?, 1, &slices(&keys));
    all_present(&filter, &keys, "of odd keys")?;
    for spec in super::specs()? {
        let n = spec.capacity();
        for keys in [0, 1, n.div_ceil(2), n, 3 * n] {
            let members = numbered(keys);
            let filter = make(spec, 2, &slices(&members));
            all_present(&filter, &members, &format!("of {keys} keys, {spec:?}"))?;
            let others: Vec<_> = (0..keys).map(non_member).collect();
            let asked = [slices(&members), slices(&others)].concat();
            let mut found = vec![false; asked.len()];
            filter.contains_bytes_batch(&asked, &mut found);
            for (key, found) in asked.iter().zip(found) {
                ensure!(
                    found == filter.contains_bytes(key),
                    "a batch answers {found} for {}, {spec:?}",
                    show(key)
                );
            }
        }
    }
    Ok(())
}

/// A filter of no keys contains nothing.
///
/// # Errors
///
/// The key that it contains.
pub fn built_empty<F: Filter>(make: impl Fn(Spec, u64, &[&[u8]]) -> F) -> Verdict {
    for spec in super::specs()? {
        let filter = make(spec, 3, &[]);
        for key in (0..1_000).map(non_member) {
            let found = filter.contains_bytes(&key);
            ensure!(!found, "an empty filter contains {}, {spec:?}", show(&key));
        }
    }
    Ok(())
}

/// A key that is given again changes nothing, wherever it stands.
///
/// # Errors
///
/// What changed.
pub fn built_repeats<F: Filter + Encode>(make: impl Fn(Spec, u64, &[&[u8]]) -> F) -> Verdict {
    let members = numbered(100);
    let once = slices(&members);
    let spec = spec(100, 0.01)?;
    for repeated in [
        [&once[..], &once[..50]].concat(),
        [&once[..1], &once[..]].concat(),
    ] {
        let filter = make(spec, 4, &repeated);
        all_present(&filter, &members, "of repeated keys")?;
        let same = filter.encode() == make(spec, 4, &once).encode();
        ensure!(same, "repeated keys make another filter");
    }
    Ok(())
}

/// The same keys make the same bytes, which are decoded to a filter with the same bytes and
/// answers, and not with another seed.
///
/// # Errors
///
/// What differs, or what should have been rejected.
pub fn built_round_trip<F: Filter + Encode>(
    make: impl Fn(Spec, u64, &[&[u8]]) -> F,
    decode: impl Fn(&[u8], u64) -> Result<F, DecodeError>,
) -> Verdict {
    for spec in super::specs()? {
        for keys in [0, 1, spec.capacity(), 3 * spec.capacity()] {
            let members = numbered(keys);
            let filter = make(spec, 50, &slices(&members));
            let bytes = filter.encode();
            let again = make(spec, 50, &slices(&members)).encode();
            ensure!(
                bytes == again,
                "the same {keys} keys make other bytes, {spec:?}"
            );
            let decoded = decode(&bytes, 50).map_err(|error| format!("not decoded: {error}"))?;
            ensure!(decoded.encode() == bytes, "decoded, it has other bytes");
            for key in members.into_iter().chain((0..1_000).map(non_member)) {
                let same = decoded.contains_bytes(&key) == filter.contains_bytes(&key);
                ensure!(same, "decoded, it answers otherwise for {}", show(&key));
            }
            ensure!(decode(&bytes, 51).is_err(), "decoded with another seed");
        }
    }
    Ok(())
}

/// As [`hostile_bytes`](super::hostile_bytes).
///
/// # Errors
///
/// What was accepted, or an error that points outside the bytes.
pub fn built_hostile_bytes<F: Encode>(
    make: impl Fn(Spec, u64, &[&[u8]]) -> F,
    decode: impl Fn(&[u8], u64) -> Result<F, DecodeError>,
) -> Verdict {
    let small = [(1, 0.5, 1), (10, 0.01, 0), (20, 0.01, 14), (24, 0.2, 70)];
    let bytes = small.into_iter().map(|(capacity, target_fpr, keys)| {
        let members = numbered(keys);
        Ok(make(spec(capacity, target_fpr)?, 50, &slices(&members)).encode())
    });
    hostile(bytes.collect::<Result<_, String>>()?, decode)
}
