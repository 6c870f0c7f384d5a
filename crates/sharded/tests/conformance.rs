//! The laws that apply to the filters that threads share.
//!
//! All laws of the inner filter apply, and those of threads; `concurrent_exact`
//! because all inner filters here are indifferent to the order of their keys.
//! With the standard filter they run with one shard, with three, and with 64,
//! where a shard of a small filter gets a key or none. (But `expected_fpr` of 64 is in `facts.rs`: the law makes
//! thousands of filters, and working out the size of 64 shards takes long.)
//!
//! Laws that do not apply to some:
//! - `repeats`, with counters: a repeat counts.
//! - `concurrent_once`, of the atomic filter: threads may set the bits of a key between them.
//! - `fold`, with blocks: the small shards of the law have one each.
//! - `determinism`, `equality`, `union` and `intersect`, with 64 shards of blocks:
//!   the first distinguishes seeds by their false positives, of which there are too
//!   few, and the others want filters for 100 keys and for some more to differ in
//!   size, where each shard is one block of 512 bits for either.

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
    // A hasher whose `seed()` hides a difference, as those of two secrets might.
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
