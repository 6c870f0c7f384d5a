//! Files of the filter that are read for ever.

use bouquet_partitioned::{Decode, Folded, PartitionedBloom, Spec, Xxh3};

bouquet_testkit::golden! {
    PartitionedBloom:
    folded => PartitionedBloom::with_hasher(Spec::new(100, 0.01).unwrap(), Folded::with_seed(7)),
    xxh3 => PartitionedBloom::with_hasher(Spec::new(100, 0.01).unwrap(), Xxh3::with_seed(7)),
    odd_bits => PartitionedBloom::from_parts(1_021, 3, Xxh3::default()),
}
