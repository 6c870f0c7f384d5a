//! The spread from filter to filter, against filters.

use bouquet_blocked::{BlockedBloom, Layout, Line, Words32};
use bouquet_core::{Inspect, Spec, TryInsert};
use bouquet_scalable::ScalableBloom;
use bouquet_sharded::{Folded, ShardedBloom};

use super::{Answer, BLOCKED, Request, SCALABLE, SHARDED, SPLIT_BLOCK, answer};

/// Filters of each kind: the standard deviation of so many is known to 2 %.
const FILTERS: u64 = 1_500;

/// Mean and relative standard deviation of the FPR that the bits give.
fn seen<F: TryInsert + Inspect>(keys: u64, make: impl Fn(u64) -> F) -> (f64, f64) {
    let fprs: Vec<f64> = (0..FILTERS)
        .map(|seed| {
            let mut filter = make(seed);
            for key in 0..keys {
                assert!(filter.try_insert(&key.to_le_bytes()).is_ok());
            }
            filter.estimated_fpr()
        })
        .collect();
    let mean = fprs.iter().sum::<f64>() / FILTERS as f64;
    let square = fprs.iter().map(|fpr| (fpr - mean).powi(2)).sum::<f64>();
    (mean, (square / (FILTERS - 1) as f64).sqrt() / mean)
}

/// The mean within five standard errors, the spread within a tenth.
fn agree(answer: &Answer, (mean, spread): (f64, f64)) {
    let exact = answer.number("exact_fpr");
    let error = 5.0 * spread / (FILTERS as f64).sqrt();
    assert!((mean / exact - 1.0).abs() < error, "{mean} {exact}");
    spreads_agree(answer, spread);
}

fn spreads_agree(answer: &Answer, spread: f64) {
    let computed = answer.number("fpr_relative_sd");
    assert!((computed / spread - 1.0).abs() < 0.1, "{computed} {spread}");
}

#[test]
fn of_blocks() {
    let (blocks, keys) = (40, 2_000);
    let request = |form, block_bits, hashes| Request {
        capacity: Some(keys),
        bits: Some(blocks * block_bits),
        hashes: Some(hashes),
        block_bits: Some(block_bits),
        ..Request::new(form)
    };
    let line = answer(&request(BLOCKED, Line::BLOCK_BITS, 5)).unwrap();
    let make = |seed| {
        BlockedBloom::from_parts(blocks, Line::new(5).unwrap(), Folded::with_seed(seed)).unwrap()
    };
    agree(&line, seen(keys, make));
    let keys = 1_000;
    let request = Request {
        capacity: Some(keys),
        ..request(SPLIT_BLOCK, Words32::BLOCK_BITS, 8)
    };
    let make = |seed| BlockedBloom::from_parts(blocks, Words32, Folded::with_seed(seed)).unwrap();
    agree(&answer(&request).unwrap(), seen(keys, make));
}

#[test]
fn of_shards() {
    let (shards, bits, keys) = (8, 1_600, 1_280);
    let request = Request {
        capacity: Some(keys),
        bits: Some(u64::from(shards) * bits),
        hashes: Some(6),
        shards: Some(shards),
        ..Request::new(SHARDED)
    };
    let make = |seed| ShardedBloom::from_parts(shards, bits, 6, Folded::with_seed(seed)).unwrap();
    agree(&answer(&request).unwrap(), seen(keys, make));
}

#[test]
fn of_stages() {
    let capacity = 500;
    let request = Request {
        capacity: Some(capacity),
        fpr: Some(0.05),
        stages: Some(2),
        ..Request::new(SCALABLE)
    };
    let answer = answer(&request).unwrap();
    let keys = answer.number("keys_of_all_stages") as u64;
    assert_eq!(keys, 3 * capacity);
    let make = |seed| {
        let spec = Spec::new(capacity, 0.05).unwrap();
        <ScalableBloom>::with_hasher(spec, Folded::with_seed(seed)).unwrap()
    };
    // False positives of the first stage are not inserted into the second: its FPR is
    // a little below that of a full one.
    let (mean, spread) = seen(keys, make);
    let over = answer.number("exact_fpr") / mean;
    assert!((1.0..1.04).contains(&over), "{over}");
    spreads_agree(&answer, spread);
}
