//! T7 counts the pairs of keys that have the same locations, in any order. Only too many pairs are
//! a fault. With one probe, it counts pairs of keys with the same slot; too many show that a scheme
//! uses a range smaller than m.

use std::collections::BTreeMap;

use super::{
    locations::Sample,
    t1_bins::{UPPER, counted},
};
use crate::schemes::{Pairs, Part};
use crate::workload::mix;
use bouquet_record::TestRow;
use bouquet_stats::CountLaw;

/// The largest expected number of other keys that share a key's locations. If more are expected, T7
/// is left out, because T1 and T3 detect every fault.
const MOST_KEYS_A_SET: f64 = 0.01;

pub fn findings(sample: &Sample) -> Vec<TestRow> {
    let claimed = |part: &Part| part.pairs != Pairs::Unclaimed;
    if !sample.parts.iter().all(claimed) {
        return Vec::new();
    }
    let chance = chance(sample);
    let keys = sample.keys() as f64;
    if keys * chance > MOST_KEYS_A_SET {
        return Vec::new();
    }
    let law = equal_pairs(keys, 1.0 / chance);
    let shared = || equal_neighbours(fingerprints(sample));
    let found = |law| counted("T7", "all locations", shared(), law, UPPER);
    law.map(found).into_iter().collect()
}

/// A 64-bit hash of each key's sorted locations: two different sets collide with probability 2^-64.
fn fingerprints(sample: &Sample) -> Vec<u64> {
    let mut set = vec![0; sample.columns.len()];
    let fingerprint = |key: usize| {
        for (probe, slot) in set.iter_mut().enumerate() {
            *slot = sample.columns[probe][key];
        }
        set.sort_unstable();
        set.iter().fold(0, |hash, slot| mix(hash ^ slot))
    };
    (0..sample.keys() as usize).map(fingerprint).collect()
}

/// The number of pairs of equal numbers.
fn equal_neighbours(mut data: Vec<u64>) -> u64 {
    data.sort_unstable();
    let runs = data.chunk_by(|a, b| a == b).map(|run| run.len() as u64);
    runs.map(|run| run * (run - 1) / 2).sum()
}

/// The probability that two keys have the same locations, or an upper bound of it: the product over
/// the first part of a location, such as the block, and the parts that share probes with it, whose
/// values are independent. Other parts could only lower the probability.
fn chance(sample: &Sample) -> f64 {
    let parts = &sample.parts;
    let Some(first) = parts.first() else {
        return 1.0;
    };
    let joint = parts.iter().filter(|part| {
        part.probes.start < first.probes.end && first.probes.start < part.probes.end
    });
    joint.map(of_part).product()
}

fn of_part(part: &Part) -> f64 {
    let (k, m) = (part.probes.len() as u32, part.values);
    match part.pairs {
        Pairs::Independent => of_independent(k, m as f64),
        // For double hashing that wraps around or uses more words, this is an upper bound.
        _ => of_stride(k, m),
    }
}

/// The probability that two independent draws of k values out of m, with replacement, give the same
/// multiset: (k! / m^k)^2 [x^k] (sum_j x^j / (j!)^2)^m.
fn of_independent(k: u32, m: f64) -> f64 {
    let k = k as usize;
    // The power has coefficients c_n, the series in it a_j = 1/(j!)^2. The logarithmic derivative
    // gives n c_n = sum_j (j (m + 1) - n) a_j c_(n-j).
    let mut inverse_factorial = vec![1.0_f64; k + 1];
    for j in 1..=k {
        inverse_factorial[j] = inverse_factorial[j - 1] / j as f64;
    }
    let mut power = vec![1.0_f64; k + 1];
    for n in 1..=k {
        let term = |j: usize| {
            // a_j is divided by m^j, and so c_n by m^n, to avoid overflow.
            let a = inverse_factorial[j].powi(2) / m.powi(j as i32);
            (j as f64 * (m + 1.0) - n as f64) * a * power[n - j]
        };
        power[n] = (1..=n).map(term).sum::<f64>() / n as f64;
    }
    // The result is (k!)^2 / m^(2k) times c_k; `power[k]` is c_k / m^k.
    let product: f64 = (1..=k).map(|j| (j as f64).powi(2) / m).product();
    product * power[k]
}

/// The probability that two keys have the same locations h1 + i h2 mod m. If h2 has order d = m /
/// gcd(h2, m), the probes stay in a coset of d slots; k probes visit each of these floor(k/d)
/// times, and r = k mod d of them once more. The sets of locations in a coset differ only in these
/// r slots: there is 1 set if r = 0, d sets if r = 1 or d - 1, and otherwise d phi(d) / 2, because
/// h2 and -h2 give the same sets.
fn of_stride(k: u32, m: u64) -> f64 {
    let size = m as f64;
    let mut chance = 0.0;
    for (d, totient) in divisors(m) {
        let r = u64::from(k) % d;
        let (d, totient) = (d as f64, totient as f64);
        let sets = if r == 0 {
            1.0
        } else if r == 1 || r as f64 == d - 1.0 {
            d
        } else {
            d * totient / 2.0
        };
        chance += (totient / size).powi(2) / (size / d * sets);
    }
    chance
}

/// The divisors of m and Euler's totient of each.
fn divisors(m: u64) -> Vec<(u64, u64)> {
    let mut primes = BTreeMap::new();
    let (mut rest, mut p) = (m, 2);
    while rest > 1 {
        if p * p > rest {
            p = rest;
        }
        while rest % p == 0 {
            *primes.entry(p).or_insert(0) += 1;
            rest /= p;
        }
        p += 1;
    }
    let mut divisors = vec![(1, 1)];
    for (p, power) in primes {
        let known = divisors.clone();
        for e in 0..power {
            let power = p.pow(e);
            divisors.extend(
                known
                    .iter()
                    .map(|(d, phi)| (d * power * p, phi * power * (p - 1))),
            );
        }
    }
    divisors
}

/// If fewer equal pairs than this are expected, their number is taken as Poisson, otherwise as
/// nearly normal.
const FEW: f64 = 100.0;
/// The largest number of draws per value at which three or more draws are rarely equal, so that the
/// number of pairs of equal draws is Poisson.
const SPARSE: f64 = 0.02;

/// The distribution of the number of pairs of equal draws among `draws` draws from `values` equally
/// likely values. Any two pairs are independent, so mean and variance are exact; three equal draws
/// add to the third cumulant. `None` if few pairs are expected, but three equal draws are not rare.
fn equal_pairs(draws: f64, values: f64) -> Option<CountLaw> {
    let p = 1.0 / values;
    let pairs = draws * (draws - 1.0) / 2.0;
    let triples = pairs * (draws - 2.0) / 3.0;
    let mean = pairs * p;
    if mean < FEW {
        return (draws * p <= SPARSE).then_some(CountLaw::Poisson(mean));
    }
    Some(CountLaw::Skewed(
        mean,
        mean * (1.0 - p),
        mean * (1.0 - p) * (1.0 - 2.0 * p) + 6.0 * triples * p * p * (1.0 - p),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn by_enumeration(states: u64, set: impl Fn(u64) -> Vec<u64>) -> f64 {
        let mut seen: HashMap<Vec<u64>, f64> = HashMap::new();
        for state in 0..states {
            let mut set = set(state);
            set.sort_unstable();
            *seen.entry(set).or_default() += 1.0 / states as f64;
        }
        seen.values().map(|p| p * p).sum()
    }

    #[test]
    fn pairs_are_counted() {
        assert_eq!(equal_neighbours(vec![3, 1, 3, 2, 3, 1]), 3 + 1);
        assert_eq!(equal_neighbours(Vec::new()), 0);
    }

    #[test]
    fn chances_match_enumeration() {
        for (k, m) in [(2, 5), (3, 4), (4, 6), (5, 3)] {
            let digits = |mut state: u64| -> Vec<u64> {
                (0..k)
                    .map(|_| {
                        let digit = state % m;
                        state /= m;
                        digit
                    })
                    .collect()
            };
            let want = by_enumeration(m.pow(k), digits);
            let got = of_independent(k, m as f64);
            assert!((got / want - 1.0).abs() < 1e-9, "{k} {m}: {got} {want}");
        }
        for (k, m) in [
            (2, 8),
            (3, 12),
            (4, 5),
            (7, 8),
            (7, 64),
            (7, 60),
            (5, 31),
            (7, 9),
        ] {
            let line = |state: u64| -> Vec<u64> {
                (0..k).map(|i| (state / m + i * (state % m)) % m).collect()
            };
            let want = by_enumeration(m * m, line);
            let got = of_stride(k as u32, m);
            assert!((got / want - 1.0).abs() < 1e-9, "{k} {m}: {got} {want}");
        }
    }

    #[test]
    fn large_layouts_are_about_two_over_m_squared() {
        for m in [958_511, 1 << 20, 1 << 48] {
            let ratio = of_stride(7, m) * (m as f64).powi(2);
            assert!((1.9..6.1).contains(&ratio), "{m}: {ratio}");
            assert!(of_independent(7, m as f64) < 1e-30);
        }
    }

    #[test]
    fn totients_of_divisors() {
        let mut of_12 = divisors(12);
        of_12.sort_unstable();
        assert_eq!(of_12, [(1, 1), (2, 1), (3, 2), (4, 2), (6, 2), (12, 4)]);
        assert_eq!(divisors(1 << 48).len(), 49);
    }

    /// Compares with an enumeration of all outcomes of thirty draws from two values.
    #[test]
    fn cumulants_of_a_case_by_enumeration() {
        let law = equal_pairs(30.0, 2.0).unwrap();
        let CountLaw::Skewed(mean, variance, third) = law else {
            panic!("{law:?}")
        };
        let mut chance = 0.5_f64.powi(30);
        let cases = (0..=30).map(|first| {
            let (a, b) = (f64::from(first), f64::from(30 - first));
            let case = (chance, (a * (a - 1.0) + b * (b - 1.0)) / 2.0);
            chance *= b / (a + 1.0);
            case
        });
        let cases: Vec<(f64, f64)> = cases.collect();
        let moment = |power| -> f64 {
            let terms = cases
                .iter()
                .map(|(p, pairs)| p * (pairs - mean).powi(power));
            terms.sum()
        };
        assert!(moment(1).abs() < 1e-9);
        assert!((variance / moment(2) - 1.0).abs() < 1e-9);
        assert!((third / moment(3) - 1.0).abs() < 1e-9, "{third}");
    }

    #[test]
    fn few_pairs_in_clumps_have_no_law() {
        assert_eq!(equal_pairs(20.0, 64.0), None);
        assert!(equal_pairs(1e5, 1e9).is_some());
    }
}
