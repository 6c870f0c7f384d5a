//! The laws that apply to the cuckoo filter, for several fingerprint widths and each hasher.
//!
//! All laws apply except these:
//!
//! - `repeats`, because every insert stores a copy; and `agreement`, which inserts a key ten times,
//!   while there is room for eight copies. `tests/all/facts.rs` checks the same as `agreement` with
//!   fewer copies.
//! - `order_free`: the slot of a fingerprint depends on where there was room when it was inserted.
//! - `over_capacity` and `keys_left`: here both follow from the exact number of keys, which is
//!   tested as a fact.
//! - `extend`: `Extend` cannot report an error. `tests/all/facts.rs` tests `try_extend`.
//! - `union` and `intersect`: in these laws the filter has room only for its own keys.
//! - `locate`: a key fills one slot of one of its located buckets, not both buckets.
//! - the concurrent laws: keys are inserted through `&mut`.

use bouquet_cuckoo::{CuckooFilter, FingerprintBits, Folded, Spec, Xxh3Wide, math::buckets_for};

/// A filter with room for the capacity and fingerprints of this width, whatever the target FPR.
#[allow(clippy::unwrap_used, reason = "a helper of tests")]
fn of_width(spec: Spec, width: FingerprintBits, seed: u64) -> CuckooFilter {
    let buckets = buckets_for(spec.capacity());
    CuckooFilter::from_parts(buckets, width, Folded::with_seed(seed)).unwrap()
}

bouquet_testkit::laws! {
    folded {
        make: |spec, seed| CuckooFilter::with_hasher(spec, Folded::with_seed(seed)).unwrap(),
        laws: [
            members, answers, empty, sequences, keys, inherent, determinism, equality, clone, clear,
            debug, send_sync, remove, remove_absent, rejection, sizing, inspect, estimated_fpr,
            expected_fpr, estimated_keys, counts,
        ],
    }
    // Here the width does not follow from the target, so the laws `keys`, `equality` and `sizing`
    // do not apply.
    eight_bits {
        make: |spec, seed| of_width(spec, FingerprintBits::Eight, seed),
        laws: [
            members, answers, empty, sequences, inherent, determinism, clone, clear, remove,
            remove_absent, rejection, inspect, estimated_fpr, expected_fpr, estimated_keys, counts,
        ],
    }
    twelve_bits {
        make: |spec, seed| of_width(spec, FingerprintBits::Twelve, seed),
        laws: [
            members, answers, empty, sequences, inherent, determinism, clone, clear, remove,
            remove_absent, rejection, inspect, estimated_fpr, expected_fpr, estimated_keys, counts,
        ],
    }
    // From this width on the law `determinism` is left out: it distinguishes seeds by their false
    // positives, which are too few. The law `estimated_fpr`, which takes longest if false positives
    // are rare, is tested only for the neighbouring widths.
    sixteen_bits {
        make: |spec, seed| of_width(spec, FingerprintBits::Sixteen, seed),
        laws: [
            members, answers, empty, sequences, inherent, clone, clear, remove, remove_absent,
            rejection, inspect, expected_fpr, estimated_keys, counts,
        ],
    }
    twenty_four_bits {
        make: |spec, seed| of_width(spec, FingerprintBits::TwentyFour, seed),
        laws: [
            members, answers, empty, sequences, inherent, clone, clear, remove, remove_absent,
            rejection, inspect, expected_fpr, estimated_keys, counts,
        ],
    }
    // The law `far` is tested only for the widest fingerprints, because these need the fewest keys
    // to fill a filter larger than all caches.
    thirty_two_bits {
        make: |spec, seed| of_width(spec, FingerprintBits::ThirtyTwo, seed),
        laws: [
            members, answers, empty, sequences, inherent, clone, clear, remove, remove_absent,
            rejection, inspect, estimated_fpr, expected_fpr, estimated_keys, counts, far,
        ],
    }
    // One bucket more, an odd number: then the partner of a bucket follows another rule.
    odd_buckets {
        make: |spec, seed| {
            let buckets = buckets_for(spec.capacity()) + 1;
            let hasher = Folded::with_seed(seed);
            CuckooFilter::from_parts(buckets, FingerprintBits::Ten, hasher).unwrap()
        },
        laws: [
            members, answers, sequences, remove, remove_absent, rejection, estimated_fpr,
            expected_fpr, estimated_keys, inherent, counts,
        ],
    }
    xxh3_wide {
        make: |spec, seed| CuckooFilter::with_hasher(spec, Xxh3Wide::with_seed(seed)).unwrap(),
        laws: [
            members, answers, determinism, equality, remove, rejection, estimated_fpr, expected_fpr,
            inherent, counts, keys,
        ],
    }
}

#[cfg(feature = "siphash")]
mod keyed {
    use bouquet_cuckoo::*;
    use bouquet_testkit::keys::secret;

    bouquet_testkit::laws! {
        sip_keyed {
            make: |spec, seed| {
                CuckooFilter::with_hasher(spec, SipKeyed::with_key(secret(seed))).unwrap()
            },
            laws: [
                members, answers, determinism, equality, remove, rejection, estimated_fpr,
                expected_fpr, inherent, counts, keys,
            ],
        }
    }
}
