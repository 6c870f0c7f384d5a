//! Files of the filter that are read for ever.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use bouquet_blocked::{BlockedBloom, Words64};
use bouquet_sharded::{
    AtomicBloom, Decode, Encode, Folded, ShardedBloom, Spec, StandardBloom, Xxh3,
};
use bouquet_testkit::golden::fill;

fn spec() -> Spec {
    Spec::new(100, 0.01).unwrap()
}

bouquet_testkit::golden! {
    ShardedBloom:
    folded => ShardedBloom::<StandardBloom>::with_shards(spec(), 3, Folded::with_seed(7)),
    standard => ShardedBloom::<StandardBloom<Xxh3>>::with_shards(spec(), 3, Xxh3::with_seed(7)),
    blocked => {
        ShardedBloom::<BlockedBloom<Words64, Xxh3>>::with_shards(spec(), 2, Xxh3::default())
    },
}
bouquet_testkit::golden! {
    AtomicBloom: atomic => AtomicBloom::from_parts(1_021, 3, Xxh3::default())
}

#[test]
fn atomic_and_standard_filters_have_the_same_bytes() {
    let (bits, hashes, hasher) = (1_021, 3, Xxh3::default());
    let mut atomic = AtomicBloom::from_parts(bits, hashes, hasher).unwrap();
    let mut standard = StandardBloom::from_parts(bits, hashes, hasher).unwrap();
    fill(&mut atomic);
    fill(&mut standard);
    assert_eq!(atomic.encode(), standard.encode());
    assert_eq!(
        StandardBloom::decode(&atomic.encode()),
        Ok(standard.clone())
    );
    assert_eq!(AtomicBloom::decode(&standard.encode()), Ok(atomic));
}
