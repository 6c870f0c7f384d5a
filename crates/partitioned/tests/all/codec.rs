//! Runs the laws of encoding and decoding for this filter.

use bouquet_partitioned::{Folded, PartitionedBloom, PartitionedView, Xxh3Wide};

bouquet_testkit::codec_laws! {
    folded {
        make: |spec, seed| PartitionedBloom::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: PartitionedBloom,
        view: PartitionedView<'_>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    // Partitions that end within a word.
    odd_bits {
        make: |spec, seed| {
            PartitionedBloom::from_parts(spec.capacity() * 11, 5, Xxh3Wide::with_seed(seed)).unwrap()
        },
        hasher: |seed| Xxh3Wide::with_seed(seed),
        filter: PartitionedBloom<Xxh3Wide>,
        view: PartitionedView<'_, Xxh3Wide>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
}
