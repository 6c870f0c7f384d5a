//! Files of ours: decoded, opened as views, verified and encoded again.

use bouquet_blocked::{BlockedBloom, BlockedView, Line, Words32, Words64};
use bouquet_core::{Filter, SeededHasher};
use bouquet_counting::{CountingBloom, CountingView};
use bouquet_cuckoo::{CuckooFilter, CuckooView};
use bouquet_format::{Decode, DecodeError, Document, Encode, HEADER_BYTES, Header, Limits, View};
use bouquet_hash::{SipKeyed, Xxh3, Xxh3Wide};
use bouquet_partitioned::{PartitionedBloom, PartitionedView};
use bouquet_scalable::{ScalableBloom, ScalableView};
use bouquet_sharded::{AtomicBloom, ShardedBloom, ShardedView};
use bouquet_standard::{StandardBloom, StandardView};

use crate::input::Input;

/// What is asked of every filter that is decoded.
const KEYS: [&[u8]; 6] = [
    b"",
    b"a",
    b"key 0",
    b"key 1",
    b"12345678",
    b"a longer key than others",
];

/// The filter in the file, which view, verification and encoding agree about; `None` if there
/// is none.
fn decoded<F>(
    file: &[u8],
    view: impl Fn(&[u8]) -> Result<Vec<bool>, DecodeError>,
    verify: impl Fn(&[u8]) -> Result<(), DecodeError>,
) -> Option<F>
where
    F: Decode<Hasher: SeededHasher> + Encode + Filter,
{
    let decoded = F::decode(file);
    let read = F::decode_from(file, file.len() as u64);
    assert_eq!(decoded.is_ok(), read.is_ok(), "read otherwise than decoded");
    let (opened, verified) = (view(file), verify(file));
    assert_eq!(
        decoded.is_ok(),
        verified.is_ok(),
        "verified otherwise than decoded"
    );
    let limited = F::decode_with_limits(file, &Limits::new().max_bytes(600).max_stages(3));
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
    let answers: Vec<bool> = KEYS.iter().map(|key| filter.contains(key)).collect();
    assert_eq!(opened, Ok(answers), "the view answers otherwise");
    Some(filter)
}

/// What a view answers, one by one and in a batch.
fn answers<'a, V: View<'a>>(view: Result<V, DecodeError>) -> Result<Vec<bool>, DecodeError> {
    let view = view?;
    let singly: Vec<bool> = KEYS.iter().map(|key| view.contains(key)).collect();
    let mut batch = vec![false; KEYS.len()];
    view.contains_batch(&KEYS, &mut batch);
    assert_eq!(singly, batch, "a batch answers otherwise");
    Ok(singly)
}

/// Decodes as `$filter` and opens as `$view`.
macro_rules! decode {
    ($file:expr, $filter:ty, $view:ty) => {
        decoded::<$filter>(
            $file,
            |bytes| answers(<$view as View<'_>>::open(bytes)),
            |bytes| <$view as View<'_>>::verify(bytes),
        )
    };
}

/// One array of bits, by each hasher.
pub fn standard(data: &[u8]) {
    let file = &Input::of(data).file;
    decode!(file, StandardBloom, StandardView<'_>);
    decode!(file, StandardBloom<Xxh3>, StandardView<'_, Xxh3>);
    decode!(file, StandardBloom<Xxh3Wide>, StandardView<'_, Xxh3Wide>);
    let key = SipKeyed::with_key([7; 16]);
    let keyed = StandardBloom::decode_with(file, key);
    assert_eq!(keyed.is_ok(), StandardView::verify_with(file, key).is_ok());
}

/// The same bits as atomics.
pub fn atomic(data: &[u8]) {
    let file = &Input::of(data).file;
    let atomic = decode!(file, AtomicBloom, StandardView<'_>);
    let standard = decode!(file, StandardBloom, StandardView<'_>);
    assert_eq!(atomic.is_some(), standard.is_some());
}

/// Counters.
pub fn counting(data: &[u8]) {
    decode!(&Input::of(data).file, CountingBloom, CountingView<'_>);
}

/// A range of bits for each probe.
pub fn partitioned(data: &[u8]) {
    decode!(&Input::of(data).file, PartitionedBloom, PartitionedView<'_>);
}

/// Blocks, in each layout.
pub fn blocked(data: &[u8]) {
    let file = &Input::of(data).file;
    decode!(file, BlockedBloom<Words64>, BlockedView<'_, Words64>);
    decode!(file, BlockedBloom<Words32>, BlockedView<'_, Words32>);
    decode!(file, BlockedBloom<Line>, BlockedView<'_, Line>);
}

/// Stages, of two kinds.
pub fn scalable(data: &[u8]) {
    let file = &Input::of(data).file;
    decode!(file, ScalableBloom, ScalableView<'_>);
    decode!(
        file,
        ScalableBloom<BlockedBloom>,
        ScalableView<'_, BlockedView<'_>>
    );
}

/// Shards, of two kinds.
pub fn sharded(data: &[u8]) {
    let file = &Input::of(data).file;
    decode!(file, ShardedBloom, ShardedView<'_>);
    decode!(
        file,
        ShardedBloom<BlockedBloom>,
        ShardedView<'_, BlockedView<'_>>
    );
}

/// Fingerprints.
pub fn cuckoo(data: &[u8]) {
    decode!(&Input::of(data).file, CuckooFilter, CuckooView<'_>);
}

/// Headers, of the whole and of its parts.
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

/// Whether the limits that are assumed allow it.
fn within(header: &Header) -> bool {
    let is_scalable = header.variant() == bouquet_format::variant::SCALABLE;
    header.file_bytes() <= 1 << 30 && (!is_scalable || header.parts() <= 64)
}
