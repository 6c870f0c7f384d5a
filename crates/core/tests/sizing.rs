//! Compares the search for a size with a search that computes the exact FPR at every step.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use bouquet_core::math::{
    MAX_HASHES, Parameters, best_hashes, expected_fill, expected_fpr, fill_variance,
    fpr_given_fill, min_bits_in_steps,
};

/// The number of random specs in every run, and in the ignored tests: see CONTRIBUTING.md.
const SPECS: u64 = 5_000;
const MANY_SPECS: u64 = 100_000;

/// Up to which size the best k is found by the exact formula, and up to which k.
const EXACT_HASHES_BITS: u64 = 1 << 16;
const MANY_HASHES: u32 = 40;

fn second_order_fpr(size_bits: u64, hashes: u32, keys: u64) -> f64 {
    let (k, throws) = (f64::from(hashes), f64::from(hashes) * keys as f64);
    let fill = expected_fill(size_bits, throws);
    let curvature = k * (k - 1.0) / 2.0 * fpr_given_fill(fill, hashes) / (fill * fill);
    fpr_given_fill(fill, hashes) + curvature * fill_variance(size_bits, throws)
}

/// The first local minimum around `start`.
fn lowest(start: u32, fpr_of: impl Fn(u32) -> f64) -> (u32, f64) {
    let mut best = (start, fpr_of(start));
    while best.0 > 1 && fpr_of(best.0 - 1) <= best.1 {
        best = (best.0 - 1, fpr_of(best.0 - 1));
    }
    while best.0 < MAX_HASHES && fpr_of(best.0 + 1) < best.1 {
        best = (best.0 + 1, fpr_of(best.0 + 1));
    }
    best
}

fn second_order_best(size_bits: u64, keys: u64) -> u32 {
    let textbook = (size_bits as f64 / keys as f64 * core::f64::consts::LN_2).round();
    let start = (textbook.min(f64::from(MAX_HASHES)) as u32).max(1);
    lowest(start, |hashes| second_order_fpr(size_bits, hashes, keys)).0
}

fn exact_best(size_bits: u64, keys: u64) -> (u32, f64) {
    let start = second_order_best(size_bits, keys);
    if start > MANY_HASHES && keys > u64::from(start) {
        let relative = f64::from(start) * f64::from(start) / size_bits as f64;
        let bound = 1.0 + 0.02 * relative * relative;
        return (start, second_order_fpr(size_bits, start, keys) * bound);
    }
    if size_bits > EXACT_HASHES_BITS {
        return (start, expected_fpr(size_bits, start, keys));
    }
    lowest(start, |hashes| expected_fpr(size_bits, hashes, keys))
}

/// The smallest number of steps that meets the target, found by bisection alone, between 0 and
/// a number that surely meets it.
fn searched(keys: u64, target_fpr: f64, step: u64) -> Parameters {
    let bits = -(keys as f64) * target_fpr.ln() / core::f64::consts::LN_2.powi(2);
    let (mut fails, mut holds) = (0, (1.2 * bits / step as f64) as u64 + 1);
    while exact_best(holds * step, keys).1 > target_fpr {
        (fails, holds) = (holds, 2 * holds);
    }
    while holds - fails > 1 {
        let middle = fails + (holds - fails) / 2;
        if exact_best(middle * step, keys).1 <= target_fpr {
            holds = middle;
        } else {
            fails = middle;
        }
    }
    let size_bits = holds * step;
    let (hashes, _) = exact_best(size_bits, keys);
    Parameters { size_bits, hashes }
}

/// Uniformly distributed numbers in [0, 1), by SplitMix64.
fn even(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

fn check_sizes(specs: u64) {
    let mut state = 1;
    for i in 0..specs {
        // Half of the specs are for few keys, where the formulas differ most.
        let decades = if i % 2 == 0 { 3.5 } else { 11.0 };
        let keys = 10f64.powf(decades * even(&mut state)) as u64;
        let lowest = if i % 16 == 0 { -20.0 } else { -8.0 };
        let target_fpr = 10f64.powf(lowest * even(&mut state)).min(0.999);
        let step = [1, 64, 64, 64, 512][i as usize % 5];
        let got = min_bits_in_steps(keys, target_fpr, step).unwrap();
        assert_eq!(
            got,
            searched(keys, target_fpr, step),
            "{keys} keys at {target_fpr} in steps of {step}"
        );
    }
}

fn check_hashes(specs: u64) {
    let mut state = 2;
    for _ in 0..specs {
        let size_bits = 10f64.powf(4.8 * even(&mut state)) as u64;
        let bits_per_key = 10f64.powf(2.5 * even(&mut state) - 1.0);
        let keys = (size_bits as f64 / bits_per_key) as u64 + 1;
        assert_eq!(
            best_hashes(size_bits, keys),
            exact_best(size_bits, keys).0,
            "{size_bits} bits, {keys} keys"
        );
    }
}

#[test]
fn the_size_is_that_of_the_exact_search() {
    check_sizes(SPECS);
}

#[test]
fn the_best_k_is_that_of_the_exact_search() {
    check_hashes(SPECS);
}

#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_sizes_are_those_of_the_exact_search() {
    check_sizes(MANY_SPECS);
    check_hashes(MANY_SPECS);
}
