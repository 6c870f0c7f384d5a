//! Tests that a union contains every key of both filters, or changes nothing.

use bouquet_cuckoo::{CuckooFilter, FingerprintBits, Folded, Full, Parameter, UnionError};

fn of(buckets: u64, keys: std::ops::Range<u64>) -> CuckooFilter {
    let width = FingerprintBits::Sixteen;
    let mut filter = CuckooFilter::from_parts(buckets, width, Folded::with_seed(1)).unwrap();
    keys.for_each(|key| _ = filter.insert(&key).unwrap());
    filter
}

#[test]
fn every_key_of_both_is_there_and_can_be_removed_as_often() {
    // Odd and even numbers of buckets; filters that are empty, small, or nearly full together.
    for (buckets, left, right) in [(251, 0, 40), (251, 40, 0), (250, 460, 460), (251, 300, 640)] {
        let mut both = of(buckets, 0..left);
        // Some keys of the second filter are also in the first one.
        both.union_with(&of(buckets, left / 2..left / 2 + right))
            .unwrap();
        assert_eq!(both.keys(), left + right);
        let all = (0..left).chain(left / 2..left / 2 + right);
        assert!(all.clone().all(|key| both.contains(&key)), "{buckets}");
        for key in all {
            assert!(both.contains(&key) && both.remove(&key), "{buckets} {key}");
        }
        assert_eq!((both.keys(), both.contains(&0)), (0, false));
    }
}

#[test]
fn the_key_without_a_slot_comes_along() {
    let mut full = of(50, 0..0);
    let mut keys = 0u64;
    while !full.is_full() {
        full.insert(&keys).unwrap();
        keys += 1;
    }
    let mut both = of(50, 0..0);
    both.union_with(&full).unwrap();
    assert!((0..keys).all(|key| both.contains(&key)));
    assert_eq!(both.keys(), keys);
}

#[test]
fn where_there_is_no_room_nothing_changes() {
    let (own, other) = (of(250, 0..600), of(250, 1_000..1_600));
    let mut both = own.clone();
    let error = both.union_with(&other).unwrap_err();
    assert!(
        matches!(error, UnionError::Full(Full::Slots { .. })),
        "{error}"
    );
    assert!(
        error.to_string().contains("no room for the keys of both"),
        "{error}"
    );
    assert!(both == own && both.keys() == 600);
}

#[test]
fn filters_that_differ_are_rejected_by_name() {
    let own = of(250, 0..100);
    let parts = |buckets, width, seed| {
        CuckooFilter::from_parts(buckets, width, Folded::with_seed(seed)).unwrap()
    };
    let sixteen = FingerprintBits::Sixteen;
    for (other, parameter) in [
        (parts(251, sixteen, 1), Parameter::Other("buckets")),
        (
            parts(250, FingerprintBits::Twelve, 1),
            Parameter::Other("bits of a fingerprint"),
        ),
        (parts(250, sixteen, 2), Parameter::Seed),
    ] {
        let mut filter = own.clone();
        let UnionError::Incompatible(error) = filter.union_with(&other).unwrap_err() else {
            panic!("{parameter}");
        };
        assert_eq!(error.parameter, parameter);
        assert!(filter == own);
    }
}
