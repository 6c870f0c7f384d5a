//! Runs the laws that apply to the blocked filter, with each layout and hasher.
//!
//! Not listed: `remove`, `remove_absent` and `counts` (a key cannot be removed from bits),
//! `rejection` and `max_bytes` (the filter accepts every key and does not grow), and the laws
//! of concurrent filters (it inserts only through `&mut`).

use bouquet_blocked::{BlockedBloom, Folded, Line, Words32, Words64, Xxh3Wide};
use bouquet_testkit::toy::{HasherFault, ToyHasher};

bouquet_testkit::laws! {
    words64 {
        make: |spec, seed| BlockedBloom::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, repeats, empty, sequences, agreement, keys, inherent, determinism,
            order_free, equality, clone, extend, clear, debug, send_sync, union, intersect, fold,
            sizing, inspect, estimated_fpr, expected_fpr, estimated_keys, locate, over_capacity,
            keys_left, far,
        ],
    }
    words32 {
        make: |spec, seed| {
            BlockedBloom::<Words32, _>::with_layout(spec, Folded::with_seed(seed)).unwrap()
        },
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, repeats, empty, sequences, agreement, keys, inherent, determinism,
            order_free, equality, clone, extend, clear, debug, send_sync, union, intersect, fold,
            sizing, inspect, estimated_fpr, expected_fpr, estimated_keys, locate, over_capacity,
            keys_left, far,
        ],
    }
    line {
        make: |spec, seed| {
            BlockedBloom::<Line, _>::with_layout(spec, Folded::with_seed(seed)).unwrap()
        },
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, repeats, empty, sequences, agreement, keys, inherent, determinism,
            order_free, equality, clone, extend, clear, debug, send_sync, union, intersect, fold,
            sizing, inspect, estimated_fpr, expected_fpr, estimated_keys, locate, over_capacity,
            keys_left, far,
        ],
    }
    words64_xxh3_wide {
        make: |spec, seed| BlockedBloom::with_hasher(spec, Xxh3Wide::with_seed(seed)).unwrap(),
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, sequences, agreement, determinism, equality, union, intersect, fold,
            estimated_fpr, expected_fpr, locate, keys, inherent,
        ],
    }
    line_xxh3_wide {
        make: |spec, seed| {
            BlockedBloom::<Line, _>::with_layout(spec, Xxh3Wide::with_seed(seed)).unwrap()
        },
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, sequences, agreement, determinism, equality, union, intersect, fold,
            estimated_fpr, expected_fpr, locate, keys, inherent,
        ],
    }
    // A hasher whose `seed()` is the same for different hashers, as the check values of two
    // secrets might be.
    unreported {
        make: |spec, seed| {
            let hasher = ToyHasher::faulty(seed, HasherFault::SeedNotReported);
            BlockedBloom::<Words64, _>::with_layout(spec, hasher).unwrap()
        },
        laws: [members, equality, other_key],
    }
}

#[cfg(feature = "siphash")]
mod keyed {
    use bouquet_blocked::{BlockedBloom, SipKeyed, Words64};
    use bouquet_testkit::keys::secret;

    bouquet_testkit::laws! {
        words64_sip_keyed {
            make: |spec, seed| {
                BlockedBloom::<Words64, _>::with_layout(spec, SipKeyed::with_key(secret(seed))).unwrap()
            },
            geometry: |filter| filter.geometry(),
            laws: [
                members, answers, sequences, agreement, determinism, equality, union, intersect,
                fold, estimated_fpr, expected_fpr, locate, keys, inherent,
            ],
        }
    }
}
