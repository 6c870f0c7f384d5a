//! The tests tested: on locations that do what is claimed, every p-value is
//! uniform over independent repetitions. One item a test is taken from each
//! repetition, because the items of one share draws.

use super::{
    Finding, Law, Sample, findings, law::Sides, t1_bins, t2_residues, t3_pairs, t4_birthday,
    t5_fill, t6_repeats, t7_sets,
};
use crate::schemes::{Pairs, Part};
use crate::workload::mix;
use bouquet_hash::reduce::multiply_shift;
use bouquet_stats::{chi_square_p, chi_square_upper_p, uniform};

const REPEATS: u64 = 1_000;

/// Independent uniform columns.
fn null(part: &Part, keys: u64, seed: u64) -> Sample {
    let column = |probe: u64| -> Vec<u64> {
        let base = mix(mix(seed) ^ mix(!probe));
        let draw = |key| multiply_shift(mix(base ^ mix(key)), part.values);
        (0..keys).map(draw).collect()
    };
    let columns = (0..u64::from(part.probes.end)).map(column).collect();
    Sample::of(part.values, vec![part.clone()], columns)
}

/// Double hashing with h1 and h2 uniform.
fn strides(slots: u64, probes: u32, keys: u64, seed: u64) -> Sample {
    let words = null(&Part::slot(2, slots), keys, seed);
    let column = |i: u32| {
        let words = words.column(0).iter().zip(words.column(1));
        words
            .map(|(h1, h2)| (h1 + u64::from(i) * h2) % slots)
            .collect()
    };
    let part = Part::slot(probes, slots).pairs(Pairs::Stride);
    Sample::of(slots, vec![part], (0..probes).map(column).collect())
}

pub(super) fn p_value(finding: &Finding, seed: u64) -> f64 {
    let u = uniform(seed, &[finding.test, &finding.item]);
    let law = match finding.law {
        Law::ChiSquare { degrees_of_freedom } => {
            let p = match finding.sides {
                Sides::Both => chi_square_p,
                Sides::Upper => chi_square_upper_p,
            };
            return p(finding.statistic, degrees_of_freedom).unwrap();
        }
        Law::Count(law) => law,
    };
    let tails = law.tails(finding.statistic, u);
    match finding.sides {
        Sides::Both => tails.two_sided(),
        Sides::Upper => tails.upper,
    }
}

/// The largest distance of the empirical from the uniform law, times sqrt(n).
pub(super) fn kolmogorov(p: &mut [f64]) -> f64 {
    p.sort_by(f64::total_cmp);
    let n = p.len() as f64;
    let distance = p.iter().enumerate().map(|(i, p)| {
        let i = i as f64;
        (p - i / n).max((i + 1.0) / n - p)
    });
    distance.fold(0.0, f64::max) * n.sqrt()
}

/// The quantile of Kolmogorov's law for alpha = 1e-3: sqrt(ln(2/alpha)/2).
const CRITICAL: f64 = 1.949_5;

/// Asserts that the p-values of a kind of item are uniform over repetitions.
fn check(
    name: &str,
    test: fn(&Sample) -> Vec<Finding>,
    item: &str,
    sample: impl Fn(u64) -> Sample,
) {
    let mut p: Vec<f64> = (0..REPEATS)
        .map(|seed| {
            let found = test(&sample(seed));
            let mut of_item = found.iter().filter(|f| f.item.contains(item));
            let finding = of_item
                .next()
                .unwrap_or_else(|| panic!("{name}: no {item}: {found:?}"));
            p_value(finding, seed)
        })
        .collect();
    let distance = kolmogorov(&mut p);
    assert!(distance < CRITICAL, "{name} {item}: {distance}");
}

#[test]
fn histograms() {
    let small = |seed| null(&Part::slot(1, 64), 6_400, seed);
    check("T1", t1_bins::findings, "slot 0", small);
    let uneven = |seed| null(&Part::slot(1, 1_000), 3_200, seed);
    check("T1 in uneven bins", t1_bins::findings, "slot 0", uneven);
    for modulus in ["mod 2", "mod 5", "mod 64"] {
        let large = |seed| null(&Part::slot(1, 1 << 40), 6_400, seed);
        check("T2", t2_residues::findings, modulus, large);
    }
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
    let near_normal = |seed| null(&Part::slot(1, 20_000), 3_000, seed);
    check("T4", t4_birthday::findings, "slot 0", near_normal);
    let rare = |seed| null(&Part::slot(1, 1 << 20), 2_000, seed);
    check("T4 of rare pairs", t4_birthday::findings, "slot 0", rare);
    let independent = |seed| null(&Part::slot(5, 5_000), 2_000, seed);
    check("T6", t6_repeats::findings, "slot", independent);
    let many = |seed| null(&Part::slot(5, 64), 2_000, seed);
    check("T6 of many", t6_repeats::findings, "slot", many);
    let lattice = |seed| strides(64, 3, 2_000, seed);
    check(
        "T6 of strides",
        t6_repeats::findings,
        "slot 0 and 2",
        lattice,
    );
    // Some five pairs of keys with the same two slots.
    let sets = |seed| null(&Part::slot(2, 1_000), 2_200, seed);
    check("T7", t7_sets::findings, "all", sets);
    let lines = |seed| strides(1_009, 7, 2_200, seed);
    check("T7 of strides", t7_sets::findings, "all", lines);
}

#[test]
fn filters() {
    for item in ["all probes", "hits"] {
        for (slots, keys) in [(64, 4_000), (1_000, 4_000), (4_099, 800)] {
            let sample = |seed| null(&Part::slot(5, slots), keys, seed);
            check("T5", t5_fill::findings, item, sample);
        }
        let sample = |seed| strides(1 << 14, 5, 3_000, seed);
        check("T5 of strides", t5_fill::findings, item, sample);
    }
}

/// Independent draws pass whole, and locations that repeat do not.
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
        let column: Vec<u64> = good.column(0).iter().map(|slot| draw(*slot)).collect();
        Sample::of(4_096, vec![part.clone()], vec![column; 4])
    };
    assert!(worst(&repeated(|slot| slot)) < 1e-30);
    assert!(worst(&repeated(|slot| slot & !1)) < 1e-30);
}
