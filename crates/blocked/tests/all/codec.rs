//! Runs the laws of encoding and decoding for this filter.

use bouquet_blocked::{BlockedBloom, BlockedView, Folded, Line, Words32, Xxh3Wide};

bouquet_testkit::codec_laws! {
    words64 {
        make: |spec, seed| BlockedBloom::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: BlockedBloom,
        view: BlockedView<'_>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    words32 {
        make: |spec, seed| BlockedBloom::with_layout(spec, Xxh3Wide::with_seed(seed)).unwrap(),
        hasher: |seed| Xxh3Wide::with_seed(seed),
        filter: BlockedBloom<Words32, Xxh3Wide>,
        view: BlockedView<'_, Words32, Xxh3Wide>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    // An odd number of 256-bit blocks, so that the last cache line is half full.
    words32_half_a_line {
        make: |spec, seed| {
            BlockedBloom::from_parts(spec.capacity() | 1, Words32, Folded::with_seed(seed)).unwrap()
        },
        hasher: |seed| Folded::with_seed(seed),
        filter: BlockedBloom<Words32>,
        view: BlockedView<'_, Words32>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    line {
        make: |spec, seed| BlockedBloom::with_layout(spec, Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: BlockedBloom<Line>,
        view: BlockedView<'_, Line>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
}
