//! What a search costs, and how well one run shows it.

use bouquet_ground::record::AttackRow;
use bouquet_stats::{Interval, z_two_sided};

/// Keys hashed in a search, and those got by it.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Cost {
    pub trials: u64,
    pub found: u64,
    variance: f64,
}

impl Cost {
    /// That of keys which are computed, a trial each.
    pub fn computed(keys: u64) -> Self {
        Self {
            trials: keys,
            found: keys,
            variance: 0.0,
        }
    }

    /// Puts down what the keys of an attack have cost.
    pub fn put_into(self, row: &mut AttackRow) {
        row.trials = self.trials;
        row.keys_found = self.found;
        row.trials_sd = self.trials_sd();
    }

    /// A key was found after so many trials for it.
    ///
    /// The wait is geometric, whatever its chance, which changes as a filter
    /// fills. With t trials seen, t(t - 1)/2 has the variance of t as its mean.
    pub fn found_after(&mut self, trials: u64) {
        let waited = trials as f64;
        self.found += 1;
        self.variance += waited * (waited - 1.0) / 2.0;
    }

    /// The standard deviation of the sum of the waits, as the run shows it.
    pub fn trials_sd(&self) -> f64 {
        self.variance.sqrt()
    }
}

/// The interval of a cost that is above 0, from its standard deviation relative
/// to it: normal in its logarithm, for waits are skew.
pub fn cost_interval(cost: f64, relative_sd: f64, confidence: f64) -> Interval {
    let factor = (z_two_sided(confidence) * relative_sd).exp();
    Interval::new(cost / factor, cost * factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::mix;
    use bouquet_stats::proportion;

    /// Waits by inversion, their chance halved from one half to the other.
    fn search(seed: u64, finds: u64) -> (Cost, f64) {
        let mut cost = Cost::default();
        let mut expected = 0.0;
        for i in 0..finds {
            let chance: f64 = if i < finds / 2 { 0.02 } else { 0.01 };
            let uniform = ((mix(mix(seed) ^ i) >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
            let wait = (uniform.ln() / f64::ln_1p(-chance)).ceil() as u64;
            cost.trials += wait;
            cost.found_after(wait);
            expected += 1.0 / chance;
        }
        (cost, expected / finds as f64)
    }

    #[test]
    fn the_interval_covers_the_cost_as_often_as_it_says() {
        for finds in [32, 1_000] {
            let covers = |seed: &u64| {
                let (cost, expected) = search(*seed, finds);
                let mean = cost.trials as f64 / finds as f64;
                let sd = cost.trials_sd() / cost.trials as f64;
                let got = cost_interval(mean, sd, 0.95);
                got.low <= expected && expected <= got.high
            };
            let covered = (0..2_000).filter(covers).count() as u64;
            let seen = proportion(covered, 2_000, 0.9999);
            assert!(seen.high > 0.93 && seen.low < 0.965, "{finds}: {seen:?}");
        }
    }

    #[test]
    fn what_is_computed_has_no_spread() {
        let cost = Cost::computed(7);
        assert_eq!((cost.trials, cost.found, cost.trials_sd()), (7, 7, 0.0));
        let exact = cost_interval(1.0, 0.0, 0.95);
        assert_eq!((exact.low, exact.high), (1.0, 1.0));
    }
}
