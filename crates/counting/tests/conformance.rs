//! Runs the laws that apply to the counting filter, for both widths and each hasher.
//!
//! These are all laws except `repeats` (the filter counts repeated inserts), `rejection` (it
//! accepts every key) and the laws of concurrent filters (it inserts through `&mut`).

use bouquet_counting::{CounterBits, CountingBloom, Folded, Xxh3Wide};
use bouquet_testkit::toy::{HasherFault, ToyHasher};

bouquet_testkit::laws! {
    folded {
        make: |spec, seed| CountingBloom::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, empty, sequences, agreement, keys, inherent, determinism, order_free,
            equality, clone, extend, clear, debug, send_sync, union, intersect, remove,
            remove_absent, sizing, inspect, estimated_fpr, expected_fpr, estimated_keys, locate,
            over_capacity, keys_left, counts, far,
        ],
    }
    eight_bits {
        make: |spec, seed| {
            let hasher = Folded::with_seed(seed);
            CountingBloom::with_counter_bits(spec, CounterBits::Eight, hasher).unwrap()
        },
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, empty, sequences, agreement, determinism, order_free, equality, clone,
            clear, union, intersect, remove, remove_absent, sizing, inspect, estimated_fpr,
            expected_fpr, estimated_keys, locate, over_capacity, keys_left, keys, inherent, counts,
            far,
        ],
    }
    xxh3_wide {
        make: |spec, seed| CountingBloom::with_hasher(spec, Xxh3Wide::with_seed(seed)).unwrap(),
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, sequences, agreement, determinism, equality, union, intersect, remove,
            remove_absent, estimated_fpr, expected_fpr, locate, keys, inherent, counts,
        ],
    }
    // A hasher whose `seed()` is the same for different hashers, as the check values of two
    // secrets might be.
    unreported {
        make: |spec, seed| {
            let hasher = ToyHasher::faulty(seed, HasherFault::SeedNotReported);
            CountingBloom::with_hasher(spec, hasher).unwrap()
        },
        laws: [members, equality, other_key],
    }
}

#[cfg(feature = "siphash")]
mod keyed {
    use bouquet_counting::*;
    use bouquet_testkit::keys::secret;

    bouquet_testkit::laws! {
    sip_keyed {
        make: |spec, seed| {
            CountingBloom::with_hasher(spec, SipKeyed::with_key(secret(seed))).unwrap()
        },
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, sequences, agreement, determinism, equality, union, intersect, remove,
            remove_absent, estimated_fpr, expected_fpr, locate, keys, inherent, counts,
        ],
    }
    }
}
