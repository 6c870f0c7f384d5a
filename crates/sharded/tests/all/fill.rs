//! Compares the predicted fill ratio with that of many filters, for every geometry, alone and in
//! shards.

use std::collections::BTreeSet;

use bouquet_blocked::{BlockedBloom, Line, Words32, Words64};
use bouquet_counting::{CounterBits, CountingBloom};
use bouquet_partitioned::PartitionedBloom;
use bouquet_sharded::{
    Fill, Folded, Inner, Insert, Inspect, KeyHash, Locate, ShardedBloom, Spec, StandardBloom,
};

const FILTERS: u64 = 2_000;

/// The mean and the variance of `values`.
fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (mean, squares.sum::<f64>() / (n - 1.0))
}

/// Asserts that mean and variance of the fill ratio of many filters are the expected ones, within
/// five standard deviations. The relative standard deviation of the variance of this many values is
/// sqrt(2/2,000), 3 %.
fn check(geometry: impl Locate<Hash = KeyHash> + Fill, keys: u64, what: &str) {
    let m = geometry.slots() as f64;
    let fill = |filter: u64| {
        let mut set = BTreeSet::new();
        for key in filter * keys..(filter + 1) * keys {
            let place = KeyHash::from_word(key.wrapping_mul(0x9e37_79b9_7f4a_7c15)).probe;
            geometry.locate(&KeyHash::from_word(place), &mut |slot| {
                set.insert(slot);
            });
        }
        set.len() as f64 / m
    };
    let fills: Vec<f64> = (0..FILTERS).map(fill).collect();
    let (mean, variance) = moments(&fills);
    let (want_mean, want_variance) = (geometry.fill_mean(keys), geometry.fill_variance(keys));
    let z = (mean - want_mean) / (want_variance / FILTERS as f64).sqrt();
    assert!(z.abs() < 5.0, "{what}: mean {mean} {want_mean}");
    let z = (variance / want_variance - 1.0) / (2.0 / FILTERS as f64).sqrt();
    assert!(z.abs() < 5.0, "{what}: variance {variance} {want_variance}");
}

#[test]
fn the_fill_of_every_geometry() {
    let folded = Folded::default;
    let standard = StandardBloom::from_parts(500, 4, folded()).unwrap();
    check(standard.geometry(), 80, "standard");
    let counting = CountingBloom::from_parts(500, 4, CounterBits::Four, folded()).unwrap();
    check(counting.geometry(), 80, "counting");
    let partitioned = PartitionedBloom::from_parts(500, 4, folded()).unwrap();
    check(partitioned.geometry(), 80, "partitioned");
    let words64 = BlockedBloom::from_parts(3, Words64, folded()).unwrap();
    check(words64.geometry(), 130, "words64");
    let words32 = BlockedBloom::from_parts(3, Words32, folded()).unwrap();
    check(words32.geometry(), 65, "words32");
    let line = BlockedBloom::from_parts(3, Line::new(5).unwrap(), folded()).unwrap();
    check(line.geometry(), 200, "line");
}

fn check_shards<F: Inner<Hasher = Folded, Geometry: Fill>>(what: &str) {
    let spec = Spec::new(300, 0.05).unwrap();
    let filter = ShardedBloom::<F>::with_shards(spec, 5, Folded::default()).unwrap();
    check(filter.geometry(), 300, what);
}

#[test]
fn the_fill_of_shards_of_every_geometry() {
    check_shards::<StandardBloom>("shards of standard");
    check_shards::<CountingBloom>("shards of counting");
    check_shards::<PartitionedBloom>("shards of partitioned");
    check_shards::<BlockedBloom<Words32>>("shards of blocked");
}

/// Asserts that the FPRs of many filters, each estimated from the filter's own bits, vary as
/// expected.
fn check_deviation<F: Insert + Inspect>(make: impl Fn(Folded) -> F, want: f64) {
    let fpr = |seed| {
        let mut filter = make(Folded::with_seed(seed));
        for key in 0..150u64 {
            filter.insert(&key.to_le_bytes());
        }
        filter.estimated_fpr()
    };
    let fprs: Vec<f64> = (0..FILTERS).map(fpr).collect();
    let got = moments(&fprs).1.sqrt();
    // The tolerance is five standard deviations, and the same again for the terms above the first
    // order.
    assert!((got / want - 1.0).abs() < 0.12, "{got} {want}");
}

#[test]
fn the_fpr_deviates_as_expected() {
    let standard = |hasher| StandardBloom::from_parts(1_000, 5, hasher).unwrap();
    let want = standard(Folded::default()).geometry().fpr_deviation(150);
    check_deviation(standard, want);
    let four = CounterBits::Four;
    let counting = |hasher| CountingBloom::from_parts(1_000, 5, four, hasher).unwrap();
    assert_eq!(
        counting(Folded::default()).geometry().fpr_deviation(150),
        want
    );
    let partitioned = |hasher| PartitionedBloom::from_parts(1_000, 5, hasher).unwrap();
    let want = partitioned(Folded::default()).geometry().fpr_deviation(150);
    check_deviation(partitioned, want);
}
