//! The laws that apply to the cuckoo filter, for widths and each hasher.
//!
//! All except these:
//!
//! - `repeats`, because every insert stores a copy; and `agreement`, which inserts a
//!   key ten times, where there is room for eight. `tests/all/facts.rs` checks what the
//!   latter checks, with fewer copies.
//! - `order_free`: fingerprints are where they found room when they came.
//! - `over_capacity` and `keys_left`: both are by the number of keys, which is exact, and tested
//!   as a fact.
//! - `extend`: `Extend` cannot fail. `try_extend` is in `tests/all/facts.rs`.
//! - `union` and `intersect`: there is room for the keys of one filter only.
//! - `locate`: a key fills one of the located buckets in part, not all of them.
//! - the concurrent ones: it takes keys through `&mut`.

use bouquet_cuckoo::{CuckooFilter, FingerprintBits, Folded, Spec, Xxh3Wide, math::buckets_for};

/// A filter with room for the capacity, of this width whatever the target.
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
    // The width does not follow the target here, so `keys`, `equality` and
    // `sizing` do not apply.
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
    // `determinism` distinguishes seeds by their false positives; from here on there are
    // too few.
    // `estimated_fpr`, which takes longest where false positives are rare, of the widths around these two.
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
    // `far`, of the widest alone: of these the fewest fill what no cache holds.
    thirty_two_bits {
        make: |spec, seed| of_width(spec, FingerprintBits::ThirtyTwo, seed),
        laws: [
            members, answers, empty, sequences, inherent, clone, clear, remove, remove_absent,
            rejection, inspect, estimated_fpr, expected_fpr, estimated_keys, counts, far,
        ],
    }
    // One bucket more, an odd number: partners by another rule.
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
