//! The laws that apply to the filters that threads share.
//!
//! All laws of the inner filter apply, and the laws about threads; `concurrent_exact` applies
//! because none of the inner filters here depends on the order of its keys. With the standard
//! filter the laws run for one shard, for three, and for 64, where a shard of a small filter gets
//! at most a few keys. (The law `expected_fpr` for 64 shards is replaced by a test in `facts.rs`:
//! the law makes thousands of filters, and computing the size of 64 shards takes long.)
//!
//! Some laws do not apply to some filters:
//! - `repeats`, with counters: every insert of the same key is counted.
//! - `concurrent_once`, for the atomic filter: two threads may each set some of a key's bits.
//! - `fold`, with blocks: the small shards of the law have one block each, which cannot be halved.
//! - `determinism`, `equality`, `union` and `intersect`, with 64 shards of blocks: `determinism`
//!   distinguishes seeds by their false positives, which are too few; the others require that
//!   filters for 100 keys and for slightly more differ in size, but here each shard is one block of
//!   512 bits in both.

use bouquet_blocked::BlockedBloom;
use bouquet_counting::CountingBloom;
use bouquet_partitioned::PartitionedBloom;
use bouquet_sharded::{AtomicBloom, Folded, ShardedBloom, StandardBloom, Xxh3Wide};
use bouquet_testkit::toy::{HasherFault, ToyHasher};

type Sharded = ShardedBloom<StandardBloom>;

bouquet_testkit::laws! {
    sharded {
        make: |spec, seed| Sharded::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, repeats, empty, sequences, agreement, keys, inherent, determinism,
            order_free, equality, clone, extend, clear, debug, send_sync, union, intersect, fold,
            sizing, inspect, estimated_fpr, expected_fpr, estimated_keys, locate, concurrent,
            concurrent_exact, over_capacity, keys_left, concurrent_absent, concurrent_new,
            concurrent_once, far,
        ],
    }
    three_shards {
        make: |spec, seed| Sharded::with_shards(spec, 3, Folded::with_seed(seed)).unwrap(),
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, repeats, empty, sequences, agreement, determinism, order_free,
            equality, clone, extend, clear, union, intersect, fold, sizing, inspect, estimated_fpr,
            expected_fpr, estimated_keys, locate, concurrent, concurrent_exact, over_capacity,
            keys_left, keys, inherent, concurrent_absent, concurrent_new, concurrent_once,
        ],
    }
    sixty_four_shards {
        make: |spec, seed| Sharded::with_shards(spec, 64, Folded::with_seed(seed)).unwrap(),
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, repeats, empty, sequences, agreement, keys, inherent, determinism,
            order_free, equality, clone, extend, clear, debug, send_sync, union, intersect, sizing,
            inspect, estimated_fpr, estimated_keys, locate, concurrent, concurrent_exact,
            over_capacity, keys_left, concurrent_absent, concurrent_new, concurrent_once,
        ],
    }
    sharded_wide {
        make: |spec, seed| {
            let hasher = Xxh3Wide::with_seed(seed);
            ShardedBloom::<StandardBloom<Xxh3Wide>>::with_shards(spec, 8, hasher).unwrap()
        },
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, agreement, determinism, equality, union, estimated_fpr, expected_fpr,
            locate, concurrent_exact, keys, inherent, concurrent_absent, concurrent_new,
            concurrent_once,
        ],
    }
    blocked {
        make: |spec, seed| {
            ShardedBloom::<BlockedBloom>::with_shards(spec, 3, Folded::with_seed(seed)).unwrap()
        },
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, repeats, empty, sequences, agreement, determinism, order_free,
            equality, clone, extend, clear, send_sync, union, intersect, sizing, inspect,
            estimated_fpr, expected_fpr, estimated_keys, locate, concurrent, concurrent_exact,
            over_capacity, keys_left, keys, inherent, concurrent_absent, concurrent_new,
            concurrent_once,
        ],
    }
    blocked_in_sixty_four_shards {
        make: |spec, seed| {
            ShardedBloom::<BlockedBloom>::with_shards(spec, 64, Folded::with_seed(seed)).unwrap()
        },
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, repeats, empty, sequences, agreement, keys, inherent, order_free,
            clone, extend, clear, debug, send_sync, sizing, inspect, estimated_fpr, expected_fpr,
            estimated_keys, locate, concurrent, concurrent_exact, over_capacity, keys_left,
            concurrent_absent, concurrent_new, concurrent_once,
        ],
    }
    partitioned {
        make: |spec, seed| {
            let hasher = Folded::with_seed(seed);
            ShardedBloom::<PartitionedBloom>::with_shards(spec, 3, hasher).unwrap()
        },
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, repeats, empty, sequences, agreement, determinism, order_free,
            equality, clone, extend, clear, send_sync, union, intersect, fold, sizing, inspect,
            estimated_fpr, expected_fpr, estimated_keys, locate, concurrent, concurrent_exact,
            over_capacity, keys_left, keys, inherent, concurrent_absent, concurrent_new,
            concurrent_once,
        ],
    }
    counting {
        make: |spec, seed| {
            ShardedBloom::<CountingBloom>::with_shards(spec, 3, Folded::with_seed(seed)).unwrap()
        },
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, empty, sequences, agreement, keys, inherent, determinism, order_free,
            equality, clone, extend, clear, debug, send_sync, union, intersect, sizing, inspect,
            estimated_fpr, expected_fpr, estimated_keys, locate, concurrent, concurrent_exact,
            remove, remove_absent, over_capacity, keys_left, concurrent_absent, concurrent_new,
            concurrent_once,
        ],
    }
    atomic {
        make: |spec, seed| AtomicBloom::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        geometry: |filter| filter.geometry(),
        laws: [
            members, answers, repeats, empty, sequences, agreement, keys, inherent, determinism,
            order_free, equality, clone, extend, clear, debug, send_sync, union, intersect, fold,
            sizing, inspect, estimated_fpr, expected_fpr, estimated_keys, locate, concurrent,
            concurrent_exact, over_capacity, keys_left, concurrent_absent, concurrent_new, far,
        ],
    }
    // A hasher with differences that `seed()` does not show, like two hashers with different secret
    // keys.
    unreported {
        make: |spec, seed| {
            let hasher = ToyHasher::faulty(seed, HasherFault::SeedNotReported);
            ShardedBloom::<StandardBloom<ToyHasher>>::with_shards(spec, 3, hasher).unwrap()
        },
        laws: [members, equality, other_key],
    }
    atomic_unreported {
        make: |spec, seed| {
            let hasher = ToyHasher::faulty(seed, HasherFault::SeedNotReported);
            AtomicBloom::with_hasher(spec, hasher).unwrap()
        },
        laws: [members, equality, other_key],
    }
}

#[cfg(feature = "siphash")]
mod keyed {
    use bouquet_sharded::{AtomicBloom, SipKeyed};
    use bouquet_testkit::keys::secret;

    bouquet_testkit::laws! {
        atomic_sip {
            make: |spec, seed| {
                AtomicBloom::with_hasher(spec, SipKeyed::with_key(secret(seed))).unwrap()
            },
            geometry: |filter| filter.geometry(),
            laws: [
                members, answers, agreement, determinism, equality, union, estimated_fpr,
                expected_fpr, locate, concurrent_exact, keys, inherent, concurrent_absent,
                concurrent_new,
            ],
        }
    }
}
