//! No reader takes much more memory than the bytes it is given, whatever they
//! claim. One test, for the count is of the whole process.
#![allow(unsafe_code, reason = "an allocator that counts")]
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use bouquet_interop::{GoBloom, GuavaBloom, ParquetBloom, RedisBloom};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        // SAFETY: the caller's promises are the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promises are the system's.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What reading may take beyond the bytes given: what a reader fills up with
/// zeros, and a cache line on which that begins.
const ALLOWANCE: usize = (64 << 10) + 64;

/// Reads, and tells whether it was a filter.
fn bounded<F, E>(bytes: &[u8], read: impl Fn(&[u8]) -> Result<F, E>) -> bool {
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let good = read(bytes).is_ok();
    let taken = PEAK.load(Relaxed) - before;
    assert!(
        taken <= bytes.len() + ALLOWANCE,
        "{taken} bytes for {}",
        bytes.len()
    );
    good
}

/// Each byte of the header with its bits turned, at three lengths of the data.
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

/// A chain of many links, the first of them small: what a link costs beside its
/// bits.
fn many_links() -> Vec<u8> {
    let mut filter = RedisBloom::reserve(0.1, 1, Some(1)).unwrap();
    let mut key = 0u32;
    // Every link has half the error of the last, down to the least there is.
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
    // m as far past the bits as is allowed, and one further.
    let claims = |m: u64| {
        [m, 1, 0]
            .iter()
            .flat_map(|n| n.to_be_bytes())
            .collect::<Vec<u8>>()
    };
    assert!(bounded(&claims(8 << 16), GoBloom::from_bytes));
    assert!(!bounded(&claims((8 << 16) + 1), GoBloom::from_bytes));

    let guava = GuavaBloom::new(bouquet_interop::guava::Strategy::Mitz64, 1_000, 7).unwrap();
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
