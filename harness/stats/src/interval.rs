//! Intervals of a share.

use statrs::distribution::{Beta, ContinuousCDF};

use super::z_two_sided;

/// Under so many hits (or misses) the normal approximation is not trusted.
const FEW: u64 = 20;

/// A confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    /// From the one end to the other.
    pub const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// Around a share, and no wider than shares are.
    pub fn of_share(middle: f64, half_width: f64) -> Self {
        Self::new(
            (middle - half_width).max(0.0),
            (middle + half_width).min(1.0),
        )
    }

    /// The smallest interval that holds both.
    pub fn hull(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// Half its width.
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The interval of a share of which `hits` of `trials` were seen: Wilson's,
/// or Clopper and Pearson's under 20 hits or misses.
///
/// No hits give the one-sided bound, about 3 / `trials` at 95 %; no trials
/// give (0, 1).
pub fn proportion(hits: u64, trials: u64, confidence: f64) -> Interval {
    if trials == 0 {
        return Interval::new(0.0, 1.0);
    }
    if hits.min(trials.saturating_sub(hits)) < FEW {
        clopper_pearson(hits.min(trials), trials, confidence)
    } else {
        wilson(hits as f64, trials as f64, confidence)
    }
}

/// Wilson 1927.
fn wilson(hits: f64, trials: f64, confidence: f64) -> Interval {
    let z = z_two_sided(confidence);
    let share = hits / trials;
    let shrink = 1.0 / (1.0 + z * z / trials);
    let middle = shrink * (share + z * z / (2.0 * trials));
    let half =
        shrink * z * (share * (1.0 - share) / trials + z * z / (4.0 * trials * trials)).sqrt();
    Interval::of_share(middle, half)
}

/// Clopper and Pearson 1934; at either end the whole alpha goes to the one
/// side that is open.
fn clopper_pearson(hits: u64, trials: u64, confidence: f64) -> Interval {
    let alpha = 1.0 - confidence;
    let (hit, miss) = (hits as f64, (trials - hits) as f64);
    if hits == 0 {
        return Interval::new(0.0, -(alpha.ln() / miss).exp_m1());
    }
    if hits == trials {
        return Interval::new((alpha.ln() / hit).exp(), 1.0);
    }
    Interval::new(
        beta_quantile(hit, miss + 1.0, alpha / 2.0),
        beta_quantile(hit + 1.0, miss, 1.0 - alpha / 2.0),
    )
}

/// Where the `i`-th smallest (from 1) of `n` uniform numbers lies with this
/// confidence.
pub fn order_statistic_band(i: usize, n: usize, confidence: f64) -> Interval {
    let (a, b) = (i as f64, (n + 1 - i) as f64);
    let alpha = 1.0 - confidence;
    Interval::new(
        beta_quantile(a, b, alpha / 2.0),
        beta_quantile(a, b, 1.0 - alpha / 2.0),
    )
}

/// By bisection on the cdf: the inverse of statrs does not return for large b.
fn beta_quantile(a: f64, b: f64, share: f64) -> f64 {
    let Ok(law) = Beta::new(a, b) else {
        return f64::NAN;
    };
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high || (high - low) < 1e-12 * high {
            return middle;
        }
        if law.cdf(middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference gives the trials that reach a relative half-width.
    #[test]
    fn half_widths_agree_with_the_reference() {
        let table = include_str!("../../data/sample_size.csv");
        let mut seen = 0;
        for line in table.lines().skip(1) {
            let cell: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
            let (p, relative, confidence) = (cell[0], cell[1], cell[2]);
            let half = wilson(p * cell[4], cell[4], confidence).half_width();
            assert!((half / (p * relative) - 1.0).abs() < 2e-3, "{line}: {half}");
            if cell[5] * p < 1e4 {
                let trials = cell[5];
                let hits = (p * trials).round();
                let half = clopper_pearson(hits as u64, trials as u64, confidence).half_width();
                assert!((half / (p * relative) - 1.0).abs() < 1e-2, "{line}: {half}");
            }
            seen += 1;
        }
        assert!(seen > 40);
    }

    #[test]
    fn few_hits_are_exact() {
        // R: binom.test(3, 100)$conf.int
        let got = proportion(3, 100, 0.95);
        assert!((got.low - 0.006_229_972).abs() < 1e-8, "{got:?}");
        assert!((got.high - 0.085_176_05).abs() < 1e-7, "{got:?}");
    }

    #[test]
    fn no_hit_gives_a_bound_and_never_zero() {
        let got = proportion(0, 10_000_000, 0.95);
        assert_eq!(got.low, 0.0);
        assert!((got.high / 3e-7 - 1.0).abs() < 2e-3, "{got:?}");
        let all = proportion(50, 50, 0.95);
        assert_eq!(all.high, 1.0);
        assert!((all.low - 0.05_f64.powf(1.0 / 50.0)).abs() < 1e-12);
        assert_eq!(
            proportion(0, 0, 0.95),
            Interval {
                low: 0.0,
                high: 1.0
            }
        );
    }

    #[test]
    fn huge_trials_return() {
        // For rare hits the exact interval is Poisson's: 7 hits give 2.8144 to 14.4227.
        let got = proportion(7, 1_000_000_000, 0.95);
        assert!((got.low * 1e9 - 2.8144).abs() < 1e-3, "{got:?}");
        assert!((got.high * 1e9 - 14.4227).abs() < 1e-3, "{got:?}");
    }

    #[test]
    fn the_middle_of_three_lies_around_a_half() {
        let band = order_statistic_band(2, 3, 0.95);
        assert!((band.low + band.high - 1.0).abs() < 1e-9);
        assert!((band.low - 0.094_299).abs() < 1e-5, "{band:?}");
    }
}
