//! Files of other systems: accepted files are written again unchanged, and accept keys.

use std::{convert::Infallible, fmt::Debug};

use bouquet_core::Prehashed;
use bouquet_interop::{
    ForeignDecodeError, GoBloom, GoZeroBloom, GuavaBloom, ParquetBloom, RedisBloom, RedissonBloom,
};

/// The size in bytes to which the links of a chain may grow.
const MAX_BYTES: u64 = 1 << 16;
/// The largest number of probes per key that is tested. Go's filters may have 65,536, but with many
/// probes keys take so long that few other inputs would be tried.
const MAX_HASHES: u32 = 256;

/// Reads a filter, and checks that it can be written and read again; `None` if it is not valid.
fn accepted<F: PartialEq + Debug>(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<F, ForeignDecodeError>,
    write: impl Fn(&F) -> Vec<u8>,
) -> Option<F> {
    match read(bytes) {
        Ok(filter) => {
            let written = write(&filter);
            assert_eq!(
                read(&written).as_ref(),
                Ok(&filter),
                "written and read otherwise"
            );
            Some(filter)
        }
        Err(error) => {
            assert!(
                error.offset <= bytes.len() as u64,
                "an error past the end: {error:?}"
            );
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

/// Inserts keys and asserts that none of them becomes a false negative.
fn operate<F: Prehashed>(filter: F, insert: impl Fn(&mut F, &[u8]) -> bool) {
    operate_or_full(filter, |own, key| Ok::<_, Infallible>(insert(own, key)));
}

/// The same for a filter that may be full.
fn operate_or_full<F: Prehashed, E: Debug>(
    mut filter: F,
    insert: impl Fn(&mut F, &[u8]) -> Result<bool, E>,
) {
    let keys: [&[u8]; 4] = [b"", b"a", b"12345678", b"a longer key than others"];
    for (i, key) in keys.iter().enumerate() {
        let before = filter.contains_bytes(key);
        assert_eq!(before, filter.contains_hash(filter.hash_key(key)));
        match insert(&mut filter, key) {
            Ok(was_new) => assert!(!before || !was_new, "new, and present before"),
            // A full filter rejects the key.
            Err(error) => {
                assert!(!format!("{error:?}").is_empty());
                return;
            }
        }
        for key in &keys[..=i] {
            assert!(filter.contains_bytes(key), "a false negative");
        }
    }
}

/// Go's bits-and-blooms in its binary format.
pub fn bits_and_blooms(data: &[u8]) {
    let filter = accepted(data, GoBloom::from_bytes, GoBloom::to_bytes);
    if let Some(filter) = filter {
        assert!(filter.to_bytes() == data, "accepted, and written otherwise");
        operate_go(filter);
    }
}

fn operate_go(filter: GoBloom) {
    if filter.hashes() <= MAX_HASHES {
        operate(filter, GoBloom::insert);
    }
}

/// Go's bits-and-blooms as JSON.
pub fn bits_and_blooms_json(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let read = |bytes: &[u8]| GoBloom::from_json(&String::from_utf8_lossy(bytes));
    let filter = accepted(text.as_bytes(), read, |filter| {
        filter.to_json().into_bytes()
    });
    filter.into_iter().for_each(operate_go);
}

/// Guava's filter.
pub fn guava(data: &[u8]) {
    if let Some(filter) = accepted(data, GuavaBloom::from_bytes, GuavaBloom::to_bytes) {
        assert!(filter.to_bytes() == data, "accepted, and written otherwise");
        assert!(filter.estimated_fpr() <= 1.0);
        filter.approximate_element_count();
        operate(filter, GuavaBloom::insert);
    }
}

/// Parquet's filter, whose header can be encoded in several ways.
pub fn parquet(data: &[u8]) {
    if let Ok((first, used)) = ParquetBloom::from_start_of(data) {
        let used = usize::try_from(used).unwrap_or(usize::MAX);
        assert_eq!(
            data.get(..used).map(ParquetBloom::from_bytes),
            Some(Ok(first))
        );
    }
    let Some(filter) = accepted(data, ParquetBloom::from_bytes, ParquetBloom::to_bytes) else {
        return;
    };
    if let Ok(Some(half)) = filter.folded() {
        assert_eq!(half.blocks() * 2, filter.blocks());
    }
    operate(filter, ParquetBloom::insert);
}

/// RedisBloom's chain of links, in one piece and in chunks.
pub fn redisbloom(data: &[u8]) {
    let filter = accepted(data, RedisBloom::from_bytes, RedisBloom::to_bytes);
    let Some(mut filter) = filter else {
        return;
    };
    let chunks: Vec<(i64, Vec<u8>)> = filter.chunks().collect();
    let chunks: Vec<(i64, &[u8])> = chunks.iter().map(|(at, bytes)| (*at, &bytes[..])).collect();
    assert_eq!(RedisBloom::from_chunks(&chunks).as_ref(), Ok(&filter));
    filter.set_max_bytes(Some(MAX_BYTES));
    operate_or_full(filter, RedisBloom::insert);
}

/// The chunks of a RedisBloom chain in any order. In the input, three bytes precede each chunk: one
/// for its iterator value, and two for its length.
pub fn redisbloom_chunks(data: &[u8]) {
    let (mut chunks, mut rest) = (Vec::new(), data);
    while let [at, low, high, after @ ..] = rest {
        let len = usize::from(u16::from_le_bytes([*low, *high])).min(after.len());
        let (chunk, others) = after.split_at(len);
        chunks.push((i64::from(*at), chunk));
        rest = others;
    }
    if let Ok(mut filter) = RedisBloom::from_chunks(&chunks) {
        filter.set_max_bytes(Some(MAX_BYTES));
        operate_or_full(filter, RedisBloom::insert);
    }
}

/// Redisson's bitmap, which does not contain its sizes.
pub fn redisson(data: &[u8]) {
    let [hashes, low, high, bitmap @ ..] = data else {
        return;
    };
    let size_bits = u64::from(u16::from_le_bytes([*low, *high]));
    let read = |bytes: &[u8]| RedissonBloom::from_bytes(bytes, size_bits, (*hashes).into());
    if let Some(filter) = accepted(bitmap, read, RedissonBloom::to_bytes) {
        operate(filter, RedissonBloom::insert);
    }
}

/// go-zero's bitmap, which does not contain its size.
pub fn go_zero(data: &[u8]) {
    let [low, high, bitmap @ ..] = data else {
        return;
    };
    let size_bits = u64::from(u16::from_le_bytes([*low, *high]));
    let read = |bytes: &[u8]| GoZeroBloom::from_bytes(bytes, size_bits);
    if let Some(filter) = accepted(bitmap, read, GoZeroBloom::to_bytes) {
        operate(filter, GoZeroBloom::insert);
    }
}
