//! Groups of slots that get as many keys as chance gives them.

use std::f64::consts::TAU;

use statrs::function::gamma::ln_gamma;

use super::{Moments, complex::Complex, exactly::exactly};

/// What is left out of a sum over loads, beside the sum.
const NOTHING: f64 = 1e-20;
/// Below the mean load by so many of its standard deviations there is nothing.
const LOWEST: f64 = 12.0;

/// A number of keys in a group, its chance where the number of keys is Poisson, and the
/// mean and variance of what is averaged in a group of so many.
struct Load {
    keys: f64,
    chance: f64,
    mean: f64,
    variance: f64,
}

/// The mean over `groups` groups of what a group with so many keys has with the mean and
/// the variance `of(load)`, `keys` keys in all; `of` is asked forever more keys.
///
/// Where the number of keys is Poisson, groups get theirs independently, so that the
/// variance of the mean over all is the variance of one by their number.
pub fn over_groups(keys: u64, groups: u64, of: impl FnMut(u64) -> (f64, f64)) -> Moments {
    let b = groups as f64;
    let mean_load = keys as f64 / b;
    let loads = loads(mean_load, of);
    let sums = |angle: f64| {
        // The chances of loads of mean_load e^(i angle), from those of mean_load.
        let shift = 2.0 * mean_load * (angle / 2.0).sin().powi(2);
        let (mut mean, mut square) = (Complex::real(0.0), Complex::real(0.0));
        for load in &loads {
            let phase = load.keys * angle - mean_load * angle.sin();
            let chance = Complex::new(shift, phase).exp() * load.chance;
            mean = mean + chance * load.mean;
            square = square + chance * (load.variance + load.mean * load.mean);
        }
        (mean, square)
    };
    let mean = exactly(keys, |angle| sums(angle).0);
    let variance = exactly(keys, |angle| {
        let (own, square) = sums(angle);
        let off = own - Complex::real(mean);
        (square - own * own) * (1.0 / b) + off * off
    });
    Moments::of_variance(mean, variance)
}

/// From so many on Stirling's series has all the digits.
const MANY: f64 = 16.0;

/// The logarithm of the chance of a number under Poisson's law. Of a large one by its
/// distance to the mean: the difference of logarithms of factorials has too few digits for
/// the sums above, which cancel.
fn log_poisson(mean: f64, number: f64) -> f64 {
    if number < MANY {
        return number * mean.ln() - mean - ln_gamma(number + 1.0);
    }
    let off = (mean - number) / number;
    let square = 1.0 / (number * number);
    let rest = 1.0 - square * 2.0 / 7.0 * (1.0 - square * 0.75);
    let series = (1.0 - square / 30.0 * rest) / (12.0 * number);
    number * (off.ln_1p() - off) - 0.5 * (TAU * number).ln() - series
}

/// The loads that count. Of many every so-manieth: a smooth sum is as exact.
fn loads(mean_load: f64, mut of: impl FnMut(u64) -> (f64, f64)) -> Vec<Load> {
    let deviation = mean_load.sqrt();
    let stride = ((deviation / 4.0) as u64).max(1);
    let mut at = (mean_load - LOWEST * deviation).max(0.0) as u64;
    let mut loads: Vec<Load> = Vec::new();
    let mut sum = 0.0;
    loop {
        let keys = at as f64;
        let chance = log_poisson(mean_load, keys).exp();
        let (mean, variance) = of(at);
        sum += chance * mean;
        loads.push(Load {
            keys,
            chance,
            mean,
            variance,
        });
        // What is averaged is at most 1.
        if keys > mean_load && chance <= NOTHING * sum {
            break;
        }
        at += stride;
    }
    let all: f64 = loads.iter().map(|load| load.chance).sum();
    loads.iter_mut().for_each(|load| load.chance /= all);
    loads
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_of_few_and_of_many() {
        for mean in [0.5, 10.0, 16.0, 40.0] {
            // Either way at the border, and one after the other.
            for number in [15.0, 16.0, 17.0, 50.0] {
                let step = log_poisson(mean, number) - log_poisson(mean, number - 1.0);
                assert!(
                    (step - f64::ln(mean / number)).abs() < 1e-12,
                    "{mean} {number}"
                );
            }
        }
        let sum = |mean: f64| {
            (0..5_000_u32)
                .map(|n| log_poisson(mean, n.into()).exp())
                .sum()
        };
        for mean in [0.1, 3.0, 2_000.0] {
            let sum: f64 = sum(mean);
            assert!((sum - 1.0).abs() < 1e-12, "{mean}: {sum}");
        }
    }
}
