//! Files of the filter that are read for ever.

use bouquet_partitioned::{Decode, Folded, PartitionedBloom, Spec, Xxh3};
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
    let mut filter = PartitionedBloom::with_hasher(spec, Folded::with_seed(7)).unwrap();
    fill(&mut filter);
    golden(path("folded"), &filter, PartitionedBloom::decode)
}

#[test]
fn xxh3() -> Verdict {
    let spec = Spec::new(100, 0.01).unwrap();
    let mut filter = PartitionedBloom::with_hasher(spec, Xxh3::with_seed(7)).unwrap();
    fill(&mut filter);
    golden(path("xxh3"), &filter, PartitionedBloom::decode)
}

#[test]
fn odd_bits() -> Verdict {
    let mut filter = PartitionedBloom::from_parts(1_021, 3, Xxh3::default()).unwrap();
    fill(&mut filter);
    golden(path("odd_bits"), &filter, PartitionedBloom::decode)
}
