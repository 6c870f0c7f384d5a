//! What is true of the counting filter alone, and odd requests.

use std::collections::HashSet;

use bouquet_counting::{
    CounterBits::{Eight, Four},
    CountingBloom, Folded, Hashed, Incompatible, Inspect, Intersect, Spec, SpecError, Union,
    Xxh3Wide,
};

#[test]
fn any_key_goes_in() {
    let mut filter = CountingBloom::new(100, 0.001).unwrap();
    assert!(filter.insert("text"));
    assert!(filter.insert(&String::from("owned")));
    assert!(filter.insert(&[1u8, 2, 3]));
    assert!(filter.insert(&42u64));
    assert!(filter.insert(&Hashed(&("a", 7))));
    assert!(filter.insert(""));
    let long = vec![7u8; 1 << 20];
    assert!(filter.insert(&long));
    assert!(filter.contains("") && filter.contains(&long) && filter.contains(&Hashed(&("a", 7))));
    assert!(filter.contains(&42u64.to_le_bytes()));
    assert!(filter.contains(&42u32) && !filter.contains(&42u128));
    filter.clear();
    assert!(!filter.contains(""));
}

#[test]
fn the_same_key_a_million_times_is_one_key() {
    let mut filter = CountingBloom::new(1_000, 0.01).unwrap();
    assert!(filter.insert("again"));
    let once = filter.to_bits();
    for _ in 0..1_000_000 {
        assert!(!filter.insert("again"));
    }
    assert_eq!(filter.to_bits(), once);
    assert_eq!(filter.saturated(), 7);
    assert!((filter.estimated_keys() - 1.0).abs() < 0.01);
}

#[test]
fn odd_specs_work() {
    for (capacity, fpr) in [(1, 0.5), (1, 1e-12), (1_000, 0.999), (1_000, 1e-12)] {
        let mut filter = CountingBloom::new(capacity, fpr).unwrap();
        for key in 0..capacity {
            filter.insert(&key);
        }
        assert!((0..capacity).all(|key| filter.contains(&key)));
        assert!(filter.expected_fpr(capacity) <= fpr);
    }
}

#[test]
fn wrong_specs_say_what_to_do() {
    let error = |capacity, fpr| CountingBloom::new(capacity, fpr).unwrap_err();
    assert_eq!(error(0, 0.01), SpecError::ZeroCapacity);
    for fpr in [0.0, 1.0, -0.5, 2.0, f64::NAN, f64::INFINITY] {
        assert!(error(10, fpr).to_string().contains("0.01 for 1 %"));
    }
    assert!(matches!(
        error(1_000_000_000_000_000, 0.01),
        SpecError::TooLarge { .. }
    ));
    // More keys than there are hashes.
    assert!(matches!(
        error(u64::MAX, 0.5),
        SpecError::BelowHashFloor { .. }
    ));
    let huge =
        CountingBloom::from_parts(1_000_000_000_000_000, 7, Four, Folded::default()).unwrap_err();
    assert!(matches!(huge, SpecError::TooLarge { .. }));
    // 32 TiB is a size; whether there is memory for it, only the machine knows.
    match CountingBloom::from_parts(1 << 46, 7, Four, Folded::default()) {
        Ok(filter) => assert_eq!(filter.size_bits(), 1 << 48),
        Err(error) => assert_eq!(error, SpecError::OutOfMemory { bytes: 1 << 45 }),
    }
}

#[test]
fn a_target_below_the_hash_floor_wants_a_wider_hash() {
    let spec = Spec::new(1_000_000, 1e-15).unwrap();
    let error = CountingBloom::with_hasher(spec, Folded::default()).unwrap_err();
    assert!(matches!(
        error,
        SpecError::BelowHashFloor { hash_bits: 64, .. }
    ));
    assert!(error.to_string().contains("128 bits"), "{error}");
    assert!(CountingBloom::with_hasher(spec, Xxh3Wide::default()).is_ok());
}

#[test]
fn parts_are_kept_as_they_are() {
    let mut filter = CountingBloom::from_parts(1_021, 3, Eight, Folded::with_seed(9)).unwrap();
    assert_eq!(
        (filter.size_bits(), filter.hashes(), filter.capacity()),
        (8 * 1_021, 3, 235)
    );
    filter.insert("rose");
    let slots: HashSet<u64> = filter.locations("rose").collect();
    let nonzero = (0..1_021).filter(|slot| filter.counters().get(*slot) > 0);
    assert_eq!(nonzero.collect::<HashSet<_>>(), slots);
    assert_eq!(filter.locations("rose").count(), 3);
    let one_counter = CountingBloom::from_parts(1, 1, Four, Folded::default()).unwrap();
    assert_eq!(one_counter.capacity(), 1);
}

#[test]
fn bits_per_key_choose_the_best_hashes() {
    let filter = CountingBloom::with_bits_per_key(10_000, 40.0).unwrap();
    assert_eq!((filter.size_bits(), filter.hashes()), (4 * 100_032, 7));
    assert!(filter.target_fpr() < 0.0083);
    assert!(CountingBloom::with_bits_per_key(10, -1.0).is_err());
}

#[test]
fn from_keys_is_sized_for_the_keys() {
    let filter = CountingBloom::from_keys((0..5_000u32).map(|i| i * 3), 0.01).unwrap();
    assert_eq!(filter.capacity(), 5_000);
    assert!((0..5_000u32).all(|i| filter.contains(&(i * 3))));
    let empty = CountingBloom::from_keys(Vec::<String>::new(), 0.01).unwrap();
    assert!(!empty.contains("anything"));
}

#[test]
fn it_tells_when_it_is_full() {
    let mut filter = CountingBloom::new(10_000, 0.01).unwrap();
    assert!(!filter.is_over_capacity());
    let left = filter.keys_left();
    assert!((10_000..10_020).contains(&left), "{left}");
    filter.extend(0..5_000u64);
    assert!(
        filter.keys_left().abs_diff(5_000) < 250,
        "{}",
        filter.keys_left()
    );
    filter.extend(5_000..12_000u64);
    assert!(filter.is_over_capacity());
    assert_eq!(filter.keys_left(), 0);
}

#[test]
fn a_full_filter_holds_everything_and_says_so() {
    let mut filter = CountingBloom::from_parts(64, 4, Four, Folded::default()).unwrap();
    filter.extend(0..10_000u64);
    assert_eq!(filter.fill_ratio(), 1.0);
    assert_eq!(filter.estimated_fpr(), 1.0);
    assert_eq!(filter.estimated_keys(), f64::INFINITY);
    assert_eq!(filter.keys_left(), 0);
    assert!(filter.is_over_capacity());
}

#[test]
fn a_refused_union_names_the_parameter() {
    let make = |counters, hashes, width, seed| {
        CountingBloom::from_parts(counters, hashes, width, Folded::with_seed(seed)).unwrap()
    };
    let mut filter = make(640, 3, Four, 1);
    filter.insert("rose");
    let before = filter.clone();
    for (other, name) in [
        (make(704, 3, Four, 1), "size_bits"),
        (make(640, 4, Four, 1), "hashes"),
        (make(640, 3, Eight, 1), "counter_bits"),
        (make(640, 3, Four, 2), "seed"),
    ] {
        let refusals: [Result<(), Incompatible>; 2] =
            [filter.union_with(&other), filter.intersect_with(&other)];
        for refusal in refusals {
            assert!(refusal.unwrap_err().to_string().contains(name));
        }
        assert_eq!(filter, before);
    }
}

#[cfg(feature = "siphash")]
#[test]
fn a_secret_key_is_neither_shown_nor_guessed_around() {
    use bouquet_counting::SipKeyed;

    let spec = Spec::new(100, 0.01).unwrap();
    let with = |key: [u8; 16]| CountingBloom::with_hasher(spec, SipKeyed::with_key(key)).unwrap();
    let (mut a, b) = (with([7; 16]), with([8; 16]));
    assert_eq!(
        a.union_with(&b).unwrap_err().parameter.to_string(),
        "seed of the hasher"
    );
    a.insert("rose");
    assert!(a.contains("rose"));
    let shown = format!("{a:?}");
    assert!(
        !shown.contains("7, 7") && !shown.contains("0707"),
        "{shown}"
    );
    assert!(shown.contains("counter_bits: Four"), "{shown}");
}

#[test]
fn memory_is_what_it_says() {
    let filter = CountingBloom::new(1_000_000, 0.01).unwrap();
    let overhead = filter.memory_bytes() as u64 - filter.size_bits() / 8;
    assert!(overhead <= 160, "{overhead}");
}

/// All that a public function takes or gives has a name here.
#[test]
fn what_the_functions_show_can_be_named() {
    use bouquet_counting::{BitArray, CounterArray, Parameter};
    let filter = CountingBloom::new(100, 0.01).unwrap();
    let _: &CounterArray = filter.counters();
    let _: Result<BitArray, SpecError> = filter.to_bits();
    let other = CountingBloom::new(1_000, 0.01).unwrap();
    let refused = filter.clone().union_with(&other).unwrap_err();
    let named: Parameter = refused.parameter;
    assert_eq!(named, Parameter::SizeBits);
}
