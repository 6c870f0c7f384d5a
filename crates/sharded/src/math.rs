//! What random loads of the shards do to the FPR.

/// Up to this many keys per shard the loads are weighed one by one.
const WEIGHED: u64 = 1 << 16;

/// What is left out, relative to what is summed. An FPR is at most 1, so the
/// loads above the mode go on until they weigh this little beside the sum, far
/// out at a low target; those below add less than the mode does.
const NOTHING: f64 = 1e-17;

/// The mean of `fpr(load)`, at most 1, over the loads of a shard, when `keys` keys fall into
/// `shards` shards (0 counts as 1) at random: Binomial(keys, 1/shards).
///
/// A non-member falls into a shard likewise, so with the FPR of a shard for `fpr`
/// this is the FPR of the sharded filter. It is above that of equal loads, for
/// the FPR rises ever more steeply with the load: for a classic filter at half
/// fill by about 0.24 k (k - 2) shards/keys, relative.
///
/// Above 2^16 keys per shard by three points, at the mean and sqrt(3) standard
/// deviations beside it (Gauss-Hermite), which is right to 1e-8 there.
///
/// # Cost
///
/// Some forty evaluations of `fpr`, a few hundred of small loads.
pub fn mean_over_loads(keys: u64, shards: u32, mut fpr: impl FnMut(u64) -> f64) -> f64 {
    let shards = u64::from(shards.max(1));
    if shards == 1 {
        return fpr(keys);
    }
    // Only multiplication, division and square root, so that it gives the same
    // bits on every machine.
    let mean = keys as f64 / shards as f64;
    let deviation = (mean * (1.0 - 1.0 / shards as f64)).sqrt();
    if keys / shards > WEIGHED {
        return three_points(mean, deviation, fpr);
    }
    // A smooth sum is as exact over every s-th load as over all: over steps of half a standard
    // deviation to exp(-8 pi^2), of a normal distribution.
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

/// The mean of `fpr` from its values at the mean load and beside it, in whole
/// loads: weighed such that mean and variance are exact, at a distance at which
/// the fourth moment is that of a normal distribution.
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
            // The reference takes the FPR of a shard at its mean fill.
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
        // One key in one of two shards.
        assert_eq!(mean_over_loads(1, 2, |load| load as f64), 0.5);
    }
}
