//! Decodes native files, opens them as views, verifies them and encodes them again.

use std::{
    fmt::Debug,
    io::{self, Read},
};

use bouquet_aging::AgingBloom;
use bouquet_blocked::{BlockedBloom, BlockedView, Line, Words32, Words64};
use bouquet_core::{Filter, SeededHasher};
use bouquet_counting::{CountingBloom, CountingView};
use bouquet_cuckoo::{CuckooFilter, CuckooView};
use bouquet_format::{
    Decode, DecodeError, Document, Encode, HEADER_BYTES, Header, Limits, LoadError, View,
};
use bouquet_fuse::{Bits12, FuseFilter, FuseView};
use bouquet_hash::{SipKeyed, Xxh3, Xxh3Wide};
use bouquet_partitioned::{PartitionedBloom, PartitionedView};
use bouquet_scalable::{ScalableBloom, ScalableView, SharedScalable};
use bouquet_sharded::{AtomicBloom, ShardedBloom, ShardedView};
use bouquet_standard::{StandardBloom, StandardView};

use crate::{input::Input, scratch};

/// The keys that are looked up in every decoded filter.
const KEYS: [&[u8]; 6] = [
    b"",
    b"a",
    b"key 0",
    b"key 1",
    b"12345678",
    b"a longer key than others",
];

/// The filter in the file, after checking that view, verification and encoding agree with it;
/// `None` if the file is not valid.
fn decoded<F>(
    input: &Input<'_>,
    view: impl Fn(&[u8]) -> Result<Vec<bool>, DecodeError>,
    verify: impl Fn(&[u8]) -> Result<(), DecodeError>,
) -> Option<F>
where
    F: Decode<Hasher: SeededHasher> + Encode + Filter + PartialEq + Debug,
{
    let file = &input.file[..];
    let decoded = F::decode(file);
    let (opened, verified) = (view(file), verify(file));
    assert_eq!(
        decoded.is_ok(),
        verified.is_ok(),
        "verified otherwise than decoded"
    );
    let limits = Limits::new().max_bytes(600).max_stages(3);
    let limited = F::decode_with_limits(file, &limits);
    match input.way {
        0 => same(F::decode_from(file, file.len() as u64), &decoded),
        1 => same(F::decode_from(Few(file), file.len() as u64), &decoded),
        2 => {
            let read = F::decode_from_with_limits(file, file.len() as u64, &limits);
            same(read, &limited);
        }
        3 => with_hasher(file, &decoded),
        4 => for_inspection(file, &decoded),
        5 => cut_short::<F>(file),
        6 => loaded(file, &decoded),
        _ => same(
            F::load_with_limits(scratch::file("file", file), &limits),
            &limited,
        ),
    }
    let filter = match decoded {
        Ok(filter) => filter,
        Err(error) => {
            assert!(limited.is_err(), "decoded within limits alone");
            assert!(
                error.offset <= file.len() as u64,
                "an error past the end: {error:?}"
            );
            assert!(!error.to_string().is_empty());
            return None;
        }
    };
    assert!(
        limited.is_err() || file.len() <= 600,
        "decoded past its limit"
    );
    assert!(
        filter.encode() == file,
        "accepted, and encodes to other bytes"
    );
    let answers: Vec<bool> = KEYS.iter().map(|key| filter.contains_bytes(key)).collect();
    assert_eq!(opened, Ok(answers), "the view answers otherwise");
    Some(filter)
}

/// Asserts that reading in another way gave the same filter or error as decoding.
fn same<F: PartialEq + Debug>(read: Result<F, LoadError>, decoded: &Result<F, DecodeError>) {
    match (read, decoded) {
        (Ok(read), Ok(decoded)) => assert!(read == *decoded, "read as another filter"),
        // Errors are also compared by their text: they may contain NaN, which is not equal to
        // itself.
        (Err(LoadError::Decode(read)), Err(decoded)) => assert!(
            read == *decoded || format!("{read:?}") == format!("{decoded:?}"),
            "another error: {read:?}, and {decoded:?}"
        ),
        (read, decoded) => panic!("read otherwise than decoded: {read:?}, and {decoded:?}"),
    }
}

/// A reader that returns at most 61 bytes per read.
struct Few<'a>(&'a [u8]);

impl Read for Few<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let few = buffer.len().min(61);
        self.0.read(&mut buffer[..few])
    }
}

/// The seed in the header; 0 if there is no valid header.
fn seed(file: &[u8]) -> u64 {
    let first = file.first_chunk::<{ HEADER_BYTES as usize }>();
    let header = first.and_then(|first| Header::from_bytes(first, 0).ok());
    header.map_or(0, |header| header.seed())
}

/// Decodes with the hasher that the header names, and asserts that another seed is rejected.
fn with_hasher<F>(file: &[u8], decoded: &Result<F, DecodeError>)
where
    F: Decode<Hasher: SeededHasher> + PartialEq + Debug,
{
    let (len, seed) = (file.len() as u64, seed(file));
    let hasher = || F::Hasher::from_seed(seed);
    same(
        F::decode_with(file, hasher()).map_err(LoadError::from),
        decoded,
    );
    same(F::decode_from_with(file, len, hasher()), decoded);
    same(F::load_with(scratch::file("file", file), hasher()), decoded);
    let other = || F::Hasher::from_seed(!seed);
    assert!(F::decode_with(file, other()).is_err(), "by another seed");
    assert!(F::decode_from_with(file, len, other()).is_err());
}

/// Decodes for inspection with another hasher; everything except the hasher is checked.
fn for_inspection<F>(file: &[u8], decoded: &Result<F, DecodeError>)
where
    F: Decode<Hasher: SeededHasher> + Encode,
{
    let placeholder = F::Hasher::from_seed(seed(file) ^ 1);
    let looked = F::decode_for_inspection(file, file.len() as u64, placeholder);
    assert!(looked.is_ok() || decoded.is_err(), "decoded, not inspected");
    if let Ok(looked) = looked {
        assert_eq!(looked.encode().len(), file.len(), "another size");
    }
}

/// Asserts that a reader that ends too early is an error, and so is a wrong length.
fn cut_short<F: Decode<Hasher: SeededHasher>>(file: &[u8]) {
    let len = file.len() as u64;
    if let Some((_, first)) = file.split_last() {
        assert!(F::decode_from(first, len).is_err(), "read past the end");
        assert!(F::decode_from(file, len - 1).is_err(), "longer than said");
    }
    assert!(F::decode_from(file, len + 1).is_err(), "shorter than said");
}

/// Loads the file from a path.
fn loaded<F>(file: &[u8], decoded: &Result<F, DecodeError>)
where
    F: Decode<Hasher: SeededHasher> + PartialEq + Debug,
{
    same(F::load(scratch::file("file", file)), decoded);
    let none = F::load(scratch::file("file", file).join("none"));
    assert!(matches!(none, Err(LoadError::Open { .. })));
}

/// The answers of a view or a filter, which must be the same by single calls and in a batch.
fn answers<V: Filter>(view: Result<V, DecodeError>) -> Result<Vec<bool>, DecodeError> {
    let view = view?;
    let singly: Vec<bool> = KEYS.iter().map(|key| view.contains_bytes(key)).collect();
    let mut batch = vec![false; KEYS.len()];
    view.contains_bytes_batch(&KEYS, &mut batch);
    assert_eq!(singly, batch, "a batch answers otherwise");
    Ok(singly)
}

/// Decodes a file as `$filter` and opens it as `$view`.
macro_rules! decode {
    ($input:expr, $filter:ty, $view:ty) => {
        decoded::<$filter>(
            $input,
            |bytes| answers(<$view as View<'_>>::open(bytes)),
            |bytes| <$view as View<'_>>::verify(bytes),
        )
    };
}

/// Standard filters, with each hasher.
pub fn standard(data: &[u8]) {
    let input = &Input::of(data);
    decode!(input, StandardBloom, StandardView<'_>);
    decode!(input, StandardBloom<Xxh3>, StandardView<'_, Xxh3>);
    decode!(input, StandardBloom<Xxh3Wide>, StandardView<'_, Xxh3Wide>);
    let key = SipKeyed::with_key([7; 16]);
    let keyed = StandardBloom::decode_with(&input.file, key);
    let verified = StandardView::verify_with(&input.file, key);
    assert_eq!(keyed.is_ok(), verified.is_ok());
    let read = StandardBloom::decode_from_with(&input.file[..], input.file.len() as u64, key);
    same(read, &keyed);
}

/// Atomic filters, which have the same format as standard filters.
pub fn atomic(data: &[u8]) {
    let input = &Input::of(data);
    let atomic = decode!(input, AtomicBloom, StandardView<'_>);
    let standard = decode!(input, StandardBloom, StandardView<'_>);
    assert_eq!(atomic.is_some(), standard.is_some());
}

/// Counting filters.
pub fn counting(data: &[u8]) {
    decode!(&Input::of(data), CountingBloom, CountingView<'_>);
}

/// Partitioned filters.
pub fn partitioned(data: &[u8]) {
    decode!(&Input::of(data), PartitionedBloom, PartitionedView<'_>);
}

/// Blocked filters in each layout.
pub fn blocked(data: &[u8]) {
    let input = &Input::of(data);
    decode!(input, BlockedBloom<Words64>, BlockedView<'_, Words64>);
    decode!(input, BlockedBloom<Words32>, BlockedView<'_, Words32>);
    decode!(input, BlockedBloom<Line>, BlockedView<'_, Line>);
}

/// Scalable filters with two kinds of stages.
pub fn scalable(data: &[u8]) {
    let input = &Input::of(data);
    decode!(input, ScalableBloom, ScalableView<'_>);
    decode!(
        input,
        ScalableBloom<BlockedBloom>,
        ScalableView<'_, BlockedView<'_>>
    );
    let Ok(filter) = SharedScalable::from_bytes(&input.file) else { return };
    for key in KEYS {
        filter.insert(key);
        assert!(filter.contains(key), "absent after its insertion");
    }
}

/// Sharded filters with two kinds of shards.
pub fn sharded(data: &[u8]) {
    let input = &Input::of(data);
    decode!(input, ShardedBloom, ShardedView<'_>);
    decode!(
        input,
        ShardedBloom<BlockedBloom>,
        ShardedView<'_, BlockedView<'_>>
    );
}

/// Cuckoo filters.
pub fn cuckoo(data: &[u8]) {
    decode!(&Input::of(data), CuckooFilter, CuckooView<'_>);
}

/// Fuse filters of two widths.
pub fn fuse(data: &[u8]) {
    let input = &Input::of(data);
    decode!(input, FuseFilter, FuseView<'_>);
    decode!(input, FuseFilter<Bits12>, FuseView<'_, Bits12>);
}

/// Filters that forget, which have no view: those that are decoded go on in its place.
pub fn aging(data: &[u8]) {
    let decoded_again = |bytes: &[u8]| AgingBloom::from_bytes(bytes);
    let input = &Input::of(data);
    let filter = decoded::<AgingBloom>(
        input,
        |bytes| answers(decoded_again(bytes)),
        |bytes| decoded_again(bytes).map(drop),
    );
    let Some(mut filter) = filter else { return };
    for key in KEYS {
        filter.insert(key);
        assert!(filter.contains(key), "absent after its insertion");
    }
    filter.advance(u64::MAX);
    assert!(filter.span().is_none() || filter.encode().len() == input.file.len());
}

/// Headers of whole files and of their parts.
pub fn header(data: &[u8]) {
    let file = &Input::of(data).file;
    if let Some(first) = file.first_chunk::<{ HEADER_BYTES as usize }>() {
        for offset in [0, 1 << 20] {
            match Header::from_bytes(first, offset) {
                Ok(header) => {
                    assert_eq!(header.to_bytes(), *first, "accepted, and written otherwise");
                    assert!(!format!("{header:?}").is_empty());
                    let found = Limits::new().check(&header);
                    assert_eq!(found.is_ok(), within(&header), "{found:?}");
                }
                Err(error) => {
                    assert!(
                        (offset..offset + HEADER_BYTES).contains(&error.offset),
                        "{error:?}"
                    );
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    if let Ok(document) = Document::open(file) {
        let _ = document.verify();
        let mut parts = 0;
        let read = document.record.parts(|part| {
            parts += 1;
            part.parts(|_| Ok(()))
        });
        assert!(read.is_err() || parts == document.record.header.parts());
    }
}

/// Whether the default limits allow a file with this header.
fn within(header: &Header) -> bool {
    let is_scalable = header.variant() == bouquet_format::variant::SCALABLE;
    header.file_bytes() <= 1 << 30 && (!is_scalable || header.parts() <= 64)
}
