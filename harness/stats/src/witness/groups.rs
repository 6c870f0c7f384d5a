//! Groups of slots that get as many keys as chance gives them.

use std::f64::consts::TAU;

use statrs::function::gamma::ln_gamma;

use super::Moments;

/// What is left out of a sum over loads, beside the sum.
const NOTHING: f64 = 1e-20;
/// Below the mean load by so many of its standard deviations there is nothing.
const LOWEST: f64 = 12.0;
/// The highest degree of polynomials in the load; beyond it nothing is left.
const DEGREES: i32 = 4;
/// A polynomial is none where so few loads are possible that it has no room.
const LEAST: f64 = 1e-20;

/// A number of keys in a group, its chance, and the mean and variance of what is averaged in a
/// group of so many.
struct Load {
    keys: f64,
    chance: f64,
    mean: f64,
    variance: f64,
}

/// The mean over `groups` groups, two or more, of what a group with so many keys has with the
/// mean and the variance `of(load)`, `keys` keys in all; `of` is asked for ever more keys.
///
/// A group's load is binomial, and two groups' loads go against each other: a polynomial in the
/// load of this degree that is orthogonal to all lower ones has the correlation (-1 / (b - 1))^degree
/// between two of b groups. A straight line so cancels in the mean over all.
pub fn over_groups(keys: u64, groups: u64, of: impl FnMut(u64) -> (f64, f64)) -> Moments {
    let b = groups as f64;
    let loads = loads(keys, 1.0 / b, of);
    let average = |of: &dyn Fn(usize, &Load) -> f64| -> f64 {
        let each = loads.iter().enumerate();
        each.map(|(at, load)| load.chance * of(at, load)).sum()
    };
    let mean = average(&|_, load| load.mean);
    let mut variance = average(&|_, load| load.variance) / b;
    let mean_load = average(&|_, load| load.keys);
    let deviation = average(&|_, load| (load.keys - mean_load).powi(2)).sqrt();
    let scaled = |load: &Load| (load.keys - mean_load) / deviation.max(f64::MIN_POSITIVE);
    let mut rest: Vec<f64> = loads.iter().map(|load| load.mean - mean).collect();
    let (mut before, mut own) = (vec![0.0; loads.len()], vec![1.0; loads.len()]);
    let mut size_before = 1.0;
    for degree in 1..=DEGREES {
        let size = average(&|at, _| own[at] * own[at]);
        let middle = average(&|at, load| scaled(load) * own[at] * own[at]) / size;
        let next =
            |at: usize| (scaled(&loads[at]) - middle) * own[at] - size / size_before * before[at];
        let next: Vec<f64> = (0..loads.len()).map(next).collect();
        (before, own, size_before) = (own, next, size);
        let size = average(&|at, _| own[at] * own[at]);
        if size < LEAST {
            break;
        }
        let part = average(&|at, _| own[at] * rest[at]) / size;
        for (rest, own) in rest.iter_mut().zip(&own) {
            *rest -= part * own;
        }
        if degree > 1 {
            let between = (b - 1.0) * (-1.0 / (b - 1.0)).powi(degree);
            variance += part * part * size * (1.0 + between) / b;
        }
    }
    variance += average(&|at, _| rest[at] * rest[at]) / b;
    Moments::of_variance(mean, variance)
}

/// From so many on Stirling's series has all the digits,
const STIRLING: f64 = 16.0;
/// and the shorter one of a quotient of factorials.
const MANY: f64 = 1_000.0;

/// The logarithm of the chance of a number of keys out of all, each of which comes with this
/// chance, but for a term that all numbers share.
fn log_binomial(all: f64, chance: f64, number: f64) -> f64 {
    // Poisson's law, and what drawing from so few takes from it.
    let mean = all * chance;
    let fewer = if number < MANY {
        (0..number as u64)
            .map(|i| (-(i as f64) / all).ln_1p())
            .sum()
    } else {
        let rest = all - number;
        let series = (all.recip() - rest.recip()) / 12.0;
        -(rest + 0.5) * (-number / all).ln_1p() - number + series
    };
    log_poisson(mean, number) + fewer - number * (-chance).ln_1p()
}

/// The logarithm of the chance of a number under Poisson's law. Of a large one by its
/// distance to the mean: the difference of logarithms of factorials has too few digits.
fn log_poisson(mean: f64, number: f64) -> f64 {
    if number < STIRLING {
        return number * mean.ln() - mean - ln_gamma(number + 1.0);
    }
    let off = (mean - number) / number;
    let square = 1.0 / (number * number);
    let rest = 1.0 - square * 2.0 / 7.0 * (1.0 - square * 0.75);
    let series = (1.0 - square / 30.0 * rest) / (12.0 * number);
    number * (off.ln_1p() - off) - 0.5 * (TAU * number).ln() - series
}

/// The loads that count. Of many every so-manieth: a smooth sum is as exact.
fn loads(keys: u64, chance: f64, mut of: impl FnMut(u64) -> (f64, f64)) -> Vec<Load> {
    let mean_load = keys as f64 * chance;
    let deviation = mean_load.sqrt();
    let stride = ((deviation / 4.0) as u64).max(1);
    let mut at = (mean_load - LOWEST * deviation).max(0.0) as u64;
    let middle = log_binomial(keys as f64, chance, mean_load.floor());
    let mut loads: Vec<Load> = Vec::new();
    let mut sum = 0.0;
    while at <= keys {
        let load = at as f64;
        let chance = (log_binomial(keys as f64, chance, load) - middle).exp();
        let (mean, variance) = of(at);
        sum += chance * mean;
        loads.push(Load {
            keys: load,
            chance,
            mean,
            variance,
        });
        // What is averaged is at most 1.
        if load > mean_load && chance <= NOTHING * sum {
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
