//! Runs the laws of encoding and decoding for this filter.

use bouquet_counting::{CounterBits, CountingBloom, CountingView, Folded, Xxh3Wide};

bouquet_testkit::codec_laws! {
    four_bits {
        make: |spec, seed| CountingBloom::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: CountingBloom,
        view: CountingView<'_>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    // An odd number of counters.
    eight_bits {
        make: |spec, seed| {
            let counters = spec.capacity() * 11;
            CountingBloom::from_parts(counters, 3, CounterBits::Eight, Xxh3Wide::with_seed(seed)).unwrap()
        },
        hasher: |seed| Xxh3Wide::with_seed(seed),
        filter: CountingBloom<Xxh3Wide>,
        view: CountingView<'_, Xxh3Wide>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
}
