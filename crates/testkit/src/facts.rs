//! Facts about every filter that is one array, tested with the inherent methods of its type.

/// Generates tests from facts: a module per filter, a `#[test]` per fact.
///
/// Laws use the traits; facts use a type's own constructors and methods, as its users do. `with`
/// makes a filter from a [`Spec`](bouquet_core::Spec) and a hasher of any type. `parts` makes a
/// filter with a given number of slots, number of hashes and seed. Each returns a `Result`. Some
/// facts take arguments: see the arms of the macro.
///
/// ```text
/// bouquet_testkit::facts! {
///     standard: bouquet_standard::StandardBloom {
///         with: |spec, hasher| StandardBloom::with_hasher(spec, hasher),
///         parts: |bits, hashes, seed| {
///             StandardBloom::from_parts(bits, hashes, Folded::with_seed(seed))
///         },
///         facts: [any_key_can_be_inserted, odd_specs_work(1e-12)],
///     }
/// }
/// ```
#[macro_export]
macro_rules! facts {
    ($($name:ident: $lib:ident::$filter:ident {
        with: |$spec:ident, $hasher:ident| $with:expr,
        parts: |$slots:ident, $hashes:ident, $seed:ident| $parts:expr,
        facts: $facts:tt $(,)?
    })+) => {$(
        #[cfg(test)]
        mod $name {
            #[allow(unused_imports, reason = "`with` and `parts` may name all by path")]
            use super::*;
            use $lib::*;
            $crate::facts! {
                @each {$lib $filter (|$spec, $hasher| $with) (|$slots, $hashes, $seed| $parts)} $facts
            }
        }
    )+};
    (@each $of:tt [$($fact:ident $(($($args:tt)+))?),+ $(,)?]) => {
        $($crate::facts! { @fact $fact $of ($($($args)+)?) })+
    };

    (@fact any_key_can_be_inserted {$lib:ident $filter:ident $with:tt $parts:tt} ()) => {
        #[test]
        fn any_key_can_be_inserted() {
            let mut filter = $filter::new(100, 0.001).unwrap();
            let long = vec![7u8; 1 << 20];
            assert!(filter.insert("text") && !filter.insert("text"));
            assert!(filter.insert(&String::from("owned")) && filter.insert(&[1u8, 2, 3]));
            assert!(filter.insert(&42u64) && filter.insert(&$lib::Hashed(&("a", 7))));
            assert!(filter.insert("") && filter.insert(&long));
            assert!(filter.contains("") && filter.contains(&long));
            assert!(filter.contains(&$lib::Hashed(&("a", 7))));
            assert!(filter.contains(&42u64.to_le_bytes()));
            assert!(filter.contains(&42u32) && !filter.contains(&42u128));
            filter.clear();
            assert!(!filter.contains(""));
        }
    };

    // Argument: a value that must be equal whether a key was inserted once or a million times.
    (@fact a_repeated_key_is_one_key
        {$lib:ident $filter:ident $with:tt $parts:tt} (|$it:ident| $same:expr)) => {
        #[test]
        fn a_repeated_key_is_one_key() {
            let mut filter = $filter::new(1_000, 0.01).unwrap();
            let same = |$it: &$filter| $same;
            assert!(filter.insert("again"));
            let once = same(&filter);
            for _ in 0..1_000_000 {
                assert!(!filter.insert("again"));
            }
            assert_eq!(same(&filter), once);
            assert!((filter.estimated_keys() - 1.0).abs() < 0.01);
        }
    };

    // Argument: the smallest target FPR that is allowed for a thousand keys.
    (@fact odd_specs_work {$lib:ident $filter:ident (|$spec:ident, $hasher:ident| $with:expr) $parts:tt}
        ($least:expr)) => {
        #[test]
        fn odd_specs_work() {
            for (capacity, fpr) in [(1, 0.5), (1, 1e-12), (1_000, 0.999), (1_000, $least)] {
                let ($spec, $hasher) = ($lib::Spec::new(capacity, fpr).unwrap(), Folded::default());
                let mut filter = $with.unwrap();
                filter.extend(0..capacity);
                assert!((0..capacity).all(|key| filter.contains(&key)));
                assert!(filter.expected_fpr(capacity) <= fpr);
            }
        }
    };

    // Argument: the number of slots of the largest filter, which has 2^48 bits.
    (@fact wrong_specs_say_what_to_do
        {$lib:ident $filter:ident $with:tt (|$slots:ident, $hashes:ident, $seed:ident| $parts:expr)}
        ($largest:expr)) => {
        #[test]
        fn wrong_specs_say_what_to_do() {
            let error = |capacity, fpr| $filter::new(capacity, fpr).unwrap_err();
            assert_eq!(error(0, 0.01), SpecError::ZeroCapacity);
            for fpr in [0.0, 1.0, -0.5, 2.0, f64::NAN, f64::INFINITY] {
                assert!(error(10, fpr).to_string().contains("0.01 for 1 %"));
            }
            let of_spec = |capacity, fpr| {
                let spec = $lib::Spec::new(capacity, fpr).unwrap();
                $filter::with_hasher(spec, $lib::Folded::default()).unwrap_err()
            };
            let huge = of_spec(1_000_000_000_000_000, 0.01);
            assert!(matches!(huge, SpecError::TooLarge { .. }));
            // More keys than there are different hash values.
            let many = of_spec(u64::MAX, 0.5);
            assert!(matches!(many, SpecError::BelowHashFloor { .. }));
            assert!($filter::with_bits_per_key(10, -1.0).is_err());
            let parts = |$slots: u64, $hashes: u32, $seed: u64| $parts;
            assert_eq!(parts(0, 7, 0).unwrap_err(), SpecError::ZeroSizeBits);
            for slots in [$largest + 7, 1_000_000_000_000_000, u64::MAX] {
                let huge = parts(slots, 7, 0).unwrap_err();
                assert!(matches!(huge, SpecError::TooLarge { .. }), "{slots}: {huge}");
            }
            // 32 TiB is a valid size; whether so much memory can be allocated depends on the
            // machine.
            match parts($largest, 7, 0) {
                Ok(filter) => assert_eq!(filter.size_bits(), 1 << 48),
                Err(error) => assert_eq!(error, SpecError::OutOfMemory { bytes: 1 << 45 }),
            }
        }
    };

    (@fact a_target_below_the_hash_floor_needs_a_wider_hash
        {$lib:ident $filter:ident (|$spec:ident, $hasher:ident| $with:expr) $parts:tt} ()) => {
        #[test]
        fn a_target_below_the_hash_floor_needs_a_wider_hash() {
            let $spec = $lib::Spec::new(1_000_000, 1e-15).unwrap();
            let $hasher = Folded::default();
            let error = $with.unwrap_err();
            assert!(matches!(error, SpecError::BelowHashFloor { hash_bits: 64, .. }));
            assert!(error.to_string().contains("128 bits"), "{error}");
            let $hasher = $lib::Xxh3Wide::default();
            assert!($with.is_ok());
        }
    };

    // Arguments: the bits per key, and the number of bits, the number of hashes and the maximum FPR
    // that follow for 10,000 keys.
    (@fact bits_per_key_choose_the_best {$lib:ident $filter:ident $with:tt $parts:tt}
        ($bits:expr => $size:expr, $hashes:expr, $fpr:expr)) => {
        #[test]
        fn bits_per_key_choose_the_best() {
            let filter = $filter::with_bits_per_key(10_000, $bits).unwrap();
            assert_eq!((filter.size_bits(), filter.hashes()), ($size, $hashes));
            assert!(filter.target_fpr() < $fpr);
        }
    };

    (@fact from_keys_is_sized_for_the_keys {$lib:ident $filter:ident $with:tt $parts:tt} ()) => {
        #[test]
        fn from_keys_is_sized_for_the_keys() {
            let filter = $filter::from_keys((0..5_000u32).map(|i| i * 3), 0.01).unwrap();
            assert_eq!(filter.capacity(), 5_000);
            assert!((0..5_000u32).all(|i| filter.contains(&(i * 3))));
            let empty = $filter::from_keys(Vec::<String>::new(), 0.01).unwrap();
            assert!(!empty.contains("anything"));
        }
    };

    // Arguments: how many keys more than 10,000 may fit, and the maximum error of the estimated
    // number of keys.
    (@fact it_reports_when_it_is_full {$lib:ident $filter:ident $with:tt $parts:tt}
        ($more:expr, $off:expr)) => {
        #[test]
        fn it_reports_when_it_is_full() {
            let mut filter = $filter::new(10_000, 0.01).unwrap();
            assert!(!filter.is_over_capacity());
            let left = filter.keys_left();
            assert!((10_000..10_000 + $more).contains(&left), "{left}");
            filter.extend(0..5_000u64);
            let left = filter.keys_left();
            assert!(left.abs_diff(5_000) < $off, "{left}");
            filter.extend(5_000..12_000u64);
            assert!(filter.is_over_capacity());
            assert_eq!(filter.keys_left(), 0);
            let estimate = filter.estimated_keys();
            assert!((estimate / 12_000.0 - 1.0).abs() < 0.03, "{estimate}");
        }
    };

    // Arguments: the number of slots and the number of hashes of a small filter.
    (@fact a_full_filter_contains_everything_and_reports_it
        {$lib:ident $filter:ident $with:tt (|$slots:ident, $hashes:ident, $seed:ident| $parts:expr)}
        ($few:expr, $k:expr)) => {
        #[test]
        fn a_full_filter_contains_everything_and_reports_it() {
            let parts = |$slots: u64, $hashes: u32, $seed: u64| $parts;
            let mut filter = parts($few, $k, 0).unwrap();
            filter.extend(0..20_000u64);
            assert_eq!((filter.fill_ratio(), filter.estimated_fpr()), (1.0, 1.0));
            assert_eq!(filter.estimated_keys(), f64::INFINITY);
            assert_eq!(filter.keys_left(), 0);
            assert!(filter.is_over_capacity());
        }
    };

    // Arguments: slots, hashes and seed of one filter, and of others that differ from it in one of
    // them.
    (@fact a_rejected_union_names_the_parameter
        {$lib:ident $filter:ident $with:tt (|$slots:ident, $hashes:ident, $seed:ident| $parts:expr)}
        ($own:expr, [$(($other:expr, $name:literal)),+ $(,)?])) => {
        #[test]
        fn a_rejected_union_names_the_parameter() {
            let make = |($slots, $hashes, $seed): (u64, u32, u64)| $parts.unwrap();
            let mut filter = make($own);
            filter.insert("rose");
            let before = filter.clone();
            for (other, name) in [$((make($other), $name)),+] {
                for result in [filter.union_with(&other), filter.intersect_with(&other)] {
                    let message = result.unwrap_err().to_string();
                    assert!(message.contains(name), "{name}: {message}");
                }
                assert!(filter == before && filter != other, "{name}");
            }
        }
    };

    // Argument: the text that `Debug` prints instead of the secret key.
    (@fact a_secret_key_is_neither_shown_nor_ignored
        {$lib:ident $filter:ident (|$spec:ident, $hasher:ident| $with:expr) $parts:tt} ($shown:expr)) => {
        #[cfg(feature = "siphash")]
        #[test]
        fn a_secret_key_is_neither_shown_nor_ignored() {
            let with = |key: [u8; 16]| {
                let $spec = $lib::Spec::new(100, 0.01).unwrap();
                let $hasher = $lib::SipKeyed::with_key(key);
                $with.unwrap()
            };
            let (mut filter, other) = (with([7; 16]), with([8; 16]));
            let parameter = filter.union_with(&other).unwrap_err().parameter.to_string();
            assert_eq!(parameter, "seed of the hasher");
            filter.insert("rose");
            assert!(filter.contains("rose"));
            let shown = format!("{filter:?}");
            assert!(!shown.contains("7, 7") && !shown.contains("0707"), "{shown}");
            assert!(shown.contains($shown), "{shown}");
        }
    };

    // Argument: the maximum number of bytes used in addition to the bits.
    (@fact memory_is_as_reported {$lib:ident $filter:ident $with:tt $parts:tt} ($most:expr)) => {
        #[test]
        fn memory_is_as_reported() {
            let filter = $filter::new(1_000_000, 0.01).unwrap();
            let overhead = filter.memory_bytes() - filter.size_bits() as usize / 8;
            assert!((size_of_val(&filter)..=$most).contains(&overhead), "{overhead}");
        }
    };

    // In a filter larger than the caches two slots are tested before the others. If only these two
    // were tested, one absent key in fifteen would be a false positive in a filter that is a
    // quarter full.
    (@fact out_of_cache_all_slots_are_tested
        {$lib:ident $filter:ident $with:tt (|$slots:ident, $hashes:ident, $seed:ident| $parts:expr)}
        ($many:expr, $k:expr)) => {
        #[test]
        fn out_of_cache_all_slots_are_tested() {
            let parts = |$slots: u64, $hashes: u32, $seed: u64| $parts;
            let mut filter = parts($many, $k, 0).unwrap();
            let members: Vec<u64> = (0..1_000_000).collect();
            let mut extended = filter.clone();
            filter.insert_batch(&members);
            extended.extend(members);
            assert!(extended == filter);
            let asked: Vec<u64> = (990_000..1_010_000).collect();
            let mut found = vec![false; asked.len()];
            filter.contains_batch(&asked, &mut found);
            for (key, found) in asked.iter().zip(&found) {
                assert_eq!(filter.contains(key), *found, "{key}");
                assert!(*found || *key >= 1_000_000, "{key}");
            }
            assert_eq!(found.iter().filter(|found| **found).count(), 10_000);
        }
    };
}
