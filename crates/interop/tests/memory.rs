//! Checks that no reader needs much more memory than its input, whatever the input claims, and that
//! no writer needs more than a buffer.
#![allow(unsafe_code, reason = "an allocator that counts")]
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    convert::Infallible,
};

use bouquet_interop::{
    GoBloom, GoZeroBloom, GuavaBloom, ParquetBloom, ReadError, RedisBloom, guava::Strategy,
};

struct Counting;

thread_local! {
    /// Bytes allocated by this thread, now and at the peak. Threads are counted separately, because
    /// the test runner allocates in its own. The count can be negative: a thread may free memory
    /// that another one allocated.
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// A thread that is ending has no counter any more; its allocations are not counted.
fn count(bytes: isize) {
    _ = NOW.try_with(|now| {
        now.set(now.get() + bytes);
        _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.get())));
    });
}

// SAFETY: every call is forwarded to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller makes the promises that the system's allocator requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: the caller makes the promises that the system's allocator requires.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How many bytes reading may allocate beyond the size of its input: a buffer filled with zeros,
/// and the cache line at which it begins.
const ALLOWANCE: usize = (64 << 10) + 64;

/// Runs `work` and returns its result and the peak of the bytes allocated meanwhile.
fn taken<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.get();
    PEAK.set(before);
    let done = work();
    (done, (PEAK.get() - before).cast_unsigned())
}

/// Reads `bytes`, asserts the memory limit, and returns whether they were a filter.
fn bounded<F, E>(bytes: &[u8], read: impl Fn(&[u8]) -> Result<F, E>) -> bool {
    let (read, taken) = taken(|| read(bytes));
    assert!(
        taken <= bytes.len() + ALLOWANCE,
        "{taken} bytes for {}",
        bytes.len()
    );
    read.is_ok()
}

/// Asserts that writing a filter with `bits` bytes of bits gives `bytes` and allocates only
/// buffers, and that reading it from a source allocates the filter and buffers.
fn streams<F: PartialEq>(
    filter: &F,
    (bytes, bits): (&[u8], usize),
    write: impl FnOnce(&F, &mut dyn FnMut(&[u8]) -> Result<(), usize>) -> Result<(), usize>,
    read: impl FnOnce(
        u64,
        &mut dyn FnMut(&mut [u8]) -> Result<(), &'static str>,
    ) -> Result<F, ReadError<&'static str>>,
) {
    const BUFFERS: usize = 8 << 10;
    assert!(bits > 20 * BUFFERS, "too small to show it");
    let mut at = 0;
    let mut put = |piece: &[u8]| {
        assert_eq!(bytes.get(at..at + piece.len()), Some(piece));
        at += piece.len();
        Ok(())
    };
    let (wrote, writing) = taken(|| write(filter, &mut put));
    assert_eq!((wrote, at), (Ok(()), bytes.len()));
    assert!(writing <= BUFFERS, "{writing} bytes to write {bits}");
    let mut rest = bytes;
    let mut fill = |buffer: &mut [u8]| {
        let (first, after) = rest.split_at_checked(buffer.len()).ok_or("the end")?;
        buffer.copy_from_slice(first);
        rest = after;
        Ok(())
    };
    let (read, reading) = taken(|| read(bytes.len() as u64, &mut fill));
    assert!(matches!(read, Ok(read) if read == *filter));
    let expected = bits..=bits + BUFFERS;
    assert!(
        expected.contains(&reading),
        "{reading} bytes to read {bits}"
    );
}

#[test]
fn streaming_takes_the_filter_once() {
    const KEYS: u32 = 200_000;
    macro_rules! check {
        ($filter:expr, $write:expr, $read:expr) => {{
            let mut filter = $filter.unwrap();
            (0..KEYS).for_each(|key| {
                let _ = filter.insert(&key.to_le_bytes());
            });
            let mut bytes = Vec::new();
            let wrote: Result<(), Infallible> = $write(&filter, &mut |piece: &[u8]| {
                bytes.extend_from_slice(piece);
                Ok(())
            });
            assert_eq!(wrote, Ok(()));
            let bits = (filter.size_bits() / 8) as usize;
            streams(&filter, (&bytes, bits), $write, $read);
        }};
    }
    check!(
        GoBloom::new(4_000_000, 3),
        |f: &GoBloom, put| f.write_to(put),
        |len, fill| GoBloom::read_from(len, fill)
    );
    check!(
        GoBloom::new(4_000_000, 3),
        |f: &GoBloom, put| f.write_json_to(put),
        |len, fill| GoBloom::read_json_from(len, fill)
    );
    check!(
        GuavaBloom::new(Strategy::Mitz64, 62_500, 3),
        |f: &GuavaBloom, put| f.write_to(put),
        |len, fill| GuavaBloom::read_from(len, fill)
    );
    check!(
        ParquetBloom::new(16_000),
        |f: &ParquetBloom, put| f.write_to(put),
        |len, fill| ParquetBloom::read_from(len, fill)
    );
    check!(
        RedisBloom::reserve(0.01, 100_000, Some(2)),
        |f: &RedisBloom, put| f.write_to(put),
        |len, fill| RedisBloom::read_from(len, fill)
    );
    check!(
        GoZeroBloom::new(4_000_000),
        |f: &GoZeroBloom, put| f.write_to(put),
        |len, fill| GoZeroBloom::read_from(len, fill, 4_000_000)
    );
}

/// Calls `read` with each byte of the header changed in several ways, for three lengths of the
/// data.
fn forged(bytes: &[u8], header: usize, read: impl Fn(&[u8]) -> bool) {
    for len in [header, bytes.len() - 1, bytes.len()] {
        let mut forged = bytes[..len].to_vec();
        for at in 0..header {
            for mask in [0x01, 0x40, 0x7f, 0x80, 0xff] {
                forged[at] ^= mask;
                read(&forged);
                forged[at] ^= mask;
            }
        }
    }
}

/// A chain of many small links, to measure the memory that a link needs in addition to its bits.
fn many_links() -> Vec<u8> {
    let mut filter = RedisBloom::reserve(0.1, 1, Some(1)).unwrap();
    let mut key = 0u32;
    // Every link has half the target FPR of the last one, down to the smallest possible.
    while filter.links().len() < 1_000 {
        filter.insert(&key).unwrap();
        key += 1;
    }
    filter.to_bytes()
}

#[test]
fn readers_take_no_more_than_they_are_given() {
    let mut go = GoBloom::new(100_000, 7).unwrap();
    go.insert("rose");
    let bytes = go.to_bytes();
    assert!(bounded(&bytes, GoBloom::from_bytes));
    forged(&bytes, 24, |bytes| bounded(bytes, GoBloom::from_bytes));
    let json = go.to_json();
    let from_json = |json: &[u8]| GoBloom::from_json(str::from_utf8(json).unwrap());
    assert!(bounded(json.as_bytes(), from_json));
    // Here m comes after the bits and is larger than their number.
    const LARGE: u64 = 4_000_000;
    let large = GoBloom::new(LARGE, 3).unwrap().to_json();
    let bits = &large[large.find("\"b\"").unwrap()..large.len() - 1];
    let late = format!("{{{bits},\"k\":3,\"m\":{}}}", LARGE + 100);
    assert!(bounded(late.as_bytes(), from_json));
    let twice = format!("{{\"m\":{LARGE},{bits},\"k\":3,\"m\":{}}}", LARGE + 100);
    assert!(!bounded(twice.as_bytes(), from_json));
    // An m that exceeds the number of bits by as much as is allowed, and by one more.
    let claims = |m: u64| {
        [m, 1, 0]
            .iter()
            .flat_map(|n| n.to_be_bytes())
            .collect::<Vec<u8>>()
    };
    assert!(bounded(&claims(8 << 16), GoBloom::from_bytes));
    assert!(!bounded(&claims((8 << 16) + 1), GoBloom::from_bytes));

    let guava = GuavaBloom::new(Strategy::Mitz64, 1_000, 7).unwrap();
    let bytes = guava.to_bytes();
    assert!(bounded(&bytes, GuavaBloom::from_bytes));
    forged(&bytes, 6, |bytes| bounded(bytes, GuavaBloom::from_bytes));

    let bytes = ParquetBloom::new(1_000).unwrap().to_bytes();
    assert!(bounded(&bytes, ParquetBloom::from_bytes));
    forged(&bytes, 17, |bytes| bounded(bytes, ParquetBloom::from_bytes));

    let bytes = RedisBloom::reserve(0.01, 10_000, Some(2))
        .unwrap()
        .to_bytes();
    assert!(bounded(&bytes, RedisBloom::from_bytes));
    forged(&bytes, 73, |bytes| bounded(bytes, RedisBloom::from_bytes));
    assert!(bounded(&many_links(), RedisBloom::from_bytes));
}
