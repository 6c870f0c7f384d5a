//! Shows why the battery tests each probe index separately: the chi-square statistic of all probes
//! of all keys together does not follow the chi-square distribution with m - 1 degrees of freedom.
//! Reproduces rows of `chi2_calibration.csv`.

use super::self_test::kolmogorov;
use crate::workload::mix;
use bouquet_stats::chi_square_upper_p;

/// Four times as many repetitions as `chi2_calibration.csv` has.
const REPEATS: u64 = 4_000;

/// Properties of the chi-square statistic of all probes together, over all repetitions.
struct Pooled {
    /// Mean and variance of the statistic, relative to the chi-square distribution.
    mean: f64,
    variance: f64,
    /// The fraction of repetitions that an upper-tailed test at the 5 % level rejects.
    rejected: f64,
    /// The Kolmogorov distance between the p-values and the uniform distribution, times sqrt(n).
    distance: f64,
}

fn pooled(m: u64, k: u64, keys: u64, locate: impl Fn(u64, u64, u64) -> u64) -> Pooled {
    let df = m - 1;
    let statistics: Vec<f64> = (0..REPEATS)
        .map(|seed| {
            let mut counts = vec![0u64; m as usize];
            for key in 0..keys {
                let word = |n| mix(mix(seed ^ mix(n)) ^ mix(key));
                let (h1, h2) = (word(1), word(2));
                for i in 0..k {
                    counts[locate(h1, h2, i) as usize] += 1;
                }
            }
            let expected = (keys * k) as f64 / m as f64;
            counts
                .iter()
                .map(|n| (*n as f64 - expected).powi(2) / expected)
                .sum()
        })
        .collect();
    let mean = statistics.iter().sum::<f64>() / REPEATS as f64;
    let variance =
        statistics.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (REPEATS - 1) as f64;
    let mut p: Vec<f64> = statistics
        .iter()
        .map(|x| chi_square_upper_p(*x, df).unwrap())
        .collect();
    Pooled {
        mean: mean / df as f64,
        variance: variance / (2.0 * df as f64),
        rejected: p.iter().filter(|p| **p < 0.05).count() as f64 / REPEATS as f64,
        distance: kolmogorov(&mut p),
    }
}

/// A row of `chi2_calibration.csv`: mean / df, variance / (2 df), and the fraction rejected at 5 %.
fn reference(scheme: &str, m: u64, k: u64) -> [f64; 3] {
    let table = include_str!("../../../data/chi2_calibration.csv");
    let line = table
        .lines()
        .find(|line| line.starts_with(&format!("{scheme},{m},{k},")))
        .unwrap();
    let cell: Vec<&str> = line.split(',').collect();
    [7, 9, 10].map(|at| cell[at].parse().unwrap())
}

/// `chi2_calibration.csv` has 1,000 repetitions. Its standard errors are therefore sqrt(2
/// df/1000)/df for the mean, about 6 % for the variance, and 1.1 % for a rejection rate of 15 %.
/// About five times these errors are allowed.
fn check(scheme: &str, m: u64, k: u64, got: &Pooled) {
    let [mean, variance, rejected] = reference(scheme, m, k);
    let allowed = 5.0 * (2.0 / (1_000.0 * (m - 1) as f64)).sqrt() + 0.002;
    assert!(
        (got.mean - mean).abs() < allowed,
        "{scheme} {m}: mean {}",
        got.mean
    );
    assert!(
        (got.variance / variance - 1.0).abs() < 0.35,
        "{scheme} {m}: {}",
        got.variance
    );
    assert!(
        (got.rejected - rejected).abs() < 0.05,
        "{scheme} {m}: {}",
        got.rejected
    );
}

#[test]
fn independent_probes_may_be_pooled() {
    for (m, k, keys) in [(31, 4, 620), (64, 7, 1_280)] {
        let got = pooled(m, k, keys, |h1, h2, i| {
            mix(h1 ^ mix(h2.wrapping_add(i))) % m
        });
        check("independent", m, k, &got);
        assert!(got.distance < 1.95, "{m}: {}", got.distance);
    }
}

#[test]
fn double_hashing_voids_the_pooled_test() {
    // With h2 from 1 to m - 1 and a prime m, the probes of a key never coincide, so the statistic
    // is too small.
    let got = pooled(31, 4, 620, |h1, h2, i| (h1 % 31 + i * (1 + h2 % 30)) % 31);
    check("dh h2 in 1..m-1", 31, 4, &got);
    assert!(got.mean < 0.93 && got.distance > 1.95, "{}", got.distance);
    // With h2 = 0 allowed and a composite m, a test at the 5 % level rejects about 15 %.
    let got = pooled(100, 7, 2_000, |h1, h2, i| (h1 % 100 + i * (h2 % 100)) % 100);
    check("dh h2 in 0..m-1", 100, 7, &got);
    assert!(
        got.rejected > 0.1 && got.distance > 1.95,
        "{}",
        got.distance
    );
    // Dividing the statistic by its mean ratio `got.mean` would not correct the variance.
    assert!(got.variance / got.mean.powi(2) > 1.06);
}
