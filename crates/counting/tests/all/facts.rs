//! Tests of properties that only the counting filter has, and of unusual requests.

use std::collections::HashSet;

use bouquet_counting::{
    CounterBits::{Eight, Four},
    CountingBloom, CountingView, Folded, SpecError, View,
};

bouquet_testkit::facts! {
    counting: bouquet_counting::CountingBloom {
        with: |spec, hasher| CountingBloom::with_hasher(spec, hasher),
        parts: |counters, hashes, seed| {
            CountingBloom::from_parts(counters, hashes, Four, Folded::with_seed(seed))
        },
        facts: [
            any_key_can_be_inserted,
            a_repeated_key_is_one_key(|filter| filter.to_bits()),
            odd_specs_work(1e-12),
            wrong_specs_say_what_to_do(1 << 46),
            a_target_below_the_hash_floor_needs_a_wider_hash,
            bits_per_key_choose_the_best(40.0 => 4 * 100_032, 7, 0.0083),
            from_keys_is_sized_for_the_keys,
            it_reports_when_it_is_full(20, 250),
            a_full_filter_contains_everything_and_reports_it(64, 4),
            a_rejected_union_names_the_parameter((640, 3, 1), [
                ((704, 3, 1), "size_bits"), ((640, 4, 1), "hashes"), ((640, 3, 2), "seed"),
            ]),
            a_secret_key_is_neither_shown_nor_ignored("counter_bits: Four"),
            memory_is_as_reported(160),
        ],
    }
}

#[test]
fn a_key_inserted_very_often_is_counted_to_the_maximum() {
    let mut filter = CountingBloom::new(1_000, 0.01).unwrap();
    filter.extend(["again"; 100]);
    assert_eq!(filter.saturated(), 7);
}

#[test]
fn counters_of_another_width_are_rejected() {
    let make = |width| CountingBloom::from_parts(640, 3, width, Folded::default()).unwrap();
    let mismatch = make(Four).union_with(&make(Eight)).unwrap_err();
    assert!(mismatch.to_string().contains("counter_bits"), "{mismatch}");
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
fn a_view_counts_as_its_filter() {
    let mut filter = CountingBloom::new(1_000, 0.1).unwrap();
    filter.extend((0..1_000u64).map(|i| i % 500));
    let stored = filter.encode();
    let view = CountingView::<Folded>::open(&stored).unwrap();
    for key in 0..2_000u64 {
        assert_eq!(
            view.estimated_count(&key),
            filter.estimated_count(&key),
            "{key}"
        );
    }
}

/// Every type in the signature of a public function is exported by this crate.
#[test]
fn what_the_functions_show_can_be_named() {
    use bouquet_counting::{BitArray, CounterArray, Parameter};
    let filter = CountingBloom::new(100, 0.01).unwrap();
    let _: &CounterArray = filter.counters();
    let _: Result<BitArray, SpecError> = filter.to_bits();
    let other = CountingBloom::new(1_000, 0.01).unwrap();
    let mismatch = filter.clone().union_with(&other).unwrap_err();
    let named: Parameter = mismatch.parameter;
    assert_eq!(named, Parameter::SizeBits);
}

/// Two filters of equal size in bits: one has half as many counters of twice the width.
#[test]
fn counters_of_another_width_are_not_combined() {
    use bouquet_core::Inner;
    use bouquet_counting::Parameter;
    let of = |counters, width| CountingBloom::from_parts(counters, 7, width, Folded::default());
    let (narrow, wide) = (of(2_000, Four).unwrap(), of(1_000, Eight).unwrap());
    assert_eq!(narrow.size_bits(), wide.size_bits());
    for differ in [
        narrow.check_compatible(&wide),
        narrow.clone().union_with(&wide),
        narrow.clone().intersect_with(&wide),
    ] {
        let parameter = Parameter::Other("counter_bits");
        assert_eq!(differ.unwrap_err().parameter, parameter);
    }
}
