//! Tests the filters of other systems and their decoders.

use std::fmt::Debug;

use bouquet::{
    Filter,
    interop::{
        ForeignDecodeError, GoBloom, GoZeroBloom, GuavaBloom, ParquetBloom, RedisBloom,
        guava::Strategy,
    },
};

use crate::checks::{CUTS, members};

/// Inserts all members and checks that the filter finds them, one by one and in a batch.
fn filled<F: Filter + Clone>(new: &F, insert: impl Fn(&mut F, &[u8]) -> bool) -> F {
    let keys: Vec<[u8; 8]> = members().iter().map(|key| key.to_le_bytes()).collect();
    let slices: Vec<&[u8]> = keys.iter().map(|key| &key[..]).collect();
    let mut filter = new.clone();
    for key in &keys {
        let before = filter.contains_bytes(key);
        assert_eq!(insert(&mut filter, key), !before);
        assert!(filter.contains_bytes(key));
    }
    let mut found = vec![false; slices.len()];
    filter.contains_bytes_batch(&slices, &mut found);
    assert!(found.iter().all(|found| *found));
    filter
}

/// The filter's bytes decode to the same filter. Truncated or damaged bytes are rejected, or
/// decode to a filter that can be encoded.
fn whole<F>(
    new: &F,
    insert: impl Fn(&mut F, &[u8]) -> bool,
    to_bytes: impl Fn(&F) -> Vec<u8>,
    from_bytes: impl Fn(&[u8]) -> Result<F, ForeignDecodeError>,
) where
    F: Filter + Clone + PartialEq + Debug,
{
    let filter = filled(new, insert);
    let bytes = to_bytes(&filter);
    assert_eq!(from_bytes(&bytes).unwrap(), filter);
    let apart = bytes.len() / CUTS + 1;
    for at in (0..bytes.len()).step_by(apart) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x81;
        for bytes in [&bytes[..at], &damaged] {
            if let Ok(read) = from_bytes(bytes) {
                assert_eq!(from_bytes(&to_bytes(&read)).unwrap(), read);
            }
        }
    }
}

#[test]
fn bits_and_blooms() {
    // The sizes are given directly: to compute the logarithm of an FPR, libm queries the
    // processor's features with an instruction that Miri does not support.
    let new = GoBloom::new(959, 7).unwrap();
    whole(
        &new,
        GoBloom::insert,
        GoBloom::to_bytes,
        GoBloom::from_bytes,
    );
    let text = |filter: &GoBloom| filter.to_json().into_bytes();
    whole(&new, GoBloom::insert, text, |bytes| {
        GoBloom::from_json(&String::from_utf8_lossy(bytes))
    });
}

#[test]
fn guava() {
    let new = GuavaBloom::new(Strategy::Mitz64, 15, 7).unwrap();
    whole(
        &new,
        GuavaBloom::insert,
        GuavaBloom::to_bytes,
        GuavaBloom::from_bytes,
    );
    let old = GuavaBloom::new(Strategy::Mitz32, 16, 5).unwrap();
    whole(
        &old,
        GuavaBloom::insert,
        GuavaBloom::to_bytes,
        GuavaBloom::from_bytes,
    );
}

#[test]
fn parquet() {
    let new = ParquetBloom::new(8).unwrap();
    whole(
        &new,
        ParquetBloom::insert,
        ParquetBloom::to_bytes,
        ParquetBloom::from_bytes,
    );
    assert!(
        filled(&new, ParquetBloom::insert)
            .folded()
            .unwrap()
            .is_some()
    );
}

#[test]
#[cfg_attr(
    all(miri, target_arch = "x86_64"),
    ignore = "each link is sized by such a logarithm; on s390x it runs"
)]
fn redisbloom() {
    // This filter grows.
    let new = RedisBloom::reserve(0.01, 10, Some(2)).unwrap();
    whole(
        &new,
        |own, key| own.insert(key).unwrap(),
        RedisBloom::to_bytes,
        RedisBloom::from_bytes,
    );
}

#[test]
fn go_zero() {
    let new = GoZeroBloom::new(2_000).unwrap();
    whole(&new, GoZeroBloom::insert, GoZeroBloom::to_bytes, |bytes| {
        GoZeroBloom::from_bytes(bytes, 2_000)
    });
}
