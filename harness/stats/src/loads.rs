//! Groups of slots, blocks or shards, that get as many keys as chance gives
//! them.

/// The mean over the loads of a group: `mean_over_loads` of the sharded filter's
/// crate, of keys, groups and what is averaged.
pub type MeanOverLoads = fn(u64, u32, &dyn Fn(u64) -> f64) -> f64;

/// The standard deviation of the FPR of a whole filter over its mean: of the
/// mean over `groups` groups, one with `load` keys having the FPR `fpr(load)`
/// and, of its own, the relative deviation `spread(load)`. To first order.
///
/// # Method
///
/// The variance of one group is that of its bits plus that of its load. Loads
/// are multinomial: where one group has a key more another has one less, so what
/// is linear in the load drops out of the mean. With c the covariance of load and
/// FPR and v the variance of the load, c^2/v of the variance is linear.
pub fn relative_spread(
    mean_over_loads: MeanOverLoads,
    keys: u64,
    groups: u32,
    fpr: impl Fn(u64) -> f64,
    spread: impl Fn(u64) -> f64,
) -> f64 {
    let (n, b) = (keys as f64, f64::from(groups));
    let mean = mean_over_loads(keys, groups, &fpr);
    if mean <= 0.0 {
        return 0.0;
    }
    let square = mean_over_loads(keys, groups, &|load| {
        let (fpr, spread) = (fpr(load), spread(load));
        // At most 1, as the mean over loads needs it.
        (fpr * fpr * (1.0 + spread * spread)).min(1.0)
    });
    let share = mean_over_loads(keys, groups, &|load| load as f64 / n * fpr(load));
    let covariance = n * share - n / b * mean;
    let load_variance = n / b * (1.0 - 1.0 / b);
    let linear = if load_variance > 0.0 {
        covariance * covariance / load_variance
    } else {
        0.0
    };
    ((square - mean * mean - linear).max(0.0) / b).sqrt() / mean
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weighed load by load.
    fn binomial(keys: u64, groups: u32, of: &dyn Fn(u64) -> f64) -> f64 {
        let (n, chance) = (keys as f64, 1.0 / f64::from(groups));
        if groups == 1 {
            return of(keys);
        }
        let (mut weight, mut sum) = ((n * (-chance).ln_1p()).exp(), 0.0);
        for load in 0..=keys {
            sum += weight * of(load);
            weight *= (n - load as f64) / (load as f64 + 1.0) * chance / (1.0 - chance);
        }
        sum
    }

    #[test]
    fn what_is_linear_in_the_load_does_not_show() {
        let linear = relative_spread(binomial, 6_400, 64, |load| load as f64 * 1e-4, |_| 0.0);
        assert!(linear < 1e-6, "{linear}");
        let bits = relative_spread(binomial, 6_400, 64, |_| 0.01, |_| 0.2);
        assert!((bits - 0.2 / 8.0).abs() < 1e-9, "{bits}");
        // A square of a load of mean 100 and variance 100 (1 - 1/64): what is left
        // is 2 v^2 + v in units of the load's fourth power.
        let square = relative_spread(
            binomial,
            6_400,
            64,
            |load| (load as f64 / 1e4).powi(2),
            |_| 0.0,
        );
        let v: f64 = 100.0 * (1.0 - 1.0 / 64.0);
        let want = (2.0 * v * v / 64.0).sqrt() / (1e4 + v);
        assert!((square / want - 1.0).abs() < 0.03, "{square} {want}");
    }

    #[test]
    fn one_group_has_its_own() {
        let own = relative_spread(binomial, 100, 1, |_| 0.01, |_| 0.25);
        assert!((own - 0.25).abs() < 1e-12, "{own}");
        assert_eq!(relative_spread(binomial, 100, 8, |_| 0.0, |_| 0.25), 0.0);
    }
}
