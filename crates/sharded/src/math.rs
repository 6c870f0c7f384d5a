//! The effect on the FPR of the random distribution of keys over shards.

/// Up to this number of keys per shard the mean is computed as a weighted sum over loads (numbers
/// of keys in a shard).
const WEIGHED: u64 = 1 << 16;

/// The relative weight of the terms that are left out of the sum. An FPR is at most 1, so the sum
/// above the mode continues until the weights are this small relative to the sum, which is far from
/// the mode if the target is low. Terms below the mode add less than the mode itself.
const NOTHING: f64 = 1e-17;

/// The mean of `fpr(load)` (at most 1) over the number of keys in a shard, if `keys` keys are
/// distributed at random over `shards` shards (0 is treated as 1): Binomial(keys, 1/shards).
///
/// A non-member falls into a random shard as well, so if `fpr` is the FPR of a shard, the result is
/// the FPR of the sharded filter. It is higher than with equal loads, because the FPR is a convex
/// function of the load: for a classic filter with a fill ratio of one half by about 0.24 k (k - 2)
/// shards/keys (relative).
///
/// With more than 2^16 keys per shard the mean is computed from three points, at the mean load and
/// sqrt(3) standard deviations on either side (Gauss-Hermite), with an error of at most 1e-8.
///
/// # Cost
///
/// About forty evaluations of `fpr`, or a few hundred for small loads.
pub fn mean_over_loads(keys: u64, shards: u32, mut fpr: impl FnMut(u64) -> f64) -> f64 {
    let shards = u64::from(shards.max(1));
    if shards == 1 {
        return fpr(keys);
    }
    // Uses only multiplication, division and square root, so that the result has the same bits on
    // every machine.
    let mean = keys as f64 / shards as f64;
    let deviation = (mean * (1.0 - 1.0 / shards as f64)).sqrt();
    if keys / shards > WEIGHED {
        return three_points(mean, deviation, fpr);
    }
    // A sum of a smooth function over every s-th load is as exact as the sum over all loads: with
    // steps of half a standard deviation of a normal distribution the error is exp(-8 pi^2).
    let stride = ((deviation / 2.0) as u64).max(1);
    let mode = ((u128::from(keys) + 1) / u128::from(shards)) as u64;
    let others = (shards - 1) as f64;
    let (mut sum, mut weights) = (fpr(mode), 1.0);
    let (mut load, mut weight) = (mode, 1.0);
    while load < keys && weight > NOTHING * sum {
        weight *= (keys - load) as f64 / ((load + 1) as f64 * others);
        load += 1;
        if (load - mode).is_multiple_of(stride) {
            sum += weight * fpr(load);
            weights += weight;
        }
    }
    let (mut load, mut weight) = (mode, 1.0);
    while load > 0 && weight > NOTHING {
        weight *= load as f64 * others / (keys - load + 1) as f64;
        load -= 1;
        if (mode - load).is_multiple_of(stride) {
            sum += weight * fpr(load);
            weights += weight;
        }
    }
    sum / weights
}

/// The mean of `fpr` from its values at three whole loads: near the mean and at a distance on
/// either side. The weights are chosen so that mean and variance are exact; at this distance the
/// fourth moment is that of a normal distribution.
fn three_points(mean: f64, deviation: f64, mut fpr: impl FnMut(u64) -> f64) -> f64 {
    let middle = mean.round();
    let distance = (3f64.sqrt() * deviation).round();
    let shift = (mean - middle) / distance;
    let spread = (deviation / distance).powi(2) + shift * shift;
    let (below, above) = ((spread - shift) / 2.0, (spread + shift) / 2.0);
    below * fpr((middle - distance) as u64)
        + (1.0 - spread) * fpr(middle as u64)
        + above * fpr((middle + distance) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouquet_core::math::{expected_fill, expected_fpr, fpr_given_fill};

    #[test]
    fn reference_rows_match() {
        let mut rows = 0;
        for line in include_str!("../tests/data/sharded_fpr.csv")
            .lines()
            .skip(1)
        {
            let cell: Vec<&str> = line.split(',').collect();
            let number = |i: usize| -> f64 { cell[i].parse().unwrap() };
            let (k, shards, mean, m) = (number(1) as u32, number(3), number(4), number(5) as u64);
            let close = |got: f64, want: f64, what: &str| {
                assert!(
                    (got / want - 1.0).abs() < 2e-6,
                    "{what} {line}: {got} {want}"
                );
            };
            // The reference values use the FPR of a shard at its mean fill ratio.
            let fpr = |load| {
                let throws = f64::from(k) * load as f64;
                fpr_given_fill(expected_fill(m, throws), k)
            };
            close(fpr(mean as u64), number(6), "balanced");
            let keys = (shards * mean) as u64;
            close(
                mean_over_loads(keys, shards as u32, fpr),
                number(7),
                "sharded",
            );
            rows += 1;
        }
        assert_eq!(rows, 80);
    }

    #[test]
    fn moments_of_the_binomial() {
        for (keys, shards) in [
            (1, 2),
            (7, 3),
            (10, 64),
            (1_000, 2),
            (300_000, 5),
            (1 << 30, 7),
        ] {
            let (n, q) = (keys as f64, 1.0 / f64::from(shards));
            let mean_of =
                |of: &dyn Fn(f64) -> f64| mean_over_loads(keys, shards, |load| of(load as f64));
            let close = |got: f64, want: f64, what: &str| {
                let off = (got / want - 1.0).abs();
                assert!(off < 1e-9, "{what} of {keys} in {shards}: {got} {want}");
            };
            close(mean_of(&|_| 1.0), 1.0, "weight");
            close(mean_of(&|load| load), n * q, "mean");
            let variance = mean_of(&|load| (load - n * q).powi(2));
            close(variance, n * q * (1.0 - q), "variance");
        }
    }

    #[test]
    fn the_two_ways_meet() {
        let fpr = |load| expected_fpr(10 << 16, 7, load);
        let weighed = mean_over_loads((WEIGHED * 64) + 63, 64, fpr);
        let points = mean_over_loads((WEIGHED + 1) * 64, 64, fpr);
        let step = fpr(WEIGHED + 1) / fpr(WEIGHED);
        assert!(
            (points / weighed / step - 1.0).abs() < 1e-4,
            "{weighed} {points}"
        );
    }

    #[test]
    fn edges() {
        assert_eq!(mean_over_loads(9, 1, |load| load as f64), 9.0);
        assert_eq!(mean_over_loads(9, 0, |load| load as f64), 9.0);
        assert_eq!(mean_over_loads(0, 64, |load| load as f64), 0.0);
        assert_eq!(mean_over_loads(u64::MAX, u32::MAX, |_| 1.0), 1.0);
        // One key in two shards: each shard has 0 or 1 key.
        assert_eq!(mean_over_loads(1, 2, |load| load as f64), 0.5);
    }
}
