//! The laws of encoded filters, for the cuckoo filter.

use bouquet_cuckoo::{CuckooFilter, CuckooView, FingerprintBits, Folded, Xxh3Wide};

bouquet_testkit::codec_laws! {
    by_spec {
        make: |spec, seed| CuckooFilter::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        hasher: |seed| Folded::with_seed(seed),
        filter: CuckooFilter,
        view: CuckooView<'_>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    // The buckets span words, and there are so few that one key finds no slot.
    ten_bits {
        make: |spec, seed| {
            let buckets = spec.capacity() / 4 + 1;
            CuckooFilter::from_parts(buckets, FingerprintBits::Ten, Xxh3Wide::with_seed(seed)).unwrap()
        },
        hasher: |seed| Xxh3Wide::with_seed(seed),
        filter: CuckooFilter<Xxh3Wide>,
        view: CuckooView<'_, Xxh3Wide>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
    wide {
        make: |spec, seed| {
            let buckets = spec.capacity() / 4 + 1;
            CuckooFilter::from_parts(buckets, FingerprintBits::ThirtyTwo, Folded::with_seed(seed)).unwrap()
        },
        hasher: |seed| Folded::with_seed(seed),
        filter: CuckooFilter,
        view: CuckooView<'_>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
}
