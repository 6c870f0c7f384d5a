//! Stored files of this filter that every release must be able to read.

use bouquet_partitioned::{Decode, Folded, PartitionedBloom, Spec, Xxh3};

bouquet_testkit::golden! {
    PartitionedBloom:
    folded => PartitionedBloom::with_hasher(Spec::new(100, 0.01).unwrap(), Folded::with_seed(7)),
    xxh3 => PartitionedBloom::with_hasher(Spec::new(100, 0.01).unwrap(), Xxh3::with_seed(7)),
    odd_bits => PartitionedBloom::from_parts(1_021, 3, Xxh3::default()),
}

#[test]
fn a_file_of_another_hasher_names_the_type_to_write() {
    let stored = include_bytes!("data/xxh3.bouquet");
    let error = PartitionedBloom::<Folded>::decode(stored).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("use the type `PartitionedBloom<Xxh3>`"),
        "{error}"
    );
}
