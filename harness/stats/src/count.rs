//! Tail probabilities of counts.

use statrs::function::gamma::ln_gamma;

use super::normal::upper_tail;

/// From this variance on, a binomial distribution is replaced by a gamma distribution with the same
/// mean, variance and third cumulant, because adding up the binomial terms would take too long.
const MANY: f64 = 1e4;

/// The distribution that a count is compared with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CountLaw {
    /// The parameter is the mean.
    Poisson(f64),
    /// The number of trials, and the probability of success in each trial.
    Binomial(u64, f64),
    /// The gamma distribution with this mean, variance and third cumulant: nearly normal, with some
    /// skew.
    Skewed(f64, f64, f64),
}

/// The probabilities of the lower and the upper tail at a count. The count's own probability is
/// divided between them: the fraction `u` belongs to the lower tail. If `u` is drawn uniformly from
/// (0, 1), either tail is uniformly distributed although the count is discrete (a randomised
/// p-value; Lehmann and Romano, "Testing statistical hypotheses", section 3.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tails {
    pub lower: f64,
    pub upper: f64,
}

impl Tails {
    pub fn two_sided(self) -> f64 {
        (2.0 * self.lower.min(self.upper)).min(1.0)
    }
}

impl CountLaw {
    pub fn mean(self) -> f64 {
        match self {
            Self::Poisson(mean) | Self::Skewed(mean, _, _) => mean,
            Self::Binomial(trials, chance) => trials as f64 * chance,
        }
    }

    pub fn tails(self, count: f64, u: f64) -> Tails {
        match self {
            // A mean of 0 allows only the count 0. For example, a single key forms no pairs.
            Self::Poisson(mean) if mean <= 0.0 => certain(0.0, count, u),
            Self::Poisson(mean) => discrete(
                count,
                u,
                mean,
                |n| n * mean.ln() - mean - ln_gamma(n + 1.0),
                |n| mean / (n + 1.0),
            ),
            Self::Binomial(trials, chance) => {
                let (mean, missed) = (self.mean(), 1.0 - chance);
                let (variance, third) = (mean * missed, mean * missed * (missed - chance));
                if variance < MANY {
                    return binomial(trials as f64, chance, count, u);
                }
                let law = Self::Skewed(mean, variance, third);
                law.tails(count, u)
            }
            Self::Skewed(mean, variance, third) => {
                // The continuity correction: a count stands for the interval of length 1 around it,
                // and `u` is the place within this interval.
                let x = count + u - 0.5;
                skewed((x - mean) / variance.sqrt(), third / variance.powf(1.5))
            }
        }
    }

    /// The two-sided p-value without randomisation. It is conservative: no choice of `u` makes the
    /// randomised p-value larger.
    pub fn two_sided(self, count: f64) -> f64 {
        let tail = self
            .tails(count, 1.0)
            .lower
            .min(self.tails(count, 0.0).upper);
        (2.0 * tail).min(1.0)
    }
}

/// The tails of a distribution in which only the count `sure` is possible.
fn certain(sure: f64, count: f64, u: f64) -> Tails {
    let (below, above) = (f64::from(count > sure), f64::from(count < sure));
    let own = f64::from(count == sure);
    Tails {
        lower: below + u * own,
        upper: above + (1.0 - u) * own,
    }
}

fn binomial(trials: f64, chance: f64, count: f64, u: f64) -> Tails {
    if chance <= 0.0 || chance >= 1.0 {
        let sure = if chance <= 0.0 { 0.0 } else { trials };
        return certain(sure, count, u);
    }
    let odds = chance / (1.0 - chance);
    discrete(
        count,
        u,
        trials * chance,
        |n| {
            ln_gamma(trials + 1.0) - ln_gamma(n + 1.0) - ln_gamma(trials - n + 1.0)
                + n * chance.ln()
                + (trials - n) * (-chance).ln_1p()
        },
        |n| odds * (trials - n) / (n + 1.0),
    )
}

/// The tails of a discrete distribution. Only the tail that leads from the count away from the mean
/// is summed, because its terms decrease fast. The other tail is 1 minus this sum. `ratio(n)` is
/// P(n + 1) / P(n).
fn discrete(
    count: f64,
    u: f64,
    mean: f64,
    log_chance: impl Fn(f64) -> f64,
    ratio: impl Fn(f64) -> f64,
) -> Tails {
    let own = log_chance(count).exp();
    if count >= mean {
        let beyond = sum(own, |n| ratio(count + n));
        let upper = beyond + (1.0 - u) * own;
        Tails {
            lower: (1.0 - upper).max(0.0),
            upper,
        }
    } else {
        // There is no term for counts below 0.
        let beyond = sum(own, |n| {
            let at = count - n;
            if at > 0.0 { 1.0 / ratio(at - 1.0) } else { 0.0 }
        });
        let lower = beyond + u * own;
        Tails {
            lower,
            upper: (1.0 - lower).max(0.0),
        }
    }
}

/// The sum first r(0) + first r(0) r(1) + first r(0) r(1) r(2) + …, where r is `ratio`.
fn sum(first: f64, ratio: impl Fn(f64) -> f64) -> f64 {
    let (mut term, mut total, mut n) = (first, 0.0, 0.0);
    loop {
        term *= ratio(n);
        total += term;
        n += 1.0;
        if term <= 1e-17 * total || term == 0.0 {
            return total;
        }
    }
}

/// The tails of a gamma distribution with this skewness, at the z-score `z`. The cube root of a
/// gamma variable is nearly normal (Wilson and Hilferty 1931).
fn skewed(z: f64, skew: f64) -> Tails {
    let normal = if skew.abs() < 1e-6 {
        z
    } else {
        let shape = 4.0 / (skew * skew);
        let scaled = (1.0 + z * skew / 2.0).max(0.0).cbrt();
        skew.signum() * 3.0 * shape.sqrt() * (scaled - 1.0 + 1.0 / (9.0 * shape))
    };
    Tails {
        lower: upper_tail(-normal),
        upper: upper_tail(normal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_nothing_is_expected_none_is_certain() {
        for law in [CountLaw::Poisson(0.0), CountLaw::Binomial(9, 0.0)] {
            let none = law.tails(0.0, 0.25);
            assert_eq!((none.lower, none.upper), (0.25, 0.75));
            let one = law.tails(1.0, 0.25);
            assert_eq!((one.lower, one.upper), (1.0, 0.0));
        }
    }

    fn close(got: f64, want: f64) {
        assert!((got / want - 1.0).abs() < 1e-6, "{got} {want}");
    }

    /// The expected values are from R's functions ppois and pbinom.
    #[test]
    fn tails_of_known_laws() {
        let poisson = CountLaw::Poisson(5.0);
        close(poisson.tails(11.0, 0.0).upper, 0.013_695_268_6);
        close(poisson.tails(1.0, 1.0).lower, 0.040_427_681_99);
        close(poisson.tails(0.0, 1.0).lower, (-5.0_f64).exp());
        let few = CountLaw::Poisson(0.11);
        close(few.tails(0.0, 1.0).lower, (-0.11_f64).exp());
        let binomial = CountLaw::Binomial(10, 0.3);
        close(binomial.tails(6.0, 0.0).upper, 0.047_348_987_4);
        close(binomial.tails(1.0, 1.0).lower, 0.149_308_345_9);
        close(binomial.tails(10.0, 0.0).upper, 0.3_f64.powi(10));
    }

    #[test]
    fn what_cannot_be_is_seen_at_once() {
        let never = CountLaw::Binomial(100, 0.0);
        assert_eq!(never.tails(1.0, 0.5).two_sided(), 0.0);
        assert_eq!(never.tails(0.0, 0.5).two_sided(), 1.0);
    }

    #[test]
    fn large_laws_agree_with_the_skewed_one() {
        let mean = 10_667.0;
        let poisson = CountLaw::Poisson(mean);
        let skewed = CountLaw::Skewed(mean, mean, mean);
        for count in [10_000.0, 10_400.0, 10_667.0, 11_000.0, 11_300.0] {
            let (a, b) = (poisson.tails(count, 0.5), skewed.tails(count, 0.5));
            assert!((a.lower.min(a.upper) / b.lower.min(b.upper) - 1.0).abs() < 0.01);
        }
        assert!(poisson.tails(11_932.0, 0.5).two_sided() < 1e-30);
    }

    /// Compares p-values for variances just below and just above `MANY`, where the method changes.
    #[test]
    fn many_terms_and_their_law_agree() {
        let (few, many) = (9_000_000_u64, 9_010_000_u64);
        for z in [-6.0, -3.0, 0.5, 4.0, 6.0] {
            let p = [few, many].map(|trials| {
                let chance = 0.001_112;
                let law = CountLaw::Binomial(trials, chance);
                let mean = law.mean();
                let count = (mean + z * (mean * (1.0 - chance)).sqrt()).round();
                let sd = (count - mean) / (mean * (1.0 - chance)).sqrt();
                law.tails(count, 0.5).two_sided() / (2.0 * upper_tail(sd.abs()))
            });
            assert!((p[0] / p[1] - 1.0).abs() < 0.01, "{z}: {p:?}");
        }
    }

    #[test]
    fn tails_split_the_whole() {
        for law in [
            CountLaw::Poisson(3.0),
            CountLaw::Binomial(50, 0.1),
            CountLaw::Skewed(5.0, 4.0, 1.0),
        ] {
            for count in [0.0, 2.0, 5.0, 9.0] {
                let tails = law.tails(count, 0.3);
                assert!((tails.lower + tails.upper - 1.0).abs() < 1e-9, "{law:?}");
            }
        }
    }

    /// For low rates, compares the table with the smallest significant number of hits, and with the
    /// probability of reaching it when the true rate is twice as high.
    #[test]
    fn too_many_hits_of_a_low_rate_are_the_reference_s() {
        let table = include_str!("../../data/reference/gate_power.csv");
        let mut rows = 0;
        for line in table.lines().skip(1) {
            let cell: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
            let [p, ratio, alpha, power, _, probes, fail_from] = cell[..] else {
                panic!("{line}")
            };
            // The table uses the Poisson distribution, which is accurate only for low rates.
            if ratio != 2.0 || p > 1e-4 {
                continue;
            }
            rows += 1;
            let law = |chance| CountLaw::Binomial(probes as u64, chance);
            let upper = |count| law(p).tails(count, 0.0).upper;
            assert!(
                upper(fail_from) <= alpha && upper(fail_from - 1.0) > alpha,
                "{line}"
            );
            let got = law(2.0 * p).tails(fail_from, 0.0).upper;
            assert!((power - 1e-3..power + 0.05).contains(&got), "{line}: {got}");
        }
        assert_eq!(rows, 10);
    }

    #[test]
    fn both_sides_and_no_coin() {
        let law = CountLaw::Poisson(5.0);
        close(law.two_sided(11.0), 2.0 * 0.013_695_268_6);
        close(law.two_sided(1.0), 2.0 * 0.040_427_681_99);
        assert_eq!(law.two_sided(5.0), 1.0);
    }
}
