//! Toys without a fault satisfy every law, through the macros that the filter crates use.

use bouquet_testkit::toy::{CappedToy, CodecFault, CodecToy, Fault, Toy, ToyHasher, ToyView};

bouquet_testkit::laws! {
    bits {
        make: |spec, seed| Toy::new(spec, seed).unwrap(),
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, repeats, empty, sequences,
            agreement, keys, inherent,
            determinism, order_free, equality, clone, extend, clear, debug, send_sync,
            union, intersect, fold,
            sizing, inspect, estimated_fpr, expected_fpr, estimated_keys, over_capacity, keys_left,
            locate,
            concurrent, concurrent_exact, concurrent_absent, concurrent_new, concurrent_once,
        ],
    }
    counters {
        make: |spec, seed| Toy::counting(spec, seed, Fault::None).unwrap(),
        laws: [
            members, answers, empty, sequences,
            agreement, keys, inherent,
            determinism, order_free, equality, clone, extend, clear, debug, send_sync,
            union, intersect, fold,
            remove, remove_absent, counts,
            sizing, inspect, estimated_fpr, expected_fpr, estimated_keys, over_capacity, keys_left,
            concurrent, concurrent_exact, concurrent_absent, concurrent_new, concurrent_once,
        ],
    }
    capped {
        make: |spec, seed| CappedToy::new(spec, seed, Fault::None).unwrap(),
        laws: [members, answers, sequences, agreement, clone, clear, rejection, max_bytes],
    }
    keyed {
        make: |spec, seed| Toy::keyed(spec, seed, Fault::None).unwrap(),
        laws: [members, equality, other_key],
    }
}

bouquet_testkit::codec_laws! {
    codec {
        make: |spec, seed| CodecToy::new(spec, seed, CodecFault::None).unwrap(),
        hasher: |seed| ToyHasher::with_seed(seed),
        filter: CodecToy,
        view: ToyView<'_>,
        laws: [encode_round_trip, canonical, hostile_bytes, view],
    }
}

bouquet_testkit::hasher_laws! {
    hasher {
        make: |seed| ToyHasher::with_seed(seed),
        laws: [hasher, seeds, stream, user_id],
    }
}
