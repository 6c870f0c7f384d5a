//! Golden files of the filters that must always remain readable.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use bouquet_blocked::{BlockedBloom, Words32, Words64};
use bouquet_sharded::{
    AtomicBloom, Decode, Folded, ShardedBloom, ShardedView, Spec, StandardBloom, View, Xxh3,
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

/// Each shard has a header of its own, which states its type.
#[test]
fn a_file_of_other_shards_names_the_type_to_write() {
    let of_xxh3 = include_bytes!("data/standard.bouquet");
    let of_blocks = include_bytes!("data/blocked.bouquet");
    let decoded = |bytes: &[u8]| <ShardedBloom>::decode(bytes).unwrap_err().to_string();
    let opened = |bytes| <ShardedView<'_>>::open(bytes).unwrap_err().to_string();
    for error in [decoded(of_xxh3), opened(of_xxh3)] {
        assert!(
            error.contains("`ShardedBloom<StandardBloom<Xxh3>>`"),
            "{error}"
        );
    }
    let layout = ShardedBloom::<BlockedBloom<Words32, Xxh3>>::decode(of_blocks).unwrap_err();
    for error in [decoded(of_blocks), opened(of_blocks), layout.to_string()] {
        assert!(
            error.contains("`ShardedBloom<BlockedBloom<Words64, Xxh3>>`"),
            "{error}"
        );
    }
    let kind = AtomicBloom::<Xxh3>::decode(of_xxh3)
        .unwrap_err()
        .to_string();
    assert!(
        kind.contains("a `ShardedBloom`, not a `StandardBloom` or an `AtomicBloom`: use the type `ShardedBloom<StandardBloom<Xxh3>>`"),
        "{kind}"
    );
}
