//! Is it near enough? Two one-sided tests.

use super::{Interval, normal::upper_tail, z_two_sided};

/// Holds an interval against the band `theory` * (1 ± `delta`): whether it lies in it,
/// or `None` if the sample is too small to tell.
///
/// `inside` is the interval that must lie in the band to pass; `outside`,
/// usually the wider one, must lie out of it to fail. With many checks the
/// second has to be taken at the family's level: at 95 % one in forty rare
/// rates of a clean run lies wholly outside by chance.
pub fn equivalence(inside: Interval, outside: Interval, theory: f64, delta: f64) -> Option<bool> {
    let (low, high) = (theory * (1.0 - delta), theory * (1.0 + delta));
    if inside.low >= low && inside.high <= high {
        Some(true)
    } else if outside.low > high || outside.high < low {
        Some(false)
    } else {
        None
    }
}

/// The chance that [`equivalence`] passes if theory is right, by the normal
/// approximation: `standard_error` is that of the estimate.
pub fn power(theory: f64, delta: f64, standard_error: f64, confidence: f64) -> f64 {
    if standard_error <= 0.0 {
        return 1.0;
    }
    let room = theory * delta / standard_error - z_two_sided(confidence);
    (1.0 - 2.0 * upper_tail(room)).max(0.0)
}

#[cfg(test)]
mod tests {
    use statrs::distribution::{Binomial, DiscreteCDF};

    use super::*;
    use crate::proportion;

    fn judge(hits: u64, trials: u64) -> Option<bool> {
        let at = |confidence| proportion(hits, trials, confidence);
        equivalence(at(0.95), at(0.9999), 0.01, 0.1)
    }

    #[test]
    fn three_verdicts() {
        assert_eq!(judge(10_000, 1_000_000), Some(true));
        assert_eq!(judge(12_000, 1_000_000), Some(false));
        assert_eq!(judge(8_000, 1_000_000), Some(false));
        assert_eq!(judge(10, 1_000), None);
        assert_eq!(judge(11_000, 1_000_000), None);
        assert_eq!(judge(0, 100), None);
    }

    /// The reference's sample for ±10 % at 95 % leaves no room to pass; at
    /// half that width the chance is what the exact binomial law gives.
    #[test]
    fn power_agrees_with_the_exact_law() {
        let (p, delta): (f64, f64) = (0.01, 0.1);
        let error = |trials: u64| (p * (1.0 - p) / trials as f64).sqrt();
        assert!(power(p, delta, error(38_031), 0.95) < 1e-3);
        for trials in [80_000_u64, 152_212, 400_000] {
            let passes = |hits: &u64| judge(*hits, trials) == Some(true);
            let mean = (p * trials as f64) as u64;
            let low = (mean / 2..mean).find(passes).unwrap();
            let high = (mean..2 * mean).rev().find(passes).unwrap();
            let law = Binomial::new(p, trials).unwrap();
            let exact = law.cdf(high) - law.cdf(low - 1);
            let approximate = power(p, delta, error(trials), 0.95);
            assert!(
                (exact - approximate).abs() < 0.02,
                "{trials}: {exact} {approximate}"
            );
        }
    }
}
