//! What is true of the partitioned filter alone, and odd requests.

use std::collections::HashSet;

use bouquet_core::math::fpr_given_fill;
use bouquet_partitioned::{
    Folded, Hashed, Incompatible, Inspect, Intersect, PartitionedBloom, Spec, SpecError, Union,
    Xxh3Wide,
};

#[test]
fn any_key_goes_in() {
    let mut filter = PartitionedBloom::new(100, 0.001).unwrap();
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
    let mut filter = PartitionedBloom::new(1_000, 0.01).unwrap();
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
        let mut filter = PartitionedBloom::new(capacity, fpr).unwrap();
        for key in 0..capacity {
            filter.insert(&key);
        }
        assert!((0..capacity).all(|key| filter.contains(&key)));
        assert!(filter.expected_fpr(capacity) <= fpr);
    }
}

#[test]
fn wrong_specs_say_what_to_do() {
    let error = |capacity, fpr| PartitionedBloom::new(capacity, fpr).unwrap_err();
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
        PartitionedBloom::from_parts(1_000_000_000_000_000, 7, Folded::default()).unwrap_err();
    assert!(matches!(huge, SpecError::TooLarge { .. }));
    // 32 TiB is a size; whether there is memory for it, only the machine knows.
    match PartitionedBloom::from_parts(1 << 48, 7, Folded::default()) {
        Ok(filter) => assert_eq!(filter.size_bits(), 1 << 48),
        Err(error) => assert_eq!(error, SpecError::OutOfMemory { bytes: 1 << 45 }),
    }
}

#[test]
fn a_target_below_the_hash_floor_wants_a_wider_hash() {
    let spec = Spec::new(1_000_000, 1e-15).unwrap();
    let error = PartitionedBloom::with_hasher(spec, Folded::default()).unwrap_err();
    assert!(matches!(
        error,
        SpecError::BelowHashFloor { hash_bits: 64, .. }
    ));
    assert!(error.to_string().contains("128 bits"), "{error}");
    assert!(PartitionedBloom::with_hasher(spec, Xxh3Wide::default()).is_ok());
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
fn bits_per_key_choose_the_best_hashes() {
    let filter = PartitionedBloom::with_bits_per_key(10_000, 10.0).unwrap();
    assert_eq!((filter.size_bits(), filter.hashes()), (100_030, 7));
    assert!(filter.target_fpr() < 0.0083);
    assert!(PartitionedBloom::with_bits_per_key(10, -1.0).is_err());
}

#[test]
fn from_keys_is_sized_for_the_keys() {
    let filter = PartitionedBloom::from_keys((0..5_000u32).map(|i| i * 3), 0.01).unwrap();
    assert_eq!(filter.capacity(), 5_000);
    assert!((0..5_000u32).all(|i| filter.contains(&(i * 3))));
    let empty = PartitionedBloom::from_keys(Vec::<String>::new(), 0.01).unwrap();
    assert!(!empty.contains("anything"));
}

#[test]
fn it_tells_when_it_is_full() {
    let mut filter = PartitionedBloom::new(10_000, 0.01).unwrap();
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
    let mut filter = PartitionedBloom::from_parts(64, 4, Folded::default()).unwrap();
    filter.extend(0..10_000u64);
    assert_eq!(filter.fill_ratio(), 1.0);
    assert_eq!(filter.estimated_fpr(), 1.0);
    assert_eq!(filter.estimated_keys(), f64::INFINITY);
    assert_eq!(filter.keys_left(), 0);
    assert!(filter.is_over_capacity());
}

#[test]
fn a_refused_union_names_the_parameter() {
    let make =
        |bits, hashes, seed| PartitionedBloom::from_parts(bits, hashes, Folded::with_seed(seed));
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
    }
}

#[cfg(feature = "siphash")]
#[test]
fn a_secret_key_is_neither_shown_nor_guessed_around() {
    use bouquet_partitioned::SipKeyed;

    let spec = Spec::new(100, 0.01).unwrap();
    let with =
        |key: [u8; 16]| PartitionedBloom::with_hasher(spec, SipKeyed::with_key(key)).unwrap();
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
    let filter = PartitionedBloom::new(1_000_000, 0.01).unwrap();
    let overhead = filter.memory_bytes() as u64 - filter.size_bits() / 8;
    assert!(overhead <= 160, "{overhead}");
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
    for keys in [1, 2, 3, 5, 30, 100u64] {
        let mut filter = PartitionedBloom::from_parts(1_000, 9, Folded::with_seed(1)).unwrap();
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
    assert!(
        uneven >= 3,
        "the product was the mean to the k but {uneven} times"
    );
}

/// 20 keys in 8 partitions of 16 bits, over 4,000 seeds: the pooled estimate is
/// (e^x - x - 1)/(2k) = 0.077 keys too high; the mean of one estimate a
/// partition would be eight times as far off, and often infinite.
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
    // The limit form; so small a filter spreads a little less.
    let relative = theory.sqrt() / (x * (s as f64 * f64::from(k)).sqrt());
    assert!((sd / n as f64 / relative - 1.0).abs() < 0.1, "{sd}");
}

/// All that a public function takes or gives has a name here.
#[test]
fn what_the_functions_show_can_be_named() {
    use bouquet_partitioned::{BitArray, Parameter};
    let filter = PartitionedBloom::new(100, 0.01).unwrap();
    let _: &BitArray = filter.bits();
    let other = PartitionedBloom::new(1_000, 0.01).unwrap();
    let refused = filter.clone().union_with(&other).unwrap_err();
    let named: Parameter = refused.parameter;
    assert_eq!(named, Parameter::SizeBits);
}

/// Out of cache two slots are looked at before the others; a quarter full, they
/// alone would take one stranger in fifteen for a member.
#[test]
fn a_filter_out_of_cache_looks_at_all_slots() {
    let mut filter = PartitionedBloom::from_parts((64 << 20) + 64, 20, Folded::default()).unwrap();
    let members: Vec<u64> = (0..1_000_000).collect();
    filter.insert_batch(&members);
    let asked: Vec<u64> = (990_000..1_010_000).collect();
    let mut found = vec![false; asked.len()];
    filter.contains_batch(&asked, &mut found);
    for (key, found) in asked.iter().zip(&found) {
        assert_eq!(filter.contains(key), *found, "{key}");
        assert!(*found || *key >= 1_000_000, "{key}");
    }
    assert_eq!(found.iter().filter(|held| **held).count(), 10_000);
}
