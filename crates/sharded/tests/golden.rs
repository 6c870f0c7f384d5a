//! Files of the filter that are read for ever.

use bouquet_blocked::{BlockedBloom, Words64};
use bouquet_sharded::{
    AtomicBloom, Decode, Encode, Folded, ShardedBloom, Spec, StandardBloom, Xxh3,
};
use bouquet_testkit::{
    Verdict,
    golden::{fill, golden},
};

fn path(name: &str) -> String {
    format!("{}/tests/data/{name}.bouquet", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn folded() -> Verdict {
    let spec = Spec::new(100, 0.01).unwrap();
    let hasher = Folded::with_seed(7);
    let mut filter: ShardedBloom = ShardedBloom::with_shards(spec, 3, hasher).unwrap();
    fill(&mut filter);
    golden(path("folded"), &filter, ShardedBloom::decode)
}

#[test]
fn standard() -> Verdict {
    let spec = Spec::new(100, 0.01).unwrap();
    let hasher = Xxh3::with_seed(7);
    let mut filter = ShardedBloom::<StandardBloom<Xxh3>>::with_shards(spec, 3, hasher).unwrap();
    fill(&mut filter);
    golden(path("standard"), &filter, ShardedBloom::decode)
}

#[test]
fn blocked() -> Verdict {
    let spec = Spec::new(100, 0.01).unwrap();
    let hasher = Xxh3::default();
    let mut filter =
        ShardedBloom::<BlockedBloom<Words64, Xxh3>>::with_shards(spec, 2, hasher).unwrap();
    fill(&mut filter);
    golden(path("blocked"), &filter, ShardedBloom::decode)
}

#[test]
fn atomic() -> Verdict {
    let mut filter = AtomicBloom::from_parts(1_021, 3, Xxh3::default()).unwrap();
    fill(&mut filter);
    golden(path("atomic"), &filter, AtomicBloom::decode)
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
