//! Runs the laws that apply to the partitioned filter, with each hasher.
//!
//! These are all laws except `remove`, `remove_absent` and `counts` (keys cannot be removed
//! from bits), `rejection` and `max_bytes` (the filter accepts every key and does not grow) and
//! the laws of concurrent filters (it inserts through `&mut`).

use bouquet_partitioned::{Folded, PartitionedBloom, Xxh3Wide};
use bouquet_testkit::toy::{HasherFault, ToyHasher};

bouquet_testkit::laws! {
    folded {
        make: |spec, seed| PartitionedBloom::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, repeats, empty, sequences, agreement, keys, inherent, determinism,
            order_free, equality, clone, extend, clear, debug, send_sync, union, intersect, fold,
            sizing, inspect, estimated_fpr, expected_fpr, estimated_keys, locate, over_capacity,
            keys_left, far,
        ],
    }
    xxh3_wide {
        make: |spec, seed| PartitionedBloom::with_hasher(spec, Xxh3Wide::with_seed(seed)).unwrap(),
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
            PartitionedBloom::with_hasher(spec, hasher).unwrap()
        },
        laws: [members, equality, other_key],
    }
}

#[cfg(feature = "siphash")]
mod keyed {
    use bouquet_partitioned::*;
    use bouquet_testkit::keys::secret;

    bouquet_testkit::laws! {
    sip_keyed {
        make: |spec, seed| {
            PartitionedBloom::with_hasher(spec, SipKeyed::with_key(secret(seed))).unwrap()
        },
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, sequences, agreement, determinism, equality, union, intersect, fold,
            estimated_fpr, expected_fpr, locate, keys, inherent,
        ],
    }
    }
}
