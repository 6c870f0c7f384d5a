//! Tests of properties that only the standard filter has, and of unusual requests.

use std::collections::HashSet;

use bouquet_standard::{Folded, Incompatible, Inspect, Parameter, Spec, StandardBloom, TryInsert};

bouquet_testkit::facts! {
    standard: bouquet_standard::StandardBloom {
        with: |spec, hasher| StandardBloom::with_hasher(spec, hasher),
        parts: |bits, hashes, seed| {
            StandardBloom::from_parts(bits, hashes, Folded::with_seed(seed))
        },
        facts: [
            any_key_can_be_inserted,
            a_repeated_key_is_one_key(|filter| filter.clone()),
            odd_specs_work(1e-12),
            wrong_specs_say_what_to_do(1 << 48),
            a_target_below_the_hash_floor_needs_a_wider_hash,
            bits_per_key_choose_the_best(10.0 => 100_032, 7, 0.0083),
            from_keys_is_sized_for_the_keys,
            a_full_filter_contains_everything_and_reports_it(64, 4),
            a_rejected_union_names_the_parameter((640, 3, 1), [
                ((704, 3, 1), "size_bits"), ((640, 4, 1), "hashes"), ((640, 3, 2), "seed"),
            ]),
            a_secret_key_is_neither_shown_nor_ignored("size_bits"),
            memory_is_as_reported(160),
            out_of_cache_all_slots_are_tested((64 << 20) + 64, 20),
        ],
    }
}

#[test]
fn the_error_has_both_sides() {
    let make = |hashes| StandardBloom::from_parts(640, hashes, Folded::default()).unwrap();
    let mismatch = Incompatible::new(Parameter::Hashes, 3, 4);
    assert_eq!(make(3).union_with(&make(4)), Err(mismatch));
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
fn it_reports_when_it_is_full() {
    // At this size, the FPR varies by 0.1 % from filter to filter.
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
fn the_target_includes_the_hash_floor() {
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
    let wide = StandardBloom::with_bits_per_key(keys as usize, 150.0).unwrap();
    assert!(wide.target_fpr() >= floor);
    assert!(StandardBloom::new(keys as usize, floor).is_err());
}

/// If the target is so near 1 that only a full filter exceeds it, hardly any keys are left.
#[test]
fn one_bit_has_room_for_no_keys() {
    let filter = StandardBloom::from_parts(1, 128, Folded::default()).unwrap();
    assert!(filter.keys_left() < 2);
}

/// Filters that fit in each cache level and one that fits in none, with keys that repeat in the
/// same chunk and in later chunks, and with an incomplete chunk.
#[test]
fn a_batch_says_of_each_key_what_one_by_one_would() {
    let sizes = [
        10_000,
        1 << 21,
        1 << 23,
        if cfg!(miri) { 1 << 23 } else { 1 << 27 },
    ];
    for size_bits in sizes {
        let mut batch = StandardBloom::from_parts(size_bits, 7, Folded::default()).unwrap();
        let mut single = batch.clone();
        let keys: Vec<u64> = (0..if cfg!(miri) { 70 } else { 5_000 })
            .map(|i: u64| match i % 5 {
                0 => i / 2,
                1 => i.saturating_sub(40),
                _ => i,
            })
            .collect();
        for part in keys.chunks(1_111) {
            let mut new = vec![false; part.len()];
            batch.try_insert_keys_each(part, &mut new).unwrap();
            let want: Vec<bool> = part.iter().map(|key| single.insert(key)).collect();
            assert_eq!(new, want, "{size_bits} bits");
            assert!(batch == single, "{size_bits} bits");
        }
        assert_eq!(batch.insert_batch(&keys), 0);
    }
}
