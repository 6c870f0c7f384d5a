//! Runs the laws that apply to the scalable filter: with default settings, with other hashers,
//! with other growth, with limits, and with stages of other filter types.
//!
//! Laws that do not apply:
//! - `order_free`: which keys are false positives depends on the order, and so do the counts of
//!   the stages.
//! - `extend`, for filters with limits: `Extend` continues to fill the last stage where the
//!   trait rejects a key; a separate test checks this.
//! - `union`, `intersect`: the two filters have grown separately, and no combination of their
//!   stages is the filter that both sets of keys would have created. The guarantees of its own
//!   `union_with` are tested in `union.rs`.
//! - `inspect`, with shards: one of them grows before all have their capacity, and the fill falls.
//! - `locate`: each stage has a geometry of its own, which is tested separately.
//! - `keys_left`: the filter has no such method, since more keys create more stages.
//! - `max_bytes`, with one stage: the filter does not grow.
//! - `remove`, also with stages that support it: it is not known which stage contains a key,
//!   and removing a false positive from a stage would cause false negatives.

use bouquet_blocked::BlockedBloom;
use bouquet_counting::CountingBloom;
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::{Folded, Policy, ScalableBloom, SharedScalable, StandardBloom, Xxh3Wide};

type Standard = ScalableBloom<StandardBloom>;

bouquet_testkit::laws! {
    folded {
        make: |spec, seed| Standard::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        laws: [
            members, answers, repeats, empty, sequences, agreement, keys, inherent, determinism,
            equality, clone, extend, clear, debug, send_sync, sizing, inspect, estimated_fpr,
            expected_fpr, estimated_keys, over_capacity, far, max_bytes,
        ],
    }
    shared {
        make: |spec, seed| {
            SharedScalable::<StandardBloom>::with_shards(spec, 3, Folded::with_seed(seed)).unwrap()
        },
        laws: [
            members, answers, repeats, empty, agreement, keys, inherent, extend, clear, debug,
            send_sync, sizing, estimated_fpr, expected_fpr, estimated_keys, concurrent,
            concurrent_absent, concurrent_new, concurrent_once,
        ],
    }
    xxh3_wide {
        make: |spec, seed| {
            ScalableBloom::<StandardBloom<Xxh3Wide>>::with_hasher(spec, Xxh3Wide::with_seed(seed))
                .unwrap()
        },
        laws: [
            members, answers, agreement, determinism, equality, estimated_fpr, expected_fpr, keys,
            inherent, max_bytes,
        ],
    }
    many_stages {
        make: |spec, seed| {
            let policy = Policy::new(spec).growth(1).unwrap().tightening(0.9).unwrap();
            Standard::with_policy(policy, Folded::with_seed(seed)).unwrap()
        },
        laws: [
            members, answers, repeats, sequences, agreement, clone, clear, sizing, inspect,
            estimated_fpr, expected_fpr, estimated_keys, over_capacity, keys, inherent, max_bytes,
        ],
    }
    fivefold {
        make: |spec, seed| {
            let policy = Policy::new(spec).growth(5).unwrap().tightening(0.5).unwrap();
            Standard::with_policy(policy, Folded::with_seed(seed)).unwrap()
        },
        laws: [
            members, answers, repeats, empty, sequences, agreement, keys, inherent, determinism,
            equality, clone, extend, clear, sizing, inspect, estimated_fpr, expected_fpr,
            estimated_keys, over_capacity, max_bytes,
        ],
    }
    two_stages {
        make: |spec, seed| {
            let policy = Policy::new(spec).max_stages(2).unwrap();
            Standard::with_policy(policy, Folded::with_seed(seed)).unwrap()
        },
        laws: [
            members, answers, repeats, empty, sequences, agreement, determinism, equality, clone,
            clear, rejection, sizing, inspect, estimated_fpr, expected_fpr, estimated_keys,
            over_capacity, keys, inherent, max_bytes,
        ],
    }
    one_stage {
        make: |spec, seed| {
            let policy = Policy::new(spec).max_stages(1).unwrap();
            Standard::with_policy(policy, Folded::with_seed(seed)).unwrap()
        },
        laws: [
            members, answers, repeats, empty, sequences, agreement, determinism, equality, clone,
            clear, rejection, sizing, inspect, estimated_fpr, expected_fpr, estimated_keys,
            over_capacity, keys, inherent, far,
        ],
    }
    few_bytes {
        make: |spec, seed| {
            let policy = Policy::new(spec).max_bytes(64 + 8 * spec.capacity());
            Standard::with_policy(policy, Folded::with_seed(seed)).unwrap()
        },
        laws: [
            members, answers, repeats, empty, sequences, agreement, determinism, equality, clone,
            clear, rejection, sizing, inspect, estimated_fpr, expected_fpr, estimated_keys,
            over_capacity, keys, inherent, max_bytes,
        ],
    }
    blocked {
        make: |spec, seed| {
            ScalableBloom::<BlockedBloom>::with_hasher(spec, Folded::with_seed(seed)).unwrap()
        },
        laws: [
            members, answers, repeats, empty, sequences, agreement, determinism, equality, clone,
            clear, debug, send_sync, sizing, inspect, estimated_fpr, expected_fpr, estimated_keys,
            over_capacity, keys, inherent, max_bytes,
        ],
    }
    partitioned {
        make: |spec, seed| {
            ScalableBloom::<PartitionedBloom>::with_hasher(spec, Folded::with_seed(seed)).unwrap()
        },
        laws: [
            members, answers, repeats, empty, sequences, agreement, determinism, equality, clone,
            clear, debug, send_sync, sizing, inspect, estimated_fpr, expected_fpr, estimated_keys,
            over_capacity, keys, inherent, max_bytes,
        ],
    }
    counting {
        make: |spec, seed| {
            ScalableBloom::<CountingBloom>::with_hasher(spec, Folded::with_seed(seed)).unwrap()
        },
        laws: [
            members, answers, repeats, empty, sequences, agreement, determinism, equality, clone,
            clear, debug, send_sync, sizing, inspect, estimated_fpr, expected_fpr, estimated_keys,
            over_capacity, keys, inherent, max_bytes,
        ],
    }
    counting_in_few_bytes {
        make: |spec, seed| {
            let policy = Policy::new(spec).max_bytes(64 + 32 * spec.capacity());
            ScalableBloom::<CountingBloom>::with_policy(policy, Folded::with_seed(seed)).unwrap()
        },
        laws: [
            members, answers, repeats, empty, sequences, agreement, determinism, equality, clone,
            clear, rejection, sizing, inspect, estimated_fpr, expected_fpr, estimated_keys,
            over_capacity, keys, inherent, max_bytes,
        ],
    }
}

#[cfg(feature = "siphash")]
mod keyed {
    use bouquet_scalable::{ScalableBloom, SipKeyed, StandardBloom};
    use bouquet_testkit::keys::secret;

    bouquet_testkit::laws! {
        sip_keyed {
            make: |spec, seed| {
                let hasher = SipKeyed::with_key(secret(seed));
                ScalableBloom::<StandardBloom<SipKeyed>>::with_hasher(spec, hasher).unwrap()
            },
            laws: [
                members, answers, agreement, determinism, equality, estimated_fpr, expected_fpr,
                keys, inherent, max_bytes,
            ],
        }
    }
}
