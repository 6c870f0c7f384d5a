//! What is true of the standard filter alone, and odd requests.

use std::collections::HashSet;

use bouquet_standard::{
    Folded, Hashed, Incompatible, Inspect, Intersect, Parameter, Spec, SpecError, StandardBloom,
    Union, Xxh3Wide,
};

#[test]
fn any_key_goes_in() {
    let mut filter = StandardBloom::new(100, 0.001).unwrap();
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
    let mut filter = StandardBloom::new(1_000, 0.01).unwrap();
    assert!(filter.insert("again"));
    let once = filter.clone();
    for _ in 0..1_000_000 {
        assert!(!filter.insert("again"));
    }
    assert_eq!(filter, once);
    assert!((filter.estimated_keys() - 1.0).abs() < 0.01);
}

#[test]
fn odd_specs_work() {
    for (capacity, fpr) in [(1, 0.5), (1, 1e-12), (1_000, 0.999), (1_000, 1e-12)] {
        let mut filter = StandardBloom::new(capacity, fpr).unwrap();
        for key in 0..capacity {
            filter.insert(&key);
        }
        assert!((0..capacity).all(|key| filter.contains(&key)));
        assert!(filter.expected_fpr(capacity) <= fpr);
    }
}

#[test]
fn wrong_specs_say_what_to_do() {
    let error = |capacity, fpr| StandardBloom::new(capacity, fpr).unwrap_err();
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
    let huge = StandardBloom::from_parts(1_000_000_000_000_000, 7, Folded::default()).unwrap_err();
    assert!(matches!(huge, SpecError::TooLarge { .. }));
    // 32 TiB is a size; whether there is memory for it, only the machine knows.
    match StandardBloom::from_parts(1 << 48, 7, Folded::default()) {
        Ok(filter) => assert_eq!(filter.size_bits(), 1 << 48),
        Err(error) => assert_eq!(error, SpecError::OutOfMemory { bytes: 1 << 45 }),
    }
}

#[test]
fn a_target_below_the_hash_floor_wants_a_wider_hash() {
    let spec = Spec::new(1_000_000, 1e-15).unwrap();
    let error = StandardBloom::with_hasher(spec, Folded::default()).unwrap_err();
    assert!(matches!(
        error,
        SpecError::BelowHashFloor { hash_bits: 64, .. }
    ));
    assert!(error.to_string().contains("128 bits"), "{error}");
    assert!(StandardBloom::with_hasher(spec, Xxh3Wide::default()).is_ok());
}

#[test]
fn parts_are_kept_as_they_are() {
    let mut filter = StandardBloom::from_parts(1_021, 3, Folded::with_seed(9)).unwrap();
    assert_eq!(
        (filter.size_bits(), filter.hashes(), filter.capacity()),
        (1_021, 3, 235)
    );
    filter.insert("rose");
    let slots: HashSet<u64> = filter.locations("rose").collect();
    assert_eq!(filter.bits().iter_ones().collect::<HashSet<_>>(), slots);
    assert_eq!(filter.locations("rose").count(), 3);
    assert_eq!(filter.fill_ratio(), slots.len() as f64 / 1_021.0);
    let one_bit = StandardBloom::from_parts(1, 1, Folded::default()).unwrap();
    assert_eq!(one_bit.capacity(), 1);
}

#[test]
fn bits_per_key_choose_the_best_hashes() {
    let filter = StandardBloom::with_bits_per_key(10_000, 10.0).unwrap();
    assert_eq!((filter.size_bits(), filter.hashes()), (100_032, 7));
    assert!(filter.target_fpr() < 0.0083);
    assert!(StandardBloom::with_bits_per_key(10, -1.0).is_err());
}

#[test]
fn from_keys_is_sized_for_the_keys() {
    let filter = StandardBloom::from_keys((0..5_000u32).map(|i| i * 3), 0.01).unwrap();
    assert_eq!(filter.capacity(), 5_000);
    assert!((0..5_000u32).all(|i| filter.contains(&(i * 3))));
    let empty = StandardBloom::from_keys(Vec::<String>::new(), 0.01).unwrap();
    assert!(!empty.contains("anything"));
}

#[test]
fn it_tells_when_it_is_full() {
    // At this size one filter differs from the next by 0.1 %.
    let mut filter = StandardBloom::new(1_000_000, 0.01).unwrap();
    assert!(!filter.is_over_capacity());
    let left = filter.keys_left();
    assert!((1_000_000..1_001_000).contains(&left), "{left}");
    filter.extend(0..980_000u64);
    assert!(!filter.is_over_capacity());
    assert!(
        filter.keys_left().abs_diff(20_000) < 4_000,
        "{}",
        filter.keys_left()
    );
    filter.extend(980_000..1_020_000u64);
    assert!(filter.is_over_capacity());
    assert_eq!(filter.keys_left(), 0);
}

#[test]
fn the_promise_includes_the_hash_floor() {
    let keys = 1_000_000;
    let floor = bouquet_core::math::hash_floor(keys, 64);
    for times in [1.01, 1.5, 10.0] {
        let spec = Spec::new(keys, times * floor).unwrap();
        let filter = StandardBloom::with_hasher(spec, Folded::default()).unwrap();
        let expected = filter.expected_fpr(keys);
        assert!(
            expected <= times * floor && expected > floor,
            "{times}: {expected}"
        );
    }
    let wide = StandardBloom::with_bits_per_key(keys, 150.0).unwrap();
    assert!(wide.target_fpr() >= floor);
    assert!(StandardBloom::new(keys, floor).is_err());
}

#[test]
fn a_full_filter_holds_everything_and_says_so() {
    let mut filter = StandardBloom::from_parts(64, 4, Folded::default()).unwrap();
    filter.extend(0..10_000u64);
    assert_eq!(filter.fill_ratio(), 1.0);
    assert_eq!(filter.estimated_fpr(), 1.0);
    assert_eq!(filter.estimated_keys(), f64::INFINITY);
    assert_eq!(filter.keys_left(), 0);
    assert!(filter.is_over_capacity());
    // A target so near 1 that only a full filter passes it has no keys left to
    // promise.
    assert!(
        StandardBloom::from_parts(1, 128, Folded::default())
            .unwrap()
            .keys_left()
            < 2
    );
}

#[test]
fn a_refused_union_names_the_parameter() {
    let make =
        |bits, hashes, seed| StandardBloom::from_parts(bits, hashes, Folded::with_seed(seed));
    let mut filter = make(640, 3, 1).unwrap();
    filter.insert("rose");
    let before = filter.clone();
    for (other, name) in [
        ((704, 3, 1), "size_bits"),
        ((640, 4, 1), "hashes"),
        ((640, 3, 2), "seed"),
    ] {
        let other = make(other.0, other.1, other.2).unwrap();
        let refusals: [Result<(), Incompatible>; 2] =
            [filter.union_with(&other), filter.intersect_with(&other)];
        for refusal in refusals {
            assert!(refusal.unwrap_err().to_string().contains(name));
        }
        assert_eq!(filter, before);
        assert_ne!(filter, other);
    }
    let more = make(640, 4, 1).unwrap();
    let refusal = Incompatible {
        parameter: Parameter::Hashes,
        left: 3,
        right: 4,
    };
    assert_eq!(filter.union_with(&more), Err(refusal));
    assert_ne!(make(640, 3, 1), make(640, 4, 1));
}

#[cfg(feature = "siphash")]
#[test]
fn a_secret_key_is_neither_shown_nor_guessed_around() {
    let spec = Spec::new(100, 0.01).unwrap();
    use bouquet_standard::SipKeyed;
    let with = |key: [u8; 16]| StandardBloom::with_hasher(spec, SipKeyed::with_key(key)).unwrap();
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
    assert!(shown.contains("size_bits"), "{shown}");
}

#[test]
fn memory_is_what_it_says() {
    let filter = StandardBloom::new(1_000_000, 0.01).unwrap();
    let overhead = filter.memory_bytes() - filter.size_bits() as usize / 8;
    assert!(
        (size_of_val(&filter)..=160).contains(&overhead),
        "{overhead}"
    );
}

/// Out of cache two slots are looked at before the others; a quarter full, they
/// alone would take one stranger in fifteen for a member.
#[test]
fn a_filter_out_of_cache_looks_at_all_slots() {
    let mut filter = StandardBloom::from_parts((64 << 20) + 64, 20, Folded::default()).unwrap();
    let members: Vec<u64> = (0..1_000_000).collect();
    let mut extended = filter.clone();
    filter.insert_batch(&members);
    extended.extend(members);
    assert_eq!(extended, filter);
    let asked: Vec<u64> = (990_000..1_010_000).collect();
    let mut found = vec![false; asked.len()];
    filter.contains_batch(&asked, &mut found);
    for (key, found) in asked.iter().zip(&found) {
        assert_eq!(filter.contains(key), *found, "{key}");
        assert!(*found || *key >= 1_000_000, "{key}");
    }
    assert_eq!(found.iter().filter(|held| **held).count(), 10_000);
}
