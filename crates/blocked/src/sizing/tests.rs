//! Tests that the search finds the smallest number of blocks, and the same size as a simple
//! search.

use alloc::vec::Vec;

use bouquet_core::{Spec, math::estimate_parameters};

use super::*;
use crate::{Line, Words32, Words64, layout::Arithmetic};

#[test]
fn the_smallest_is_found_from_every_guess() {
    for want in [1, 2, 3, 63, 64, 65, 1_000, 12_345, 1 << 40, MOST - 1, MOST] {
        for guess in [0, 1, 2, 64, 1_000, 12_344, 12_345, 1 << 50, MOST, u64::MAX] {
            assert_eq!(smallest(guess, |n| n >= want), want, "from {guess}");
        }
    }
    assert_eq!(smallest(5, |_| false), MOST);
}

/// Flat, steep and step-shaped curves, on which a search in single steps would not end.
#[test]
fn the_fewest_are_found_in_few_steps_whatever_the_curve() {
    let falling = |from: f64| move |blocks: u64| (from / blocks as f64).min(1.0);
    let steep = |from: f64| move |blocks: u64| falling(from)(blocks).powi(40);
    // 1 - e^-x, which counts as 1 over a long range.
    let flat = |from: f64| move |blocks: u64| 1.0 - (-from / blocks as f64).exp();
    let step = |from: f64| move |blocks: u64| f64::from(blocks as f64 <= from);
    for from in [1.0, 1e3, 1e6, 1e9, 1e12] {
        let curves: [&dyn Fn(u64) -> f64; 4] =
            [&falling(from), &steep(from), &flat(from), &step(from)];
        for (curve, fpr) in curves.iter().enumerate() {
            for target in [1.0 - 1e-16, 0.9999, 0.98, 0.5, 0.01, 1e-6, 1e-15, 1e-18] {
                for guess in [1, 1_000, 1_000_000, 1 << 40] {
                    let mut calls = 0;
                    let got = fewest(guess, target, |blocks| {
                        calls += 1;
                        fpr(blocks)
                    });
                    assert_eq!(got, smallest(guess, |blocks| fpr(blocks) <= target));
                    // Four calls for each bit of an answer.
                    assert!(calls <= 256, "{curve} {from} {target} {guess}: {calls}");
                }
            }
        }
    }
}

#[test]
fn a_target_near_one_is_sized_at_once() {
    for (keys, target) in [
        (1_000_000, 0.999),
        (6_496_645_021, 0.988_7),
        (24_000_000_000, 0.999_7),
        (1 << 40, 0.99),
    ] {
        let near = estimate_parameters(keys, target).unwrap().size_bits / 512;
        let found = Sizing::<Line>::new(keys).fewest_blocks(target, near);
        assert_eq!(found, searched(keys, target, near), "{keys} {target}");
    }
}

#[test]
fn the_best_at_equal_memory() {
    let mut rows = 0;
    let csv = include_str!("../../tests/data/equal_memory.csv");
    for line in csv.lines().skip(1) {
        let cell: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let close = |got: f64, want: f64| {
            // The reference values have 6 significant digits.
            assert!((got / want - 1.0).abs() < 5.1e-6, "{line}: {got} {want}");
        };
        let bits = cell[0] as u64 * (1 << 40);
        close(Sizing::<Line>::new(1 << 40).best(bits / 512).1, cell[3]);
        close(Sizing::<Words32>::new(1 << 40).best(bits / 256).1, cell[4]);
        rows += 1;
    }
    assert_eq!(rows, 8);
}

#[test]
fn the_best_number_of_hashes_is_the_best_of_all() {
    for (keys, blocks) in [(1, 1), (10, 1), (100, 2), (1_000, 17), (1_000_000, 30_000)] {
        let (best, fpr) = Sizing::<Line>::new(keys).best(blocks);
        for hashes in Line::HASHES {
            let layout = Line::with_hashes(hashes);
            let other = Curves::alone(layout).expected_fpr(hashes, keys, blocks);
            assert!(other >= fpr, "{keys} {blocks}: {best:?} {hashes}");
        }
    }
}

/// A simple search: starts with a classic filter's number of hashes, and looks for the number
/// of blocks with doubling strides and bisection.
fn searched(keys: u64, target_fpr: f64, guess: u64) -> (u64, Line) {
    let mut sizing = Sizing::<Line>::new(keys);
    let mut best = |blocks: u64| {
        let bits_per_key = blocks as f64 * Line::BLOCK_BITS as f64 / keys as f64;
        let classic = (bits_per_key * LN_2) as u32;
        sizing.last_best.get_or_insert(classic.clamp(1, 64));
        sizing.best(blocks)
    };
    let blocks = smallest(guess, |blocks| best(blocks).1 <= target_fpr);
    (blocks, best(blocks).0)
}

/// The number of cases is 2,000, or the value of `BOUQUET_CASES`.
#[test]
fn the_size_is_that_of_the_plain_search() {
    let cases = option_env!("BOUQUET_CASES").and_then(|cases| cases.parse().ok());
    let mut word = 20_261_123_u64;
    let mut share = || {
        word = word.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        (word >> 11) as f64 / (1u64 << 53) as f64
    };
    for _ in 0..cases.unwrap_or(2_000) {
        // Covers every size, and every target FPR that a 64-bit hash can reach.
        let mut between = |low: f64, high: f64| {
            let power = low + share() * (high - low);
            let fraction = 1.0 + power.rem_euclid(1.0);
            fraction * f64::from_bits(((power.div_euclid(1.0) + 1_023.0) as u64) << 52)
        };
        let (keys, target) = (between(0.0, 30.0) as u64, between(-62.0, 0.0));
        let guess = between(0.0, 27.0) as u64;
        let Ok(spec) = Spec::new(keys, target) else {
            continue;
        };
        let near = estimate_parameters(keys, target).map(|p| p.size_bits / 512);
        let guess = if share() < 0.9 {
            near.unwrap_or(guess)
        } else {
            guess
        };
        let (keys, target) = (spec.capacity(), spec.target_fpr());
        assert_eq!(
            Sizing::<Line>::new(keys).fewest_blocks(target, guess),
            searched(keys, target, guess),
            "{keys} {target} {guess}"
        );
    }
}

fn the_fewest<L: Layout>() {
    for keys in (1..60).chain([100, 1_000, 54_321, 1_000_000_000]) {
        for fpr in [0.999, 0.5, 0.1, 0.01, 1e-3, 1e-6, 1e-9] {
            let mut sizing = Sizing::<L>::new(keys);
            let found = sizing.at_once(fpr);
            let (blocks, layout) = found.unwrap_or_else(|| sizing.fewest_blocks(fpr, keys / 50));
            let reached = Curves::alone(layout).expected_fpr(layout.hashes(), keys, blocks);
            assert!(reached <= fpr, "{keys} {fpr} {layout:?}");
            if blocks > 1 {
                let less = Sizing::<L>::new(keys).best(blocks - 1).1;
                assert!(less > fpr, "{keys} {fpr} {layout:?}");
            }
        }
    }
}

#[test]
fn the_fewest_blocks_meet_the_target() {
    the_fewest::<Words64>();
    the_fewest::<Words32>();
    the_fewest::<Line>();
}

#[test]
fn keys_until_an_fpr() {
    for guess in [1, 1_000, 1_000_000] {
        let keys = keys_until_fpr(Words64, 20, 0.01, guess);
        let mut curve = Curves::alone(Words64);
        assert!(curve.expected_fpr(8, keys, 20) <= 0.01);
        assert!(curve.expected_fpr(8, keys + 1, 20) > 0.01);
    }
}

#[test]
fn few_keys_have_the_size_of_the_plain_search() {
    for (row, keys) in Line::FEW.iter().zip(1..) {
        for (fpr, _) in row {
            for target in [0.1, 1.1, 3.0].map(|times| times * f64::from(*fpr)) {
                let mut sizing = Sizing::<Line>::new(keys);
                if let Some(found) = sizing.of_few(target) {
                    assert!(found == sizing.by_loads(target, 1), "{keys} {target}");
                }
            }
            let sizing = Sizing::<Line>::new(keys);
            assert!(sizing.of_few(f64::from(*fpr)).is_none());
            assert!(sizing.of_few(1.5 * f64::from(*fpr)).is_some());
        }
    }
}
