//! A test with many keys, run on demand in release mode. `BOUQUET_KEYS` keys (by default 10^8) are
//! inserted into filters of each kind: half of them into filters of random sizes, from one key on
//! and with an FPR of 0.9 or less, and half into one filter of 2^33 bits. Each key must be found
//! directly after its insert, and all keys at the end, one by one and in batches.
//!
//! ```text
//! cargo test --release -p bouquet --features full --test all volume:: -- --ignored --test-threads 1
//! ```

use std::{error::Error, fmt::Debug, num::ParseIntError};

use bouquet::{
    AtomicBloom, BlockedBloom, CountingBloom, CuckooFilter, Folded, Inspect, Line,
    PartitionedBloom, ScalableBloom, ShardedBloom, SipKeyed, Spec, SpecError, StandardBloom,
    TryInsert, Words32, Words64, Xxh3, Xxh3Wide,
};
use bouquet_testkit::{Rng, keys::member};

const KEYS: u64 = 100_000_000;
/// The size of the largest filter. At half of it bit numbers no longer fit in 32 bits.
const MOST_BITS: u64 = 1 << 33;
/// The lowest target FPR that is drawn.
const LOWEST_FPR: f64 = 1e-15;
/// Number of keys that are queried together.
const BATCH: u64 = 1_000;

fn keys() -> Result<u64, ParseIntError> {
    std::env::var("BOUQUET_KEYS").map_or(Ok(KEYS), |keys| keys.parse())
}

/// Inserts members from number `first` on until one is rejected, at most `keys` of them, and checks
/// that all are found. Returns their number.
fn fill_and_find<F>(filter: &mut F, first: u64, keys: u64, what: &str) -> u64
where
    F: TryInsert<Error: Debug>,
{
    let mut end = first;
    while end < first + keys && filter.try_insert(&member(end)[..]).is_ok() {
        assert!(filter.contains(&member(end)), "{what}: key {end}, once in");
        end += 1;
    }
    for start in (first..end).step_by(BATCH as usize) {
        let members: Vec<_> = (start..end.min(start + BATCH)).map(member).collect();
        let slices: Vec<&[u8]> = members.iter().map(|key| &key[..]).collect();
        let mut found = vec![false; slices.len()];
        filter.contains_batch(&slices, &mut found);
        for (key, (found, index)) in slices.iter().zip(found.iter().zip(start..)) {
            assert!(*found, "{what}: key {index}, in a batch at the end");
            assert!(filter.contains(key), "{what}: key {index}, at the end");
        }
    }
    end - first
}

/// A filter of [`MOST_BITS`] or slightly more, and its spec.
fn largest<F: Inspect>(
    make: &impl Fn(Spec) -> Result<F, SpecError>,
) -> Result<(F, Spec), SpecError> {
    let (mut capacity, mut last) = (100_000, None);
    loop {
        let spec = Spec::new(capacity, 0.01)?;
        let filter = make(spec)?;
        let bits = filter.size_bits();
        if bits >= MOST_BITS {
            return Ok((filter, spec));
        }
        assert_ne!(last, Some(bits), "{capacity} keys take no more bits");
        last = Some(bits);
        drop(filter);
        capacity = (capacity as f64 * MOST_BITS as f64 / bits as f64 * 1.000_1) as u64 + 1;
    }
}

fn volume<F>(name: &str, make: impl Fn(Spec) -> Result<F, SpecError>) -> Result<(), Box<dyn Error>>
where
    F: TryInsert<Error: Debug> + Inspect,
{
    let (half, mut rng) = (keys()? / 2, Rng::new(21));
    let (mut asked, mut made, mut rejected) = (0, 0_u64, 0_u64);
    while asked < half {
        let share = |rng: &mut Rng| rng.below(1 << 53) as f64 / (1_u64 << 53) as f64;
        let capacity = (half as f64).powf(share(&mut rng)) as u64;
        let target_fpr = 0.9 * (LOWEST_FPR / 0.9).powf(share(&mut rng));
        let Ok(mut filter) = Spec::new(capacity, target_fpr).and_then(&make) else {
            // Some layouts reject such a target and recommend another filter.
            rejected += 1;
            assert!(
                rejected <= 10 * (made + 100),
                "{name}: {rejected} specs rejected"
            );
            continue;
        };
        made += 1;
        let what = format!("{name} for {capacity} keys at {target_fpr:.2e}");
        let keys = capacity.min(half - asked);
        let taken = fill_and_find(&mut filter, asked, keys, &what);
        assert!(taken > 0, "{what}: no key was taken");
        asked += taken;
    }
    let (mut filter, spec) = largest(&make)?;
    let bits = filter.size_bits();
    let what = format!("{name} of {bits} bits for {} keys", spec.capacity());
    asked += fill_and_find(&mut filter, asked, half, &what);
    println!(
        "{name}: {asked} keys, {made} filters, {rejected} specs rejected; the last {bits} bits"
    );
    Ok(())
}

macro_rules! volumes {
    ($($name:ident: $make:expr,)+) => {$(
        #[test]
        #[ignore = "on demand: takes minutes, and up to 9 GiB"]
        fn $name() -> Result<(), Box<dyn Error>> {
            volume(stringify!($name), $make)
        }
    )+};
}

fn secret() -> SipKeyed {
    SipKeyed::with_key([7; 16])
}

volumes! {
    standard: |spec| StandardBloom::with_hasher(spec, Folded::with_seed(1)),
    standard_xxh3: |spec| StandardBloom::with_hasher(spec, Xxh3::with_seed(1)),
    standard_xxh3_wide: |spec| StandardBloom::with_hasher(spec, Xxh3Wide::with_seed(1)),
    standard_sip: |spec| StandardBloom::with_hasher(spec, secret()),
    words64: |spec| BlockedBloom::<Words64, _>::with_layout(spec, Folded::with_seed(1)),
    words32: |spec| BlockedBloom::<Words32, _>::with_layout(spec, Folded::with_seed(1)),
    line: |spec| BlockedBloom::<Line, _>::with_layout(spec, Folded::with_seed(1)),
    words64_xxh3_wide: |spec| BlockedBloom::<Words64, _>::with_layout(spec, Xxh3Wide::with_seed(1)),
    partitioned: |spec| PartitionedBloom::with_hasher(spec, Folded::with_seed(1)),
    partitioned_xxh3_wide: |spec| PartitionedBloom::with_hasher(spec, Xxh3Wide::with_seed(1)),
    counting: |spec| CountingBloom::with_hasher(spec, Folded::with_seed(1)),
    counting_xxh3_wide: |spec| CountingBloom::with_hasher(spec, Xxh3Wide::with_seed(1)),
    scalable: |spec| ScalableBloom::<StandardBloom>::with_hasher(spec, Folded::with_seed(1)),
    scalable_blocked: |spec| ScalableBloom::<BlockedBloom>::with_hasher(spec, Folded::with_seed(1)),
    sharded: |spec| ShardedBloom::<StandardBloom>::with_hasher(spec, Folded::with_seed(1)),
    sharded_blocked: |spec| ShardedBloom::<BlockedBloom>::with_hasher(spec, Folded::with_seed(1)),
    atomic: |spec| AtomicBloom::with_hasher(spec, Folded::with_seed(1)),
    cuckoo: |spec| CuckooFilter::with_hasher(spec, Folded::with_seed(1)),
}
