//! The formulas of the cuckoo filter: its FPR, and the number of buckets that its keys need.
//!
//! From: Fan, Andersen, Kaminsky and Mitzenmacher, "Cuckoo filter: practically
//! better than Bloom", CoNEXT 2014, section 5.

use bouquet_core::math::expected_fill;

/// The number of slots of a bucket (b). With four slots 95 % of the slots or more can be filled,
/// with two 84 %; eight slots need one more fingerprint bit for the same FPR (Fan et al., section
/// 5.1).
pub const BUCKET_SLOTS: u64 = 4;

/// The FPR of a filter with buckets of `bucket_slots` slots (b), a share `load` (0 to 1) of which
/// are filled with fingerprints of `fingerprint_bits` bits (f, 1 to 32):
/// 1 - (1 - 1/(2^f - 1))^(2b load).
///
/// Each full slot that a non-member visits has the same fingerprint with probability 1/(2^f - 1).
/// (It is 2^f - 1 because one value stands for an empty slot.)
///
/// From: Fan et al., section 5.1. They give 1 - (1 - 1/2^f)^(2b), and the bound 2b/2^f that follows
/// from it, for full buckets, which is 5 to 6 % too high at a load of 95 %.
///
/// The formula treats slots as independent. In large filters the relative error of this is
/// 1/2^(f+1). [`expected_fpr`] is correct for filters of every size.
///
/// ```
/// # use bouquet_cuckoo::math::fpr_at_load;
/// assert!((fpr_at_load(4, 8, 0.95) - 0.0294).abs() < 1e-4);
/// assert!((fpr_at_load(4, 12, 0.95) - 0.00185).abs() < 1e-5);
/// ```
pub fn fpr_at_load(bucket_slots: u32, fingerprint_bits: u32, load: f64) -> f64 {
    let met = 2.0 * f64::from(bucket_slots) * load;
    expected_fill(fingerprints(fingerprint_bits), met)
}

/// The expected FPR of a filter of `buckets` buckets (B) with `keys` different keys (n) and
/// fingerprints of `fingerprint_bits` bits (f, 1 to 32): the mean over all such filters.
///
/// A member makes a non-member a false positive if both have the same one of 2^f - 1 fingerprints
/// and the member's first bucket is one of the non-member's two of B buckets. Members are
/// independent, so the FPR is 1 - (1 - 2/((2^f - 1) B))^n, no matter in which bucket they are
/// stored. This is exact for an even B. If B is odd, one non-member in B has only one bucket and
/// collides half as often; then the relative error is at most 1/(2 (2^f - 1) B).
///
/// This assumes that all keys were accepted. In a filter that has rejected many keys, the stored
/// ones are distributed slightly more evenly than at random.
///
/// ```
/// # use bouquet_cuckoo::math::{expected_fpr, fpr_at_load};
/// // 950,000 keys in a million slots.
/// let (exact, by_load) = (expected_fpr(250_000, 12, 950_000), fpr_at_load(4, 12, 0.95));
/// assert!((exact / by_load - 1.0).abs() < 2e-4);
/// ```
pub fn expected_fpr(buckets: u64, fingerprint_bits: u32, keys: u64) -> f64 {
    let (b, n) = (buckets.max(1), keys as f64);
    let places = |buckets: u64| fingerprints(fingerprint_bits).saturating_mul(buckets);
    if b.is_multiple_of(2) {
        return expected_fill(places(b / 2), n);
    }
    let alone = 1.0 / b as f64;
    alone * expected_fill(places(b), n) + (1.0 - alone) * expected_fill(places(b), 2.0 * n)
}

/// The smallest even number of buckets, from `least` to `most` (both even), for which `keys`
/// different keys have an FPR of at most `target_fpr`. `None` if `most` buckets are not enough. A
/// binary search with [`expected_fpr`].
pub fn buckets_for_fpr(
    keys: u64,
    target_fpr: f64,
    fingerprint_bits: u32,
    least: u64,
    most: u64,
) -> Option<u64> {
    let enough = |pairs: u64| expected_fpr(2 * pairs, fingerprint_bits, keys) <= target_fpr;
    let (mut low, mut high) = (least / 2, most / 2);
    if !enough(high) {
        return None;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if enough(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(2 * low)
}

/// The number of slots left empty at capacity in addition to one in twenty, if there are at least
/// as many keys.
///
/// As measured, with 20 such slots at worst one filter in a million (with about 64 keys) rejects a
/// key within its capacity; with 10 it is one in twenty thousand, with 4 one in a thousand.
const SPARE_SLOTS: u64 = 20;

/// The number of buckets, always even, in which `capacity` different keys find room except in one
/// filter in a million: at capacity 95 % of the slots are used, not counting 20 spare slots, or as
/// many spare slots as there are keys if these are fewer.
///
/// The paper fills 95 % of the slots with buckets of four (section 5.1). That is possible from some
/// thousand keys on; in smaller filters it happens more often that a few buckets overflow by
/// chance.
///
/// ```
/// # use bouquet_cuckoo::math::buckets_for;
/// assert_eq!(buckets_for(1_000_000), 263_164);
/// assert_eq!(buckets_for(100), 32);
/// ```
pub fn buckets_for(capacity: u64) -> u64 {
    let spare = u128::from(capacity.min(SPARE_SLOTS));
    let slots = (u128::from(capacity) * 20).div_ceil(19) + spare;
    // The cast is exact: the result is a little more than a quarter of the capacity.
    2 * slots.div_ceil(2 * u128::from(BUCKET_SLOTS)) as u64
}

/// The largest number of keys for which `buckets` buckets have room, at least 1: the inverse of
/// [`buckets_for`].
pub fn capacity_of(buckets: u64) -> u64 {
    let slots = u128::from(buckets) * u128::from(BUCKET_SLOTS);
    // With few keys there are as many spare slots as keys: 20/19 n + n = 39/19 n.
    let few = slots * 19 / 39;
    let many = slots.saturating_sub(SPARE_SLOTS.into()) * 19 / 20;
    u64::try_from(few.max(many)).unwrap_or(u64::MAX).max(1)
}

/// The number of different fingerprints of this width: 2^f - 1.
fn fingerprints(bits: u32) -> u64 {
    (1 << bits.clamp(1, 32)) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn reference_rows_match() {
        let mut rows = 0;
        for line in include_str!("../tests/data/cuckoo_fpr.csv").lines().skip(1) {
            let cell: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            let [slots, bits, load, bound, _, want, _] = cell[..] else {
                panic!("{line}");
            };
            let got = fpr_at_load(slots as u32, bits as u32, load);
            // The reference values have 10 digits.
            assert!((got / want - 1.0).abs() < 1e-9, "{line}: {got}");
            assert!(got < bound || bits < 6.0, "{line}: {got}");
            rows += 1;
        }
        assert_eq!(rows, 176);
    }

    /// Enumerates every fingerprint and every first bucket of the members and of the non-member.
    #[test]
    fn tiny_filters_match_enumeration() {
        for bits in [1, 2, 3] {
            for buckets in 1..=4u64 {
                for keys in 0..=2u32 {
                    let (got, want) = (
                        expected_fpr(buckets, bits, keys.into()),
                        by_enumeration(buckets, (1 << bits) - 1, keys),
                    );
                    let share = 0.5 / (fingerprints(bits) * buckets) as f64;
                    let allowed = if buckets % 2 == 0 {
                        1e-14
                    } else {
                        share * want
                    };
                    assert!(
                        (got - want).abs() <= allowed,
                        "B={buckets} f={bits} n={keys}: {got} {want}"
                    );
                }
            }
        }
    }

    fn by_enumeration(buckets: u64, fingerprints: u64, keys: u32) -> f64 {
        let places = buckets * fingerprints;
        // Any sum is valid that is odd if B is even.
        let partner = |place: u64| {
            let (fingerprint, bucket) = (place / buckets, place % buckets);
            let sum = (3 * fingerprint) | 1;
            fingerprint * buckets + (sum + buckets * sum - bucket) % buckets
        };
        let (mut hits, mut all) = (0u64, 0u64);
        for code in 0..places.pow(keys + 1) {
            let absent = code % places;
            let mut rest = code / places;
            let mut hit = false;
            for _ in 0..keys {
                hit |= rest % places == absent || partner(rest % places) == absent;
                rest /= places;
            }
            hits += u64::from(hit);
            all += 1;
        }
        hits as f64 / all as f64
    }

    #[test]
    fn the_fewest_buckets_that_keep_the_target() {
        for keys in [1, 7, 100, 1_000_000] {
            let least = buckets_for(keys);
            for bits in [8, 12, 32] {
                let reached = expected_fpr(least, bits, keys);
                for part in [1.5, 1.0, 0.9, 0.51] {
                    let target = reached * part;
                    let found = buckets_for_fpr(keys, target, bits, least, 2 * least).unwrap();
                    assert!(expected_fpr(found, bits, keys) <= target);
                    assert!(found == least || expected_fpr(found - 2, bits, keys) > target);
                }
                assert_eq!(
                    buckets_for_fpr(keys, reached / 2.1, bits, least, 2 * least),
                    None
                );
            }
        }
    }

    #[test]
    fn capacity_undoes_the_room() {
        for capacity in (1..2_000).chain([1_000_000, 1 << 40, 1 << 60]) {
            let buckets = buckets_for(capacity);
            assert!(buckets.is_multiple_of(2));
            assert!(capacity_of(buckets) >= capacity, "{capacity}");
            let next = capacity_of(buckets) + 1;
            assert!(buckets_for(next) > buckets, "{capacity}: {next}");
            assert!(capacity_of(buckets - 1) < capacity_of(buckets) || capacity < 4);
        }
        assert_eq!(capacity_of(0), 1);
        assert_eq!(capacity_of(1), 1);
        assert!(buckets_for(u64::MAX) > 1 << 62);
        assert_eq!(capacity_of(u64::MAX), u64::MAX);
    }

    #[test]
    fn edges() {
        assert_eq!(expected_fpr(2, 8, 0), 0.0);
        assert_eq!(expected_fpr(1, 1, 1), 1.0);
        assert_eq!(expected_fpr(2, 8, u64::MAX), 1.0);
        assert!(expected_fpr(1 << 41, 32, 1) > 0.0);
        assert!(expected_fpr(u64::MAX, 32, 1) > 0.0);
        assert_eq!(fpr_at_load(4, 8, 0.0), 0.0);
    }
}
