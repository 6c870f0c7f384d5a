//! Confidence intervals of a proportion.

use super::CountLaw;

/// The relative precision of the ends of an interval.
const EXACT: f64 = 1e-8;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The confidence interval of a proportion after `hits` hits in `trials` trials (Clopper and
/// Pearson 1934). If there are no hits, or only hits, the interval is one-sided: the whole error
/// probability is used for the end that is not 0 or 1.
///
/// With no hits, the upper end is about 3 / `trials` at 95 %; with no trials, the interval is (0,
/// 1).
pub fn proportion(hits: u64, trials: u64, confidence: f64) -> Interval {
    if trials == 0 {
        return Interval::new(0.0, 1.0);
    }
    let alpha = 1.0 - confidence;
    let (hit, miss) = (hits as f64, trials.saturating_sub(hits) as f64);
    if hits == 0 {
        return Interval::new(0.0, -(alpha.ln() / miss).exp_m1());
    }
    if miss == 0.0 {
        return Interval::new((alpha.ln() / hit).exp(), 1.0);
    }
    let at = |chance| CountLaw::Binomial(trials, chance);
    let share = hit / trials as f64;
    let low = halving(0.0, share, EXACT, |chance| {
        at(chance).tails(hit, 0.0).upper >= alpha / 2.0
    });
    let high = halving(share, 1.0, EXACT, |chance| {
        at(chance).tails(hit, 1.0).lower <= alpha / 2.0
    });
    Interval::new(low, high)
}

/// The smallest number in `low..high` for which `holds` is true, with the relative precision
/// `part`. `holds` must be false at `low`, and true from some number up to `high`.
pub(super) fn halving(mut low: f64, mut high: f64, part: f64, holds: impl Fn(f64) -> bool) -> f64 {
    while high - low > part * high {
        let middle = (low + high) / 2.0;
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table gives the number of trials for which the interval has a certain relative
    /// half-width.
    #[test]
    fn half_widths_agree_with_the_reference() {
        let table = include_str!("../../data/sample_size.csv");
        let mut seen = 0;
        for line in table.lines().skip(1) {
            let cell: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
            let (p, relative, confidence) = (cell[0], cell[1], cell[2]);
            let trials = cell[5];
            let hits = (p * trials).round();
            let half = proportion(hits as u64, trials as u64, confidence).half_width();
            assert!((half / (p * relative) - 1.0).abs() < 1e-2, "{line}: {half}");
            seen += 1;
        }
        assert!(seen > 40);
    }

    #[test]
    fn few_hits_are_exact() {
        // From R: binom.test(3, 100)$conf.int
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
        // For rare hits, the exact interval is that of a Poisson mean: 2.8144 to 14.4227 for 7
        // hits.
        let got = proportion(7, 1_000_000_000, 0.95);
        assert!((got.low * 1e9 - 2.8144).abs() < 1e-3, "{got:?}");
        assert!((got.high * 1e9 - 14.4227).abs() < 1e-3, "{got:?}");
    }
}
