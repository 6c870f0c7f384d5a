//! Decoding allocates no more than the bytes that it is given and 64 KiB, whatever sizes they
//! claim; encoding allocates one buffer.

#![allow(unsafe_code, reason = "an allocator that counts")]
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use bouquet_blocked::{BlockedBloom, BlockedView, Line};
use bouquet_core::{Inner, Insert, KeyHash, KeyHasher, SeededHasher, Spec};
use bouquet_counting::{CountingBloom, CountingView};
use bouquet_cuckoo::{CuckooFilter, CuckooView};
use bouquet_format::{Decode, Encode, HEADER_BYTES, TRAILER_BYTES, View};
use bouquet_partitioned::{PartitionedBloom, PartitionedView};
use bouquet_scalable::{Policy, ScalableBloom, ScalableView, Stage};
use bouquet_sharded::{AtomicBloom, ShardedBloom, ShardedView};
use bouquet_standard::{Folded, SipKeyed, StandardBloom, StandardView};
use bouquet_testkit::forge;

struct Counting;

thread_local! {
    /// Counts the memory of this thread only: the test harness's threads have counts of their own.
    /// A thread can free what another allocated, so the count is signed.
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// Counts allocated bytes; does nothing in a thread that is ending and whose counters are gone.
fn count(bytes: isize) {
    _ = NOW.try_with(|now| {
        now.set(now.get() + bytes);
        _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.get())));
    });
}

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller makes the same promises that the system's allocator requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: the caller makes the same promises that the system's allocator requires.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The allocation that is allowed beyond the given bytes.
const ALLOWANCE: usize = 64 << 10;

/// Runs `work` and returns its result and the peak of its allocations.
fn taken<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.get();
    PEAK.set(before);
    let done = work();
    (done, (PEAK.get() - before).cast_unsigned())
}

fn check<'a, F, V>(name: &str, filter: &F, bytes: &'a [u8])
where
    F: Encode + Decode<Hasher: SeededHasher>,
    V: View<'a, Hasher: SeededHasher>,
{
    let most = bytes.len() + ALLOWANCE;
    let (wrote, writing) = taken(|| filter.encode_to(std::io::sink()));
    wrote.unwrap();
    assert!(writing <= ALLOWANCE, "{name}: writing took {writing}");
    let (decoded, decoding) = taken(|| F::decode(bytes).is_ok());
    assert!(
        decoded && (bytes.len() / 2..=most).contains(&decoding),
        "{name}: decoding took {decoding}"
    );
    let (decoded, reading) = taken(|| F::decode_from(bytes, bytes.len() as u64).is_ok());
    assert!(decoded && reading <= most, "{name}: reading took {reading}");
    let (opened, opening) = taken(|| V::verify(bytes).is_ok());
    assert!(
        opened && opening <= most,
        "{name}: verifying took {opening}"
    );
    forged::<F>(name, bytes);
}

/// Changes each byte of the header, with the file at four lengths.
fn forged<F: Decode<Hasher: SeededHasher>>(name: &str, bytes: &[u8]) {
    let header = HEADER_BYTES as usize;
    for len in [header, header + 8, bytes.len() - 1, bytes.len()] {
        let mut forged = bytes[..len].to_vec();
        for at in 8..header - 8 {
            for mask in [0x01, 0x40, 0x7f, 0x80, 0xff] {
                forged[at] ^= mask;
                forge::seal(&mut forged);
                let (_, decoding) = taken(|| F::decode(&forged).is_ok());
                // The allowance also holds for decoding that fails.
                let (_, reading) = taken(|| F::decode_from(&forged[..], len as u64).is_ok());
                let most = len + ALLOWANCE;
                assert!(
                    decoding.max(reading) <= most,
                    "{name}: byte {at} with {mask:#x}, {len} bytes: {decoding} {reading}"
                );
                forged[at] ^= mask;
            }
        }
    }
}

/// A filter with keys, and its bytes.
fn filled<F: Insert + Encode>(mut filter: F) -> (F, Vec<u8>) {
    for key in 0..5_000u64 {
        filter.insert(&key.to_le_bytes());
    }
    let bytes = filter.encode();
    (filter, bytes)
}

#[test]
fn no_variant_takes_more_than_its_bytes() {
    let spec = Spec::new(5_000, 0.001).unwrap();
    let hasher = Folded::default();
    assert_eq!(Folded::ID, 4);

    let (filter, bytes) = filled(StandardBloom::with_hasher(spec, hasher).unwrap());
    check::<_, StandardView<'_>>("standard", &filter, &bytes);
    let (filter, bytes) = filled(AtomicBloom::with_hasher(spec, hasher).unwrap());
    check::<_, StandardView<'_>>("atomic", &filter, &bytes);
    let (filter, bytes) = filled(PartitionedBloom::with_hasher(spec, hasher).unwrap());
    check::<_, PartitionedView<'_>>("partitioned", &filter, &bytes);
    let (filter, bytes) = filled(CountingBloom::with_hasher(spec, hasher).unwrap());
    check::<_, CountingView<'_>>("counting", &filter, &bytes);
    let (filter, bytes) = filled(BlockedBloom::<Line, _>::with_layout(spec, hasher).unwrap());
    check::<_, BlockedView<'_, Line>>("blocked", &filter, &bytes);

    for shards in [3, 1_000] {
        type Sharded = ShardedBloom<StandardBloom>;
        let sharded = Sharded::with_shards(spec, shards, hasher).unwrap();
        let (filter, bytes) = filled(sharded);
        check::<_, ShardedView<'_>>("sharded", &filter, &bytes);
    }

    let mut filter = ScalableBloom::new(10, 0.001).unwrap();
    filter.extend(0..5_000u64);
    let bytes = filter.encode();
    check::<_, ScalableView<'_>>("scalable", &filter, &bytes);

    let mut filter = CuckooFilter::with_hasher(spec, hasher).unwrap();
    (0..5_000u64).for_each(|key| assert!(filter.insert(&key).is_ok()));
    let bytes = filter.encode();
    check::<_, CuckooView<'_>>("cuckoo", &filter, &bytes);

    tiny_parts(hasher);
    tiny_parts(SipKeyed::with_key([7; 16]));
    large_shards(hasher);
    longer_hashers();
}

/// Filters of so many parts that any overhead per part would be noticed: decoding may allocate only
/// the size of the file.
fn tiny_parts<H: KeyHasher>(hasher: H) {
    // Sizes in bits: one word, one cache line less a word, one line, and one bit more.
    for bits in [1, 64, 448, 512, 513] {
        let filter = ShardedBloom::from_parts(SHARDS, bits, 3, hasher.clone()).unwrap();
        tight::<_, ShardedView<'_, StandardView<'_, H>>>(&filter, &hasher);
    }
    for capacity in [1, 40, 100] {
        let spec = Spec::new(capacity * u64::from(SHARDS), 0.01).unwrap();
        type Of<F> = ShardedBloom<F>;
        let filter = Of::<PartitionedBloom<H>>::with_shards(spec, SHARDS, hasher.clone());
        tight::<_, ShardedView<'_, PartitionedView<'_, H>>>(&filter.unwrap(), &hasher);
        let filter = Of::<CountingBloom<H>>::with_shards(spec, SHARDS, hasher.clone());
        tight::<_, ShardedView<'_, CountingView<'_, H>>>(&filter.unwrap(), &hasher);
        let filter = Of::<BlockedBloom<Line, H>>::with_shards(spec, SHARDS, hasher.clone());
        tight::<_, ShardedView<'_, BlockedView<'_, Line, H>>>(&filter.unwrap(), &hasher);
    }
    let filter = stages::<StandardBloom<H>>(&hasher);
    tight::<_, ScalableView<'_, StandardView<'_, H>>>(&filter, &hasher);
    let filter = stages::<CountingBloom<H>>(&hasher);
    tight::<_, ScalableView<'_, CountingView<'_, H>>>(&filter, &hasher);
}

const SHARDS: u32 = 5_000;

/// A filter of many stages with one key each.
fn stages<F: Inner>(hasher: &F::Hasher) -> ScalableBloom<F> {
    let spec = Spec::new(1, 0.01).unwrap();
    let stages = (0..5_000).map(|_| {
        let filter = F::with_hasher(spec, hasher.clone()).unwrap();
        Stage::from_parts(filter, spec, 1)
    });
    ScalableBloom::from_stages(Policy::new(spec), stages.collect()).unwrap()
}

/// Asserts that decoding allocates no more than the given bytes, without the allowance.
fn tight<'a, F, V>(filter: &F, hasher: &F::Hasher)
where
    F: Encode + Decode,
    V: View<'a, Hasher = F::Hasher>,
{
    let name = std::any::type_name::<F>();
    // Leaked, so that the view can borrow the bytes for any lifetime.
    let bytes: &[u8] = filter.encode().leak();
    let (decoded, decoding) = taken(|| F::decode_with(bytes, hasher.clone()).map(|_| ()));
    assert_eq!(
        (decoded, decoding.max(bytes.len())),
        (Ok(()), bytes.len()),
        "{name}"
    );
    let (opened, opening) = taken(|| V::verify_with(bytes, hasher.clone()).map(|_| ()));
    assert_eq!(
        (opened, opening.max(bytes.len())),
        (Ok(()), bytes.len()),
        "{name}"
    );
}

/// The first exception in the documentation of `Decode`: exactly 56 bytes per shard if the slots of
/// a shard take more than 128 KiB.
fn large_shards(hasher: Folded) {
    let (shards, most) = (20, 8 * (128 << 10));
    let filter = |bits| ShardedBloom::from_parts(shards, bits, 3, hasher).unwrap();
    tight::<_, ShardedView<'_>>(&filter(most), &hasher);
    let bytes = filter(most + 512).encode();
    let (decoded, decoding) = taken(|| ShardedBloom::<StandardBloom>::decode(&bytes).is_ok());
    assert!(decoded);
    assert_eq!(decoding, bytes.len() - AROUND + 56 * shards as usize);
}

/// The second exception: a hasher that is larger than those of this family.
fn longer_hashers() {
    let filter = ShardedBloom::from_parts(SHARDS, 512, 3, Long::from_seed(7)).unwrap();
    let bytes = filter.encode();
    let (decoded, decoding) = taken(|| ShardedBloom::<StandardBloom<Long>>::decode(&bytes).is_ok());
    assert!(decoded);
    // Each shard begins at a multiple of two cache lines.
    assert_eq!(decoding, bytes.len() - AROUND + 128 * SHARDS as usize);
}

/// The number of bytes of a file around its parts.
const AROUND: usize = (HEADER_BYTES + TRAILER_BYTES) as usize;

#[derive(Clone, PartialEq, Eq, Debug)]
struct Long([Folded; 10]);

impl KeyHasher for Long {
    const ID: u16 = 0x8001;
    const HASH_BITS: u32 = Folded::HASH_BITS;

    fn hash(&self, key: &[u8]) -> KeyHash {
        self.0[0].hash(key)
    }

    fn seed(&self) -> u64 {
        self.0[0].seed()
    }
}

impl SeededHasher for Long {
    fn from_seed(seed: u64) -> Self {
        Self([Folded::from_seed(seed); 10])
    }
}
