//! Averages over groups of slots whose numbers of keys are random.

use super::Moments;

/// The sum over the numbers of keys in a group ends at terms below this fraction of the sum.
const NOTHING: f64 = 1e-20;
/// Numbers of keys that are more than this many standard deviations below the mean are left out.
const LOWEST: f64 = 12.0;
/// The highest degree of the polynomials in the number of keys; higher degrees matter too little.
const DEGREES: i32 = 4;
/// A polynomial with a smaller norm is treated as zero. This happens if a group has too few
/// possible numbers of keys.
const LEAST: f64 = 1e-20;

/// A possible number of keys in a group, its probability, and the mean and the variance of the
/// averaged quantity in a group with so many keys.
struct Load {
    keys: f64,
    chance: f64,
    mean: f64,
    variance: f64,
}

/// The mean of a quantity over `groups` groups (at least two) that have `keys` keys in total, and
/// the standard deviation of this mean. `of(load)` gives the mean and the variance of the quantity
/// in a group with `load` keys; it is called with increasing loads.
///
/// The load of a group is binomially distributed, and the loads of two groups are negatively
/// correlated. A polynomial in the load that is orthogonal to all polynomials of lower degree has
/// the correlation (-1 / (b - 1))^degree between two of b groups. The linear part therefore cancels
/// in the mean over all groups.
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

/// The numbers of keys in a group (loads) that matter, in ascending order. Each probability follows
/// from the previous one by the ratio of successive binomial probabilities. If there are many
/// loads, only every `stride`-th is used: the summed function is smooth, so the sum stays accurate.
fn loads(keys: u64, chance: f64, mut of: impl FnMut(u64) -> (f64, f64)) -> Vec<Load> {
    let (n, odds) = (keys as f64, chance / (1.0 - chance));
    let mean_load = n * chance;
    let deviation = mean_load.sqrt();
    let stride = ((deviation / 4.0) as u64).max(1);
    let first = (mean_load - LOWEST * deviation).max(0.0) as u64;
    let ratio = |load: u64| odds * (n - load as f64) / (load as f64 + 1.0);
    // Probabilities are relative to that of the mean load.
    let down = (first..mean_load as u64).map(|load| ratio(load).recip());
    let mut chance: f64 = down.product();
    let mut loads: Vec<Load> = Vec::new();
    let (mut all, mut sum) = (0.0, 0.0);
    for load in first..=keys {
        if (load - first).is_multiple_of(stride) {
            let (mean, variance) = of(load);
            all += chance;
            sum += chance * mean;
            loads.push(Load {
                keys: load as f64,
                chance,
                mean,
                variance,
            });
            // The averaged quantity is at most 1, so the terms left out are too small to matter.
            if load as f64 > mean_load && chance <= NOTHING * sum {
                break;
            }
        }
        chance *= ratio(load);
    }
    loads.iter_mut().for_each(|load| load.chance /= all);
    loads
}
