//! Tests the statistical tests themselves: if locations have the distribution that the scheme
//! claims, p-values must be uniform over independent repetitions. Only one p-value of each test is
//! taken from a repetition, because the p-values of one repetition depend on each other.
//!
//! If `BOUQUET_GROUPS` is set at compile time, as `scripts/nightly self-test` does, this is a
//! three-level test (Haramoto and Matsumoto, arXiv 1710.06033). There are `BOUQUET_GROUPS` groups
//! of repetitions. Each group gives a Kolmogorov-Smirnov p-value, and these p-values are again
//! compared with the uniform distribution. This detects errors of a p-value that are too small to
//! be seen in one group.

use super::{Sample, findings, t1_bins, t3_pairs, t7_sets};
use crate::schemes::{Pairs, Part};
use crate::workload::mix;
use bouquet_hash::reduce::multiply_shift;
use bouquet_record::TestRow;
use bouquet_stats::{CountLaw, chi_square_p, chi_square_upper_p, uniform};

const REPEATS: u64 = 1_000;

/// A sample of independent and uniform locations, as under the null hypothesis.
fn null(part: &Part, keys: u64, seed: u64) -> Sample {
    let column = |probe: u64| -> Vec<u64> {
        let base = mix(mix(seed) ^ mix(!probe));
        let draw = |key| multiply_shift(mix(base ^ mix(key)), part.values);
        (0..keys).map(draw).collect()
    };
    let columns = (0..u64::from(part.probes.end)).map(column).collect();
    Sample::of(part.values, vec![part.clone()], columns)
}

/// A sample of locations by double hashing with uniform h1 and h2.
fn strides(slots: u64, probes: u32, keys: u64, seed: u64) -> Sample {
    let words = null(&Part::slot(2, slots), keys, seed);
    let column = |i: u32| {
        let words = words.columns[0].iter().zip(words.columns[1].iter());
        words
            .map(|(h1, h2)| (h1 + u64::from(i) * h2) % slots)
            .collect()
    };
    let part = Part::slot(probes, slots).pairs(Pairs::Stride);
    Sample::of(slots, vec![part], (0..probes).map(column).collect())
}

pub(super) fn p_value(finding: &TestRow, seed: u64) -> f64 {
    let is_upper = finding.sides == "upper";
    if let Some(df) = finding.degrees_of_freedom {
        let p = if is_upper {
            chi_square_upper_p
        } else {
            chi_square_p
        };
        return p(finding.statistic, df).unwrap();
    }
    let mean = finding.mean.unwrap();
    let law = match (finding.trials, finding.variance, finding.third_cumulant) {
        (Some(trials), ..) => CountLaw::Binomial(trials, mean / trials as f64),
        (_, Some(variance), Some(third)) => CountLaw::Skewed(mean, variance, third),
        _ => CountLaw::Poisson(mean),
    };
    let u = uniform(seed, &[&finding.test, &finding.item]);
    let tails = law.tails(finding.statistic, u);
    if is_upper {
        tails.upper
    } else {
        tails.two_sided()
    }
}

/// The largest distance between the empirical distribution of `p` and the uniform distribution,
/// times sqrt(n).
pub(super) fn kolmogorov(p: &mut [f64]) -> f64 {
    p.sort_by(f64::total_cmp);
    let n = p.len() as f64;
    let distance = p.iter().enumerate().map(|(i, p)| {
        let i = i as f64;
        (p - i / n).max((i + 1.0) / n - p)
    });
    distance.fold(0.0, f64::max) * n.sqrt()
}

/// The quantile of the Kolmogorov distribution for alpha = 1e-3: sqrt(ln(2/alpha)/2).
const CRITICAL: f64 = 1.949_5;

/// The number of groups of the three-level test: 1, unless `BOUQUET_GROUPS` was set at compile time.
fn groups() -> u64 {
    let groups = option_env!("BOUQUET_GROUPS").and_then(|groups| groups.parse().ok());
    groups.unwrap_or(1)
}

/// The p-value of a Kolmogorov distance between n values and the uniform distribution, by Stephens
/// (1970). `distance` is already multiplied by sqrt(n).
fn kolmogorov_p(distance: f64, n: f64) -> f64 {
    let root = n.sqrt();
    let d = distance / root * (root + 0.12 + 0.11 / root);
    let term = |j: i32| (-2.0 * f64::from(j * j) * d * d).exp();
    let sum: f64 = (1..=100)
        .map(|j| if j % 2 == 1 { term(j) } else { -term(j) })
        .sum();
    (2.0 * sum).clamp(0.0, 1.0)
}

/// The p-value of the third level: a chi-square test, in ten bins, of whether the p-values of the
/// groups are uniform.
fn third_level(second: &[f64]) -> f64 {
    let mut bins = [0.0; 10];
    for p in second {
        bins[((p * 10.0) as usize).min(9)] += 1.0;
    }
    let expected = second.len() as f64 / 10.0;
    let statistic = bins.iter().map(|n| (n - expected).powi(2) / expected).sum();
    chi_square_upper_p(statistic, 9).unwrap()
}

/// The significance level of [`third_level`]; about twenty p-values are tested at this level.
const BEYOND: f64 = 1e-5;

/// Runs `test` on many samples. Asserts that the p-values of its first result for `item` are
/// uniform.
fn check(
    name: &str,
    test: fn(&Sample) -> Vec<TestRow>,
    item: &str,
    sample: impl Fn(u64) -> Sample,
) {
    let p_of = |seed| {
        let found = test(&sample(seed));
        let mut of_item = found.iter().filter(|f| f.item.contains(item));
        let finding = of_item
            .next()
            .unwrap_or_else(|| panic!("{name}: no {item}: {found:?}"));
        p_value(finding, seed)
    };
    let distance = |group: u64| {
        let mut p: Vec<f64> = (group * REPEATS..(group + 1) * REPEATS).map(p_of).collect();
        kolmogorov(&mut p)
    };
    let distances: Vec<f64> = (0..groups()).map(distance).collect();
    if let [distance] = distances[..] {
        assert!(distance < CRITICAL, "{name} {item}: {distance}");
        return;
    }
    let second: Vec<f64> = distances
        .iter()
        .map(|distance| kolmogorov_p(*distance, REPEATS as f64))
        .collect();
    let third = third_level(&second);
    println!(
        "{name}, {item}: {} groups, p of the third level {third:.4}",
        second.len()
    );
    assert!(third > BEYOND, "{name} {item}: {third}");
}

/// Published tables have the Kolmogorov distance 1.358 at p = 0.05, and 1.628 at p = 0.01.
#[test]
fn distances_have_the_p_of_tables() {
    for (distance, p) in [(1.358, 0.05), (1.628, 0.01)] {
        let got = kolmogorov_p(distance, 1e12);
        assert!((got / p - 1.0).abs() < 0.01, "{got}");
    }
    let even: Vec<f64> = (0..1_000).map(|i| (f64::from(i) + 0.5) / 1_000.0).collect();
    assert!(third_level(&even) > 0.999);
    let low: Vec<f64> = even.iter().map(|p| p * p).collect();
    assert!(third_level(&low) < BEYOND);
}

#[test]
fn histograms() {
    let small = |seed| null(&Part::slot(1, 64), 6_400, seed);
    check("T1", t1_bins::findings, "slot 0", small);
    let uneven = |seed| null(&Part::slot(1, 1_000), 3_200, seed);
    check("T1 in uneven bins", t1_bins::findings, "slot 0", uneven);
}

#[test]
fn pairs() {
    for item in ["joint", "difference", "mod 60"] {
        let free = |seed| null(&Part::slot(2, 100_003), 6_400, seed);
        check("T3", t3_pairs::findings, item, free);
    }
    for item in ["slot 0 and 2 joint", "slot 0 and 2 difference"] {
        let lattice = |seed| strides(48, 3, 6_400, seed);
        check("T3 of strides", t3_pairs::findings, item, lattice);
    }
}

#[test]
fn counts() {
    let near_normal = |seed| null(&Part::slot(1, 4_000_000), 30_000, seed);
    check("T7 of one probe", t7_sets::findings, "all", near_normal);
    let rare = |seed| null(&Part::slot(1, 1 << 20), 2_000, seed);
    check("T7 of rare pairs", t7_sets::findings, "all", rare);
    // About five pairs of keys are expected to have the same two slots.
    let sets = |seed| null(&Part::slot(2, 1_000), 2_200, seed);
    check("T7", t7_sets::findings, "all", sets);
    let lines = |seed| strides(1_009, 7, 2_200, seed);
    check("T7 of strides", t7_sets::findings, "all", lines);
}

/// Independent locations pass every test; if all probes of a key are equal, a test flags them.
#[test]
fn what_is_flagged_is_what_is_wrong() {
    let worst = |sample: &Sample| {
        let p = findings(sample).into_iter().map(|f| p_value(&f, 1));
        p.fold(1.0, f64::min)
    };
    let part = Part::slot(4, 4_096);
    let good = null(&part, 20_000, 5);
    assert!(worst(&good) > 1e-5);
    let repeated = |draw: fn(u64) -> u64| {
        let column: Vec<u64> = good.columns[0].iter().map(|slot| draw(*slot)).collect();
        Sample::of(4_096, vec![part.clone()], vec![column; 4])
    };
    assert!(worst(&repeated(|slot| slot)) < 1e-30);
    assert!(worst(&repeated(|slot| slot & !1)) < 1e-30);
}
