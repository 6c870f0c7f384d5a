//! Random sequences of operations on filters of every size and target: from one key to 2^33 bits,
//! with an FPR from 0.9 to 1e-15. `BOUQUET_SEQUENCES` sets the number of sequences per filter. The
//! law `sequences` of each crate runs more sequences on small filters.

use bouquet::{
    AtomicBloom, BlockedBloom, CountingBloom, CuckooFilter, Folded, Line, PartitionedBloom,
    ScalableBloom, ShardedBloom, SipKeyed, Spec, StandardBloom, Words32, Words64, Xxh3, Xxh3Wide,
};
use bouquet_testkit::{
    Verdict,
    laws::{Alphabet, drawn_sequences},
};

/// `laws` lists the laws of [`bouquet_testkit::laws!`] that determine the filter's operations.
macro_rules! drawn {
    ($($name:ident: |$spec:ident, $seed:ident| $make:expr, [$($law:ident),*];)+) => {$(
        #[test]
        fn $name() -> Verdict {
            let make = |$spec: Spec, $seed: u64| $make;
            let alphabet = Alphabet::of(&|spec, seed| make(spec, seed).unwrap());
            $(let alphabet = bouquet_testkit::laws! { @letter alphabet $law };)*
            drawn_sequences(make, &alphabet)
        }
    )+};
}

fn secret(seed: u64) -> SipKeyed {
    SipKeyed::with_key([seed as u8; 16])
}

drawn! {
    standard: |spec, seed| StandardBloom::with_hasher(spec, Folded::with_seed(seed)),
        [union, intersect, clear, extend];
    standard_xxh3: |spec, seed| StandardBloom::with_hasher(spec, Xxh3::with_seed(seed)),
        [union, intersect, clear, extend];
    standard_xxh3_wide: |spec, seed| StandardBloom::with_hasher(spec, Xxh3Wide::with_seed(seed)),
        [union, intersect, clear, extend];
    standard_sip: |spec, seed| StandardBloom::with_hasher(spec, secret(seed)),
        [union, intersect, clear, extend];
    words64: |spec, seed| BlockedBloom::<Words64, _>::with_layout(spec, Folded::with_seed(seed)),
        [union, intersect, clear, extend];
    words32: |spec, seed| BlockedBloom::<Words32, _>::with_layout(spec, Folded::with_seed(seed)),
        [union, intersect, clear, extend];
    line: |spec, seed| BlockedBloom::<Line, _>::with_layout(spec, Folded::with_seed(seed)),
        [union, intersect, clear, extend];
    words64_xxh3_wide:
        |spec, seed| BlockedBloom::<Words64, _>::with_layout(spec, Xxh3Wide::with_seed(seed)),
        [union, intersect, clear, extend];
    partitioned: |spec, seed| PartitionedBloom::with_hasher(spec, Folded::with_seed(seed)),
        [union, intersect, clear, extend];
    partitioned_xxh3_wide:
        |spec, seed| PartitionedBloom::with_hasher(spec, Xxh3Wide::with_seed(seed)),
        [union, intersect, clear, extend];
    counting: |spec, seed| CountingBloom::with_hasher(spec, Folded::with_seed(seed)),
        [remove, union, intersect, clear, extend];
    counting_xxh3_wide: |spec, seed| CountingBloom::with_hasher(spec, Xxh3Wide::with_seed(seed)),
        [remove, union, intersect, clear, extend];
    scalable:
        |spec, seed| ScalableBloom::<StandardBloom>::with_hasher(spec, Folded::with_seed(seed)),
        [clear, extend];
    scalable_blocked:
        |spec, seed| ScalableBloom::<BlockedBloom>::with_hasher(spec, Folded::with_seed(seed)),
        [clear, extend];
    sharded:
        |spec, seed| ShardedBloom::<StandardBloom>::with_hasher(spec, Folded::with_seed(seed)),
        [union, intersect, clear, extend, concurrent];
    sharded_blocked:
        |spec, seed| ShardedBloom::<BlockedBloom>::with_hasher(spec, Folded::with_seed(seed)),
        [union, intersect, clear, extend, concurrent];
    sharded_counting:
        |spec, seed| ShardedBloom::<CountingBloom>::with_hasher(spec, Folded::with_seed(seed)),
        [remove, union, intersect, clear, extend, concurrent];
    atomic: |spec, seed| AtomicBloom::with_hasher(spec, Folded::with_seed(seed)),
        [union, intersect, clear, extend, concurrent];
    cuckoo: |spec, seed| CuckooFilter::with_hasher(spec, Folded::with_seed(seed)),
        [remove, clear];
}
