//! Tests of properties that only the partitioned filter has, and of unusual requests.

use std::collections::HashSet;

use bouquet_core::math::fpr_given_fill;
use bouquet_partitioned::{Folded, Inspect, PartitionedBloom};

bouquet_testkit::facts! {
    partitioned: bouquet_partitioned::PartitionedBloom {
        with: |spec, hasher| PartitionedBloom::with_hasher(spec, hasher),
        parts: |bits, hashes, seed| {
            PartitionedBloom::from_parts(bits, hashes, Folded::with_seed(seed))
        },
        facts: [
            any_key_can_be_inserted,
            a_repeated_key_is_one_key(|filter| filter.clone()),
            odd_specs_work(1e-12),
            wrong_specs_say_what_to_do(1 << 48),
            a_target_below_the_hash_floor_needs_a_wider_hash,
            bits_per_key_choose_the_best(10.0 => 100_030, 7, 0.0083),
            from_keys_is_sized_for_the_keys,
            it_reports_when_it_is_full(20, 250),
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
fn parts_are_kept_to_whole_partitions() {
    let mut filter = PartitionedBloom::from_parts(1_021, 3, Folded::with_seed(9)).unwrap();
    assert_eq!(
        (filter.size_bits(), filter.hashes(), filter.capacity()),
        (1_020, 3, 235)
    );
    filter.insert("rose");
    let slots: HashSet<u64> = filter.locations("rose").collect();
    assert_eq!(filter.bits().iter_ones().collect::<HashSet<_>>(), slots);
    assert_eq!(filter.locations("rose").count(), 3);
    let one_bit = PartitionedBloom::from_parts(1, 1, Folded::default()).unwrap();
    assert_eq!(one_bit.capacity(), 1);
}

#[test]
fn every_probe_has_its_partition() {
    let filter = PartitionedBloom::from_parts(100, 7, Folded::default()).unwrap();
    let s = filter.geometry().partition_bits();
    assert_eq!(s, 14);
    for key in 0..1_000u64 {
        let partitions = filter.locations(&key).map(|slot| slot / s);
        assert!(partitions.eq(0..7), "{key}");
    }
}

#[test]
fn the_estimate_is_the_product_of_the_fills() {
    let mut uneven = 0;
    let loads = [1, 2, 3, 5, 30, 100u64];
    for (keys, seed) in loads
        .iter()
        .flat_map(|keys| (0..9).map(move |seed| (*keys, seed)))
    {
        let mut filter = PartitionedBloom::from_parts(1_000, 9, Folded::with_seed(seed)).unwrap();
        filter.extend(0..keys);
        let s = filter.geometry().partition_bits();
        let mut set = [0u64; 9];
        for slot in filter.bits().iter_ones() {
            set[(slot / s) as usize] += 1;
        }
        let fills: Vec<f64> = set.iter().map(|set| *set as f64 / s as f64).collect();
        assert_eq!(filter.fills().collect::<Vec<_>>(), fills);
        assert_eq!(filter.estimated_fpr(), fills.iter().product());
        let mean = fills.iter().sum::<f64>() / 9.0;
        assert!((filter.fill_ratio() - mean).abs() < 1e-15);
        let even = fpr_given_fill(mean, 9);
        assert!(filter.estimated_fpr() <= even * (1.0 + 1e-12));
        uneven += u32::from(filter.estimated_fpr() < even * 0.999);
    }
    // Expected for all filters of 30 and of 100 keys, where nine equal fills are very unlikely.
    assert!(
        uneven >= 18,
        "the product was the mean to the k except {uneven} times"
    );
}

/// For 20 keys in 8 partitions of 16 bits, over 4,000 seeds: the pooled estimate is (e^x - x -
/// 1)/(2k) = 0.077 keys too high; the mean of one estimate per partition would be off by eight
/// times as much, and often infinite.
#[test]
fn the_bias_of_the_estimate_is_as_documented() {
    let (s, k, n, seeds) = (16u64, 8u32, 20u64, 4_000u64);
    let x = n as f64 / s as f64;
    let estimates: Vec<f64> = (0..seeds)
        .map(|seed| {
            let hasher = Folded::with_seed(seed);
            let mut filter = PartitionedBloom::from_parts(s * u64::from(k), k, hasher).unwrap();
            filter.extend(0..n);
            filter.estimated_keys()
        })
        .collect();
    let mean = estimates.iter().sum::<f64>() / seeds as f64;
    let squares: f64 = estimates.iter().map(|e| (e - mean).powi(2)).sum();
    let sd = (squares / seeds as f64).sqrt();
    let theory = x.exp() - x - 1.0;
    let error = sd / (seeds as f64).sqrt();
    let bias = theory / (2.0 * f64::from(k));
    assert!(
        ((mean - n as f64) - bias).abs() < 5.0 * error,
        "{mean} {error}"
    );
    // The theory is the limit for large filters; in a filter this small, estimates vary a
    // little less.
    let relative = theory.sqrt() / (x * (s as f64 * f64::from(k)).sqrt());
    assert!((sd / n as f64 / relative - 1.0).abs() < 0.1, "{sd}");
}

/// Every type in the signature of a public function is exported by this crate.
#[test]
fn what_the_functions_show_can_be_named() {
    use bouquet_partitioned::{BitArray, Parameter};
    let filter = PartitionedBloom::new(100, 0.01).unwrap();
    let _: &BitArray = filter.bits();
    let other = PartitionedBloom::new(1_000, 0.01).unwrap();
    let mismatch = filter.clone().union_with(&other).unwrap_err();
    let named: Parameter = mismatch.parameter;
    assert_eq!(named, Parameter::SizeBits);
}
